"""Whether a frame that was made smaller still fits the schema as well as it did."""

from __future__ import annotations

from acpinspect.protocol import METHODS, Version, read_permission, read_update

__all__ = ["Json", "fits"]

Json = dict[str, object]


def fits(new: Json, old: Json, method: str | None, version: Version) -> bool:
    """Whether a frame has no fault of form that the old one had not.

    Args:
        new: The smaller frame.
        old: The frame.
        method: Its method; of a response, that of its request.
        version: The protocol version.

    Example:
        >>> old = {"id": 1, "method": "session/cancel", "params": {"sessionId": "s", "_meta": {}}}
        >>> fits({**old, "params": {"sessionId": "s"}}, old, "session/cancel", "v1")
        True
        >>> fits({**old, "params": {}}, old, "session/cancel", "v1")
        False
    """
    return _faults(new, method, version) <= _faults(old, method, version)


def _faults(frame: Json, method: str | None, version: Version) -> set[str]:
    """What is wrong with a frame."""
    params, result = frame.get("params"), frame.get("result")
    known = METHODS.get(method or "")
    call = None if known is None else known.calls.get(version)
    faults = {key for key in ("jsonrpc", "id", "method", "result", "error") if key not in frame}
    if call is not None and "method" in frame:
        faults |= {
            f"params.{key}" for key in call.required_params if not isinstance(params, dict) or key not in params
        }
    if call is not None and "result" in frame:
        faults |= {
            f"result.{key}" for key in call.required_result if not isinstance(result, dict) or key not in result
        }
    if isinstance(params, dict) and method == "session/update":
        reading = read_update(params.get("update"), version)
        faults |= {f"update {issue.reason} {reading.rejected}" for issue in reading.issues}
    if isinstance(params, dict) and method == "session/request_permission":
        faults |= {f"permission {issue.reason}" for issue in read_permission(params, version).issues}
    return faults
