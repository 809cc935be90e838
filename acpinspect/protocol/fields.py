"""The small language in which the tables of this room are written: shapes of values, and fields that carry them.

A table says what the published schema of a version says, and no more: which keys an object has, which of them are
required, which may be null, and what a reader does with a malformed one. `readers` turns a shape into a function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from acpinspect.protocol.enums import Enum

__all__ = [
    "ANYTHING",
    "FLAG",
    "FREE_OBJECT",
    "META",
    "META_PATCH",
    "TEXT",
    "UNSIGNED",
    "VERSIONS",
    "Anything",
    "Field",
    "Flag",
    "FreeObject",
    "Integer",
    "ListOf",
    "Number",
    "OneOf",
    "Record",
    "Shape",
    "Tagged",
    "Text",
    "Version",
    "enum_text",
    "may",
    "need",
    "patch",
    "unstable",
]

Version: TypeAlias = Literal["v1", "v2"]
VERSIONS: Final[tuple[Version, ...]] = ("v1", "v2")


class Text(msgspec.Struct, frozen=True, eq=False):
    """A string.

    Attributes:
        enum: The values that the protocol names; only these are valid where the enum is closed.
        min_length: Smallest number of code points.
        capitals: If not 0, the string is exactly this many letters A to Z.
    """

    enum: Enum | None = None
    min_length: int = 0
    capitals: int = 0


class Integer(msgspec.Struct, frozen=True, eq=False):
    """A whole number, not a truth value; ``1.0`` is one too, as in JSON Schema."""

    minimum: int | None = None


class Number(msgspec.Struct, frozen=True, eq=False):
    """A number, not a truth value."""

    minimum: float | None = None
    maximum: float | None = None


class Flag(msgspec.Struct, frozen=True, eq=False):
    """``true`` or ``false``."""


class Anything(msgspec.Struct, frozen=True, eq=False):
    """Any JSON value; never looked into."""


class FreeObject(msgspec.Struct, frozen=True, eq=False):
    """An object with any keys; never looked into."""


class ListOf(msgspec.Struct, frozen=True, eq=False):
    """An array of one shape. Whether a bad item is skipped is said by the field that carries the array."""

    item: Shape
    min_items: int = 0


class Record(msgspec.Struct, frozen=True, eq=False):
    """An object with these fields; further keys are kept and not looked at."""

    name: str
    fields: tuple[Field, ...]


class Tagged(msgspec.Struct, frozen=True, eq=False):
    """An object whose string `tag` decides which fields it has.

    Attributes:
        name: What it is called in messages.
        tag: The key that decides.
        cases: The fields of each value of the tag that the protocol names.
        shared: Fields of every case.
        other: The fields of a value that the protocol doesn't name; ``None`` where such a value is malformed.
        unstable_cases: Values of the tag that only the unstable schema has.
    """

    name: str
    tag: str
    cases: Mapping[str, tuple[Field, ...]]
    shared: tuple[Field, ...] = ()
    other: tuple[Field, ...] | None = None
    unstable_cases: frozenset[str] = frozenset()


class OneOf(msgspec.Struct, frozen=True, eq=False):
    """A value of one of several shapes, with nothing in it that says which; the first that fits is taken."""

    name: str
    options: tuple[Shape, ...]


Shape: TypeAlias = Text | Integer | Number | Flag | Anything | FreeObject | ListOf | Record | Tagged | OneOf


class Field(msgspec.Struct, frozen=True, eq=False):
    """One key of an object.

    Attributes:
        name: The key.
        type: The shape of its value.
        required: The key must be there.
        nullable: The value may be null.
        patch: The key changes stored state by its presence, so that omitted, null and a value are three states.
        default_on_error: A malformed value counts as the default (``x-deserialize-default-on-error``).
        skip_invalid_items: Malformed items are dropped (``x-deserialize-skip-invalid-items``).
        stable: The field is in the stable schema too.
    """

    name: str
    type: Shape
    required: bool = False
    nullable: bool = False
    patch: bool = False
    default_on_error: bool = False
    skip_invalid_items: bool = False
    stable: bool = True


TEXT: Final = Text()
UNSIGNED: Final = Integer(minimum=0)
FLAG: Final = Flag()
ANYTHING: Final = Anything()
FREE_OBJECT: Final = FreeObject()


def need(name: str, shape: Shape, *, lenient: bool = False, skip: bool = False) -> Field:
    """A required field that can't be null.

    Args:
        name: The key.
        shape: The shape of its value.
        lenient: A malformed value counts as the default.
        skip: Malformed items are dropped.

    Returns:
        The field.

    >>> need("toolCallId", TEXT).required
    True
    """
    return Field(name, shape, required=True, default_on_error=lenient, skip_invalid_items=skip)


def may(name: str, shape: Shape, *, nullable: bool = True, skip: bool = False) -> Field:
    """An optional field whose malformed value counts as absent.

    Args:
        name: The key.
        shape: The shape of its value.
        nullable: It may be null, which is the same as absent.
        skip: Malformed items are dropped.

    Returns:
        The field.

    >>> may("description", TEXT).default_on_error
    True
    """
    return Field(name, shape, nullable=nullable, default_on_error=True, skip_invalid_items=skip)


def patch(name: str, shape: Shape, *, skip: bool = False) -> Field:
    """An optional field in which omitted, null and a value are three states.

    Args:
        name: The key.
        shape: The shape of its value.
        skip: Malformed items are dropped.

    Returns:
        The field.

    >>> patch("title", TEXT).patch
    True
    """
    return Field(name, shape, nullable=True, patch=True, default_on_error=True, skip_invalid_items=skip)


def unstable(stable_field: Field) -> Field:
    """The same field, marked as one that only the unstable schema has.

    Args:
        stable_field: The field.

    Returns:
        A copy with ``stable`` false.

    >>> unstable(may("usage", TEXT)).stable
    False
    """
    return msgspec.structs.replace(stable_field, stable=False)


def enum_text(enum: Enum) -> Text:
    """A string for which the protocol names values.

    Args:
        enum: The values, and whether others are valid.

    Returns:
        The shape.

    >>> from acpinspect.protocol.enums import ENUMS
    >>> "pending" in enum_text(ENUMS["v1"]["ToolCallStatus"]).enum.values
    True
    """
    return Text(enum=enum)


META: Final = may("_meta", FREE_OBJECT)
META_PATCH: Final = patch("_meta", FREE_OBJECT)
