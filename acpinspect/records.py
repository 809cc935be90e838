"""Events from objects in memory: messages, notifications of the Python SDK, pairs of session and update."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import orjson

from acpinspect.assembly import Part, assemble
from acpinspect.errors import ArgumentError
from acpinspect.protocol import Version
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import Columns, columns_of_frames, columns_of_lines
from acpinspect.reading.framing import line_frames

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["from_records"]

_SOURCE: Final = "<records>"
_BATCH: Final = 2_000
_DISCRIMINATORS: Final = ("sessionUpdate", "type", "outcome")


def from_records(
    records: Iterable[object], *, protocol: Version | None = None, tz: str | None = None
) -> pd.DataFrame:
    """Make an events table of objects in memory.

    Args:
        records: JSON-RPC messages, bare params, bare updates or any recorder's envelopes as dicts; objects of
            the Python SDK (pydantic models); or ``(session_id, update)`` pairs.
        protocol: ``"v1"`` or ``"v2"``, where the records don't tell.
        tz: Zone of times that are written without one, such as ``"Europe/Berlin"``.

    Returns:
        The events table; `line`, `offset` and `length` are NA.

    Raises:
        ArgumentError: If a record is none of these, or `protocol` is no version.

    Example:
        >>> import acpinspect
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        >>> events = acpinspect.from_records([("s1", chunk)])
        >>> events.loc[0, ["session_id", "role", "text"]].tolist()
        ['s1', 'agent', 'Hi']
    """
    lines = [_line(record, position) for position, record in enumerate(records)]
    batches = [_placeless(lines[i : i + _BATCH]) for i in range(0, len(lines), _BATCH)]
    return assemble([Part(_SOURCE, batches)], protocol=protocol, tz=tz)


def _placeless(lines: list[bytes]) -> Columns:
    import pyarrow as pa

    columns = (
        columns_of_lines(b"\n".join(lines), lines, _SOURCE, 1, 0, line_frames, TextStore())
        if lines
        else columns_of_frames([])
    )
    nothing = pa.nulls(len(columns["kind"]), pa.int64())
    return {**columns, "line": nothing, "offset": nothing, "length": nothing}


def _line(record: object, position: int) -> bytes:
    """One record as a line of JSON, with nothing in it changed."""
    if isinstance(record, tuple) and len(record) == 2:
        session_id, update = record
        params = {"sessionId": session_id, "update": _plain(update, position)}
        value: object = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    else:
        value = _plain(record, position)
    try:
        return orjson.dumps(value)
    except TypeError:
        return _dump_slowly(value, position)


def _dump_slowly(value: object, position: int) -> bytes:
    """What the fast writer refuses (lone surrogates, huge integers), the standard one may write."""
    import json

    try:
        return json.dumps(value, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentError(f"Record {position} can't be written as JSON: {error}.") from error


def _plain(record: object, position: int) -> object:
    """A dict as it is; a pydantic model as the wire would have it, absent and null kept apart."""
    if isinstance(record, (dict, list)):
        return record
    dump: Any = getattr(record, "model_dump", None)
    if dump is None:
        raise ArgumentError(
            f"Record {position} is of type {type(record).__name__}. Give dicts, objects of the Python SDK, "
            "or (session_id, update) pairs."
        )
    said = dump(mode="json", by_alias=True, exclude_unset=True)
    return _with_discriminators(said, dump(mode="json", by_alias=True))


def _with_discriminators(said: Any, full: Any) -> Any:  # noqa: ANN401  (JSON is anything)
    """The names of the cases are defaults of their classes: they count as said."""
    if isinstance(said, dict) and isinstance(full, dict):
        merged = {key: _with_discriminators(value, full.get(key)) for key, value in said.items()}
        return merged | {key: full[key] for key in _DISCRIMINATORS if key in full and key not in said}
    if isinstance(said, list) and isinstance(full, list) and len(said) == len(full):
        return [_with_discriminators(*pair) for pair in zip(said, full, strict=True)]
    return said
