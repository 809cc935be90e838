"""From decoded messages to the columns that can be said of each frame alone.

What needs a frame's neighbours (sessions of responses, turns, protocol version, refused updates) is derived
later, from all batches together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, TypeVar

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
from acpinspect.reading.extract import Block, LooseMessage, Message, TextBlock, Update
from acpinspect.reading.frames import Frame
from acpinspect.reading.results import result_columns

__all__ = ["KINDS", "STATES", "Columns", "Rows", "columns_of_rows"]

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

T = TypeVar("T")
Places = Sequence[int | None] | npt.NDArray[np.int64]


@dataclass(slots=True)
class Rows:
    """Rows under construction: what was decoded, and where it stood."""

    messages: list[Message]
    raws: Sequence[bytes]
    lines: Places
    offsets: Places
    lengths: Places
    frames: dict[int, Frame] = field(default_factory=dict)
    """Rows that came from a frame with more to say than its raw text, by position."""
    places: dict[int, int] = field(default_factory=dict)
    """Of these, where in its source the JSON text stands as it is: the byte offset, by position."""


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
        **_raw_places(rows),
        **_rpc_ids(messages, kinds),
        **result_columns(n, ((i, rows.raws[i]) for i in responses)),
        **_message_ids(updates, names),
        **_contents(rows, updates, names, tool_calls, titles),
        **_surroundings(rows, problems),
    }


def _raw_places(rows: Rows) -> Columns:
    """Where in its source the JSON text stands, byte for byte, and how long it is; NA where it doesn't."""
    if not rows.frames:
        return {"_raw_at": pa.array(rows.offsets, pa.int64()), "_raw_size": pa.array(rows.lengths, pa.int64())}
    at, sizes = list(rows.offsets), list(rows.lengths)
    for i in rows.frames:
        at[i] = rows.places.get(i)
        sizes[i] = None if at[i] is None else len(rows.raws[i])
    return {"_raw_at": pa.array(at, pa.int64()), "_raw_size": pa.array(sizes, pa.int64())}


def _kinds(rows: Rows, methods: Category) -> tuple[npt.NDArray[np.int8], dict[int, str]]:
    request, response, error, notification, _, other = range(len(KINDS))
    has_id = np.array([value is not None for value in map(attrgetter("id"), rows.messages)], dtype=bool)
    has_method = methods.valid
    kinds = np.where(has_method, np.where(has_id, request, notification), response).astype(np.int8)
    problems: dict[int, str] = {}
    for i in np.flatnonzero(~has_method).tolist():
        message, frame = rows.messages[i], rows.frames.get(i)
        if frame is not None and frame.kind is not None:
            kinds[i] = _KIND_CODE[frame.kind]
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
    types = {i: contents[i].type for i in rows.frames if message[i] and contents[i].__class__ is Block}
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
    for i in rows.frames:
        check[i] |= rows.messages[i].__class__ is LooseMessage and names.codes[i] >= 0
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
    """Time, direction and oddness, which only rows that came from a frame can have."""
    n, frames = len(rows.messages), rows.frames
    if not frames and not problems:
        nothing = constant(None, n)
        named = dict.fromkeys(("time_source", "sender_label", "_sender", "_connection", "problem"), nothing)
        return {"time": pa.nulls(n, pa.int64()), "elapsed": pa.nulls(n, pa.float64()), **named}

    def spread(value: Callable[[Frame], T | None]) -> list[T | None]:
        column: list[T | None] = [None] * n
        for i, frame in frames.items():
            column[i] = value(frame)
        return column

    said = spread(lambda f: f.problem)
    for i, problem in problems.items():
        said[i] = problem if said[i] is None else f"{problem}; {said[i]}"
    return {
        "time": pa.array(spread(_nanoseconds), pa.int64()),
        "elapsed": pa.array(spread(lambda f: f.elapsed), pa.float64()),
        "time_source": category(spread(lambda f: f.clock), n).array,
        "sender_label": category(spread(lambda f: f.label), n).array,
        "_sender": category(spread(lambda f: f.sender), n).array,
        "_connection": category(spread(lambda f: f.connection), n).array,
        "problem": category(said, n).array,
    }


def _nanoseconds(frame: Frame) -> int | None:
    """A frame's time; a year that 64 bits of nanoseconds can't reach is none."""
    return frame.time if frame.time is not None and -_LATEST <= frame.time <= _LATEST else None
