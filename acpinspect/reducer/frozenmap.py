"""A mapping that never changes: adding to it gives a new one that shares nearly all of the old one.

A state is kept by whoever looks at it, so a step may not change it, and copying it at every step would cost the
square of the log's length. `FrozenMap` is a hash trie: a step copies one path of 32-way nodes, about log32(n) of
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

__all__ = ["FrozenMap"]

K = TypeVar("K")
V = TypeVar("V")

_BITS = 5
_WIDTH = 1 << _BITS
_LAST_SHIFT = 60
_EMPTY: tuple[object, ...] = (None,) * _WIDTH


class _Leaf(NamedTuple):
    hash: int
    serial: int
    key: object
    value: object


class _Bucket(NamedTuple):
    """Leaves whose hashes are equal in all bits."""

    leaves: tuple[_Leaf, ...]


def _find(node: tuple[object, ...], hashed: int, key: object) -> _Leaf | None:
    for shift in range(0, _LAST_SHIFT + 1, _BITS):
        child = node[(hashed >> shift) & (_WIDTH - 1)]
        if isinstance(child, _Leaf):
            return child if child.key == key else None
        if isinstance(child, _Bucket):
            return next((leaf for leaf in child.leaves if leaf.key == key), None)
        if child is None:
            return None
        assert isinstance(child, tuple)  # noqa: S101 - a node: nothing else stands in a slot
        node = child
    return None


def _with_slot(node: tuple[object, ...], slot: int, child: object) -> tuple[object, ...]:
    return (*node[:slot], child, *node[slot + 1 :])


def _put(node: tuple[object, ...], shift: int, leaf: _Leaf) -> tuple[object, ...]:
    slot = (leaf.hash >> shift) & (_WIDTH - 1)
    child = node[slot]
    if child is None or (isinstance(child, _Leaf) and child.key == leaf.key):
        return _with_slot(node, slot, leaf)
    if isinstance(child, _Leaf | _Bucket):
        if shift >= _LAST_SHIFT:
            others = child.leaves if isinstance(child, _Bucket) else (child,)
            kept = tuple(other for other in others if other.key != leaf.key)
            return _with_slot(node, slot, _Bucket((*kept, leaf)))
        assert isinstance(child, _Leaf)  # noqa: S101 - buckets stand on the last level only
        return _with_slot(node, slot, _put(_put(_EMPTY, shift + _BITS, child), shift + _BITS, leaf))
    assert isinstance(child, tuple)  # noqa: S101 - a node
    return _with_slot(node, slot, _put(child, shift + _BITS, leaf))


def _drop(node: tuple[object, ...], shift: int, hashed: int, key: object) -> tuple[object, ...]:
    slot = (hashed >> shift) & (_WIDTH - 1)
    child = node[slot]
    if isinstance(child, _Leaf):
        return _with_slot(node, slot, None)
    if isinstance(child, _Bucket):
        return _with_slot(node, slot, _Bucket(tuple(leaf for leaf in child.leaves if leaf.key != key)))
    assert isinstance(child, tuple)  # noqa: S101 - the caller has found the key below this slot
    return _with_slot(node, slot, _drop(child, shift + _BITS, hashed, key))


def _leaves(node: tuple[object, ...]) -> Iterator[_Leaf]:
    for child in node:
        if isinstance(child, _Leaf):
            yield child
        elif isinstance(child, _Bucket):
            yield from child.leaves
        elif isinstance(child, tuple):
            yield from _leaves(child)


class FrozenMap(Mapping[K, V]):
    """A mapping that never changes, in the order in which its keys first came.

    `set` and `delete` give a new mapping in O(log n); the old one stays as it was. It is equal to any mapping that
    holds equal items.

    Examples:
        >>> one = FrozenMap([("a", 1)])
        >>> two = one.set("b", 2).set("a", 3)
        >>> dict(one), dict(two)
        ({'a': 1}, {'a': 3, 'b': 2})
        >>> two.delete("a")
        FrozenMap({'b': 2})
    """

    __slots__ = ("_next", "_root", "_size")

    _root: tuple[object, ...]
    _size: int
    _next: int

    def __init__(self, items: Iterable[tuple[K, V]] = ()) -> None:
        root, size = _EMPTY, 0
        for serial, (key, value) in enumerate(items):
            hashed = hash(key)
            known = _find(root, hashed, key)
            root = _put(root, 0, _Leaf(hashed, known.serial if known else serial, key, value))
            size += known is None
        self._fill(root, size, size)

    def _fill(self, root: tuple[object, ...], size: int, following: int) -> None:
        object.__setattr__(self, "_root", root)
        object.__setattr__(self, "_size", size)
        object.__setattr__(self, "_next", following)

    def _made(self, root: tuple[object, ...], size: int, following: int) -> FrozenMap[K, V]:
        made: FrozenMap[K, V] = object.__new__(FrozenMap)
        made._fill(root, size, following)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a FrozenMap can't be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a FrozenMap can't be changed ({name})")

    def set(self, key: K, value: V) -> FrozenMap[K, V]:
        """This mapping with one value more, or another one; a known key keeps its place."""
        hashed = hash(key)
        known = _find(self._root, hashed, key)
        serial = self._next if known is None else known.serial
        root = _put(self._root, 0, _Leaf(hashed, serial, key, value))
        return self._made(root, self._size + (known is None), self._next + (known is None))

    def delete(self, key: K) -> FrozenMap[K, V]:
        """This mapping without the key.

        Raises:
            KeyError: The key isn't there.
        """
        hashed = hash(key)
        if _find(self._root, hashed, key) is None:
            raise KeyError(key)
        return self._made(_drop(self._root, 0, hashed, key), self._size - 1, self._next)

    def __getitem__(self, key: K) -> V:
        leaf = _find(self._root, hash(key), key)
        if leaf is None:
            raise KeyError(key)
        value: V = leaf.value  # type: ignore[assignment]  # leaves are untyped inside
        return value

    def __iter__(self) -> Iterator[K]:
        for leaf in sorted(_leaves(self._root), key=lambda leaf: leaf.serial):
            key: K = leaf.key  # type: ignore[assignment]  # leaves are untyped inside
            yield key

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"FrozenMap({dict(self)!r})"

    def __reduce__(self) -> tuple[type[FrozenMap[K, V]], tuple[tuple[tuple[K, V], ...]]]:
        return (FrozenMap, (tuple(self.items()),))
