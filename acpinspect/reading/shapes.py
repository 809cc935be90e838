"""Records that hold a message in parts: the message is put together again.

Zed's "Copy" of its ACP logs (`crates/acp_tools`): ``_direction``, ``_type``, results and errors under ``params``.
The conductor's trace (`md/trace-viewer.md`): one record per hop, ``from`` and ``to``, results under ``payload``.
sacp-tee ``--json``: errors are recorded as results.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from acpinspect.reading.envelopes import Found, record_shape
from acpinspect.reading.frames import Sender
from acpinspect.reading.jsontext import Slice, compact, members, text_of
from acpinspect.reading.siblings import Siblings

__all__: list[str] = []

HOP_DUPLICATE: Final = "hop duplicate"
_KINDS: Final = frozenset({"request", "response", "notification"})


def _text(value: Slice) -> str:
    return bytes(value).decode("utf-8", "replace")


def _put_together(**parts: Slice | None) -> str:
    pairs = ",".join(f'"{key}":{_text(part)}' for key, part in parts.items() if part is not None)
    return compact(f'{{"jsonrpc":"2.0",{pairs}}}')


def _is_error(value: Slice | None) -> bool:
    """An error object has an integer code and a message."""
    keys = members(value) if value is not None else None
    if keys is None or "code" not in keys or "message" not in keys:
        return False
    return bytes(keys["code"]).lstrip(b"-").isdigit() and text_of(keys["message"]) is not None


@record_shape("_direction")
def zed_entry(keys: Mapping[str, Slice], beside: Siblings) -> list[Found] | None:
    """One entry of Zed's clipboard copy."""
    kind = text_of(keys.get("_type", b"null"))
    params = keys.get("params")
    if kind == "stderr":
        text = text_of(params) if params is not None else None
        return [Found(text or "", beside, "other", "stderr")]
    if kind == "response":
        name = "error" if _is_error(params) else "result"
        return [Found(_put_together(id=keys.get("id", b"null"), **{name: params or b"null"}), beside)]
    if kind not in _KINDS or "method" not in keys:
        return None
    rpc_id = keys.get("id") if kind == "request" else None
    return [Found(_put_together(id=rpc_id, method=keys["method"], params=params), beside)]


@record_shape("from")
def conductor_hop(keys: Mapping[str, Slice], beside: Siblings) -> list[Found] | None:
    """One record of a conductor's trace: kept where the hop touches the client."""
    kind = text_of(keys.get("type", b"null"))
    origin, target = text_of(keys["from"]), text_of(keys.get("to", b"null"))
    if kind not in _KINDS or origin is None or target is None or "jsonrpc" in keys:
        return None
    said = beside.copy()
    said.label = f"{origin} -> {target}"
    found = Found(_hop_message(kind, keys), said)
    if text_of(keys.get("protocol", b"null")) == "mcp":
        found.kind, found.problem = "other", "not ACP (mcp)"
    elif "client" not in (origin.lower(), target.lower()):
        found.kind, found.problem = "other", HOP_DUPLICATE
    else:
        sender: Sender = "client" if origin.lower() == "client" else "agent"
        found.sender = sender
    return [found]


def _hop_message(kind: str, keys: Mapping[str, Slice]) -> str:
    if kind == "response":
        name = "error" if bytes(keys.get("is_error", b"false")) == b"true" else "result"
        return _put_together(id=keys.get("id", b"null"), **{name: keys.get("payload", b"null")})
    rpc_id = keys.get("id") if kind == "request" else None
    return _put_together(id=rpc_id, method=keys.get("method", b'""'), params=keys.get("params"))
