"""Random access to the JSON texts of a table, without copying its column."""

from __future__ import annotations

from bisect import bisect
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.events import arrow_strings, parse

__all__ = ["Texts", "parsed"]

_NOTHING: Final = memoryview(b"")
_FEW: Final = 64
"""Up to so many rows plain indexing beats numpy's."""

_decode: Final = msgspec.json.Decoder().decode


class _Chunk(NamedTuple):
    data: memoryview
    offsets: memoryview


class Texts:
    """The texts of a string column, by row, as slices of its buffers.

    Args:
        column: The column `raw` of an events table.
    """

    __slots__ = ("_chunks", "_firsts")

    def __init__(self, column: pd.Series) -> None:
        chunks = [chunk for chunk in arrow_strings(column).chunks if len(chunk)]
        self._firsts: list[int] = np.cumsum([0, *map(len, chunks)]).tolist()[:-1]
        self._chunks = [_Chunk(memoryview(chunk.buffers()[2] or b""), _offsets(chunk)) for chunk in chunks]

    def slices(self, rows: npt.NDArray[np.integer]) -> list[memoryview]:
        """The texts of some rows, in any order, as UTF-8."""
        if len(rows) > _FEW:
            return self._many(rows)
        found: list[memoryview] = []
        first = last = 0
        for row in rows.tolist():
            if not first <= row < last:  # rows that are asked for together mostly stand close together
                at = bisect(self._firsts, row) - 1
                data, offsets = self._chunks[at]
                first, last = self._firsts[at], self._firsts[at] + len(offsets) - 1
            found.append(data[offsets[row - first] : offsets[row - first + 1]])
        return found

    def _many(self, rows: npt.NDArray[np.integer]) -> list[memoryview]:
        found = [_NOTHING] * len(rows)
        which = np.searchsorted(self._firsts, rows, side="right") - 1
        for at in np.unique(which).tolist():
            places = np.flatnonzero(which == at)
            data, offsets = self._chunks[at]
            local = rows[places] - self._firsts[at]
            starts, stops = np.asarray(offsets)[local].tolist(), np.asarray(offsets)[local + 1].tolist()
            for place, start, stop in zip(places.tolist(), starts, stops, strict=True):
                found[place] = data[start:stop]
        return found

    def parse(self, row: int) -> object:
        """The JSON of one row; ``None`` where it can't be read."""
        return parsed(self.slices(np.array([row]))[0])


def _offsets(chunk: pa.Array) -> memoryview:
    every = memoryview(chunk.buffers()[1]).cast("q")
    return every[chunk.offset : chunk.offset + len(chunk) + 1]


def parsed(text: memoryview) -> object:
    """The JSON of a text; ``None`` where it can't be read (nested too deeply, or no JSON at all).

    Integers beyond 64 bits stay what they are.
    """
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass  # lone surrogates, NaN, much depth
    try:
        return parse(text)
    except (ValueError, RecursionError):
        return None
