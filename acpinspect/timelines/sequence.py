"""The timeline of a session: its states in order, each found by an index and not by a replay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.errors import ArgumentError
from acpinspect.events import no_event
from acpinspect.grouping import AnyPolicy
from acpinspect.opening import Events, events_of
from acpinspect.reducer import Entity, SessionState
from acpinspect.timelines.blame import Blame, blame_of
from acpinspect.timelines.changes import told
from acpinspect.timelines.difference import Diff, Touched, diff_states
from acpinspect.timelines.finding import find_text, matcher
from acpinspect.timelines.folding import Folder
from acpinspect.timelines.history import history_table
from acpinspect.timelines.index import Index, Track
from acpinspect.timelines.indexing import index_of
from acpinspect.timelines.logs import SessionLog, session_log
from acpinspect.timelines.moves import Given, landmarks
from acpinspect.timelines.naming import EntityLike, entity_name, resolve
from acpinspect.timelines.showing import timeline_html, timeline_text
from acpinspect.timelines.steps import steps_table
from acpinspect.timelines.views import state_at

__all__ = ["States", "Timeline", "timeline"]


class States(Sequence[SessionState]):
    """A slice of a timeline: the states of some steps, made when they are looked at.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": content}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> states = timeline[1:]
        >>> len(states), states.steps
        (2, range(1, 3))
    """

    __slots__ = ("_steps", "_timeline")

    def __init__(self, timeline: Timeline, steps: range) -> None:
        self._timeline, self._steps = timeline, steps

    @property
    def steps(self) -> range:
        """The steps of the states."""
        return self._steps

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> SessionState: ...
    @overload
    def __getitem__(self, index: slice) -> States: ...
    def __getitem__(self, index: int | slice) -> SessionState | States:
        if isinstance(index, slice):
            return States(self._timeline, self._steps[index])
        return self._timeline[self._steps[index]]

    def __repr__(self) -> str:
        return f"<states of steps {self._steps}>"


class Timeline(Sequence[SessionState]):
    """All states of one session: ``timeline[i]`` is the state after its first `i` events.

    ``timeline[0]`` is the empty state and ``timeline[-1]`` the last one, so there is one state more than events.
    A state looks entities up when they are asked for and folds each from its own events; no state is stored.

    Examples:
        >>> import acpinspect
        >>> def update(name, content):
        ...     return "s1", {"sessionUpdate": name, "messageId": "m1", "content": content}
        >>> a, b, c = ({"type": "text", "text": text} for text in "ABC")
        >>> log = [update("agent_message_chunk", a), update("agent_message_chunk", b)]
        >>> log.append(update("agent_message", [c]))
        >>> timeline = acpinspect.timeline(acpinspect.from_records(log, protocol="v2"))
        >>> [state.message("m1").text for state in timeline[1:]]
        ['A', 'AB', 'C']
        >>> print(timeline.diff(3))
        Diff of step 2 and step 3:
        ~ agent message m1
            content: at 0 - 'AB' + 'C'
        >>> print(timeline.blame("m1"))
        agent message m1 at step 3:
          event      2  content: 'C'   (was 'AB', by event 0, 1)
    """

    def __init__(self, log: SessionLog, index: Index, table: pd.Index) -> None:
        self._log, self._index, self._table = log, index, table
        self._folder = Folder(log, index)

    @property
    def session_id(self) -> str | None:
        """The session's id; ``None`` where the log gave none."""
        return self._log.session_id

    @property
    def protocol(self) -> str:
        """The protocol version whose rules make the states."""
        return self._log.protocol

    @property
    def events(self) -> tuple[int, ...]:
        """The session's events, in order: event ``events[i]`` makes state ``i + 1`` of state ``i``."""
        return tuple(self._log.events.tolist())

    @property
    def columns(self) -> SessionLog:
        """The session's events as columns: for code that draws timelines, and may change with it."""
        return self._log

    @property
    def lives(self) -> Index:
        """Which events write to each life of an entity, and when it begins and ends: for such code likewise."""
        return self._index

    def value(self, life: int, step: int) -> object:
        """The entity of one of the `lives`, by its number, at a step; ``None`` before it is made."""
        return self._folder.slot(life, self._step(step))

    def __len__(self) -> int:
        return len(self._log) + 1

    @overload
    def __getitem__(self, index: int) -> SessionState: ...
    @overload
    def __getitem__(self, index: slice) -> States: ...
    def __getitem__(self, index: int | slice) -> SessionState | States:
        steps = range(len(self))[index]
        if isinstance(steps, range):
            return States(self, steps)
        return state_at(self._log, self._index, self._folder, steps)

    def at(self, event: int) -> SessionState:
        """The state after an event of the table, whether it is one of this session or not.

        Args:
            event: A label of the events table's index.

        Raises:
            EventsError: The table has no such event.
        """
        return self[self.step_of(event)]

    def step_of(self, event: int) -> int:
        """The step of the state after an event of the table.

        Raises:
            EventsError: The table has no such event.
        """
        if event not in self._table:
            raise no_event(self._table, event)
        row: int = self._table.get_indexer(pd.Index([event]))[0]
        return int(np.searchsorted(self._log.rows, row, side="right"))

    @cached_property
    def steps(self) -> pd.DataFrame:
        """What each event did: one row per event, the index is the step that it makes.

        The columns are those of `acpinspect.timelines.steps.COLUMNS`: event, entity, action, reason.
        """
        return steps_table(self._log, self._index)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All entities of the session, gone ones included, in the order in which they came."""
        return tuple(dict.fromkeys(track.entity for track in self._index.tracks()))

    def diff(self, i: int, j: int | None = None) -> Diff:
        """What is different between two steps.

        Args:
            i: A step.
            j: The other step, earlier or later. Without it: what step `i` changed, against the step before it.

        Raises:
            ArgumentError: There is no such step.
        """
        before, after = (self._step(i) - 1, self._step(i)) if j is None else (self._step(i), self._step(j))
        before = max(before, 0)
        first, last = min(before, after), max(before, after)
        return diff_states(
            self[before],
            self[after],
            self._touched(first, last, before, after),
            steps=(before, after),
            events=tuple(self._log.events[first:last].tolist()),
        )

    def _step(self, step: int) -> int:
        try:
            return range(len(self))[step]
        except IndexError:
            raise ArgumentError(f"There is no step {step}: the last one is {len(self) - 1}.") from None

    def _touched(self, first: int, last: int, before: int, after: int) -> Iterator[Touched]:
        """The entities that events between two steps write to, in the order of the second one."""
        index = self._index
        slots = {int(slot) for slot in np.unique(index.slot[first:last]).tolist() if slot >= 0}
        slots.update(slot for step, more in index.more.items() if first <= step < last for slot in more)
        alive = index.alive(after)
        seen: set[Entity] = set()
        for slot in sorted(slots):
            entity = index.entity(slot)
            if entity in seen:
                continue
            seen.add(entity)
            old, new = index.slot_at(entity, before), index.slot_at(entity, after)
            place = None if new is None else int(np.searchsorted(alive, new))
            yield Touched(entity, place, old is not None and new is not None and old != new)

    def blame(self, entity: EntityLike, step: int | None = None) -> Blame:
        """Which event wrote each piece of an entity, and what it wrote over.

        Args:
            entity: An `Entity` or its key; or as text an id, a name as `steps` shows it, or a session field.
            step: The step at which to look; else the last one.

        Raises:
            ArgumentError: There is no such entity, or it isn't there at that step.
        """
        at = len(self) - 1 if step is None else self._step(step)
        found = resolve(entity, self.entities)
        track = self._track(found, at)
        return blame_of(found, at, told(self._log, self._index, track, at), self._log.events.tolist())

    def _track(self, entity: Entity, step: int) -> Track:
        if entity.kind == "session":
            return self._index.fields.get(str(entity.key)) or Track(entity, np.zeros(0, np.int32), {})
        slot = self._index.slot_at(entity, step)
        if slot is None:
            raise ArgumentError(
                f"The {entity_name(entity)} isn't there at step {step}. Its history tells when it is."
            )
        return self._index.track(slot)

    def history(self, entity: EntityLike) -> pd.DataFrame:
        """Everything that was done to an entity, one row for each change.

        Args:
            entity: As for `blame`.

        Raises:
            ArgumentError: There is no such entity.
        """
        found = resolve(entity, self.entities)
        if found.kind == "session":
            tracks = [self._track(found, 0)]
        else:
            tracks = [self._index.track(slot) for slot in self._index.slots_of(found).tolist()]
        stories = (event for track in tracks for event in told(self._log, self._index, track))
        return history_table(found, stories, self._log.events)

    def find(self, text: str | re.Pattern[str]) -> pd.DataFrame:
        """Where a text first stands in what a reader sees, and where it is gone again.

        Args:
            text: The text as it is; or a compiled regular expression, which is matched in linear time by RE2 (no
                lookaround, no backreferences), so that none can run for ever. An anchor at the end of the text is
                held against the text as it stood before it was next replaced.

        Returns:
            One row for each stretch of steps in which an entity shows it: entity, step, event, vanishes,
            vanishes_event; see `acpinspect.timelines.finding.COLUMNS`. Looked at are messages, titles and output
            of tool calls, plans, terminals, compactions, the session's title and notices.

        Raises:
            ArgumentError: The expression can't be matched in linear time.
        """
        return find_text(self._log, self._index, self._folder, matcher(text))

    def next(self, kind: str, after: int = 0, table: Given | None = None) -> int | None:
        """The first step after `after` at which something of a kind happens; ``None`` where there is none.

        Args:
            kind: ``boundary`` (a message begins), ``turn`` (a turn begins), ``tool`` (a tool call begins),
                ``replaced``, ``rejected``; or ``finding`` or ``disagreement``, which a table says.
            after: A step.
            table: Findings or disagreements: a table with a column `event` (`acpinspect.diagnose(events)`), the
                events themselves, or a comparison (`acpinspect.compare(events)`).

        Raises:
            ArgumentError: There is no such kind, or its table is missing.
        """
        steps = self._landmarks(kind, table)
        return next((int(step) for step in steps[np.searchsorted(steps, after, side="right") :]), None)

    def previous(self, kind: str, before: int | None = None, table: Given | None = None) -> int | None:
        """The last step before `before` (else of all) at which something of a kind happens; see `next`."""
        steps = self._landmarks(kind, table)
        count = len(steps) if before is None else int(np.searchsorted(steps, before))
        return int(steps[count - 1]) if count else None

    def _landmarks(self, kind: str, table: Given | None) -> npt.NDArray[np.int64]:
        needed = self.steps if kind in {"replaced", "rejected"} else None
        return landmarks(self._log, self._index, kind, needed, table)

    def __repr__(self) -> str:
        return timeline_text(self[-1], len(self._log))

    def _repr_html_(self) -> str:
        return timeline_html(self[-1], len(self._log))


def timeline(events: Events, session_id: str | None = None, policy: AnyPolicy = "spec") -> Timeline:
    """The states of a session, one after each event.

    Args:
        events: An events table, or the path of a log.
        session_id: The session; ``None`` for the only one.
        policy: The grouping that says where chunks without an id go; see `group`.

    Returns:
        The timeline. Building it costs less than loading the log; it keeps about 50 bytes an event beside it.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: There is no such session or policy; or there are several sessions and none was named.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> [[message.text for message in state.messages.values()] for state in timeline]
        [[], ['One '], ['One message.']]
    """
    events = events_of(events)
    log = session_log(events, session_id, policy)
    return Timeline(log, index_of(log), events.index)
