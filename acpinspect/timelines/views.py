"""States that are looked up and not copied: mappings and sequences over the index of a session, at one step."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Final, Generic, TypeVar, overload

from acpinspect.reducer import Entity, EntityKey, EntityMap, FrozenMap, Info, Rope, Run, SessionState
from acpinspect.reducer.keys import EntityKind

if TYPE_CHECKING:
    from acpinspect.timelines.folding import Folder
    from acpinspect.timelines.index import Index
    from acpinspect.timelines.logs import SessionLog

__all__ = ["Entities", "EntitiesById", "Order", "state_at"]

K = TypeVar("K")
V = TypeVar("V")


class _View:
    """What the views share: index, folder, step; they can't be changed."""

    __slots__ = ("_folder", "_index", "_step")

    _index: Index
    _folder: Folder
    _step: int

    def __init__(self, index: Index, folder: Folder, step: int) -> None:
        object.__setattr__(self, "_index", index)
        object.__setattr__(self, "_folder", folder)
        object.__setattr__(self, "_step", step)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a state can't be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a state can't be changed ({name})")


class Entities(_View, Mapping[K, V], Generic[K, V]):
    """The messages or plans of a step, in the order in which they came; each is folded when it is looked at."""

    __slots__ = ("_kind",)

    _kind: EntityKind

    def __init__(self, index: Index, folder: Folder, step: int, kind: EntityKind) -> None:
        super().__init__(index, folder, step)
        object.__setattr__(self, "_kind", kind)

    def __getitem__(self, key: K) -> V:
        slot = self._slot(key)
        if slot is None:
            raise KeyError(key)
        value: V = self._folder.slot(slot, self._step)  # type: ignore[assignment]  # by kind
        return value

    def _slot(self, key: object) -> int | None:
        try:
            return self._index.slot_at(Entity(self._kind, key), self._step)  # type: ignore[arg-type]
        except TypeError:  # what can't be hashed is no key
            return None

    def __contains__(self, key: object) -> bool:
        return self._slot(key) is not None

    def __iter__(self) -> Iterator[K]:
        for entity in self._index.entities(self._index.alive(self._step, self._kind)):
            yield entity.key  # type: ignore[misc]  # by kind

    def values(self) -> ValuesView[V]:
        """The entities, without a look at their keys."""
        return _Values(self)

    def items(self) -> ItemsView[K, V]:
        """The entities with their keys."""
        return _Items(self)

    def in_order(self) -> Iterator[V]:
        """The entities, in the order in which they came."""
        return self._folder.values(self._index.alive(self._step, self._kind), self._step)  # type: ignore[return-value]

    def __len__(self) -> int:
        return len(self._index.alive(self._step, self._kind))

    def __repr__(self) -> str:
        return f"<{len(self)} {self._kind}s at step {self._step}>"

    def __reduce__(self) -> tuple[object, tuple[tuple[tuple[K, V], ...]]]:
        return (FrozenMap, (tuple(self.items()),))


class _Values(ValuesView[V]):
    """The values of a mapping of entities: they are found by slot, so no key has to be made."""

    __slots__ = ()

    _mapping: Entities[object, V]

    def __iter__(self) -> Iterator[V]:
        return self._mapping.in_order()


class _Items(ItemsView[K, V]):
    """The items of a mapping of entities: all keys, and all entities."""

    __slots__ = ()

    _mapping: Entities[K, V]

    def __iter__(self) -> Iterator[tuple[K, V]]:
        return zip(self._mapping, self._mapping.in_order(), strict=True)


class EntitiesById(Entities["str | EntityKey", V], Generic[V]):
    """Tool calls, terminals or compactions of a step; ids that came back after a load as in `EntityMap`."""

    __slots__ = ()

    def _slot(self, key: object) -> int | None:
        if isinstance(key, str):
            return self._index.newest(self._kind, key, self._step)
        plain = type(key) is tuple and len(key) == 2
        return super()._slot(EntityKey(*key) if plain else key)  # type: ignore[misc]  # it is a tuple of two

    def __iter__(self) -> Iterator[str | EntityKey]:
        slots = self._index.alive(self._step, self._kind)
        for slot, entity in zip(slots.tolist(), self._index.entities(slots), strict=True):
            key = entity.key
            assert isinstance(key, EntityKey)  # noqa: S101 - of these kinds
            yield key.id if self._index.newest(self._kind, key.id, self._step) == slot else key

    def __reduce__(self) -> tuple[object, tuple[tuple[tuple[EntityKey, V], ...]]]:
        entities = self._index.entities(self._index.alive(self._step, self._kind))
        keys = [each.key for each in entities]
        return (_entity_map, (tuple(zip(keys, self.in_order(), strict=True)),))  # type: ignore[arg-type]


def _entity_map(items: tuple[tuple[EntityKey, V], ...]) -> EntityMap[V]:
    made: EntityMap[V] = EntityMap()
    for key, value in items:
        made = made.set(key, value)
    return made


class Order(_View, Sequence[Entity]):
    """The entities of a step, in the order in which they were first seen."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: int) -> Entity: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Entity, ...]: ...
    def __getitem__(self, index: int | slice) -> Entity | tuple[Entity, ...]:
        slots = self._index.alive(self._step)
        if isinstance(index, slice):
            return tuple(self._index.entities(slots[index]))
        return self._index.entity(int(slots[index]))

    def __len__(self) -> int:
        return len(self._index.alive(self._step))

    def __iter__(self) -> Iterator[Entity]:
        return iter(self._index.entities(self._index.alive(self._step)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str | bytes | bytearray) or not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} entities at step {self._step}>"

    def __reduce__(self) -> tuple[object, tuple[tuple[Entity, ...]]]:
        return (Rope, (tuple(self),))


_NO_ITEMS: Final[tuple[object, ...]] = ()


def state_at(log: SessionLog, index: Index, folder: Folder, step: int) -> SessionState:
    """The state after the first `step` events: entities are folded when they are looked at, fields at once."""

    def field(name: str) -> object:
        return folder.field(name, step)

    return SessionState(
        session_id=log.session_id,
        protocol=log.protocol,
        messages=Entities(index, folder, step, "message"),
        tool_calls=EntitiesById(index, folder, step, "tool_call"),
        plans=Entities(index, folder, step, "plan"),
        terminals=EntitiesById(index, folder, step, "terminal"),
        compactions=EntitiesById(index, folder, step, "compaction"),
        notices=field("notices") or Rope(),  # type: ignore[arg-type]  # what a field holds is told by its name
        mode=field("mode"),  # type: ignore[arg-type]
        available_modes=field("available_modes") or _NO_ITEMS,  # type: ignore[arg-type]
        config_options=field("config_options") or _NO_ITEMS,  # type: ignore[arg-type]
        commands=field("commands") or _NO_ITEMS,  # type: ignore[arg-type]
        info=field("info") or Info(),  # type: ignore[arg-type]
        usage=field("usage"),  # type: ignore[arg-type]
        run=field("run") or Run(),  # type: ignore[arg-type]
        order=Order(index, folder, step),
        turn=int(log.turn[step - 1]) if step else 0,
        epoch=int(index.epoch[step - 1]) if step else 0,
    )
