"""Where the next thing of a kind happens: the steps that a reader of a timeline jumps to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, cast, get_args

import numpy as np
import numpy.typing as npt

from acpinspect.errors import ArgumentError
from acpinspect.reducer.keys import EntityKind
from acpinspect.timelines.index import NEVER, Index
from acpinspect.timelines.logs import SessionLog

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Given", "Landmark", "landmarks"]

Landmark = Literal["boundary", "turn", "tool", "finding", "disagreement", "replaced", "rejected"]


class Compared(Protocol):
    """A comparison of two groupings: what `acpinspect.compare` gives."""

    @property
    def disagreements(self) -> pd.DataFrame:
        """A table with a column `event`."""


Given: TypeAlias = "pd.DataFrame | Iterable[int] | Compared"
"""Findings or disagreements: a table with a column `event`, the events themselves, or a comparison."""

_KINDS: Final = get_args(Landmark)
_GIVEN: Final = ("finding", "disagreement")
_BORN: Final[dict[str, EntityKind]] = {"boundary": "message", "tool": "tool_call"}

Ints = npt.NDArray[np.int64]


def landmarks(
    log: SessionLog,
    index: Index,
    kind: str,
    steps: pd.DataFrame | None,
    table: Given | None,
) -> Ints:
    """The steps at which something of a kind happens, ascending.

    Args:
        log: The session.
        index: Its index.
        kind: ``boundary`` (a message begins), ``turn`` (a turn begins), ``tool`` (a tool call begins),
            ``replaced``, ``rejected``, or ``finding`` or ``disagreement`` of a table.
        steps: The table of steps, for the kinds that it says.
        table: Findings or disagreements, for the kinds that others find.

    Raises:
        ArgumentError: There is no such kind, or its table is missing.
    """
    if kind in _BORN:
        born: Ints = index.born[index.slots_of_kind(_BORN[kind])].astype(np.int64)
        steps_of_births: Ints = born[born != NEVER] + 1
        return steps_of_births
    if kind == "turn":
        return np.flatnonzero(np.diff(log.turn, prepend=0)) + 1
    if kind in _GIVEN:
        return _steps_of(log, _events(kind, table))
    if kind not in _KINDS or steps is None:
        raise ArgumentError(f"There is nothing of kind {kind!r} to go to. There is: {', '.join(_KINDS)}.")
    return np.flatnonzero((steps["action"] == kind).to_numpy()) + 1


def _events(kind: str, given: Given | None) -> Ints:
    table = cast("pd.DataFrame | Iterable[int] | None", getattr(given, "disagreements", given))
    if table is None:
        raise ArgumentError(f"A {kind} is found by others: give the table of them, with a column `event`.")
    column = getattr(table, "columns", None)
    if column is None:
        return np.array(list(table), dtype=np.int64)
    if "event" not in column:
        raise ArgumentError(f"The table of the {kind}s has no column `event`.")
    events: pd.Series = table["event"]  # type: ignore[index]  # it has columns
    return events.dropna().to_numpy(dtype=np.int64)


def _steps_of(log: SessionLog, events: Ints) -> Ints:
    """The steps that these events of the session make."""
    return np.flatnonzero(np.isin(log.events, events)) + 1
