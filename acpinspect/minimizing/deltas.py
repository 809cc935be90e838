"""Delta debugging: the fewest of some things with which something still holds (Zeller and Hildebrandt, 2002)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["fewest", "shortest_run"]

Item = TypeVar("Item")


def fewest(items: Sequence[Item], holds: Callable[[list[Item]], bool], *, together: int = 1) -> list[Item]:
    """Leave out items, large parts first, as long as what is left holds.

    Args:
        items: The items; with all of them it holds.
        holds: Whether it holds with some of them, in their order.
        together: In the end, also leave out so many neighbours at once that can't be left out alone.

    Returns:
        Items none of which can be left out alone. Cost: about ``k log n`` questions for k of n, at worst ``n²``.

    Example:
        >>> fewest(range(100), lambda some: 17 in some and 63 in some)
        [17, 63]
    """
    left = _one_by_one(list(items), holds)
    for size in range(2, together + 1):
        begin = 0
        while begin + size <= len(left):
            rest = left[:begin] + left[begin + size :]
            if holds(rest):
                left = _one_by_one(rest, holds)
                begin = 0
            else:
                begin += 1
    return left


def _one_by_one(items: list[Item], holds: Callable[[list[Item]], bool]) -> list[Item]:
    """Leave out ever smaller parts, down to single items."""
    left = items
    parts = 1
    while left:
        size = max(len(left) // parts, 1)
        begin, dropped = 0, False
        while begin < len(left):
            rest = left[:begin] + left[begin + size :]
            if holds(rest):
                left, dropped = rest, True
            else:
                begin += size
        if size == 1 and not dropped:
            return left
        parts = min(parts * 2, max(len(left), 1)) if size > 1 else parts
        if size == 1:
            parts = max(len(left), 1)
    return left


def shortest_run(size: int, holds: Callable[[int, int], bool]) -> tuple[int, int]:
    """Bisect to a short run of items: first its end, then its beginning.

    Args:
        size: How many items there are; with all of them it holds.
        holds: Whether it holds with those from one position up to another.

    Returns:
        The positions. Cost: ``2 log n`` questions.

    Example:
        >>> shortest_run(1_000, lambda begin, end: begin <= 300 and end > 310)
        (300, 311)
    """
    low, end = 0, size
    while low < end:
        middle = (low + end) // 2
        if holds(0, middle):
            end = middle
        else:
            low = middle + 1
    begin, high = 0, end
    while begin < high:
        middle = (begin + high + 1) // 2
        if holds(middle, end):
            begin = middle
        else:
            high = middle - 1
    return begin, end
