"""Checks of a policy's parameters; the errors name the parameter and what it allows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from acpinspect.errors import ArgumentError

__all__ = ["check_choice", "check_choices", "check_flag", "check_name", "check_text", "is_number", "set_of"]


def check_choice(where: str, value: object, allowed: Collection[str]) -> None:
    """Raise an error that names the parameter and the values that it allows, unless the value is one.

    Raises:
        ArgumentError: If the value isn't allowed.

    Example:
        >>> check_choice("agent.id", "ignore", ["ignore", "key"])
    """
    if not isinstance(value, str) or value not in allowed:
        raise ArgumentError(f"{where} can't be {value!r}. It is one of: {', '.join(map(repr, allowed))}.")


def check_choices(value: object, parameters: Mapping[str, Collection[str]]) -> None:
    """Check every parameter of an object that allows a few values only."""
    for name, allowed in parameters.items():
        check_choice(name, getattr(value, name), allowed)


def set_of(where: str, values: Iterable[str], allowed: Iterable[str]) -> frozenset[str]:
    """The values as a set, if all of them are allowed."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(f"{where} can't be {values!r}. It is a set of: {', '.join(allowed)}.")
    chosen = frozenset(values)
    if unknown := sorted(map(str, chosen - set(allowed))):
        raise ArgumentError(f"{where} can't have {unknown[0]!r}. It is a set of: {', '.join(allowed)}.")
    return chosen


def check_flag(where: str, value: object) -> None:
    """Check that it is True or False."""
    if not isinstance(value, bool):
        raise ArgumentError(f"{where} can't be {value!r}. It is True or False.")


def check_text(where: str, value: object) -> None:
    """Check that it is None or a text that is not empty."""
    if value is not None and not (isinstance(value, str) and value):
        raise ArgumentError(f"{where} can't be {value!r}. It is None or a text.")


def check_name(name: object) -> None:
    """Check that it can be the name of a policy."""
    good = isinstance(name, str) and name and all(c.isalnum() or c in "-._" for c in name)
    if not good:
        raise ArgumentError(f"name can't be {name!r}. It is letters, digits, hyphens, dots and underscores.")


def is_number(value: object) -> bool:
    """Whether it is a number; NaN and truth values are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value
