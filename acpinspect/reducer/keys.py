"""How the entities of a session are named: messages, what has an id of its own, and the session's fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from acpinspect.reducer.frozenmap import FrozenMap

__all__ = ["Entity", "EntityKey", "EntityKind", "EntityMap", "Label", "MessageKey", "SessionField"]

T = TypeVar("T")
Label: TypeAlias = "int | str"

EntityKind: TypeAlias = Literal["message", "tool_call", "plan", "terminal", "compaction", "session"]
SessionField: TypeAlias = Literal[
    "notices", "mode", "available_modes", "config_options", "commands", "info", "usage", "run", "turn"
]


class MessageKey(NamedTuple):
    """What makes two updates parts of one message: epoch, role, and its id, or a label where there is no id.

    Examples:
        >>> MessageKey(0, "agent", "m1") == MessageKey(0, "thought", "m1")
        False
    """

    epoch: int
    role: str
    message_id: str | None
    label: Label | None = None


class EntityKey(NamedTuple):
    """A tool call, terminal or compaction: its id, in one epoch.

    Attributes:
        epoch: The number of replays before it.
        id: The id, as it was sent.

    Examples:
        >>> EntityKey(epoch=1, id="t1")
        EntityKey(epoch=1, id='t1')
    """

    epoch: int
    id: str


class Entity(NamedTuple):
    """One thing that updates change: its kind and its key (of the session: the name of the field).

    Attributes:
        kind: ``message``, ``tool_call``, ``plan``, ``terminal``, ``compaction`` or ``session``.
        key: Its key in the state's mapping of that kind.

    Examples:
        >>> Entity("tool_call", EntityKey(0, "t1")).kind
        'tool_call'
        >>> Entity("session", "mode").key
        'mode'
    """

    kind: EntityKind
    key: MessageKey | EntityKey | str


class EntityMap(Mapping["str | EntityKey", T]):
    """Entities by id, in the order in which they first came; it never changes.

    An id that comes back after a load is another entity. The newest one has the id as its key, an older one of the
    same id has the key `EntityKey(epoch, id)`. Both can be looked up by `EntityKey` at any time.

    Examples:
        >>> calls = EntityMap().set(EntityKey(0, "t"), "old").set(EntityKey(1, "t"), "new")
        >>> calls["t"], calls[0, "t"]
        ('new', 'old')
        >>> list(calls)
        [EntityKey(epoch=0, id='t'), 't']
    """

    __slots__ = ("_items", "_newest")

    _items: FrozenMap[EntityKey, T]
    _newest: FrozenMap[str, int]

    def __init__(self) -> None:
        self._fill(FrozenMap(), FrozenMap())

    def _fill(self, items: FrozenMap[EntityKey, T], newest: FrozenMap[str, int]) -> None:
        object.__setattr__(self, "_items", items)
        object.__setattr__(self, "_newest", newest)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an EntityMap can't be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an EntityMap can't be changed ({name})")

    def _made(self, items: FrozenMap[EntityKey, T], newest: FrozenMap[str, int]) -> EntityMap[T]:
        made: EntityMap[T] = object.__new__(EntityMap)
        made._fill(items, newest)
        return made

    def set(self, key: EntityKey, value: T) -> EntityMap[T]:
        """These entities with one more, or with another value of one; O(log n)."""
        epoch = self._newest.get(key.id, -1)
        newest = self._newest.set(key.id, key.epoch) if key.epoch > epoch else self._newest
        return self._made(self._items.set(key, value), newest)

    def delete(self, key: EntityKey) -> EntityMap[T]:
        """These entities without one; an older one of its id keeps its long key.

        Raises:
            KeyError: It isn't there.
        """
        newest = self._newest
        if newest.get(key.id) == key.epoch:
            newest = newest.delete(key.id)
        return self._made(self._items.delete(key), newest)

    def __getitem__(self, key: str | EntityKey) -> T:
        found = EntityKey(self._newest[key], key) if isinstance(key, str) else key
        return self._items[found]

    def __iter__(self) -> Iterator[str | EntityKey]:
        for key in self._items:
            yield key.id if self._newest.get(key.id) == key.epoch else key

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"EntityMap({dict(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[tuple[tuple[EntityKey, T], ...]]]:
        return (_entity_map, (tuple(self._items.items()),))


def _entity_map(items: tuple[tuple[EntityKey, T], ...]) -> EntityMap[T]:
    """The mapping that was pickled."""
    made: EntityMap[T] = EntityMap()
    for key, value in items:
        made = made.set(key, value)
    return made
