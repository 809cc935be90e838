"""The index of a session: which events write to which entity, when each entity comes and when it goes.

It holds numbers only, about 40 bytes an event. An entity that goes and comes again has several lives; each life
is a slot, and slots are numbered in the order in which they begin: the entities of a step are the first slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from acpinspect.reducer import Change, Entity, EntityKey
from acpinspect.reducer.keys import EntityKind
from acpinspect.timelines.keys import KINDS, Keys

__all__ = ["NEVER", "Index", "Track"]

Small = npt.NDArray[np.int32]
_NAMED: Final = 4096
"""So many names of entities that were listed are kept for the look that follows."""

_NO_VALUES: Final[dict[int, object]] = {}
_BY_ID: Final[tuple[EntityKind, ...]] = ("tool_call", "terminal", "compaction")
NEVER: Final = np.iinfo(np.int32).max
"""The position at which what never comes comes, and what never goes goes."""


class Track(NamedTuple):
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
        positions = self.positions
        if len(positions) and positions[-1] < step:  # most entities are over, at most steps
            return len(positions)
        # A step of the positions' own type: any other makes numpy copy them.
        return int(positions.searchsorted(np.int32(step)))


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
        found = self._named.get(slot)
        return self.keys.entity(int(self.code[slot])) if found is None else found

    def entities(self, slots: Small) -> list[Entity]:
        """The kinds and keys of the entities of some slots."""
        found = self.keys.entities(self.code[slots])
        # Those that are listed are looked at next.
        self._named.clear()
        self._named.update(zip(slots[:_NAMED].tolist(), found, strict=False))
        return found

    @cached_property
    def _named(self) -> dict[int, Entity]:
        return {}

    def track(self, slot: int) -> Track:
        """The events of a slot."""
        positions = self.members[self.offsets[slot] : self.offsets[slot + 1]]
        return Track(self.entity(slot), positions, self.values.get(slot, _NO_VALUES))

    def tracks(self) -> Iterator[Track]:
        """The events of all slots, slot by slot."""
        for slot, entity in enumerate(self.entities(self._all[0])):
            positions = self.members[self.offsets[slot] : self.offsets[slot + 1]]
            yield Track(entity, positions, self.values.get(slot, _NO_VALUES))

    def sizes(self, slots: Small) -> npt.NDArray[np.int64]:
        """How many events each of some slots has in all."""
        sizes: npt.NDArray[np.int64] = self.offsets[slots + 1] - self.offsets[slots]
        return sizes

    def events_before(self, step: int, slots: Small) -> tuple[Small, npt.NDArray[np.int64]]:
        """The positions of the events of some slots that a step has seen, slot by slot, and how many each has."""
        sizes = self.sizes(slots)
        ends = np.cumsum(sizes)
        shift = np.repeat(self.offsets[slots] - ends + sizes, sizes)
        positions = self.members[np.arange(len(shift)) + shift]
        seen = positions < step
        counts = np.bincount(np.repeat(np.arange(len(slots)), sizes)[seen], minlength=len(slots))
        return positions[seen], counts

    def alive(self, step: int, kind: str | None = None) -> Small:
        """The slots of the entities that are there at a step, in the order in which they came."""
        slots, born = self._all if kind is None else self._by_kind[kind]
        slots = slots[: int(born.searchsorted(np.int32(step)))]
        return slots[self.died[slots] >= step] if self._some_die else slots

    def slots_of_kind(self, kind: EntityKind) -> Small:
        """All slots of a kind, in the order in which they begin."""
        return self._by_kind[kind][0]

    def slots_of(self, entity: Entity) -> Small:
        """All slots of an entity, in order; empty where the session never has it."""
        return np.array([*self._lives(entity)][::-1], dtype=np.int32)

    def slot_at(self, entity: Entity, step: int) -> int | None:
        """The slot of an entity at a step; ``None`` where it is not there."""
        slot = self._begun(entity, step)
        return slot if slot is not None and self.died[slot] >= step else None

    def newest(self, kind: EntityKind, name: str, step: int) -> int | None:
        """The slot of the last epoch's entity of an id at a step; ``None`` where it is gone or never was."""
        for epoch in self._epochs_by_id.get((kind, name), ()) if self._last_epoch else (0,):
            slot = self._begun(Entity(kind, EntityKey(epoch, name)), step)
            if slot is not None:
                return slot if self.died[slot] >= step else None
        return None

    def _begun(self, entity: Entity, step: int) -> int | None:
        """The last slot of an entity that has begun before a step."""
        slot = self._last_slots(entity.kind).get(entity.key)
        while slot is not None and self.born[slot] >= step:
            slot = self._earlier.get(slot)
        return slot

    def _lives(self, entity: Entity) -> Iterator[int]:
        """The slots of an entity, the last one first."""
        slot = self._last_slots(entity.kind).get(entity.key)
        while slot is not None:
            yield slot
            slot = self._earlier.get(slot)

    @cached_property
    def _all(self) -> tuple[Small, Small]:
        """All slots, and the births of all."""
        return np.arange(len(self.code), dtype=np.int32), self.born

    @cached_property
    def _some_die(self) -> bool:
        return bool((self.died != NEVER).any())

    @cached_property
    def _by_kind(self) -> dict[str, tuple[Small, Small]]:
        """The slots of each kind, and their births."""
        kinds = self.keys.kind[self.code]
        slots = [np.flatnonzero(kinds == number).astype(np.int32) for number in range(len(KINDS))]
        return {kind: (own, self.born[own]) for kind, own in zip(KINDS, slots, strict=True)}

    @cached_property
    def _last_slots(self) -> Callable[[EntityKind], dict[object, int]]:
        """The last slot of each entity of a kind, by key; made when it is first asked for."""
        return lru_cache(None)(self._made_last_slots)

    def _made_last_slots(self, kind: EntityKind) -> dict[object, int]:
        slots, _ = self._by_kind[kind]
        entities = self.keys.entities(self.code[slots])
        return {entity.key: slot for entity, slot in zip(entities, slots.tolist(), strict=True)}

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
