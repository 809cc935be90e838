"""The search itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.minimizing.deltas import fewest, shortest_run

NEEDED = st.sets(st.integers(0, 63), max_size=6)


@given(NEEDED)
def test_what_is_needed_is_all_that_is_left(needed: set[int]) -> None:
    assert fewest(range(64), lambda some: needed <= set(some)) == sorted(needed)


@given(NEEDED)
@settings(max_examples=50)
def test_few_questions_are_asked_about_few_items(needed: set[int]) -> None:
    asked: list[int] = []
    fewest(range(64), lambda some: asked.append(len(some)) or needed <= set(some))
    assert len(asked) <= 12 * (len(needed) + 1) + 64


@given(st.integers(1, 40))
def test_what_goes_only_with_its_neighbour_goes_with_it(place: int) -> None:
    def holds(some: list[int]) -> bool:
        return 0 in some and ((place in some) == (place + 1 in some))

    assert fewest(range(64), holds, together=2) == [0]


@given(st.integers(0, 99), st.integers(0, 99))
def test_a_run_is_found_by_bisection(one: int, other: int) -> None:
    begin, end = min(one, other), max(one, other) + 1
    asked: list[int] = []
    assert shortest_run(100, lambda a, b: asked.append(a) or (a <= begin and b >= end)) == (begin, end)
    assert len(asked) <= 14
