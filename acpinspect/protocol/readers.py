"""Turns the shapes of the tables into functions that read one value as leniently as the schema allows.

A reader takes a value and a list of notes. It returns the value itself where nothing was wrong with it, a cleaned
copy where something could be dropped, or `MALFORMED`; each fault adds a note, so that no new note means valid.
Readers are made once, at import. Their depth of recursion is the depth of the tables, never that of the input.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from acpinspect.protocol.fields import (
    Anything,
    Field,
    Flag,
    FreeObject,
    Integer,
    ListOf,
    Number,
    OneOf,
    Record,
    Shape,
    Tagged,
    Text,
)
from acpinspect.protocol.notes import MALFORMED, SHOWN_CHARACTERS, Notes, put_under, refuse, refuse_type
from acpinspect.protocol.scalars import (
    Reader,
    read_anything,
    read_flag,
    read_free_object,
    read_text,
    reader_of_integer,
    reader_of_number,
    reader_of_text,
)

__all__ = ["NOTED_ITEMS", "list_reader", "reader_of"]

NOTED_ITEMS: Final = 20

_ObjectReader: TypeAlias = Callable[[dict[str, object], Notes], object]


def reader_of(shape: Shape) -> Reader:
    """The function that reads values of a shape.

    Args:
        shape: What the value should be.

    Returns:
        A function of a value and a list of notes.

    >>> from acpinspect.protocol.fields import UNSIGNED
    >>> notes: Notes = []
    >>> reader_of(UNSIGNED)(3, notes), notes
    (3, [])
    >>> reader_of(UNSIGNED)(-3, notes) is MALFORMED, str(notes[0])
    (True, 'is below 0')
    """
    return _MAKERS[type(shape)](shape)


def list_reader(shape: ListOf, *, skip: bool) -> Reader:
    """The function that reads arrays of a shape.

    Args:
        shape: What the array should be.
        skip: Drop malformed items instead of refusing the array.

    Returns:
        A function of a value and a list of notes.

    >>> from acpinspect.protocol.fields import TEXT
    >>> notes: Notes = []
    >>> list_reader(ListOf(TEXT), skip=True)(["a", 1, "b"], notes), str(notes[0])
    (['a', 'b'], '[1] is no string')
    """
    read_item = reader_of(shape.item)
    fewest = shape.min_items

    def read(value: object, notes: Notes) -> object:
        if not isinstance(value, list):
            return refuse_type(notes, value, "array")
        if len(value) < fewest:
            return refuse(notes, "is empty" if fewest == 1 else f"has fewer than {fewest} items")
        start = len(notes)
        kept: list[object] | None = None
        for index, item in enumerate(value):
            seen = len(notes)
            result = read_item(item, notes)
            if len(notes) == seen:
                if kept is not None:
                    kept.append(item)
                continue
            put_under(notes, seen, f"[{index}]")
            if result is MALFORMED and not skip:
                return MALFORMED
            if kept is None:
                kept = value[:index]
            if result is not MALFORMED:
                kept.append(result)
            # A hostile array must not cost a note per item.
            del notes[start + NOTED_ITEMS :]
        return value if kept is None else kept

    return read


class _Member(NamedTuple):
    """A field, as the loop over an object's keys wants it."""

    plain: type | None  # a value of exactly this type is valid without further reading
    nullable: bool
    read: Reader | None  # None: anything goes
    lenient: bool
    default: Callable[[], object] | None  # makes what stands for a malformed required value


_PLAIN: Final[dict[Reader, type]] = {read_free_object: dict, read_flag: bool, read_text: str}


def _member(field: Field) -> _Member:
    shape = field.type
    if isinstance(shape, Anything):
        return _Member(plain=None, nullable=True, read=None, lenient=True, default=None)
    is_list = isinstance(shape, ListOf)
    read = list_reader(shape, skip=field.skip_invalid_items) if isinstance(shape, ListOf) else reader_of(shape)
    default = list if field.required and is_list else None
    return _Member(_PLAIN.get(read), field.nullable, read, field.default_on_error, default)


def _settle(cleaned: dict[str, object], key: str, member: _Member, result: object) -> None:
    """Put what is left of a faulty value in its place."""
    if result is not MALFORMED:
        cleaned[key] = result
    elif member.default is not None:
        cleaned[key] = member.default()
    else:
        del cleaned[key]


def _object(fields: tuple[Field, ...]) -> _ObjectReader:
    """The reader of the members of what is known to be an object."""
    required = tuple(f.name for f in fields if f.required)
    read_members = _members({f.name: _member(f) for f in fields})

    def read(value: dict[str, object], notes: Notes) -> object:
        for name in required:
            if name not in value:
                return refuse(notes, "is missing", name)
        return read_members(value, notes)

    return read


def _members(members: dict[str, _Member]) -> _ObjectReader:
    def read(value: dict[str, object], notes: Notes) -> object:
        cleaned: dict[str, object] | None = None
        for key, item in value.items():
            member = members.get(key)
            if member is None or type(item) is member.plain or (item is None and member.nullable):
                continue
            if member.read is None:
                continue
            seen = len(notes)
            result = member.read(item, notes)
            if len(notes) == seen:
                continue
            put_under(notes, seen, key)
            if result is MALFORMED and not member.lenient:
                return MALFORMED
            if cleaned is None:
                cleaned = dict(value)
            _settle(cleaned, key, member, result)
        return value if cleaned is None else cleaned

    return read


def _record(shape: Record) -> Reader:
    read_object = _object(shape.fields)

    def read(value: object, notes: Notes) -> object:
        return read_object(value, notes) if isinstance(value, dict) else refuse_type(notes, value, "object")

    return read


def _tagged(shape: Tagged) -> Reader:
    tag = shape.tag
    cases = {name: _object((*shape.shared, *fields)) for name, fields in shape.cases.items()}
    other = None if shape.other is None else _object((*shape.shared, *shape.other))

    def read(value: object, notes: Notes) -> object:
        if not isinstance(value, dict):
            return refuse_type(notes, value, "object")
        name = value.get(tag)
        if not isinstance(name, str):
            return refuse(notes, "is no string" if tag in value else "is missing", tag)
        read_object = cases.get(name, other)
        if read_object is None:
            return refuse(notes, f"is {name[:SHOWN_CHARACTERS]!r}, which is no {shape.name}", tag)
        return read_object(value, notes)

    return read


def _one_of(shape: OneOf) -> Reader:
    readers = tuple(reader_of(option) for option in shape.options)

    def read(value: object, notes: Notes) -> object:
        usable: tuple[object, Notes] | None = None
        for read_option in readers:
            trial: Notes = []
            result = read_option(value, trial)
            if not trial:
                return result
            if usable is None and result is not MALFORMED:
                usable = result, trial
        if usable is None:
            return refuse_type(notes, value, shape.name)
        notes.extend(usable[1])
        return usable[0]

    return read


# Any: each maker takes its own shape.
_MAKERS: Final[dict[type[Shape], Callable[[Any], Reader]]] = {
    Anything: lambda _: read_anything,
    FreeObject: lambda _: read_free_object,
    Flag: lambda _: read_flag,
    Text: cache(reader_of_text),
    Integer: cache(reader_of_integer),
    Number: cache(reader_of_number),
    ListOf: cache(lambda shape: list_reader(shape, skip=False)),
    Record: cache(_record),
    Tagged: cache(_tagged),
    OneOf: cache(_one_of),
}
