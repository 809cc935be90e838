"""From decoded messages to the columns that can be said of each frame alone.

What needs a frame's neighbours (sessions of responses, turns, protocol version, refused updates) is derived
later, from all batches together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET

from acpinspect.reading.arrays import (
    Category,
    category,
    constant,
    mostly,
    sparse,
    sparse_category,
    strings,
    valid_rows,
)
from acpinspect.reading.clocks import Stamp
from acpinspect.reading.extract import Block, LooseMessage, Message, TextBlock, Update
from acpinspect.reading.frames import Frame
from acpinspect.reading.results import result_columns

__all__ = ["KINDS", "STATES", "Columns", "Rows", "beside_columns", "columns_of_rows"]

Columns = dict[str, pa.Array]
"""Columns by name, equally long. Names that begin with ``_`` never reach a user."""

KINDS: Final = ("request", "response", "error", "notification", "unreadable", "other")
STATES: Final = ("present", "null", "absent", "invalid")
_KIND_CODE: Final = {name: code for code, name in enumerate(KINDS)}
_MESSAGE_NAMES: Final = frozenset(
    f"{role}{suffix}" for role in ("user_message", "agent_message", "agent_thought") for suffix in ("", "_chunk")
)
_CHUNK_NAMES: Final = frozenset(name for name in _MESSAGE_NAMES if name.endswith("_chunk"))
_ASKING: Final = ("session/request_permission",)
_USAGE: Final = ("usage_update",)
_LATEST: Final = 2**63 - 1

Places = Sequence[int | None] | npt.NDArray[np.int64]


@dataclass(slots=True)
class Rows:
    """Rows under construction: what was decoded, and where it stood."""

    messages: Sequence[Message]
    raws: Sequence[bytes]
    lines: Places
    offsets: Places
    lengths: Places
    places: Places
    """Where in its source the JSON text stands as it is: the byte offset, None where it doesn't."""
    beside: Columns | None = None
    """What stands beside the messages, as `beside_columns` gives it; None for nothing."""
    frames: Sequence[Frame] = ()
    """The frames that all rows came from, or none."""


def columns_of_rows(rows: Rows, source: str, raws: pa.Array) -> Columns:
    """The columns of rows of one source.

    Args:
        rows: What was decoded, and where it stood.
        source: Name of the source.
        raws: Their JSON text as a column.
    """
    messages, n = rows.messages, len(rows.messages)
    updates = list(map(attrgetter("params.update"), messages))
    names = category(map(attrgetter("sessionUpdate"), updates), n)
    methods = category(map(attrgetter("method"), messages), n)
    # Only updates that are no message can have these: a minority, so the columns are filled row by row.
    others = np.flatnonzero(names.valid & ~names.among(_MESSAGE_NAMES)).tolist()
    tool_calls = _tool_calls(messages, updates, methods, others)
    titles = sparse(n, {i: updates[i].title for i in others})
    kinds, problems = _kinds(rows, methods)
    responses = np.flatnonzero(kinds == _KIND_CODE["response"]).tolist()
    return {
        "source": constant(source, n),
        "line": pa.array(rows.lines, pa.int64()),
        "offset": pa.array(rows.offsets, pa.int64()),
        "length": pa.array(rows.lengths, pa.int64()),
        "kind": pa.array(kinds),
        "method": methods.array,
        "session_id": category(map(attrgetter("params.sessionId"), messages), n).array,
        "update": names.array,
        "tool_call_id": tool_calls,
        "tool_kind": sparse_category(n, {i: updates[i].kind for i in others}),
        "tool_status": sparse_category(n, {i: updates[i].status for i in others}),
        "title": titles,
        "raw": raws,
        **_raw_places(rows, raws),
        **_rpc_ids(messages, kinds),
        **result_columns(n, ((i, rows.raws[i]) for i in responses)),
        **_message_ids(updates, names),
        **_contents(rows, updates, names, tool_calls, titles),
        **_surroundings(rows, problems),
    }


def _raw_places(rows: Rows, raws: pa.Array) -> Columns:
    """Where in its source the JSON text stands, byte for byte, and how long it is; NA where it doesn't."""
    at = pa.array(rows.places, pa.int64())
    sizes = pc.binary_length(raws)
    return {"_raw_at": at, "_raw_size": pc.if_else(at.is_valid(), sizes, None) if at.null_count else sizes}


def _kinds(rows: Rows, methods: Category) -> tuple[npt.NDArray[np.int8], dict[int, str]]:
    request, response, error, notification, _, other = range(len(KINDS))
    has_id = np.array([value is not None for value in map(attrgetter("id"), rows.messages)], dtype=bool)
    has_method = methods.valid
    kinds = np.where(has_method, np.where(has_id, request, notification), response).astype(np.int8)
    problems: dict[int, str] = {}
    for i in np.flatnonzero(~has_method).tolist():
        message, read_as = rows.messages[i], rows.frames[i].kind if rows.frames else None
        if read_as is not None:
            kinds[i] = _KIND_CODE[read_as]
        elif message.error is not UNSET and bytes(message.error) != b"null":
            kinds[i] = error
        elif message.result is UNSET:
            kinds[i] = other
            problems[i] = "no JSON-RPC message: neither method nor result nor error"
    return kinds, problems


def _rpc_ids(messages: Sequence[Message], kinds: npt.NDArray[np.int8]) -> Columns:
    """The id as text, and beside it a key that keeps the number 1 and the string "1" apart."""
    rows = np.flatnonzero(kinds != _KIND_CODE["notification"]).tolist()
    ids = {i: value for i in rows if (value := messages[i].id) is not None}
    keys = {i: f"s{value}" if isinstance(value, str) else f"n{value}" for i, value in ids.items()}
    n = len(messages)
    return {"rpc_id": sparse(n, {i: str(value) for i, value in ids.items()}), "_key": sparse(n, keys)}


def _tool_calls(
    messages: Sequence[Message], updates: Sequence[Update], methods: Category, others: list[int]
) -> pa.Array:
    asked = np.flatnonzero(methods.among(_ASKING)).tolist()
    ids = {i: updates[i].toolCallId for i in others}
    return sparse(len(messages), ids | {i: messages[i].params.permission_tool for i in asked})


def _message_ids(updates: Sequence[Update], names: Category) -> Columns:
    present, null, absent, invalid = range(len(STATES))
    values = list(map(attrgetter("messageId"), updates))
    ids = strings([value if value.__class__ is str else None for value in values])
    message, given = names.among(_MESSAGE_NAMES), valid_rows(ids)
    states = np.where(given, present, absent).astype(np.int8)
    for i in np.flatnonzero(message & ~given).tolist():
        states[i] = null if values[i] is None else absent if values[i] is UNSET else invalid
    if (given & ~message).any():
        ids = pc.if_else(pa.array(message), ids, None)
    return {"message_id": ids, "message_id_state": pa.array(states, mask=~message)}


def _contents(
    rows: Rows, updates: Sequence[Update], names: Category, tool_calls: pa.Array, titles: pa.Array
) -> Columns:
    """Block type and text, and whether the update needs a closer look before it counts as well-formed."""
    contents = list(map(attrgetter("content"), updates))
    texts = [content.text if content.__class__ is TextBlock else None for content in contents]
    message, chunk, check = names.among(_MESSAGE_NAMES), names.among(_CHUNK_NAMES), names.valid
    loose = [i for i in range(len(rows.frames)) if rows.messages[i].__class__ is LooseMessage]
    types = {i: contents[i].type for i in loose if message[i] and contents[i].__class__ is Block}
    for i in np.flatnonzero(message & ~chunk).tolist():
        types[i], texts[i], check[i] = _whole(contents[i])
    text_column = strings(texts)
    has_text, has_tool = valid_rows(text_column), valid_rows(tool_calls)
    check &= ~(chunk & has_text)
    check &= ~(
        has_tool & (names.among(("tool_call_update",)) | (names.among(("tool_call",)) & valid_rows(titles)))
    )
    for i in np.flatnonzero(names.among(_USAGE)).tolist():
        check[i] = not _is_count(updates[i].used) or not _is_count(updates[i].size)
    for i in loose:
        check[i] |= names.codes[i] >= 0
    if (has_text & ~message).any():
        text_column = pc.if_else(pa.array(message), text_column, None)
    return {
        "content_type": mostly(chunk & has_text, "text", types),
        "text": text_column,
        "_check": pa.array(check),
    }


def _is_count(value: int | None) -> bool:
    return value is not None and 0 <= value <= _LATEST


def _whole(content: object) -> tuple[str | None, str | None, bool]:
    """Type, text and oddness of the content of a whole-message update."""
    if content is UNSET:
        return None, None, False
    if content is None:
        return "null", None, False
    if not isinstance(content, list):
        return None, None, True
    if not content:
        return "[]", "", False
    try:
        blocks = [msgspec.json.decode(item, type=_AnyBlock) for item in content]
    except msgspec.DecodeError:
        return None, None, True
    kinds = list(dict.fromkeys(block.type or "" for block in blocks))
    text = "".join(block.text or "" for block in blocks if block.type == "text")
    odd = any(block.type != "text" or block.text is None for block in blocks)
    return "+".join(kinds), text, odd


class _AnyBlock(msgspec.Struct, gc=False):
    """A block of a whole-message update."""

    type: str | None = None
    text: str | None = None


def _surroundings(rows: Rows, problems: dict[int, str]) -> Columns:
    """Time, direction and oddness."""
    n = len(rows.messages)
    beside = _nothing_beside(n) if rows.beside is None else rows.beside
    if not rows.frames and not problems:
        return {**beside, "problem": constant(None, n)}
    said = [frame.problem for frame in rows.frames] or [None] * n
    for i, problem in problems.items():
        said[i] = problem if said[i] is None else f"{problem}; {said[i]}"
    return {**beside, "problem": category(said, n).array}


def _nothing_beside(n: int) -> Columns:
    """The columns of what stands beside n bare messages."""
    named = dict.fromkeys(("time_source", "sender_label", "_sender", "_connection"), constant(None, n))
    return {"time": pa.nulls(n, pa.int64()), "elapsed": pa.nulls(n, pa.float64()), **named}


def beside_columns(
    stamps: Sequence[Stamp | Frame],
    labels: Sequence[str | None],
    senders: Sequence[str | None],
    connections: Sequence[str | None],
) -> Columns:
    """The columns of what stands beside messages, from one value of each for each message."""
    n = len(stamps)
    return {
        "time": pa.array(list(map(_nanoseconds, stamps)), pa.int64()),
        "elapsed": pa.array([stamp.elapsed for stamp in stamps], pa.float64()),
        "time_source": category([stamp.clock for stamp in stamps], n).array,
        "sender_label": category(labels, n).array,
        "_sender": category(senders, n).array,
        "_connection": category(connections, n).array,
    }


def _nanoseconds(stamp: Stamp | Frame) -> int | None:
    """A time; a year that 64 bits of nanoseconds can't reach is none."""
    return stamp.time if stamp.time is not None and -_LATEST <= stamp.time <= _LATEST else None
