"""Sequences that never change and are cheap to append to: of any items, and of bytes.

They are kept in pieces, and a piece is joined to the one before it once it is as long: over n appends each item is
copied about log2(n) times, and a sequence has at most about log2(n) pieces. A tuple would cost n copies an append.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Generic, Self, TypeVar, overload

__all__ = ["NO_ITEMS", "ByteRope", "Rope"]

T = TypeVar("T")


class Rope(Sequence[T], Generic[T]):
    """A sequence that never changes and is cheap to append to; equal to any sequence of equal items but `str`.

    Examples:
        >>> one = Rope([1, 2])
        >>> one.append(3), one, one == (1, 2)
        (Rope((1, 2, 3)), Rope((1, 2)), True)
    """

    __slots__ = ("_parts", "_size")

    _parts: tuple[tuple[T, ...], ...]
    _size: int

    def __init__(self, items: Iterable[T] = ()) -> None:
        whole = tuple(items)
        self._fill((whole,) if whole else (), len(whole))

    def _fill(self, parts: tuple[tuple[T, ...], ...], size: int) -> None:
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "_size", size)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Rope can't be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Rope can't be changed ({name})")

    def append(self, item: T) -> Rope[T]:
        """This sequence and one item more."""
        return self.extend((item,))

    def extend(self, items: Iterable[T]) -> Rope[T]:
        """This sequence and more items; each is copied about log2(n) times over all appends."""
        return self._longer(tuple(items))

    def _longer(self, last: tuple[T, ...]) -> Self:
        if not last:
            return self
        size, parts = self._size + len(last), self._parts
        while parts and len(parts[-1]) <= len(last):
            last = parts[-1] + last
            parts = parts[:-1]
        made = object.__new__(type(self))
        made._fill((*parts, last), size)
        return made

    def kept(self) -> tuple[T, ...]:
        """All items as they are kept, in one piece: two ropes of one type are equal where these are.

        A subclass may keep an item in a smaller form than the one that it shows.
        """
        return self._parts[0] if len(self._parts) == 1 else tuple(chain.from_iterable(self._parts))

    def _shown(self, kept: T) -> T:
        """An item as it is seen from outside."""
        return kept

    def part(self, start: int, stop: int) -> Self:
        """The items from one place to another."""
        made = object.__new__(type(self))
        kept = self.kept()[start:stop]
        made._fill((kept,) if kept else (), len(kept))
        return made

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple([self._shown(kept) for kept in self.kept()[index]])
        place = index + self._size if index < 0 else index
        if place < 0:
            raise IndexError(index)
        for part in self._parts:
            if place < len(part):
                return self._shown(part[place])
            place -= len(part)
        raise IndexError(index)

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._parts)

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str | bytes | bytearray) or not isinstance(other, Sequence):
            return NotImplemented
        if len(self) != len(other):
            return False
        if isinstance(other, Rope) and type(other) is type(self):
            return self.kept() == other.kept()
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({tuple(self)!r})"

    def __reduce__(self) -> tuple[type[Rope[T]], tuple[tuple[T, ...]]]:
        return (type(self), (tuple(self),))


NO_ITEMS: Final[Rope[object]] = Rope()


class ByteRope:
    """Bytes that never change and are cheap to append to; equal to all that holds the same bytes.

    Examples:
        >>> one = ByteRope(b"ab")
        >>> two = one.append(b"cd")
        >>> bytes(two), len(two), two == ByteRope(b"abcd"), one == b"ab"
        (b'abcd', 4, True, True)
        >>> two.tail(3)
        b'bcd'
    """

    __slots__ = ("_parts", "_size")

    _parts: tuple[bytes, ...]
    _size: int

    def __init__(self, data: bytes = b"") -> None:
        self._fill((data,) if data else (), len(data))

    def _fill(self, parts: tuple[bytes, ...], size: int) -> None:
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "_size", size)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ByteRope can't be changed ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a ByteRope can't be changed ({name})")

    def append(self, data: bytes) -> ByteRope:
        """These bytes and more."""
        if not data:
            return self
        size, parts = self._size + len(data), self._parts
        while parts and len(parts[-1]) <= len(data):
            data = parts[-1] + data
            parts = parts[:-1]
        made = object.__new__(ByteRope)
        made._fill((*parts, data), size)
        return made

    def tail(self, count: int) -> bytes:
        """The last bytes; costs their number, not that of all."""
        if count <= 0:
            return b""
        parts: list[bytes] = []
        for part in reversed(self._parts):
            parts.append(part[-count:])
            count -= len(parts[-1])
            if count <= 0:
                break
        return b"".join(reversed(parts))

    def __bytes__(self) -> bytes:
        return b"".join(self._parts)

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ByteRope | bytes):
            return NotImplemented
        return len(self) == len(other) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))

    def __repr__(self) -> str:
        return f"ByteRope({bytes(self)!r})"

    def __reduce__(self) -> tuple[type[ByteRope], tuple[bytes]]:
        return (ByteRope, (bytes(self),))
