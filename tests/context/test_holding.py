"""Which change holds for a row."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.context.holding import held, spread


def plainly_held(numbers: list[int], changes: list[tuple[int, int]]) -> list[int]:
    """For each row the change of its number that begins last; of those that begin together the last one."""
    found = []
    for row, number in enumerate(numbers):
        own = [(at, which) for which, (at, of) in enumerate(changes) if of == number >= 0 and at <= row]
        found.append(max(own, default=(0, -1))[1])
    return found


@given(
    st.lists(st.integers(-1, 3) | st.just(300), max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4) | st.just(300)), max_size=8),
)
@settings(max_examples=300, deadline=None)
def test_the_last_change_of_a_rows_number_holds(numbers: list[int], changes: list[tuple[int, int]]) -> None:
    changes = [(min(at, len(numbers)), of) for at, of in changes]
    at, of = np.array(changes, dtype=np.int64).reshape(-1, 2).T
    starts, last = held(np.array(numbers, dtype=np.int32), at, of)
    assert spread(last, starts, len(numbers)).tolist() == plainly_held(numbers, changes)
