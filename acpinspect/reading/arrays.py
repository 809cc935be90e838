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


def category(values: Iterable[str | None], n: int) -> Category:
    """A dictionary column of n values."""
    array = pa.array(values, pa.large_string(), size=n).dictionary_encode()
    codes = array.indices.fill_null(-1) if array.null_count else array.indices
    return Category(array, codes.to_numpy(), array.dictionary.to_pylist())


def sparse(n: int, values: Mapping[int, str | None]) -> pa.Array:
    """A string column of which only some rows can have a value."""
    if not values:
        return pa.nulls(n, pa.large_string())
    column: list[str | None] = [None] * n
    for i, value in values.items():
        column[i] = value
    return strings(column)


def sparse_category(n: int, values: Mapping[int, str | None]) -> pa.Array:
    """A dictionary column of which only some rows can have a value."""
    said = {i: value for i, value in values.items() if value is not None}
    names = list(dict.fromkeys(said.values()))
    if not names:
        return constant(None, n)
    codes = np.full(n, -1, dtype=np.int32)
    codes[list(said)] = list(map({name: code for code, name in enumerate(names)}.__getitem__, said.values()))
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), pa.array(names, pa.large_string()))


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
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(lines))]
    return pa.Array.from_buffers(pa.large_string(), len(lines), buffers)
