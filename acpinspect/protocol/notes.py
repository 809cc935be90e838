"""What a reader says about a value that does not fit: issues with their place, and the mark of an unusable one."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

__all__ = ["MALFORMED", "SHOWN_CHARACTERS", "Issue", "Notes", "put_under", "refuse", "refuse_type"]

SHOWN_CHARACTERS: Final = 40


class Issue(msgspec.Struct, frozen=True):
    """One place where a value doesn't fit the schema.

    Attributes:
        path: Where, from the update down (``content[2].content.text``); empty for the value itself.
        reason: What is wrong there, to be read after the path (``is missing``).
    """

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path} {self.reason}" if self.path else self.reason


Notes: TypeAlias = list[Issue]


class _Malformed:
    """The type of `MALFORMED`, which no JSON value is."""

    __slots__ = ()


MALFORMED: Final = _Malformed()


def refuse(notes: Notes, reason: str, key: str = "") -> object:
    """Note why a value, or the value under one of its keys, makes it unusable.

    Args:
        notes: Gets the note.
        reason: What is wrong.
        key: Under which key.

    Returns:
        `MALFORMED`.

    >>> notes: Notes = []
    >>> refuse(notes, "is missing", "text") is MALFORMED, str(notes[0])
    (True, 'text is missing')
    """
    notes.append(Issue(key, reason))
    return MALFORMED


def refuse_type(notes: Notes, value: object, wanted: str) -> object:
    """Note that a value is of another type than it should be.

    Args:
        notes: Gets the note.
        value: The value.
        wanted: What it should be.

    Returns:
        `MALFORMED`.

    >>> notes: Notes = []
    >>> refuse_type(notes, 3, "string") is MALFORMED, str(notes[0])
    (True, 'is no string')
    """
    return refuse(notes, "is null" if value is None else f"is no {wanted}")


def put_under(notes: Notes, first: int, step: str) -> None:
    """Put a step in front of the paths of the notes from one on.

    Args:
        notes: Changed in place.
        first: The first note to change.
        step: A key, or an index in brackets.

    >>> notes: Notes = [Issue("text", "is missing")]
    >>> put_under(notes, 0, "content")
    >>> notes[0].path
    'content.text'
    """
    for i in range(first, len(notes)):
        path = notes[i].path
        dot = "." if path and not path.startswith("[") else ""
        notes[i] = Issue(f"{step}{dot}{path}", notes[i].reason)
