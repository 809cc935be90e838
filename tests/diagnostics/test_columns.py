"""Arithmetic on columns that the rules share."""

from __future__ import annotations

import numpy as np
import pytest

from acpinspect.diagnostics.columns import Ints, before, by_group, combined, first_of_each, in_order, runs


def ints(*values: int) -> Ints:
    return np.array(values, dtype=np.int64)


@pytest.mark.parametrize(
    ("columns", "numbers"),
    [
        ((ints(4, 7, 4),), [0, 1, 0]),
        ((ints(0, 0, 1, 1), ints(2, 3, 2, 2)), [0, 1, 2, 2]),
        ((ints(0, 1, 1), ints(1, -1, 0)), [0, 1, 2]),
        ((ints(0, 1, 0), ints(1, -1, -1)), [0, 1, 2]),
        ((ints(0, 0, 1, 1), ints(0, 1, 0, 1), ints(5, 5, 5, 5)), [0, 1, 2, 3]),
        ((ints(2**40, 2**41), ints(-(2**40), 2**40), ints(-(2**40), 2**40)), [0, 1]),
        ((ints(), ints()), []),
    ],
    ids=["one", "two", "minus one", "no borrowing", "three", "large", "none"],
)
def test_each_combination_of_values_has_a_number(columns: tuple[Ints, ...], numbers: list[int]) -> None:
    assert combined(*columns).tolist() == numbers
    assert combined(*columns).dtype == np.int64


def test_small_types_are_combined_without_overflow() -> None:
    wide = np.arange(300, dtype=np.int64) % 150
    narrow = (np.arange(300) // 150 * 100).astype(np.int8)
    assert combined(wide, narrow).tolist() == list(range(300))


def test_rows_come_group_by_group_and_within_it_in_order() -> None:
    assert in_order(ints(1, 0, 1, 0), ints(10, 20, 30, 40)).tolist() == [20, 40, 10, 30]


@pytest.mark.parametrize(
    ("key", "found"),
    [([], []), ([5], [(0, 1)]), ([5, 5, 7, 5], [(0, 2), (2, 3), (3, 4)])],
)
def test_a_run_is_a_stretch_of_equal_neighbours(key: list[int], found: list[tuple[int, int]]) -> None:
    assert runs(ints(*key)) == found


@pytest.mark.parametrize(
    ("session", "marked", "counts"),
    [
        ([0, 0, 0, 0], [1, 0, 1, 1], [0, 1, 1, 2]),
        ([0, 1, 0, 1], [1, 1, 1, 0], [0, 0, 1, 1]),
        ([-1, 0, -1, 0], [1, 0, 1, 0], [0, 0, 0, 0]),
        ([1, 1, 0, 0], [1, 1, 0, 1], [0, 1, 0, 0]),
        ([], [], []),
    ],
    ids=["one session", "two in turn", "none", "the later one first", "empty"],
)
def test_marked_rows_of_the_session_before_each_row_are_counted(
    session: list[int], marked: list[int], counts: list[int]
) -> None:
    assert before(ints(*session), np.array(marked, dtype=bool)).tolist() == counts


def test_the_first_row_of_each_number_is_kept() -> None:
    assert first_of_each(ints(3, 1, 3, 1, 2), ints(4, 5, 6, 7, 9)).tolist() == [4, 5, 9]


def test_each_group_has_its_number_and_its_rows_in_order() -> None:
    assert list(by_group(ints(3, 1, 3), ints(4, 5, 6))) == [(1, [5]), (3, [4, 6])]
    assert list(by_group(ints(), ints())) == []
