"""One session under one policy, as columns by step: where the explorer's panes, jumps and strip look things up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.extensions import ExtensionArray

from acpinspect.events import check_events
from acpinspect.grouping import AnyPolicy, Policy, get_policy
from acpinspect.grouping.applying import Shared, apply, looks_at_ids
from acpinspect.grouping.labels import boundaries
from acpinspect.reading.recordings import recording_of
from acpinspect.timelines import Timeline, timeline
from acpinspect.timelines.acts import ACTS
from acpinspect.timelines.index import NEVER
from acpinspect.widgets.sessions import SessionChoice

__all__ = ["LANES", "Ints", "Spine", "spine_of"]

Ints = npt.NDArray[np.int64]
LANES: Final = ("user", "agent", "thought", "tools", "plan", "state")
"""The rows of the time strip."""

_USER, _TOOLS, _PLAN, _STATE = 0, 3, 4, 5
_LANE_OF: Final = {"permission": _TOOLS, "plan": _PLAN, "plan_update": _PLAN, "plan_removed": _PLAN}


def _lane(act: str) -> int:
    return _LANE_OF.get(act, _TOOLS if act.startswith(("tool", "terminal")) else _STATE)


@dataclass(frozen=True, eq=False)
class Spine:
    """The columns of a session; position `p` is the event that makes step `p + 1`.

    Attributes:
        timeline: Its states.
        events: The table that it is read from.
        labels: The message that each event of the table belongs to, by position in the table; -1 for none.
        openers: What opened the message that begins at an event, by position in the table.
        shows_prompt: Whether the policy shows the prompt that the client sent.
    """

    timeline: Timeline
    events: pd.DataFrame
    labels: Ints
    openers: dict[int, str]
    shows_prompt: bool

    def __len__(self) -> int:
        return len(self.timeline) - 1

    @cached_property
    def rows(self) -> Ints:
        """The row of each position in the table."""
        return self.timeline.columns.rows.astype(np.int64)

    @cached_property
    def numbers(self) -> Ints:
        """The label of each position in the table's index."""
        return self.timeline.columns.events

    @cached_property
    def slots(self) -> Ints:
        """The entity that each event writes to, as a number; -1 for none."""
        return self.timeline.lives.slot.astype(np.int64)

    @cached_property
    def born(self) -> Ints:
        """The position that made each entity, in their order."""
        return self.timeline.lives.born.astype(np.int64)

    @cached_property
    def prompts(self) -> Ints:
        """Positions of the prompts that the client sent; in v2 the agent repeats an accepted one as a message."""
        if self.timeline.protocol != "v1":
            return np.zeros(0, dtype=np.int64)
        part = self.table
        asked = (part["method"] == "session/prompt") & (part["kind"] == "request")
        return np.flatnonzero(asked.fillna(False).to_numpy(dtype=bool))

    @cached_property
    def table(self) -> pd.DataFrame:
        """The rows of the session, without their JSON."""
        return self.events.drop(columns="raw").iloc[self.rows]

    @cached_property
    def lanes(self) -> npt.NDArray[np.uint8]:
        """The row of the strip that each event stands in."""
        log = self.timeline.columns
        lanes = np.array([_lane(act) for act in ACTS], dtype=np.uint8)[log.acts]
        lanes = np.where(log.role >= 0, log.role, lanes).astype(np.uint8)
        lanes[self.prompts] = _USER
        return lanes

    @cached_property
    def messages(self) -> npt.NDArray[np.bool_]:
        """Which events are parts of messages by their protocol."""
        inside: npt.NDArray[np.bool_] = self.timeline.columns.role >= 0
        return inside

    @cached_property
    def boundaries(self) -> Ints:
        """Steps at which a message begins."""
        slots = self.timeline.lives.slots_of_kind("message")
        births: Ints = self.born[slots]
        steps: Ints = births[births != NEVER] + 1
        return steps

    @cached_property
    def acting(self) -> list[str]:
        """What each event does, in a word; see `acpinspect.timelines.acts`."""
        return [ACTS[code] for code in self.timeline.columns.acts.tolist()]

    def position_of(self, event: int) -> int | None:
        """Where an event of the table stands in the session; ``None`` where it isn't of it."""
        at = int(np.searchsorted(self.numbers, event)) if self._ascending else -1
        if not self._ascending:
            found = np.flatnonzero(self.numbers == event)
            return int(found[0]) if len(found) else None
        return at if at < len(self.numbers) and self.numbers[at] == event else None

    @cached_property
    def _ascending(self) -> bool:
        return bool((np.diff(self.numbers) > 0).all())

    @cached_property
    def answers(self) -> dict[int, int]:
        """The position of the first answer to each request of the session that has one, by the request's event."""
        asked = self.table["reply_to"]
        known = np.flatnonzero(asked.notna().to_numpy())
        return dict(zip(asked.iloc[known[::-1]].tolist(), known[::-1].tolist(), strict=True))

    def fact(self, name: str, position: int) -> object:
        """What a column of the events table says of an event; ``None`` where it says nothing."""
        value = self._columns(name)[position]
        return None if pd.isna(value) else value

    def seconds(self, position: int) -> float | None:
        """When an event was recorded, in seconds since its recording began."""
        value = self.fact("elapsed", position)
        return float(value) if isinstance(value, float) else None

    def _columns(self, name: str) -> ExtensionArray:
        # To ask a table for one row takes all of its columns along.
        if name not in self._arrays:
            self._arrays[name] = self.table[name].array
        return self._arrays[name]

    @cached_property
    def _arrays(self) -> dict[str, ExtensionArray]:
        return {}

    def raw(self, position: int) -> str:
        """The text of an event as it was written."""
        return str(self.events["raw"].iat[int(self.rows[position])])

    def writes(self, slot: int, step: int) -> tuple[int, int]:
        """How many events have written to an entity at a step, and how many will have at the end."""
        track = self.timeline.lives.track(slot)
        return track.count(step), len(track.positions)

    def value(self, slot: int, step: int) -> object:
        """An entity at a step; ``None`` before it is made."""
        return self.timeline.value(slot, step)

    def alive(self, step: int) -> Ints:
        """The entities of a step, in order."""
        return self.timeline.lives.alive(step).astype(np.int64)

    def opener(self, position: int) -> str:
        """What opened the message that begins with an event; empty where none does."""
        return self.openers.get(int(self.rows[position]), "")

    def starts(self, labels: Ints) -> npt.NDArray[np.int8]:
        """Of each event under some grouping: 1 begins a message, 0 continues one, -1 is no part of any."""
        own = labels[self.rows]
        marks = np.full(len(own), -1, dtype=np.int8)
        inside = np.flatnonzero(own >= 0)
        marks[inside] = np.diff(own[inside], prepend=-1) != 0
        return marks


def spine_of(events: pd.DataFrame, choice: SessionChoice, policy: AnyPolicy) -> Spine:
    """Read one session under one policy.

    Args:
        events: An events table.
        choice: The session.
        policy: The policy.

    Raises:
        ArgumentError: There is no such policy.
    """
    events = _part(check_events(events), choice)
    shared = Shared(events)
    labels = apply(policy, shared).labels
    first, opened_by = boundaries(shared.tokens, labels, by_id=looks_at_ids(policy))
    return Spine(
        timeline(events, choice.session_id, policy) if choice.events else timeline(events.iloc[:0]),
        events,
        labels,
        dict(zip(first.tolist(), opened_by, strict=True)),
        _shows_prompt(policy),
    )


def _part(events: pd.DataFrame, choice: SessionChoice) -> pd.DataFrame:
    """The part of a table that says which session is meant, where its id alone doesn't."""
    if not choice.ambiguous:
        return events
    own = events["source"].map(lambda source: recording_of(str(source)) == choice.recording)
    part = events[own.fillna(False).to_numpy(dtype=bool)]
    if choice.session_id is None:
        named = part["session_id"].notna()
        return part[~named]
    return part


def _shows_prompt(policy: AnyPolicy) -> bool:
    found = get_policy(policy) if isinstance(policy, str) else policy
    return found.live.prompt != "none" if isinstance(found, Policy) else True
