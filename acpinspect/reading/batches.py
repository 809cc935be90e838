"""From the lines of a block, or from frames, to columns.

Most lines of most recordings are bare JSON-RPC messages: they are decoded in one go. All others take the long
way, line by line, and are put between them where they stood.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from acpinspect.reading.arrays import Mask, TextStore, strings
from acpinspect.reading.columns import KINDS, STATES, Columns, Rows, columns_of_rows
from acpinspect.reading.extract import LooseMessage, Message, decode_bare, extract
from acpinspect.reading.frames import Frame
from acpinspect.reading.jsontext import MAX_DEPTH, may_be_too_deep
from acpinspect.reading.plain_records import OF_OURS

__all__ = ["KINDS", "STATES", "Columns", "columns_of_frames", "columns_of_lines"]

LineReader = Callable[[bytes, str, int, int], list[Frame]]
"""Reads one line that is no plain message: (line, source, 1-based number, byte offset) -> frames."""

_EMPTY: Final = LooseMessage()
_DEEP_PARSER: Final = sys.version_info >= (3, 12)
"""The typed parser goes deeper than we do; before that its limit was the interpreter's, which is ours."""


def columns_of_lines(
    block: bytes,
    lines: list[bytes],
    source: str,
    first_line: int,
    first_offset: int,
    read_line: LineReader,
    store: TextStore,
) -> Columns:
    """Columns of a block of whole lines, most of which are bare JSON-RPC messages.

    Args:
        block: The lines, with a line feed between them and none at the end.
        lines: The block, split at its line feeds.
        source: Name of the source.
        first_line: 1-based number of the first line.
        first_offset: Byte offset of the first line.
        read_line: Reads the lines that are no plain message.
        store: Where the text of the lines is kept.
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
    if _DEEP_PARSER:
        for i in np.flatnonzero(sizes > 2 * MAX_DEPTH).tolist():
            plain[i] &= not may_be_too_deep(lines[i])
    raws = store.column(lines, sizes)
    if not _are_utf8(raws):
        # The parser doesn't look at the fields that it skips.
        plain &= np.fromiter(map(_is_utf8, lines), bool, len(lines))
    if block.startswith(OF_OURS):
        plain &= ~np.fromiter((line.startswith(OF_OURS) for line in lines), bool, len(lines))
    messages, odd = _decode(lines, np.flatnonzero(~plain).tolist())
    rows = Rows(messages, lines, first_line + np.arange(len(lines)), first_offset + starts, sizes)
    if len(odd) < len(lines):
        columns = columns_of_rows(rows, source, raws)
        flat = _without_update(columns)
        if not odd and not flat:
            return columns
        odd = sorted({*odd, *flat})
    del raws  # its place is taken
    found = []
    for i in odd:
        begin = first_offset + int(starts[i])
        found.append(
            [_piece(lines[i], begin, frame) for frame in read_line(lines[i], source, first_line + i, begin)]
        )
    rows = _spliced(rows, odd, found)
    return columns_of_rows(rows, source, store.instead(rows.raws))


def _without_update(columns: Columns) -> list[int]:
    """session/update notifications in which no update is found: it may stand elsewhere, as in flat params."""
    names = columns["method"].dictionary.to_pylist()
    if "session/update" not in names:
        return []
    methods = columns["method"].indices.fill_null(-1).to_numpy()
    nameless = columns["update"].is_null().to_numpy(zero_copy_only=False)
    return np.flatnonzero((methods == names.index("session/update")) & nameless).tolist()


def _in_braces(block: bytes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]) -> Mask:
    """Which lines begin with a brace and end with one."""
    data = np.frombuffer(block, np.uint8)
    long = ends - starts >= 2
    within: Mask = long.copy()
    within[long] = (data[starts[long]] == ord("{")) & (data[ends[long] - 1] == ord("}"))
    return within


def columns_of_frames(frames: Sequence[Frame]) -> Columns:
    """Columns of frames of one source."""
    raws = [frame.raw.encode() for frame in frames]
    rows = Rows(
        [_message(frame, raw) for frame, raw in zip(frames, raws, strict=True)],
        raws,
        [frame.line for frame in frames],
        [frame.offset for frame in frames],
        [frame.length for frame in frames],
        dict(enumerate(frames)),
    )
    return columns_of_rows(rows, frames[0].source if frames else "", strings(rows.raws))


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


def _message(frame: Frame, raw: bytes) -> Message:
    return _EMPTY if frame.kind else extract(raw)


class _Piece(NamedTuple):
    """A frame of a line, its JSON text, and the offset in the source at which that stands as it is."""

    frame: Frame
    raw: bytes
    place: int | None


def _piece(line: bytes, begin: int, frame: Frame) -> _Piece:
    raw = frame.raw.encode()
    at = line.find(raw)
    return _Piece(frame, raw, None if at < 0 else begin + at)


def _spliced(rows: Rows, odd: list[int], found: list[list[_Piece]]) -> Rows:
    """The same rows, with each odd line replaced by the frames that were read from it (any number)."""
    order: list[int | _Piece] = []
    begin = 0
    for position, pieces in zip([*odd, len(rows.messages)], [*found, []], strict=True):
        order.extend(range(begin, position))
        order.extend(pieces)
        begin = position + 1
    taken = {i: one for i, one in enumerate(order) if isinstance(one, _Piece)}
    lines, offsets, lengths = (np.asarray(column).tolist() for column in (rows.lines, rows.offsets, rows.lengths))
    return Rows(
        [_message(one.frame, one.raw) if isinstance(one, _Piece) else rows.messages[one] for one in order],
        [one.raw if isinstance(one, _Piece) else rows.raws[one] for one in order],
        [one.frame.line if isinstance(one, _Piece) else lines[one] for one in order],
        [one.frame.offset if isinstance(one, _Piece) else offsets[one] for one in order],
        [one.frame.length if isinstance(one, _Piece) else lengths[one] for one in order],
        {i: one.frame for i, one in taken.items()},
        {i: one.place for i, one in taken.items() if one.place is not None},
    )


def _are_utf8(column: pa.Array) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
