"""The contract of the events table: its columns, their types and meaning, and access to an event's JSON.

The table carries the JSON text of every frame, so it stands alone: it can be filtered, sliced, pickled or
written to Parquet and still be grouped, replayed and diagnosed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import orjson

from acpinspect.errors import EventsError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = [
    "COLUMNS",
    "REJECTED",
    "Column",
    "arrow_strings",
    "check_events",
    "message_events",
    "no_event",
    "parse",
    "payload",
    "payloads",
]

REJECTED: Final = "rejected: "
"""How the `problem` of an update begins that a client which follows the protocol refuses."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes:
        name: The column's name.
        dtype: Its pandas type: ``category``, ``string``, ``Int64``, ``float64``, ``datetime64[ns, UTC]``.
        meaning: What it says, in one sentence.
    """

    name: str
    dtype: str
    meaning: str


COLUMNS: Final[tuple[Column, ...]] = (
    Column("source", "category", "Name of the file, stream or object that the frame was read from."),
    Column("line", "Int64", "1-based line at which the record begins; NA where the source has no lines."),
    Column("offset", "Int64", "First byte of the record, its wrapper included, in the decompressed source."),
    Column("length", "Int64", "Size of the record in bytes."),
    Column("time", "datetime64[ns, UTC]", "When it was recorded; NaT where the log doesn't say."),
    Column("elapsed", "float64", "Seconds since the first timed record of the recording; NaN without time."),
    Column("time_source", "category", "How the time was written: epoch s/ms/us/ns, ISO 8601, local, relative."),
    Column(
        "sender",
        "category",
        "agent or client, by method, label or reply; a foreign notification without a label is the agent's.",
    ),
    Column("sender_label", "category", "The direction label, as written."),
    Column("kind", "category", "request, response, error, notification, unreadable or other."),
    Column("method", "category", "The method; of a response, the method of the request that it answers."),
    Column("rpc_id", "string", "The JSON-RPC id as text."),
    Column("reply_to", "Int64", "The event of the request that a response answers."),
    Column("session_id", "string", "The session; of a response, that of its request or of its result."),
    Column("protocol", "category", "v1 or v2: negotiated, else inferred, per connection."),
    Column("update", "category", "sessionUpdate, as written."),
    Column("role", "category", "user, agent or thought for a message update of the protocol version."),
    Column("message_id", "string", "messageId; NA where there is none or it is no string."),
    Column("message_id_state", "category", "present, null, absent or invalid; NA where it does not apply."),
    Column(
        "content_type",
        "category",
        "Type of a chunk's block. Of a whole-message update: null, [] or its block types joined by +.",
    ),
    Column("text", "string", "Text of the block, or of all text blocks of a whole-message update."),
    Column("tool_call_id", "string", "toolCallId of a tool update or of a permission request."),
    Column("tool_kind", "category", "kind of the tool, as sent."),
    Column("tool_status", "category", "status of the tool, as sent."),
    Column("title", "string", "title of the tool or session, as sent."),
    Column("turn", "Int64", "Prompt turn in the session, from 1; NA before the first and in a replay."),
    Column("phase", "category", "live or replay; NA without a session."),
    Column("epoch", "Int64", "Number of loads and replays of the session so far; NA without a session."),
    Column("problem", "category", "Why it is unreadable or odd; begins with `rejected: ` for a refused update."),
    Column("raw", "string", "JSON text of the frame; of an unreadable record, the text as written."),
)

_NAMES: Final = tuple(column.name for column in COLUMNS)


def check_events(events: pd.DataFrame) -> pd.DataFrame:
    """Return the table as an events table.

    A column that lost its type on the way (a file format without categories, say) gets it back.

    Raises:
        EventsError: If it is no DataFrame or lacks columns of the contract.
    """
    columns = getattr(events, "columns", None)
    if columns is None:
        raise EventsError(
            f"Expected an events table (a DataFrame from acpinspect.load), got {type(events).__name__}. "
            "Load the log first."
        )
    missing = [name for name in _NAMES if name not in columns]
    if missing:
        raise EventsError(
            f"The table is no events table: it lacks {', '.join(missing)}. "
            "Filter rows as you like, but keep the columns that acpinspect.load gave."
        )
    lost = {column.name: column.dtype for column in COLUMNS if not _has_type(events, column)}
    return events.astype(lost) if lost else events


def _has_type(events: pd.DataFrame, column: Column) -> bool:
    """Whether a column has its type; texts may have been left in their file."""
    dtype = str(events[column.name].dtype)
    return dtype == column.dtype or (column.dtype == "string" and dtype == "string[file]")


def message_events(events: pd.DataFrame) -> pd.Series:
    """Say of each event whether it is an accepted part of a message (bool, the table's index)."""
    problem = events["problem"]
    categories = [str(c).startswith(REJECTED) for c in problem.cat.categories]
    if any(categories):
        import numpy as np

        refused = np.append(np.array(categories, dtype=bool), False)[problem.cat.codes.to_numpy()]
        return events["role"].notna() & ~refused
    return events["role"].notna()


def arrow_strings(column: pd.Series) -> pa.ChunkedArray:
    """A string column of an events table as Arrow holds it; also where a filter or Parquet changed its storage."""
    import pyarrow as pa

    values = pa.array(column.array, type=pa.large_string(), from_pandas=True)
    return values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])


def parse(raw: str | bytes | memoryview) -> Any:  # noqa: ANN401  (JSON is anything)
    """Parse JSON text, leniently: what the fast parser refuses goes to the standard one.

    The standard parser takes lone surrogates, NaN and integers beyond 64 bits, which occur in real logs.

    Raises:
        ValueError: If it is no JSON at all.
        RecursionError: If it is nested too deeply to read.
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return json.loads(bytes(raw) if isinstance(raw, memoryview) else raw, parse_int=_whole_number)
    return value


def _whole_number(digits: str) -> int | float:
    """An integer; infinity where it has so many digits that Python refuses to read it."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


_LONG_NUMBER: Final = re.compile(r"\d{19}")


def _parse_exactly(raw: str) -> Any:  # noqa: ANN401  (JSON is anything)
    """Parse JSON text; integers beyond 64 bits, which the fast parser turns into floats, stay what they are."""
    return json.loads(raw) if _LONG_NUMBER.search(raw) else parse(raw)


def payload(events: pd.DataFrame, event: int) -> dict[str, Any]:
    """The JSON of one event.

    Args:
        events: An events table.
        event: A label of its index.

    Returns:
        The JSON-RPC message, as parsed; unknown fields and `_meta` included.

    Raises:
        EventsError: If the event isn't in the table, or is no JSON (kind ``unreadable`` or ``other``).

    Example:
        >>> import acpinspect
        >>> events = acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}])
        >>> acpinspect.payload(events, 0)["method"]
        'initialize'
    """
    check_events(events)
    if event not in events.index:
        raise no_event(events.index, event)
    row = events.loc[event]
    if row["kind"] in ("unreadable", "other"):
        raise EventsError(f"Event {event} is of kind {row['kind']}: it has no payload. Look at its `raw`.")
    return cast("dict[str, Any]", _parse_exactly(str(row["raw"])))


def no_event(index: pd.Index[Any], event: object) -> EventsError:
    """The error to raise where a table with this index has no such event; says which it has.

    Example:
        >>> import pandas as pd
        >>> print(no_event(pd.RangeIndex(8), 99))
        There is no event 99 in this table. Its index (`acpinspect events` shows it) goes from 0 to 7.
    """
    there = f"goes from {index.min()} to {index.max()}" if len(index) else "is empty"
    return EventsError(
        f"There is no event {event!r} in this table. Its index (`acpinspect events` shows it) {there}."
    )


def payloads(events: pd.DataFrame) -> Iterator[dict[str, Any] | None]:
    """The JSON of every event, in the table's order; ``None`` for the kinds unreadable and other.

    Args:
        events: An events table.

    Raises:
        EventsError: If it is no events table.

    Example:
        >>> import acpinspect
        >>> events = acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}])
        >>> [p["id"] for p in acpinspect.payloads(events)]
        [1]
    """
    check_events(events)
    readable = ~events["kind"].isin(["unreadable", "other"])
    for raw, ok in zip(events["raw"], readable, strict=True):
        yield _parse_exactly(raw) if ok else None
