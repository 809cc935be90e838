"""Arrow arrays of strings, as the columns of a batch need them."""

from __future__ import annotations

import mmap
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = [
    "Category",
    "Mask",
    "TextStore",
    "category",
    "constant",
    "merged_views",
    "mostly",
    "sparse",
    "sparse_category",
    "strings",
    "valid_rows",
]

Mask = npt.NDArray[np.bool_]


_OWN_MAPPING: Final = 1 << 20
"""Bytes from which on a buffer is a mapping of its own."""


class Category(NamedTuple):
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


def constant(value: str | None, n: int) -> pa.Array:
    """A dictionary column with one value in all rows."""
    if value is None:
        return pa.DictionaryArray.from_arrays(pa.nulls(n, pa.int32()), pa.array([], pa.large_string()))
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([value], pa.large_string()))


class _Numbers(dict[str | None, int]):
    """Numbers values in the order in which they are first asked for; None is -1."""

    def __missing__(self, value: str | None) -> int:
        number = self[value] = len(self) - 1
        return number


def category(values: Iterable[str | None], n: int) -> Category:
    """A dictionary column of n values."""
    numbers = _Numbers({None: -1})
    codes = np.fromiter(map(numbers.__getitem__, values), np.int32, n)
    names = [name for name in numbers if name is not None]
    return Category(_encoded(codes, names), codes, names)


def _encoded(codes: npt.NDArray[np.int32], names: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(names, pa.large_string()))


def sparse(n: int, values: Mapping[int, str | None]) -> pa.Array:
    """A string column of which only some rows can have a value."""
    if not values:
        return pa.nulls(n, pa.large_string())
    column: list[str | None] = [None] * n
    for i, value in values.items():
        column[i] = value
    return strings(column)


def sparse_category(n: int, values: Mapping[int, str | None]) -> pa.DictionaryArray:
    """A dictionary column of which only some rows can have a value."""
    numbers = _Numbers({None: -1})
    codes = np.full(n, -1, dtype=np.int32)
    codes[list(values)] = list(map(numbers.__getitem__, values.values()))
    return _encoded(codes, [name for name in numbers if name is not None])


def mostly(rows: Mask, value: str, others: Mapping[int, str | None]) -> pa.DictionaryArray:
    """A dictionary column that has one value in some rows, and others in a few."""
    numbers = _Numbers({None: -1, value: 0})
    codes = np.where(rows, 0, -1).astype(np.int32)
    if others:
        codes[list(others)] = list(map(numbers.__getitem__, others.values()))
    return _encoded(codes, [name for name in numbers if name is not None])


def strings(values: Sequence[str | None] | Sequence[bytes | str]) -> pa.Array:
    """A string column."""
    return pa.array(values, pa.large_string())


def valid_rows(column: pa.Array) -> Mask:
    """Where a column is not NA."""
    valid: Mask = column.is_valid().to_numpy(zero_copy_only=False)
    return valid


class TextStore:
    """Large buffers of Arrow's memory, filled with lines in a row; string columns are views of them.

    A buffer of its own for each block of lines would leave holes between the objects that come and go.

    Args:
        expected: Bytes that will come, where that is known: so many fit into one buffer.
        passing: The texts are soon let go of, and others come: Arrow keeps their memory for these.
    """

    _LARGEST: Final = 4 << 20

    def __init__(self, expected: int = 0, *, passing: bool = False) -> None:
        self._size = max(min(expected, self._LARGEST) // 2, 1 << 16)
        self._allocate = pa.allocate_buffer if passing else _allocated
        self._buffer: pa.Buffer | None = None
        self._begun = self._used = 0

    def column(self, lines: Sequence[bytes], sizes: npt.NDArray[np.int64]) -> pa.Array:
        """The lines as a string column."""
        self._begun = self._used
        return self._column(lines, sizes)

    def instead(self, lines: Sequence[bytes]) -> pa.Array:
        """The lines as a string column in the place of the last one, which nobody may use any more."""
        self._used = self._begun
        return self._column(lines, np.fromiter(map(len, lines), np.int64, len(lines)))

    def _column(self, lines: Sequence[bytes], sizes: npt.NDArray[np.int64]) -> pa.Array:
        text = b"".join(lines)
        if self._buffer is None or self._used + len(text) > self._buffer.size:
            self._size = max(len(text), min(2 * self._size, self._LARGEST))
            self._buffer, self._begun, self._used = self._allocate(self._size), 0, 0
        start, self._used = self._used, self._used + len(text)
        np.frombuffer(self._buffer, np.uint8)[start : self._used] = np.frombuffer(text, np.uint8)
        offsets = start + np.concatenate([[0], np.cumsum(sizes)])
        return pa.Array.from_buffers(pa.large_string(), len(lines), [None, pa.py_buffer(offsets), self._buffer])


def _allocated(size: int) -> pa.Buffer:
    """Memory that is filled once and kept, from the system itself.

    Arrow's own is made of large pages, which a virtual machine may have to ask its host for: that can take six
    times as long as the usual ones. Private, since shared memory costs half as much again.
    """
    if size < _OWN_MAPPING or not hasattr(mmap, "MAP_PRIVATE"):
        return pa.allocate_buffer(size)
    return pa.py_buffer(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def merged_views(columns: Sequence[pa.Array]) -> pa.ChunkedArray:
    """String columns in a row; neighbours that are views of one buffer become one chunk."""
    chunks: list[pa.Array] = []
    views: list[pa.Array] = []
    for column in columns:
        if views and not _continues(views[-1], column):
            chunks.append(_merged(views))
            views = []
        views.append(column)
    if views:
        chunks.append(_merged(views))
    return pa.chunked_array(chunks, pa.large_string())


def _continues(column: pa.Array, following: pa.Array) -> bool:
    """Whether a column begins in the buffer just where the one before it ends."""
    (valid, offsets, data), (valid_2, offsets_2, data_2) = column.buffers(), following.buffers()
    if (
        valid is not None
        or valid_2 is not None
        or data is None
        or data_2 is None
        or data.address != data_2.address
    ):
        return False
    return bool(np.frombuffer(offsets, np.int64)[len(column)] == np.frombuffer(offsets_2, np.int64)[0])


def _merged(views: list[pa.Array]) -> pa.Array:
    if len(views) == 1:
        return views[0]
    pieces = [np.frombuffer(view.buffers()[1], np.int64)[: len(view) + 1] for view in views]
    offsets = np.concatenate([*(piece[:-1] for piece in pieces), pieces[-1][-1:]])
    buffers = [None, pa.py_buffer(offsets), views[0].buffers()[2]]
    return pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)
