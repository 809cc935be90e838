"""What holds for each row, where changes hold from a row on until the next change of the same number."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import Ints

__all__ = ["held", "run_starts", "spread"]

_Value = TypeVar("_Value", bound=np.generic)


def run_starts(numbers: npt.NDArray[np.signedinteger], more: Ints | None = None) -> Ints:
    """The rows whose number is not that of the row before, and some more rows.

    >>> run_starts(np.array([7, 7, 5, 5, 5])).tolist()
    [0, 2]
    """
    begins = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=begins[1:])
    if more is not None:
        begins[more] = True
    return np.flatnonzero(begins)


def spread(values: npt.NDArray[_Value], starts: Ints, n: int) -> npt.NDArray[_Value]:
    """The value of each of n rows, of which those from each start on have the same one.

    >>> spread(np.array([7, 5]), np.array([0, 2]), 5).tolist()
    [7, 7, 5, 5, 5]
    """
    return np.repeat(values, np.diff(starts, append=n))


def held(numbers: npt.NDArray[np.signedinteger], at: Ints, of: Ints) -> tuple[Ints, Ints]:
    """The last change of each row's number, the same for whole stretches of rows.

    Args:
        numbers: Number of each row; -1 where it has none.
        at: From which row on each change holds.
        of: The number of each change.

    Returns:
        The first row of each stretch, and which change holds there: the last of the number so far, -1 for none.
        Cost: linear in the rows; the stretches are sorted.

    >>> starts, changes = held(np.array([4, 4, 4, -1, 4, 9]), np.array([1, 4]), np.array([4, 4]))
    >>> starts.tolist(), changes.tolist()
    ([0, 1, 3, 4, 5], [-1, 0, -1, 1, -1])
    """
    starts = run_starts(numbers, at[at < len(numbers)])
    numbers, at = numbers[starts].astype(np.int64), np.searchsorted(starts, at)
    found = np.full(len(starts), -1)
    rows = np.flatnonzero(numbers >= 0)
    own = numbers[rows]
    # Few numbers fit into a short integer, and those are sorted without comparing.
    order = np.argsort(own.astype(np.min_scalar_type(own.max(initial=0))), kind="stable")
    rows, own = rows[order], own[order]
    changes = np.lexsort((at, of))
    width = len(starts) + 2
    begins = np.searchsorted(own * width + rows, of[changes] * width + at[changes])
    latest = np.repeat(np.arange(-1, len(changes)), np.diff(begins, prepend=0, append=len(rows)))
    rows, own, latest = rows[latest >= 0], own[latest >= 0], latest[latest >= 0]
    same = of[changes[latest]] == own
    found[rows[same]] = changes[latest[same]]
    return starts, found
