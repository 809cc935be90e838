"""What a worker does: the tables of some recordings, one recording after the other, each failure for itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from acpinspect.collection.arrow_tables import from_arrow, packed_table, to_arrow, unpacked_table
from acpinspect.collection.asks import EVENTS
from acpinspect.collection.caching import Cache, can_be_kept
from acpinspect.collection.entries import Entry, Problem, Reopener, problem_of
from acpinspect.collection.kinds import Ask, Subject, made
from acpinspect.collection.own_rules import OwnRule, learn, own_rules
from acpinspect.collection.portion_events import portion_events
from acpinspect.collection.recording_events import Reading, recording_events
from acpinspect.errors import NotACPError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Outcome", "Task", "done", "outcome_of"]


@dataclass(frozen=True)
class Task:
    """Recordings to be read, and the tables that are wanted of each.

    Attributes:
        entries: The recordings.
        asks: The tables.
        reading: How they are read.
        cache: Where tables are kept.
        rules: Rules of the user's own, for `diagnose`.
    """

    entries: tuple[Entry, ...]
    asks: tuple[Ask, ...] = ()
    reading: Reading = field(default_factory=Reading)
    cache: Cache | None = None
    rules: tuple[OwnRule, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of its recordings."""
        return sum(entry.size for entry in self.entries)

    @property
    def is_kept(self) -> bool:
        """Whether the cache has all that is wanted."""
        cache = self.cache
        if cache is None:
            return False
        return all(one.problem is not None or cache.has(one, self.reading, self.asks) for one in self.entries)

    def of(self, entries: Sequence[Entry]) -> Task:
        """The same for some of the recordings."""
        return replace(self, entries=tuple(entries))

    def wanting(self, asks: Sequence[Ask]) -> Task:
        """The same recordings, with other tables wanted; with the rules that there are now."""
        return replace(self, asks=tuple(asks), rules=own_rules())


@dataclass(frozen=True)
class Outcome:
    """What came of a recording.

    Attributes:
        entry: The recording.
        tables: The tables asked for, in order; None for one that could not be made.
        problems: Why not.
        unkept: Why a table could not be put into the cache, if that is so.
    """

    entry: Entry
    tables: tuple[pa.Table | None, ...]
    problems: tuple[Problem, ...] = ()
    unkept: str | None = None

    def __reduce__(self) -> tuple[Callable[..., Outcome], tuple[object, ...]]:
        # A column may be a view of a large buffer, and pickle would send all of it.
        packed = tuple(None if table is None else packed_table(table) for table in self.tables)
        return _received, (self.entry, packed, self.problems, self.unkept)


def _received(
    entry: Entry, packed: Sequence[pa.Buffer | None], problems: tuple[Problem, ...], unkept: str | None
) -> Outcome:
    tables = tuple(None if one is None else unpacked_table(one) for one in packed)
    return Outcome(entry, tables, problems, unkept)


def done(task: Task) -> list[Outcome]:
    """What comes of the recordings of a task, in their order. Whatever is wrong with one, the others go on."""
    if task.asks == (EVENTS,) and task.cache is None and len(task.entries) > 1:
        found = portion_events(task.entries, task.reading)
        return [_of_events(entry, one) for entry, one in zip(task.entries, found, strict=True)]
    learn(task.rules)
    reopen = Reopener()

    def read(entry: Entry) -> pd.DataFrame:
        return recording_events(reopen(entry), task.reading)

    return [outcome_of(entry, task, read) for entry in task.entries]


def _of_events(entry: Entry, found: pa.Table | Problem) -> Outcome:
    return Outcome(entry, (None,), (found,)) if isinstance(found, Problem) else Outcome(entry, (found,))


def outcome_of(entry: Entry, task: Task, read: Callable[[Entry], pd.DataFrame]) -> Outcome:
    """What comes of one recording.

    Args:
        entry: The recording.
        task: What is wanted of it.
        read: Reads its events.
    """
    if entry.problem is not None:
        return Outcome(entry, (None,) * len(task.asks), (entry.problem,))
    maker = _Maker(entry, task, read)
    return maker.outcome(task.asks)


class _Maker:
    """Makes the tables of one recording; reads it once, and only if a table is wanted that the cache hasn't."""

    def __init__(self, entry: Entry, task: Task, read: Callable[[Entry], pd.DataFrame]) -> None:
        self._entry, self._read = entry, read
        self._reading, self._cache = task.reading, task.cache
        self._own_codes = frozenset(own.code.code for own in task.rules)
        self._unkept: str | None = None
        self._marks: object = None

    def outcome(self, asks: Sequence[Ask]) -> Outcome:
        """The tables, and what went wrong."""
        known = None if self._cache is None or self._key is None else self._cache.problem(self._key)
        if known is not None:
            return Outcome(self._entry, (None,) * len(asks), (known,))
        tables: list[pa.Table | None] = []
        problems: list[Problem] = []
        for ask in asks or (EVENTS,):
            try:
                tables.append(self._table(ask))
            except Exception as error:  # noqa: BLE001  (a bad file is told of, and is not the end of the run)
                stage = ask.table if "_subject" in vars(self) else "read"
                tables.append(None)
                problems.append(problem_of(stage, error))
        told = tuple(dict.fromkeys(problems))  # what can't be read fails for each table alike
        return Outcome(self._entry, tuple(tables) if asks else (), told, self._unkept)

    def _table(self, ask: Ask) -> pa.Table:
        kept = self._kept(ask)
        if kept is not None:
            return kept
        if ask == EVENTS:
            return to_arrow("events", self._subject.events)  # to read them has put them into the cache
        table = to_arrow(ask.table, made(ask, self._subject))
        self._keep(ask, table)
        return table

    @cached_property
    def _subject(self) -> Subject:
        kept = self._kept(EVENTS)
        if kept is not None:
            return Subject(from_arrow("events", kept))
        try:
            events = self._read(self._entry)
        except NotACPError as error:
            self._keep_problem(problem_of("read", error))
            raise
        if self._cache is not None:
            self._keep(EVENTS, to_arrow("events", events))
        return Subject(events)

    @cached_property
    def _key(self) -> str | None:
        if self._cache is None:
            return None
        self._marks = self._cache.marks(self._entry)
        return self._cache.key(self._entry, self._reading)

    def _kept(self, ask: Ask) -> pa.Table | None:
        if self._cache is None or self._key is None or not self._may_be_kept(ask):
            return None
        return self._cache.get(self._key, ask)

    def _keep(self, ask: Ask, table: pa.Table) -> None:
        """Put a table into the cache, if the recording is still what it was when its key was made."""
        if self._cache is not None and self._key is not None and self._may_be_kept(ask) and self._is_as_it_was:
            self._unkept = self._cache.put(self._key, ask, table) or self._unkept

    def _keep_problem(self, problem: Problem) -> None:
        if self._cache is not None and self._key is not None and self._is_as_it_was:
            self._cache.put_problem(self._key, problem)

    @property
    def _is_as_it_was(self) -> bool:
        return self._cache is not None and self._cache.marks(self._entry) == self._marks

    def _may_be_kept(self, ask: Ask) -> bool:
        return can_be_kept(ask) and self._own_codes.isdisjoint(dict(ask.options).get("codes", ()))
