"""Random access to the JSON texts of a table, without copying its column."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.events import arrow_strings, parse
from acpinspect.reducer.values import FrozenDict

__all__ = ["TextRun", "Texts", "parsed", "text_run"]

Ints = npt.NDArray[np.int64]


class Texts:
    """The texts of a string column, by row, as slices of its buffers.

    Args:
        column: The column `raw` of an events table.
    """

    __slots__ = ("_bounds", "_data", "_offsets", "_starts")

    def __init__(self, column: pd.Series) -> None:
        chunks = [chunk for chunk in arrow_strings(column).chunks if len(chunk)]
        self._starts = np.cumsum([0, *map(len, chunks)], dtype=np.int64)[: max(len(chunks), 1)]
        self._bounds: list[int] = self._starts.tolist()
        self._offsets = [_offsets(chunk) for chunk in chunks]
        self._data = [memoryview(chunk.buffers()[2] or b"") for chunk in chunks]

    def slices(self, rows: npt.NDArray[np.integer]) -> list[memoryview]:
        """The texts of some rows, as UTF-8; the rows ascend."""
        found: list[memoryview] = []
        if not len(rows):
            return found
        first, last = bisect(self._bounds, int(rows[0])) - 1, bisect(self._bounds, int(rows[-1])) - 1
        if first == last:  # rows ascend, and those of an entity stand close together
            return self._in_chunk(first, rows)
        which = np.searchsorted(self._starts, rows, side="right") - 1
        cuts = np.flatnonzero(np.diff(which, prepend=-1))
        for begin, end in zip(cuts.tolist(), [*cuts[1:].tolist(), len(rows)], strict=True):
            found += self._in_chunk(int(which[begin]), rows[begin:end])
        return found

    def _in_chunk(self, chunk: int, rows: npt.NDArray[np.integer]) -> list[memoryview]:
        local = rows - self._starts[chunk]
        offsets, data = self._offsets[chunk], self._data[chunk]
        starts, stops = offsets[local].tolist(), offsets[local + 1].tolist()
        return [data[start:stop] for start, stop in zip(starts, stops, strict=True)]

    def parse(self, row: int) -> object:
        """The JSON of one row; ``None`` where it can't be read."""
        return parsed(self.slices(np.array([row]))[0])


def _offsets(chunk: pa.Array) -> Ints:
    offsets: Ints = np.frombuffer(chunk.buffers()[1], dtype=np.int64)
    return offsets[chunk.offset : chunk.offset + len(chunk) + 1]


def parsed(text: memoryview) -> object:
    """The JSON of a text; ``None`` where it can't be read (nested too deeply, or no JSON at all)."""
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None


# What a chunk of plain text looks like, and nothing else: all other blocks take the long way, through the schema.
class _Text(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["text"]  # a tag would do without one that is missing
    text: str


class _Update(msgspec.Struct, gc=False):
    content: _Text
    messageId: str | None = None  # noqa: N815


class _Params(msgspec.Struct, gc=False):
    update: _Update


class _Frame(msgspec.Struct, gc=False):
    params: _Params


_decode: Final = msgspec.json.Decoder(_Frame).decode


class TextRun(NamedTuple):
    """Chunks of plain text that follow each other: their blocks, and the first id among them."""

    blocks: list[FrozenDict]
    message_id: str | None


def text_run(texts: Sequence[memoryview]) -> TextRun | None:
    """Read chunk updates of plain text; ``None`` where one of them is of any other form."""
    try:
        updates = [frame.params.update for frame in map(_decode, texts)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    blocks = [FrozenDict(type="text", text=update.content.text) for update in updates]
    return TextRun(blocks, next((update.messageId for update in updates if update.messageId is not None), None))
