"""An engine makes the tables of all recordings: here and now, or as a plan that others carry out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar

from acpinspect.collection.arrow_tables import put_together
from acpinspect.collection.entries import Entry, Problem
from acpinspect.collection.kinds import Ask
from acpinspect.collection.local_engine import can_be_sent, outcomes
from acpinspect.collection.problem_table import problem_table
from acpinspect.collection.work import Outcome, Task
from acpinspect.progress import shown_bytes
from acpinspect.workers import done_in_order

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Engine", "LocalEngine", "Table"]

Job = TypeVar("Job")
Made = TypeVar("Made")

Table: TypeAlias = Any
"""A DataFrame of pandas; of Dask, if the corpus was made with ``engine="dask"``."""

_LONG: Final = 64 << 20
_MANY: Final = 500
"""Bytes, or recordings, from which on the work takes long enough to show progress."""


class Engine(Protocol):
    """What a corpus wants of an engine."""

    def outcomes(self, asks: Sequence[Ask]) -> Iterator[Outcome]:
        """What comes of each recording, in order."""

    def each(self, function: Callable[[Job], Made], jobs: Sequence[Job]) -> Iterator[Made]:
        """What a function makes of each job, in order."""

    def table(self, ask: Ask) -> Table:
        """A table of all recordings."""

    def problems(self, asks: Sequence[Ask]) -> Table:
        """What went wrong with these tables."""


@dataclass
class LocalEngine:
    """Makes tables on this machine, as they are asked for.

    Attributes:
        task: The recordings, and how they are read.
        workers: How many processes work.
        progress: Whether a bar is shown; None if the work is long and somebody may look.
    """

    task: Task
    workers: int
    progress: bool | None = None
    _met: dict[Ask, list[tuple[Entry, Problem]]] = field(default_factory=dict)

    def outcomes(self, asks: Sequence[Ask]) -> Iterator[Outcome]:
        """What comes of each recording, in order."""
        task = self.task.wanting(asks)
        long = task.size >= _LONG or len(task.entries) >= _MANY
        unkept: str | None = None
        with (
            shown_bytes(task.size, self.progress, "corpus", is_long=long) as bar,
            closing(outcomes(task, self.workers)) as found,
        ):
            for one in found:
                unkept = unkept or one.unkept
                bar.advance_by(one.entry.size)
                yield one
        if unkept and task.cache is not None:
            warnings.warn(
                f"{task.cache.folder} can't keep all tables: {unkept}. Nothing is lost; they will be made again.",
                stacklevel=2,
            )

    def each(self, function: Callable[[Job], Made], jobs: Sequence[Job]) -> Iterator[Made]:
        """What a function makes of each job, in order."""
        return done_in_order(function, jobs, self.workers if can_be_sent(jobs) else 1)

    def table(self, ask: Ask) -> pd.DataFrame:
        """A table of all recordings."""
        found = list(self.outcomes([ask]))
        self._met[ask] = [(one.entry, problem) for one in found for problem in one.problems]
        return put_together(
            ask.table, [(one.entry, table) for one in found for table in one.tables if table is not None]
        )

    def problems(self, asks: Sequence[Ask]) -> pd.DataFrame:
        """What went wrong with these tables; those that have not been made are made now."""
        for ask in asks:
            if ask not in self._met:
                self.table(ask)
        met = dict.fromkeys(pair for ask in asks for pair in self._met[ask])
        return problem_table(sorted(met, key=lambda pair: pair[0].number))
