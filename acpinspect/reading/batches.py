"""From frames, or from the lines of a block, to columns of Arrow arrays.

A batch holds what can be said of each frame alone. What needs its neighbours (sessions of responses, turns,
protocol version, refused updates) is derived later, from all batches together.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, Raw

from acpinspect.reading.extract import (
    Block,
    LooseMessage,
    Message,
    Update,
    decode_bare,
    extract,
)
from acpinspect.reading.frames import Frame

__all__ = ["KINDS", "STATES", "Columns", "columns_of_frames", "columns_of_lines"]

Mask = npt.NDArray[np.bool_]
Columns = dict[str, pa.Array]
"""Columns by name, equally long. Names that begin with ``_`` never reach a user."""

LineReader = Callable[[bytes, str, int, int], list[Frame]]
"""Reads one line that is no plain message: (line, source, 1-based number, byte offset) -> frames."""

KINDS: Final = ("request", "response", "error", "notification", "unreadable", "other")
STATES: Final = ("present", "null", "absent", "invalid")
_KIND_CODE: Final = {name: code for code, name in enumerate(KINDS)}
_MESSAGE_NAMES: Final = frozenset(
    f"{role}{suffix}" for role in ("user_message", "agent_message", "agent_thought") for suffix in ("", "_chunk")
)
_CHUNK_NAMES: Final = frozenset(name for name in _MESSAGE_NAMES if name.endswith("_chunk"))
_ASKING: Final = ("session/request_permission",)
_EMPTY: Final = LooseMessage()
_LATEST: Final = 2**63 - 1

T = TypeVar("T")


Places = Sequence[int | None] | npt.NDArray[np.int64]


@dataclass(slots=True)
class _Rows:
    """Rows under construction: what was decoded, and where it stood."""

    messages: list[Message]
    raws: Sequence[bytes | str]
    lines: Places
    offsets: Places
    lengths: Places
    frames: dict[int, Frame] = field(default_factory=dict)
    """Rows that came from a frame with more to say than its raw text, by position."""


class _Category(NamedTuple):
    """A dictionary-encoded column, and its codes; -1 is NA."""

    array: pa.DictionaryArray
    codes: npt.NDArray[np.int32]
    names: list[str]

    def among(self, names: Container[str]) -> Mask:
        """Where it has one of these values."""
        hits = np.array([*(name in names for name in self.names), False], dtype=bool)
        return hits[self.codes]

    @property
    def valid(self) -> Mask:
        """Where it is not NA."""
        return self.codes >= 0


def columns_of_lines(
    block: bytes, lines: list[bytes], source: str, first_line: int, first_offset: int, read_line: LineReader
) -> Columns:
    """Columns of a block of whole lines, most of which are bare JSON-RPC messages.

    Args:
        block: The lines, with a line feed between them and none at the end.
        lines: The block, split at its line feeds.
        source: Name of the source.
        first_line: 1-based number of the first line.
        first_offset: Byte offset of the first line.
        read_line: Reads the lines that are no plain message.
    """
    sizes = np.fromiter(map(len, lines), np.int64, len(lines))
    ends = np.cumsum(sizes + 1) - 1
    starts = ends - sizes
    plain = _in_braces(block, starts, ends)
    if not plain.all():
        # A carriage return at the end is no part of a line; other blanks around it are the line reader's.
        lines = [line.removesuffix(b"\r") for line in lines]
        sizes = np.fromiter(map(len, lines), np.int64, len(lines))
        plain = _in_braces(block, starts, starts + sizes)
    raws = _joined(lines, sizes)
    if not _are_utf8(raws):
        # The parser doesn't look at the fields that it skips.
        plain &= np.fromiter(map(_is_utf8, lines), bool, len(lines))
    messages, odd = _decode(lines, np.flatnonzero(~plain).tolist())
    numbers = first_line + np.arange(len(lines))
    offsets = first_offset + starts
    if not odd:
        return _columns(_Rows(messages, lines, numbers, offsets, sizes), source, raws)
    frames = [read_line(lines[i], source, int(numbers[i]), int(offsets[i])) for i in odd]
    rows = _spliced(_Rows(messages, lines, numbers, offsets, sizes), odd, frames)
    return _columns(rows, source, _strings(rows.raws))


def _in_braces(block: bytes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> Mask:
    """Which lines begin with a brace and end with one."""
    data = np.frombuffer(block, np.uint8)
    long = ends - starts >= 2
    within: Mask = long.copy()
    within[long] = (data[starts[long]] == ord("{")) & (data[ends[long] - 1] == ord("}"))
    return within


def columns_of_frames(frames: Sequence[Frame]) -> Columns:
    """Columns of frames of one source."""
    rows = _Rows(
        [_message(frame) for frame in frames],
        [frame.raw for frame in frames],
        [frame.line for frame in frames],
        [frame.offset for frame in frames],
        [frame.length for frame in frames],
        dict(enumerate(frames)),
    )
    return _columns(rows, frames[0].source if frames else "", _strings(rows.raws))


def _decode(lines: Sequence[bytes], odd: list[int]) -> tuple[list[Message], list[int]]:
    """Decode each line alone: a block decoded as one would let a value run over a line's end.

    Args:
        lines: The lines.
        odd: The lines that are known to be no plain message.

    Returns:
        A message for each line, and which lines have none: those, and what the decoder refused. `extend` keeps
        what it has taken when the decoder raises, so the loop runs in C up to each odd line.
    """
    messages: list[Message] = []
    refused: list[int] = []
    for stop in [*odd, len(lines)]:
        while len(messages) < stop:
            try:
                messages.extend(map(decode_bare, islice(lines, len(messages), stop)))
            except (msgspec.DecodeError, RecursionError):
                refused.append(len(messages))
                messages.append(_EMPTY)
        if stop < len(lines):
            messages.append(_EMPTY)
    return messages, sorted([*odd, *refused])


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _message(frame: Frame) -> Message:
    return _EMPTY if frame.kind else extract(frame.raw)


def _spliced(rows: _Rows, odd: list[int], frames: list[list[Frame]]) -> _Rows:
    """The same rows, with each odd line replaced by the frames that were read from it (any number)."""
    order: list[int | Frame] = []
    begin = 0
    for position, found in zip([*odd, len(rows.messages)], [*frames, []], strict=True):
        order.extend(range(begin, position))
        order.extend(found)
        begin = position + 1
    taken = {i: one for i, one in enumerate(order) if isinstance(one, Frame)}
    lines, offsets, lengths = (np.asarray(column).tolist() for column in (rows.lines, rows.offsets, rows.lengths))
    return _Rows(
        [_message(one) if isinstance(one, Frame) else rows.messages[one] for one in order],
        [one.raw if isinstance(one, Frame) else rows.raws[one] for one in order],
        [one.line if isinstance(one, Frame) else lines[one] for one in order],
        [one.offset if isinstance(one, Frame) else offsets[one] for one in order],
        [one.length if isinstance(one, Frame) else lengths[one] for one in order],
        taken,
    )


def _columns(rows: _Rows, source: str, raws: pa.Array) -> Columns:
    messages, n = rows.messages, len(rows.messages)
    updates = list(map(attrgetter("params.update"), messages))
    names = _category(map(attrgetter("sessionUpdate"), updates), n)
    methods = _category(map(attrgetter("method"), messages), n)
    # Only updates that are no message can have these: a minority, so the columns are filled row by row.
    others = np.flatnonzero(names.valid & ~names.among(_MESSAGE_NAMES)).tolist()
    tool_calls = _tool_calls(messages, updates, methods, others)
    titles = _sparse(n, {i: updates[i].title for i in others})
    kinds, problems = _kinds(rows, methods)
    return {
        "source": _constant(source, n),
        "line": pa.array(rows.lines, pa.int64()),
        "offset": pa.array(rows.offsets, pa.int64()),
        "length": pa.array(rows.lengths, pa.int64()),
        "kind": pa.array(kinds),
        "method": methods.array,
        "session_id": _category(map(attrgetter("params.sessionId"), messages), n).array,
        "update": names.array,
        "tool_call_id": tool_calls,
        "tool_kind": _sparse_category(n, {i: updates[i].kind for i in others}),
        "tool_status": _sparse_category(n, {i: updates[i].status for i in others}),
        "title": titles,
        "raw": raws,
        **_rpc_ids(messages, kinds),
        **_message_ids(updates, names),
        **_contents(rows, updates, names, tool_calls, titles),
        **_surroundings(rows, problems),
    }


def _joined(lines: Sequence[bytes], sizes: npt.NDArray[np.int64]) -> pa.Array:
    """Lines as a string column, whose buffer is their bytes in a row."""
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(lines))]
    return pa.Array.from_buffers(pa.large_string(), len(lines), buffers)


def _are_utf8(column: pa.Array) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _kinds(rows: _Rows, methods: _Category) -> tuple[npt.NDArray[np.int8], dict[int, str]]:
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
    return {"rpc_id": _sparse(n, {i: str(value) for i, value in ids.items()}), "_key": _sparse(n, keys)}


def _tool_calls(
    messages: Sequence[Message], updates: Sequence[Update], methods: _Category, others: list[int]
) -> pa.Array:
    asked = np.flatnonzero(methods.among(_ASKING)).tolist()
    ids = {i: updates[i].toolCallId for i in others}
    return _sparse(len(messages), ids | {i: messages[i].params.permission_tool for i in asked})


def _message_ids(updates: Sequence[Update], names: _Category) -> Columns:
    present, null, absent, invalid = range(len(STATES))
    values = list(map(attrgetter("messageId"), updates))
    ids = _strings([value if value.__class__ is str else None for value in values])
    message, given = names.among(_MESSAGE_NAMES), _valid(ids)
    states = np.where(given, present, absent).astype(np.int8)
    for i in np.flatnonzero(message & ~given).tolist():
        states[i] = null if values[i] is None else absent if values[i] is UNSET else invalid
    if (given & ~message).any():
        ids = pc.if_else(pa.array(message), ids, None)
    return {"message_id": ids, "message_id_state": pa.array(states, mask=~message)}


def _contents(
    rows: _Rows, updates: Sequence[Update], names: _Category, tool_calls: pa.Array, titles: pa.Array
) -> Columns:
    """Block type and text, and whether the update needs a closer look before it counts as well-formed."""
    contents = list(map(attrgetter("content"), updates))
    types = [content.type if content.__class__ is Block else None for content in contents]
    texts = [content.text if content.__class__ is Block else None for content in contents]
    message, chunk = names.among(_MESSAGE_NAMES), names.among(_CHUNK_NAMES)
    check = names.valid
    for i in np.flatnonzero(message & ~chunk).tolist():
        types[i], texts[i], check[i] = _whole(contents[i])
    type_column, text_column = _category(types, len(types)), _strings(texts)
    plain_text = type_column.among(("text",)) & _valid(text_column)
    check &= ~(chunk & plain_text)
    has_tool = _valid(tool_calls)
    check &= ~(has_tool & (names.among(("tool_call_update",)) | (names.among(("tool_call",)) & _valid(titles))))
    for i in rows.frames:
        check[i] |= rows.messages[i].__class__ is LooseMessage and names.codes[i] >= 0
    if (type_column.valid & ~message).any():
        type_column = _category([kind if m else None for kind, m in zip(types, message, strict=True)], len(types))
    if (shown := message & (plain_text | ~chunk) | ~_valid(text_column)).all():
        return {"content_type": type_column.array, "text": text_column, "_check": pa.array(check)}
    text_column = pc.if_else(pa.array(shown), text_column, None)
    return {"content_type": type_column.array, "text": text_column, "_check": pa.array(check)}


def _whole(content: Block | list[Raw] | object) -> tuple[str | None, str | None, bool]:
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
        blocks = [msgspec.json.decode(item, type=Block) for item in content]
    except msgspec.DecodeError:
        return None, None, True
    kinds = list(dict.fromkeys(block.type or "" for block in blocks))
    text = "".join(block.text or "" for block in blocks if block.type == "text")
    odd = any(block.type != "text" or block.text is None for block in blocks)
    return "+".join(kinds), text, odd


def _surroundings(rows: _Rows, problems: dict[int, str]) -> Columns:
    """Time, direction and oddness, which only rows that came from a frame can have."""
    n, frames = len(rows.messages), rows.frames
    if not frames and not problems:
        nothing = _constant(None, n)
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
        "time_source": _category(spread(lambda f: f.clock), n).array,
        "sender_label": _category(spread(lambda f: f.label), n).array,
        "_sender": _category(spread(lambda f: f.sender), n).array,
        "_connection": _category(spread(lambda f: f.connection), n).array,
        "problem": _category(said, n).array,
    }


def _nanoseconds(frame: Frame) -> int | None:
    """A frame's time; a year that 64 bits of nanoseconds can't reach is none."""
    return frame.time if frame.time is not None and -_LATEST <= frame.time <= _LATEST else None


def _constant(value: str | None, n: int) -> pa.Array:
    if value is None:
        return pa.DictionaryArray.from_arrays(pa.nulls(n, pa.int32()), pa.array([], pa.large_string()))
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([value], pa.large_string()))


def _category(values: Iterable[str | None], n: int) -> _Category:
    array = pa.array(values, pa.large_string(), size=n).dictionary_encode()
    codes = array.indices.fill_null(-1) if array.null_count else array.indices
    return _Category(array, codes.to_numpy(), array.dictionary.to_pylist())


def _sparse(n: int, values: Mapping[int, str | None]) -> pa.Array:
    """A string column of which only some rows can have a value."""
    if not values:
        return pa.nulls(n, pa.large_string())
    column: list[str | None] = [None] * n
    for i, value in values.items():
        column[i] = value
    return _strings(column)


def _sparse_category(n: int, values: Mapping[int, str | None]) -> pa.Array:
    """A dictionary column of which only some rows can have a value."""
    said = {i: value for i, value in values.items() if value is not None}
    names = list(dict.fromkeys(said.values()))
    if not names:
        return _constant(None, n)
    codes = np.full(n, -1, dtype=np.int32)
    codes[list(said)] = list(map({name: code for code, name in enumerate(names)}.__getitem__, said.values()))
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(names, pa.large_string()))


def _strings(values: Sequence[str | None] | Sequence[bytes | str]) -> pa.Array:
    return pa.array(values, pa.large_string())


def _valid(column: pa.Array) -> Mask:
    valid: Mask = column.is_valid().to_numpy(zero_copy_only=False)
    return valid
