"""Small pieces of arithmetic on columns that the rules have in common."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

__all__ = ["Ints", "Mask", "before", "by_group", "combined", "first_of_each", "in_order", "runs"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def combined(*columns: npt.NDArray[np.generic]) -> Ints:
    """One number for each combination of values, the same for equal ones; -1 counts as a value.

    Example:
        >>> import numpy as np
        >>> combined(np.array([0, 0, 1]), np.array([2, 2, 2])).tolist()
        [0, 0, 1]
    """
    key = columns[0].astype(np.int64)
    for column in columns[1:]:
        low = int(column.min(initial=0))
        width = int(column.max(initial=0)) - low + 1
        codes, _ = pd.factorize(key)
        key = codes.astype(np.int64) * width + column.astype(np.int64) - low
    codes, _ = pd.factorize(key)
    return codes.astype(np.int64)


def in_order(key: Ints, rows: Ints) -> Ints:
    """The rows, group by group, each in the order of the table; `key` has a number for each of `rows`.

    Example:
        >>> import numpy as np
        >>> in_order(np.array([1, 0, 1]), np.array([10, 20, 30])).tolist()
        [20, 10, 30]
    """
    return rows[np.argsort(key, kind="stable")]


def runs(key: Ints) -> list[tuple[int, int]]:
    """Begin and end of each stretch of equal neighbours.

    Example:
        >>> import numpy as np
        >>> runs(np.array([5, 5, 7]))
        [(0, 2), (2, 3)]
    """
    if not len(key):
        return []
    starts = np.concatenate([[0], np.flatnonzero(key[1:] != key[:-1]) + 1, [len(key)]]).tolist()
    return list(pairwise(starts))


def before(session: Ints, mask: Mask) -> Ints:
    """For each row that has a session: how many marked rows of its session come before it."""
    counts = np.zeros(len(session), dtype=np.int64)
    rows = np.flatnonzero(session >= 0)
    order = in_order(session[rows], rows)
    marks = mask[order].astype(np.int64)
    total = np.cumsum(marks) - marks
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = session[order][1:] != session[order][:-1]
    base = np.maximum.accumulate(np.where(starts, total, 0)) if len(order) else total
    counts[order] = total - base
    return counts


def first_of_each(key: Ints, rows: Ints) -> Ints:
    """The first of some ascending rows for each number of `key`, which has one for each of them."""
    return rows[~pd.Series(key).duplicated().to_numpy()]


def by_group(key: Ints, rows: Ints) -> Iterator[tuple[int, list[int]]]:
    """Number and rows of each group, the rows in the order of the table."""
    order = np.argsort(key, kind="stable")
    sorted_key, sorted_rows = key[order], rows[order].tolist()
    for begin, end in runs(sorted_key):
        yield int(sorted_key[begin]), sorted_rows[begin:end]
