"""Arrow arrays of strings, as the columns of a batch need them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = [
    "Category",
    "Mask",
    "category",
    "constant",
    "joined",
    "mostly",
    "sparse",
    "sparse_category",
    "strings",
    "valid_rows",
]

Mask = npt.NDArray[np.bool_]


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


def joined(lines: Sequence[bytes], sizes: npt.NDArray[np.int64]) -> pa.Array:
    """Lines as a string column, whose buffer is their bytes in a row."""
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    text = b"".join(lines)
    # In Arrow's own memory: a megabyte of Python's among small objects would leave holes when those go.
    data = pa.allocate_buffer(len(text))
    np.frombuffer(data, np.uint8)[:] = np.frombuffer(text, np.uint8)
    buffers = [None, pa.py_buffer(offsets), data]
    return pa.Array.from_buffers(pa.large_string(), len(lines), buffers)
