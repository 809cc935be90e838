"""Fields of an entity that are made when somebody looks at them.

The output of a tool can be most of a log, and most looks at a state don't ask for it. Until one does, such a field
stays what it was made from; then it is made once, and nobody can tell the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

__all__ = ["Late", "late_fields"]

C = TypeVar("C", bound=type)
S = TypeVar("S")


class Late(msgspec.Struct, Generic[S], gc=False, eq=False):
    """A value that is not made yet.

    Attributes:
        make: Makes it.
        source: What it is made from.
    """

    make: Callable[[S], object]
    source: S


class _LateField:
    """Takes the place of a slot: what is late is made at the first look, and kept."""

    def __init__(self, slot: Any) -> None:  # noqa: ANN401 - the descriptor of a slot
        self._get, self._set = slot.__get__, slot.__set__

    def __get__(self, entity: object, owner: type | None = None) -> object:
        if entity is None:
            return self
        value = self._get(entity, owner)
        if type(value) is Late:
            value = value.make(value.source)
            self._set(entity, value)
        return value

    def __set__(self, entity: object, value: object) -> None:
        self._set(entity, value)


def late_fields(*names: str) -> Callable[[C], C]:
    """Let some fields of a dataclass with slots be `Late` when it is made.

    Args:
        names: The fields.

    Examples:
        >>> from dataclasses import dataclass
        >>> @late_fields("text")
        ... @dataclass(frozen=True, slots=True)
        ... class Note:
        ...     text: object
        >>> Note(Late(str.upper, "seen")) == Note("SEEN"), Note(Late(str.upper, "seen"))
        (True, Note(text='SEEN'))
    """

    def decorate(cls: C) -> C:
        for name in names:
            setattr(cls, name, _LateField(cls.__dict__[name]))
        return cls

    return decorate
