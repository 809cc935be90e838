"""Sessions with updates that reducers of users handle: those may read and change anything.

So such a session is folded once, whole state by whole state, and what a user's reducer made of an entity is kept
as a value in the index. All other events stay as they are: written down by position, read when looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from acpinspect.reducer import Change, Entity, EntityKey, SessionState, Step, get_entity
from acpinspect.timelines.acts import CONTROL, EXTENSION
from acpinspect.timelines.control import Controlled, note
from acpinspect.timelines.keys import KINDS, Keys
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.reference import fold_steps

__all__ = ["Put", "fold_extended", "is_extended", "with_entities"]


class Put(NamedTuple):
    """What a user's reducer made of an entity: ``None`` where it removed it."""

    position: int
    entity: Entity
    value: object


def is_extended(log: SessionLog) -> bool:
    """Whether the session has updates for reducers of users."""
    return bool((log.acts == EXTENSION).any())


def fold_extended(log: SessionLog, keys: Keys) -> tuple[Controlled, list[Put]]:
    """Fold the session, and keep what control events and the reducers of users did."""
    done = Controlled()
    puts: list[Put] = []
    seen: dict[object, object] = {}
    before: SessionState | None = None
    for position, step in enumerate(fold_steps(log, keys)):
        act = log.acts[position]
        if act == EXTENSION:
            step = _named(step, before)  # noqa: PLW2901
            puts += _puts(position, step)
        if act in (CONTROL, EXTENSION):
            note(done, position, step, seen)
            if act == CONTROL and step.state.epoch == log.epoch[position]:
                done.acted.append(position)
        before = step.state
    return done, puts


def _named(step: Step, before: SessionState | None) -> Step:
    """The step with whole keys for what has an id."""
    changes = [
        change if change.entity is None else change._replace(entity=_whole(change.entity, step.state, before))
        for change in step.changes
    ]
    return Step(step.state, tuple(changes), step.issues)


def _whole(entity: Entity, after: SessionState, before: SessionState | None) -> Entity:
    if entity.kind not in {"tool_call", "terminal", "compaction"} or not isinstance(entity.key, str):
        return entity
    value = get_entity(after, entity)
    if value is None and before is not None:
        value = get_entity(before, entity)
    return Entity(entity.kind, EntityKey(value.epoch if value is not None else after.epoch, entity.key))


def _puts(position: int, step: Step) -> Iterator[Put]:
    written = [change for change in step.changes if _is_put(change)]
    places = {entity: place for place, entity in enumerate(step.state.order)} if len(written) > 1 else {}
    for change in sorted(written, key=lambda change: places.get(change.entity, -1)):  # type: ignore[arg-type]
        assert change.entity is not None  # noqa: S101 - asked above
        yield Put(position, change.entity, get_entity(step.state, change.entity))


def _is_put(change: Change) -> bool:
    return change.entity is not None and change.entity.kind != "session"


def with_entities(keys: Keys, puts: list[Put]) -> tuple[Keys, list[int]]:
    """The keys with the entities that only a user's reducer made, and the code of each put."""
    known = {keys.entity(code): code for code in range(len(keys.kind))}
    added: dict[int, Entity] = {}
    codes = []
    for put in puts:
        code = known.setdefault(put.entity, len(known))
        if code >= len(keys.kind):
            added[code] = put.entity
        codes.append(code)
    nothing = np.full(len(added), -1)
    kinds = [KINDS.index(entity.kind) for entity in added.values()]
    epochs = [getattr(entity.key, "epoch", 0) for entity in added.values()]
    return (
        keys._replace(
            kind=np.append(keys.kind, np.array(kinds, dtype=np.int8)),
            epoch=np.append(keys.epoch, np.array(epochs, dtype=np.int32)),
            role=np.append(keys.role, nothing.astype(np.int8)),
            label=np.append(keys.label, nothing.astype(np.int32)),
            name=np.append(keys.name, nothing.astype(np.int32)),
            added=added,
        ),
        codes,
    )
