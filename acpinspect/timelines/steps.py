"""The table of steps: what each event of a session did, to what, and why nothing happened where nothing did."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import REJECTED as REFUSED
from acpinspect.events import Column
from acpinspect.protocol import read_permission
from acpinspect.reducer import Change, Entity
from acpinspect.timelines.acts import (
    CONTROL,
    EXTENSION,
    LEFT_OUT,
    PERMISSION,
    REJECTED,
    UNREADABLE,
    codes_of,
)
from acpinspect.timelines.changes import summary, told
from acpinspect.timelines.index import Index, Track
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.naming import entity_name

__all__ = ["COLUMNS", "steps_table"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("event", "int64", "The event that made the step, in the events table."),
    Column("entity", "category", "What it wrote to; NA where it wrote to nothing."),
    Column(
        "action",
        "category",
        "The weightiest thing it did: created, removed, replaced, cleared, appended, patched, rejected, ignored.",
    ),
    Column("reason", "string", "Why it was rejected or ignored, as a whole or in part."),
)

_ACTIONS: Final = ("created", "appended", "replaced", "cleared", "patched", "removed", "rejected", "ignored")
_APPENDS: Final = codes_of("chunk", "tool_content_chunk", "compaction_chunk")
_NOT_ACTING: Final = "it doesn't act on a session's state"
_STRING: Final = pd.StringDtype("pyarrow", na_value=pd.NA)


def steps_table(log: SessionLog, index: Index) -> pd.DataFrame:
    """One row per event; the index `step` is that of the state after it.

    Cost: columns for chunks, one operation of the reducer for every other update.
    """
    table = _Table(log, index)
    for slot, track in enumerate(index.tracks()):
        table.tell(track, slot)
    for number, track in enumerate(index.fields.values(), start=len(index.code)):
        table.tell(track, number)
    for position in np.flatnonzero(np.isin(log.acts, (CONTROL, EXTENSION))).tolist():
        table.note(position, index.changes.get(position, ()))
    table.explain()
    return table.frame()


class _Table:
    """The columns of the table while they are filled."""

    def __init__(self, log: SessionLog, index: Index) -> None:
        self.log, self.index = log, index
        self.action = np.full(len(log), _ACTIONS.index("ignored"), dtype=np.int8)
        self.entity = np.full(len(log), -1, dtype=np.int32)
        self.names: dict[Entity, int] = {}
        self.reason: dict[int, str] = {}

    def number(self, entity: Entity) -> int:
        return self.names.setdefault(entity, len(self.names))

    def tell(self, track: Track, slot: int) -> None:
        """The events of one track; those that only append need no look at their content."""
        positions = track.positions
        self.entity[positions] = self.number(track.entity)
        if slot < len(self.index.code) and not track.values and np.isin(self.log.acts[positions], _APPENDS).all():
            self.action[positions] = _ACTIONS.index("appended")
            self.action[positions[:1]] = _ACTIONS.index("created")
            return
        for event in told(self.log, self.index, track):
            if self.log.acts[event.position] not in (CONTROL, EXTENSION):
                self.note(event.position, event.changes)

    def note(self, position: int, changes: tuple[Change, ...]) -> None:
        if not changes:
            return
        step = summary(changes)
        self.action[position] = _ACTIONS.index(step.action)
        if step.entity is not None:
            self.entity[position] = self.number(step.entity)
        if step.reason is not None:
            self.reason[position] = step.reason

    def explain(self) -> None:
        """Why the rest did nothing."""
        log = self.log
        asked = np.flatnonzero((log.acts == PERMISSION) & (self.entity < 0)).tolist()
        for position in asked:
            rejected = read_permission(log.frame(position).get("params"), log.protocol).rejected
            change = Change("rejected" if rejected else "ignored", reason=rejected or "it carries no tool call")
            self.note(position, (change,))
        for position in np.flatnonzero(log.acts <= LEFT_OUT).tolist():
            self.note(position, (self._nothing(position),))

    def _nothing(self, position: int) -> Change:
        act, problem = self.log.acts[position], self.log.problem(position)
        if act == REJECTED:
            return Change("rejected", reason=(problem or "it doesn't fit the schema").removeprefix(REFUSED))
        if act == LEFT_OUT:
            return Change("ignored", reason="the policy leaves it out")
        if act == UNREADABLE:
            return Change("ignored", reason=problem or "it is no message")
        return Change("ignored", reason=_NOT_ACTING)

    def frame(self) -> pd.DataFrame:
        names = pd.Index([entity_name(entity) for entity in self.names], dtype=object)
        codes: npt.NDArray[np.int32] = self.entity
        reason = pd.Series([self.reason.get(i) for i in range(len(self.log))], dtype=_STRING)
        return pd.DataFrame(
            {
                "event": self.log.events,
                "entity": pd.Categorical.from_codes(codes, categories=names),
                "action": pd.Categorical.from_codes(self.action, categories=pd.Index(_ACTIONS)),
                "reason": reason.array,
            },
            index=pd.RangeIndex(1, len(self.log) + 1, name="step"),
        )
