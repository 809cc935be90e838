"""From the lines of a block, or from frames, to columns.

Most lines of most recordings are bare JSON-RPC messages, or the usual records around one: they are decoded in one
go. All others take the long way, line by line, and are put between them where they stood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from acpinspect.reading.arrays import TextStore, strings
from acpinspect.reading.block_lines import BlockLines, block_lines
from acpinspect.reading.columns import KINDS, STATES, Columns, Rows, beside_columns, columns_of_rows
from acpinspect.reading.extract import LooseMessage, Message, decode_bare, extract
from acpinspect.reading.frames import Frame
from acpinspect.reading.weaving import with_replaced, woven

__all__ = ["KINDS", "STATES", "Columns", "columns_of_frames", "columns_of_lines"]

LineReader = Callable[[bytes, str, int, int], list[Frame]]
"""Reads one line that is no plain message: (line, source, 1-based number, byte offset) -> frames."""

_EMPTY: Final = LooseMessage()
_OTHER: Final = KINDS.index("other")


def columns_of_lines(
    block: bytes,
    lines: list[bytes],
    source: str,
    first_line: int,
    first_offset: int,
    read_line: LineReader,
    store: TextStore,
) -> Columns:
    """Columns of a block of whole lines, most of which are bare JSON-RPC messages or usual records.

    Args:
        block: The lines, with a line feed between them and none at the end.
        lines: The block, split at its line feeds.
        source: Name of the source.
        first_line: 1-based number of the first line.
        first_offset: Byte offset of the first line.
        read_line: Reads the lines that are no plain message.
        store: Where the text of the lines is kept.
    """
    found = block_lines(block, lines)
    texts, plain, begins = found.texts, found.plain, first_offset + found.starts
    raws = store.column(texts, found.text_sizes)
    if not _are_utf8(raws):
        # The parser doesn't look at the fields that it skips.
        plain = plain & np.fromiter(map(_is_utf8, texts), bool, len(texts))
    messages, odd = _decode(texts, np.flatnonzero(~plain).tolist())
    columns: Columns | None = None
    if len(odd) < len(lines):
        numbers, places = first_line + np.arange(len(lines)), first_offset + found.places
        rows = Rows(messages, texts, numbers, begins, found.sizes, places, found.beside)
        columns = columns_of_rows(rows, source, raws)
        odd = sorted({*odd, *_without_update(columns), *_without_message(columns, found.records)})
        if not odd:
            return columns
        del columns["raw"]
    del raws  # its place is taken
    at = begins.tolist()
    read = {i: read_line(found.lines[i], source, first_line + i, at[i]) for i in odd}
    return _with_frames(columns, found, read, source, first_offset, store)


def _with_frames(
    columns: Columns | None,
    found: BlockLines,
    read: dict[int, list[Frame]],
    source: str,
    first_offset: int,
    store: TextStore,
) -> Columns:
    """The columns of a block, with some lines replaced by the frames that were read from them (any number)."""
    frames = list(chain.from_iterable(read.values()))
    texts = [frame.raw.encode() for frame in frames]
    counts = list(map(len, read.values()))
    lines = np.repeat(list(read), counts).tolist()
    begins = (first_offset + found.starts).tolist()
    places = [_place(text, found.lines[i], begins[i]) for text, i in zip(texts, lines, strict=True)]
    rows = _rows_of_frames(frames, texts, places)
    if columns is None:
        return columns_of_rows(rows, source, store.instead(texts))
    order = with_replaced(len(found.lines), list(read), counts)
    both = [*found.texts, *texts]
    raws = store.instead([both[i] for i in order.tolist()])
    return {**woven(columns, columns_of_rows(rows, source, strings(texts)), order), "raw": raws}


def columns_of_frames(frames: Sequence[Frame]) -> Columns:
    """Columns of frames of one source."""
    texts = [frame.raw.encode() for frame in frames]
    rows = _rows_of_frames(frames, texts, [None] * len(frames))
    return columns_of_rows(rows, frames[0].source if frames else "", strings(texts))


def _rows_of_frames(frames: Sequence[Frame], texts: Sequence[bytes], places: Sequence[int | None]) -> Rows:
    return Rows(
        [_EMPTY if frame.kind else extract(text) for frame, text in zip(frames, texts, strict=True)],
        texts,
        [frame.line for frame in frames],
        [frame.offset for frame in frames],
        [frame.length for frame in frames],
        places,
        beside_columns(
            frames,
            [frame.label for frame in frames],
            [frame.sender for frame in frames],
            [frame.connection for frame in frames],
        ),
        frames,
    )


def _place(text: bytes, line: bytes, begin: int) -> int | None:
    """The offset in the source at which the text of a frame stands as it is, if it does on its line."""
    at = line.find(text)
    return None if at < 0 else begin + at


def _decode(texts: Sequence[bytes], odd: list[int]) -> tuple[list[Message], list[int]]:
    """Decode each text alone: a block decoded as one would let a value run over a line's end.

    Args:
        texts: The lines, or the messages in them.
        odd: Those that are known to be no plain message.

    Returns:
        A message for each text, and which texts have none: those, and what the decoder refused. `extend` keeps
        what it has taken when the decoder raises, so the loop runs in C up to each odd one.
    """
    messages: list[Message] = []
    refused: list[int] = []
    for stop in [*odd, len(texts)]:
        while len(messages) < stop:
            try:
                messages.extend(map(decode_bare, islice(texts, len(messages), stop)))
            except (msgspec.DecodeError, RecursionError):
                refused.append(len(messages))
                messages.append(_EMPTY)
        if stop < len(texts):
            messages.append(_EMPTY)
    return messages, sorted([*odd, *refused])


def _without_update(columns: Columns) -> list[int]:
    """Notifications of an update in which none is found: it may stand elsewhere, as in flat params."""
    nameless = columns["update"].is_null().to_numpy(zero_copy_only=False)
    methods = columns["method"].filter(pa.array(nameless))
    named = ["session/update" in method for method in methods.dictionary.to_pylist()]
    codes = methods.indices.fill_null(-1).to_numpy()
    rows: list[int] = np.flatnonzero(nameless)[np.array([*named, False])[codes]].tolist()
    return rows


def _without_message(columns: Columns, records: npt.NDArray[np.int64]) -> list[int]:
    """Records in which no message was found."""
    rows: list[int] = records[columns["kind"].to_numpy()[records] == _OTHER].tolist()
    return rows


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _are_utf8(column: pa.Array) -> bool:
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
