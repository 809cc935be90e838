"""The JSON texts of a table, as the bytes that they are: searched all at once, read without a copy."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
import pyarrow as pa

from acpinspect.diagnostics.columns import Ints
from acpinspect.events import arrow_strings

__all__ = ["RawTexts"]


class RawTexts:
    """The column `raw` of an events table, in the blocks in which it was read.

    Example:
        >>> import pandas as pd
        >>> texts = RawTexts(pd.Series(["one", "two", "none"], dtype="string[pyarrow]"))
        >>> texts[1], texts.rows_with(b"one", b"w")
        ('two', {b'one': [0, 2], b'w': [1]})
    """

    def __init__(self, column: pd.Series) -> None:
        self._chunks = [chunk for chunk in arrow_strings(column).chunks if len(chunk)]
        self._first = np.cumsum([0, *map(len, self._chunks)]).tolist()

    def __getitem__(self, row: int) -> str:
        block = bisect_right(self._first, row) - 1
        return str(self._chunks[block][row - self._first[block]])

    def rows_with(self, *marks: bytes) -> dict[bytes, list[int]]:
        """For each byte string the rows whose text has it, ascending."""
        found: dict[bytes, list[int]] = {mark: [] for mark in marks}
        for first, chunk in zip(self._first, self._chunks, strict=False):
            bounds, ends, text = _searchable(chunk)
            for mark, rows in found.items():
                rows.extend(first + row for row in _find(mark, text, bounds, ends))
        return found

    def slices(self, rows: Ints) -> Iterator[memoryview]:
        """The texts of some ascending rows as bytes, without a copy."""
        for first, chunk in zip(self._first, self._chunks, strict=False):
            own = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + len(chunk))] - first
            bounds, view = _bounds(chunk), memoryview(chunk.buffers()[2])
            for begin, end in zip(bounds[own].tolist(), bounds[own + 1].tolist(), strict=True):
                yield view[begin:end]


def _searchable(chunk: pa.Array) -> tuple[int, list[int], bytes]:
    bounds = _bounds(chunk)
    return int(bounds[0]), bounds[1:].tolist(), bytes(memoryview(chunk.buffers()[2])[: bounds[-1]])


def _find(mark: bytes, text: bytes, begin: int, ends: list[int]) -> Iterable[int]:
    position = text.find(mark, begin)
    while position >= 0:
        row = bisect_right(ends, position)
        yield row
        position = text.find(mark, ends[row])


def _bounds(chunk: pa.Array) -> Ints:
    return np.frombuffer(chunk.buffers()[1], dtype=np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
