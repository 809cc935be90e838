"""The rows of two batches as one batch, put between each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from acpinspect.reading.columns import Columns

__all__ = ["with_replaced", "woven"]


def with_replaced(n: int, replaced: Sequence[int], counts: Sequence[int]) -> npt.NDArray[np.int64]:
    """The order of n rows, some of them replaced by rows of another batch, for `woven`.

    Args:
        n: How many rows.
        replaced: Which are replaced, in ascending order.
        counts: By how many rows each of these is.

    Examples:
        >>> with_replaced(4, [1, 2], [2, 0]).tolist()
        [0, 4, 5, 3]
    """
    repeats = np.ones(n, np.int64)
    repeats[replaced] = counts
    order = np.repeat(np.arange(n), repeats)
    order[np.isin(order, replaced)] = n + np.arange(sum(counts))
    return order


def woven(first: Columns, second: Columns, order: npt.NDArray[np.int64]) -> Columns:
    """Rows of two batches with the same columns.

    Args:
        first: A batch of n rows.
        second: Another one.
        order: The rows; numbers from n on are rows of the second batch.

    Examples:
        >>> first, second = {"line": pa.array([1, 2])}, {"line": pa.array([7])}
        >>> woven(first, second, np.array([0, 2, 1]))["line"].to_pylist()
        [1, 7, 2]
    """
    return {name: _in_a_row(first[name], second[name]).take(pa.array(order)) for name in first}


def _in_a_row(first: pa.Array, second: pa.Array) -> pa.Array:
    if not isinstance(first, pa.DictionaryArray):
        return pa.concat_arrays([first, second])
    names = dict.fromkeys([*first.dictionary.to_pylist(), *second.dictionary.to_pylist()])
    numbers = {name: number for number, name in enumerate(names)}
    codes = [_renumbered(column, numbers) for column in (first, second)]
    return pa.DictionaryArray.from_arrays(pa.concat_arrays(codes), pa.array(list(names), pa.large_string()))


def _renumbered(column: pa.DictionaryArray, numbers: dict[str, int]) -> pa.Array:
    """A column's codes, as others number its names; NA stays."""
    codes = pa.array([numbers[name] for name in column.dictionary.to_pylist()], pa.int32())
    return codes.take(column.indices)
