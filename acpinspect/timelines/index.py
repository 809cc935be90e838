"""The index of a session: which events write to which entity, when each entity comes and when it goes.

It holds numbers only, about 40 bytes an event. An entity that goes and comes again has several lives; each life
is a slot, and slots are numbered in the order in which they begin: the entities of a step are the first slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.reducer import Change, Entity, EntityKey
from acpinspect.reducer.keys import EntityKind
from acpinspect.timelines.keys import KINDS, Keys

__all__ = ["NEVER", "Index", "Track"]

Small = npt.NDArray[np.int32]
_NAMED: Final = 4096
_BY_ID: Final[tuple[EntityKind, ...]] = ("tool_call", "terminal", "compaction")
NEVER: Final = np.iinfo(np.int32).max
"""The position at which what never comes comes, and what never goes goes."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """The events that write to one thing, in order.

    Attributes:
        entity: What they write to.
        positions: Of the events.
        values: What stands there after some of them, where that is known already.
    """

    entity: Entity
    positions: Small
    values: dict[int, object]

    def count(self, step: int) -> int:
        """How many of its events a step has seen."""
        return int(np.searchsorted(self.positions, step))


@dataclass(frozen=True, eq=False)
class Index:
    """The index of a session.

    Attributes:
        keys: The entities by code.
        code: The entity of each slot.
        born: The position of the event that made each slot; ascending.
        died: The position of the event that removed it.
        offsets: Where the members of each slot begin.
        members: Positions of the events of all slots, slot by slot.
        slot: The slot that each event writes to; -1 for none.
        values: What a user's reducer put into a slot, by slot and position.
        more: Further slots that a user's reducer wrote to, by position.
        fields: The events that write to the fields of the session.
        changes: What control events and users' reducers did, by position.
        epoch: The state's epoch after each event.
    """

    keys: Keys
    code: Small
    born: Small
    died: Small
    offsets: npt.NDArray[np.int64]
    members: Small
    slot: Small
    values: dict[int, dict[int, object]]
    more: dict[int, tuple[int, ...]]
    fields: dict[str, Track]
    changes: dict[int, tuple[Change, ...]]
    epoch: Small

    def entity(self, slot: int) -> Entity:
        """The kind and key of the entity of a slot."""
        return self._entity(slot)

    @cached_property
    def _entity(self) -> Callable[[int], Entity]:
        # An entity is named when it is listed, and again when it is looked at.
        code, made = self.code, self.keys.entity
        return lru_cache(_NAMED)(lambda slot: made(int(code[slot])))

    def track(self, slot: int) -> Track:
        """The events of a slot."""
        positions = self.members[self.offsets[slot] : self.offsets[slot + 1]]
        return Track(self.entity(slot), positions, self.values.get(slot, {}))

    def alive(self, step: int, kind: str | None = None) -> Small:
        """The slots of the entities that are there at a step, in the order in which they came."""
        slots = self._all if kind is None else self._by_kind[kind]
        slots = slots[: int(np.searchsorted(self.born[slots], step))]
        return slots[self.died[slots] >= step] if self._some_die else slots

    def slots_of_kind(self, kind: EntityKind) -> Small:
        """All slots of a kind, in the order in which they begin."""
        return self._by_kind[kind]

    def slots_of(self, entity: Entity) -> Small:
        """All slots of an entity, in order; empty where the session never has it."""
        return np.array([*self._lives(entity)][::-1], dtype=np.int32)

    def slot_at(self, entity: Entity, step: int) -> int | None:
        """The slot of an entity at a step; ``None`` where it is not there."""
        slot = next((slot for slot in self._lives(entity) if self.born[slot] < step), None)
        return slot if slot is not None and self.died[slot] >= step else None

    def newest(self, kind: EntityKind, name: str, step: int) -> int | None:
        """The slot of the last epoch's entity of an id at a step; ``None`` where it is gone or never was."""
        for epoch in self._epochs_by_id.get((kind, name), ()) if self._last_epoch else (0,):
            lives = self._lives(Entity(kind, EntityKey(epoch, name)))
            slot = next((slot for slot in lives if self.born[slot] < step), None)
            if slot is not None:
                return slot if self.died[slot] >= step else None
        return None

    def _lives(self, entity: Entity) -> Iterator[int]:
        """The slots of an entity, the last one first."""
        slot = self._last_slots(entity.kind).get(entity.key)
        while slot is not None:
            yield slot
            slot = self._earlier.get(slot)

    @cached_property
    def _all(self) -> Small:
        return np.arange(len(self.code), dtype=np.int32)

    @cached_property
    def _some_die(self) -> bool:
        return bool((self.died != NEVER).any())

    @cached_property
    def _by_kind(self) -> dict[str, Small]:
        kinds = self.keys.kind[self.code]
        return {kind: np.flatnonzero(kinds == number).astype(np.int32) for number, kind in enumerate(KINDS)}

    @cached_property
    def _last_slots(self) -> Callable[[EntityKind], dict[object, int]]:
        """The last slot of each entity of a kind, by key; made when it is first asked for."""
        return lru_cache(None)(self._made_last_slots)

    def _made_last_slots(self, kind: EntityKind) -> dict[object, int]:
        made, code = self.keys.entity, self.code
        return {made(int(code[slot])).key: slot for slot in self._by_kind[kind].tolist()}

    @cached_property
    def _earlier(self) -> dict[int, int]:
        """The slot of the life before, where an entity has several."""
        before: dict[int, int] = {}
        repeated = np.flatnonzero(np.bincount(self.code, minlength=1) > 1)
        last: dict[int, int] = {}
        for slot in np.flatnonzero(np.isin(self.code, repeated)).tolist():
            code = int(self.code[slot])
            if code in last:
                before[slot] = last[code]
            last[code] = slot
        return before

    @cached_property
    def _last_epoch(self) -> int:
        return int(self.keys.epoch.max(initial=0))

    @cached_property
    def _epochs_by_id(self) -> dict[tuple[EntityKind, str], list[int]]:
        """The epochs in which an id was seen, the last one first."""
        found: dict[tuple[EntityKind, str], list[int]] = {}
        for kind in _BY_ID:
            for key in self._last_slots(kind):
                assert isinstance(key, EntityKey)  # noqa: S101 - of these kinds
                found.setdefault((kind, key.id), []).append(key.epoch)
        return {name: sorted(epochs, reverse=True) for name, epochs in found.items()}
