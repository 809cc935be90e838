"""How trees of dataclasses are made of mappings, changed, and turned into plain values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from acpinspect.errors import ArgumentError

__all__ = ["changed", "made", "names_of", "plain"]


def names_of(of: type) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(f.name for f in dataclasses.fields(of))


def changed(value: Any, changes: object) -> Any:  # noqa: ANN401  (Stream, Rules or Cues)
    """The value with changes; a mapping reaches deeper, anything else stands in its place."""
    if not isinstance(changes, Mapping):
        return changes
    known = names_of(type(value))
    if unknown := [name for name in changes if name not in known]:
        raise ArgumentError(f"{type(value).__name__} has no parameter {unknown[0]!r}. It has: {', '.join(known)}.")
    nested = {
        name: changed(getattr(value, name), change) if dataclasses.is_dataclass(getattr(value, name)) else change
        for name, change in changes.items()
    }
    return dataclasses.replace(value, **nested)


def made(where: str, value: object, kind: type) -> Any:  # noqa: ANN401  (an instance of `kind`)
    """The value as an instance of its class; mappings are read as its parameters."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise ArgumentError(f"{where} can't be {value!r}. It is a {kind.__name__} or a mapping of its parameters.")
    known = names_of(kind)
    if unknown := [name for name in value if name not in known]:
        raise ArgumentError(f"{where} has no parameter {unknown[0]!r}. It has: {', '.join(known)}.")
    try:
        return kind(**value)
    except TypeError as error:
        raise ArgumentError(f"{where} can't be made of {dict(value)!r}: {error}.") from error


def plain(value: Any) -> Any:  # noqa: ANN401  (a tree of dataclasses, sets and values)
    """Dicts, lists and values, without the fields that have their default; a load like the live is one."""
    if isinstance(value, (frozenset, tuple)):
        return sorted(value) if isinstance(value, frozenset) else list(value)
    if not dataclasses.is_dataclass(value):
        return value
    values: dict[str, Any] = {}
    for f in dataclasses.fields(value):
        item = getattr(value, f.name)
        default = f.default_factory() if f.default_factory is not dataclasses.MISSING else f.default
        same = item == (getattr(value, "live", None) if f.name == "load" else default)
        if not same:
            values[f.name] = plain(item)
    return values
