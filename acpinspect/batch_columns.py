"""The columns of many batches, put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.context import Codes
from acpinspect.context.holding import run_starts
from acpinspect.reading.arrays import merged_views
from acpinspect.reading.batches import Columns

__all__ = ["Batches", "category"]


class Batches:
    """Columns of all batches, put together one by one. Each can be taken once: what is taken is let go of.

    Args:
        batches: The batches, in order; they are used up.
    """

    def __init__(self, batches: Sequence[Columns]) -> None:
        self._batches = batches

    def _taken(self, name: str) -> list[pa.Array]:
        return [batch.pop(name) for batch in self._batches]

    def chunks(self, name: str, kind: pa.DataType) -> pa.ChunkedArray:
        """A column, in the pieces in which it was read."""
        return pa.chunked_array(self._taken(name), kind)

    def raw(self) -> pa.ChunkedArray:
        """The JSON texts, never copied together."""
        return merged_views(self._taken("raw"))

    def whole(self, name: str) -> pa.ChunkedArray:
        """A column of strings in one piece; small pieces cost an offset's look-up at every access."""
        return pa.chunked_array([self.array(name, pa.large_string())])

    def array(self, name: str, kind: pa.DataType) -> pa.Array:
        """A column in one piece."""
        return self.chunks(name, kind).combine_chunks()

    def small(self, name: str) -> npt.NDArray[np.int8]:
        """A column of small numbers; -1 is NA."""
        column = self.array(name, pa.int8())
        numbers: npt.NDArray[np.int8] = (column.fill_null(-1) if column.null_count else column).to_numpy()
        return numbers

    def codes(self, name: str) -> Codes:
        """A dictionary column as codes of one dictionary."""
        columns = self._taken(name)
        if not any(len(column.dictionary) for column in columns):
            return Codes(np.full(sum(map(len, columns)), -1, dtype=np.int8), [])
        merged = pa.chunked_array(columns).unify_dictionaries()
        names = merged.chunk(0).dictionary.to_pylist()
        smallest = pa.from_numpy_dtype(np.min_scalar_type(-len(names) - 1))
        indices = pa.chunked_array([chunk.indices for chunk in merged.chunks])
        indices = indices.cast(smallest, safe=False).combine_chunks()
        codes = (indices.fill_null(-1) if indices.null_count else indices).to_numpy()
        return Codes(codes, names)


def category(column: Codes) -> pd.Categorical:
    """A categorical without unused categories, in the order in which the values first appear."""
    n, last = len(column.codes), len(column.names)
    starts = run_starts(column.codes)[::-1]
    first = np.full(last + 1, n, dtype=np.int64)
    first[column.codes[starts]] = starts  # of the rows of a code, the earliest is written last
    used = np.flatnonzero(first[:last] < n)
    used = used[np.argsort(first[used])]
    renumber = np.full(last + 1, -1, dtype=np.min_scalar_type(-last - 1))
    renumber[used] = np.arange(len(used))
    in_order = (renumber[used] == used).all()
    codes = column.codes.astype(renumber.dtype) if in_order else renumber[column.codes]
    categories = pd.Index([column.names[code] for code in used.tolist()], dtype=object)
    return pd.Categorical.from_codes(codes, categories=categories)
