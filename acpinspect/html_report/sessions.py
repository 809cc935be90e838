"""The sessions of a table, one by one, each with the events that its timeline needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from acpinspect.grouping.tokens import tokens

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MOST_SESSIONS", "Part", "outside", "parts"]

Ints = npt.NDArray[np.int64]
MOST_SESSIONS: Final = 300
"""The explorer steps through so many sessions; of more, through the largest."""


class Part(NamedTuple):
    """One session.

    Attributes:
        rows: Its events, by position in the table.
        events: The table of them, with what belongs to no session in between: a new connection ends what is open.
    """

    rows: Ints
    events: pd.DataFrame


def parts(events: pd.DataFrame) -> Iterator[Part]:
    """The sessions, in the order in which they begin."""
    number = tokens(events).session
    numbers, first, counts = np.unique(number[number >= 0], return_index=True, return_counts=True)
    first = np.flatnonzero(number >= 0)[first]
    largest = np.argsort(-counts, kind="stable")[:MOST_SESSIONS]
    for at in largest[np.argsort(first[largest], kind="stable")].tolist():
        rows = np.flatnonzero(number == numbers[at])
        span = np.arange(rows[0], rows[-1] + 1)
        own = span[(number[span] == numbers[at]) | (number[span] < 0)]
        yield Part(rows, events.iloc[own])


def outside(events: pd.DataFrame) -> Ints:
    """The events that belong to no session, by position in the table."""
    return np.flatnonzero(tokens(events).session < 0)
