"""Patch fields: omitted leaves a value as it was, null clears it (or, in v1, leaves it too), a value replaces it.

Source: the design document on message updates, "What we propose"; patch semantics of ``ToolCallUpdate``,
``TerminalUpdate``, ``CompactionUpdate`` and ``SessionInfoUpdate`` in the schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from acpinspect.reducer.late import Late
from acpinspect.reducer.ropes import NO_ITEMS, Rope
from acpinspect.reducer.steps import Action
from acpinspect.reducer.values import freeze

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "FieldChange",
    "PatchField",
    "Patched",
    "UnpatchableError",
    "frozen_items",
    "patch",
    "patch_values",
]

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")


class FieldChange(NamedTuple):
    """A change of one field of an entity: a `Change` that doesn't say of which entity."""

    action: Action
    field: str | None = None
    start: int | None = None
    stop: int | None = None
    reason: str | None = None


class Patched(NamedTuple, Generic[T]):
    """What an operation made of an entity (``None``: it is gone), and what changed."""

    value: T | None
    changes: tuple[FieldChange, ...]


class UnpatchableError(ValueError):
    """A value fits the schema and yet can't be used, as base64 that can't be decoded."""


class PatchField(NamedTuple):
    """One patch field of an entity.

    Attributes:
        key: Its key on the wire.
        attribute: Its attribute in the state.
        default: What it has where nothing was said, and after null.
        make: Makes the value in the state of the value on the wire.
        size: Counts the items (blocks, bytes) of a value, where each item is written by the event that sent it:
            an empty value then clears, and one over an old one replaces. ``None`` for all other fields.
    """

    key: str
    attribute: str
    default: object = None
    make: Callable[[object], object] = freeze
    size: Callable[[object], int] | None = None


def frozen_items(value: object) -> Rope[object]:
    """The items of an array, frozen, in a sequence that is cheap to append to."""
    return Rope([freeze(item) for item in value]) if isinstance(value, list | tuple) else NO_ITEMS


def patch(
    entity: D, fields: Mapping[str, object], rules: Sequence[PatchField], *, null_clears: bool = True
) -> Patched[D]:
    """Apply the patch fields of one update.

    Args:
        entity: The entity as it is, or with its defaults where it is new.
        fields: The fields that the update has; null is ``None``, an omitted one is absent.
        rules: The entity's patch fields.
        null_clears: False for v1 tool calls, where null means the same as omitted.

    Returns:
        The entity after it, and a change for each field that was written.
    """
    values: dict[str, object] = {}
    changes: list[FieldChange] = []
    for rule in rules:
        if rule.key not in fields or (fields[rule.key] is None and not null_clears):
            continue
        sent = fields[rule.key]
        try:
            value = rule.default if sent is None else rule.make(sent)
        except UnpatchableError as problem:
            changes.append(FieldChange("rejected", rule.attribute, reason=f"{rule.key} {problem}"))
            continue
        old = getattr(entity, rule.attribute)
        change = _scalar_change(rule, old, sent) if rule.size is None else _items_change(rule, old, value)
        if change is not None:
            values[rule.attribute] = value
            changes.append(change)
    return Patched(replace(entity, **values) if values else entity, tuple(changes))


def patch_values(
    fields: Mapping[str, object], rules: Sequence[PatchField], *, null_clears: bool = True
) -> dict[str, object]:
    """What one update writes, by attribute, without what changed: all that a fold of many updates needs."""
    values: dict[str, object] = {}
    for key, attribute, default, make, _ in rules:
        if key not in fields:
            continue
        sent = fields[key]
        if sent is None:
            if null_clears:
                values[attribute] = default
            continue
        try:
            values[attribute] = sent if type(sent) is Late else make(sent)
        except UnpatchableError:
            continue
    return values


def _scalar_change(rule: PatchField, old: object, sent: object) -> FieldChange | None:
    if sent is not None:
        return FieldChange("patched", rule.attribute)
    return None if old == rule.default else FieldChange("cleared", rule.attribute)


def _items_change(rule: PatchField, old: object, value: object) -> FieldChange | None:
    size = rule.size
    assert size is not None  # noqa: S101 - asked by the caller
    before = 0 if old is None else size(old)
    after = 0 if value is None else size(value)
    if after or (old is None and value is not None):
        return FieldChange("replaced" if before else "patched", rule.attribute, 0, after)
    unchanged = before == 0 and (old is None) == (value is None)
    return None if unchanged else FieldChange("cleared", rule.attribute, 0, 0)
