"""Readers of values that hold no others: strings, numbers, truth values, and objects that nobody looks into."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeGuard

from acpinspect.protocol.fields import Integer, Number, Text
from acpinspect.protocol.notes import SHOWN_CHARACTERS, Notes, refuse, refuse_type

__all__ = [
    "Reader",
    "read_anything",
    "read_flag",
    "read_free_object",
    "read_text",
    "reader_of_integer",
    "reader_of_number",
    "reader_of_text",
]

Reader: TypeAlias = Callable[[object, Notes], object]


def read_anything(value: object, notes: Notes) -> object:  # noqa: ARG001 (it is a reader like the others)
    """Take any JSON value.

    Args:
        value: A JSON value.
        notes: Gets a note of what is wrong.

    Returns:
        The value.

    >>> read_anything([1], [])
    [1]
    """
    return value


def read_free_object(value: object, notes: Notes) -> object:
    """Take an object with any keys.

    Args:
        value: A JSON value.
        notes: Gets a note of what is wrong.

    Returns:
        The value, or `MALFORMED`.

    >>> read_free_object({"a": 1}, [])
    {'a': 1}
    """
    return value if isinstance(value, dict) else refuse_type(notes, value, "object")


def read_flag(value: object, notes: Notes) -> object:
    """Take ``true`` or ``false``.

    Args:
        value: A JSON value.
        notes: Gets a note of what is wrong.

    Returns:
        The value, or `MALFORMED`.

    >>> read_flag(True, [])
    True
    """
    return value if isinstance(value, bool) else refuse_type(notes, value, "truth value")


def read_text(value: object, notes: Notes) -> object:
    """Take any string.

    Args:
        value: A JSON value.
        notes: Gets a note of what is wrong.

    Returns:
        The value, or `MALFORMED`.

    >>> read_text("dig", [])
    'dig'
    """
    return value if isinstance(value, str) else refuse_type(notes, value, "string")


def reader_of_text(shape: Text) -> Reader:
    """The reader of strings of a shape; `read_text` itself where any string will do.

    Args:
        shape: What the value should be.

    Returns:
        A function of a value and a list of notes.

    >>> from acpinspect.protocol.fields import TEXT
    >>> reader_of_text(TEXT) is read_text
    True
    """
    if shape.enum is not None and not shape.enum.open:
        return _choice(shape.enum.values)
    return _limited_text(shape) if shape.min_length or shape.capitals else read_text


def _choice(values: tuple[str, ...]) -> Reader:
    allowed = frozenset(values)
    listed = ", ".join(values)

    def read(value: object, notes: Notes) -> object:
        if not isinstance(value, str):
            return refuse_type(notes, value, "string")
        if value in allowed:
            return value
        return refuse(notes, f"is {value[:SHOWN_CHARACTERS]!r}, which is none of {listed}")

    return read


def _limited_text(shape: Text) -> Reader:
    fewest, capitals = shape.min_length, shape.capitals

    def read(value: object, notes: Notes) -> object:
        if not isinstance(value, str):
            return refuse_type(notes, value, "string")
        if len(value) < fewest:
            return refuse(notes, "is empty" if fewest == 1 else f"is shorter than {fewest}")
        if capitals and not (len(value) == capitals and value.isascii() and value.isalpha() and value.isupper()):
            return refuse(notes, f"is not {capitals} capital letters")
        return value

    return read


def _is_whole(value: object) -> TypeGuard[float]:
    if isinstance(value, int):
        return not isinstance(value, bool)
    return isinstance(value, float) and value.is_integer()


def reader_of_integer(shape: Integer) -> Reader:
    """The reader of whole numbers of a shape.

    Args:
        shape: What the value should be.

    Returns:
        A function of a value and a list of notes.

    >>> reader_of_integer(Integer(minimum=0))(1.0, [])
    1.0
    """
    minimum = shape.minimum

    def read(value: object, notes: Notes) -> object:
        if not _is_whole(value):
            return refuse_type(notes, value, "whole number")
        if minimum is not None and value < minimum:
            return refuse(notes, f"is below {minimum}")
        return value

    return read


def reader_of_number(shape: Number) -> Reader:
    """The reader of numbers of a shape.

    Args:
        shape: What the value should be.

    Returns:
        A function of a value and a list of notes.

    >>> reader_of_number(Number(maximum=1))(0.5, [])
    0.5
    """
    low, high = shape.minimum, shape.maximum

    def read(value: object, notes: Notes) -> object:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return refuse_type(notes, value, "number")
        if low is not None and value < low:
            return refuse(notes, f"is below {low}")
        if high is not None and value > high:
            return refuse(notes, f"is above {high}")
        return value

    return read
