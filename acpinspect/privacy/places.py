"""The strings of a JSON text, each with its place. Nothing is built anew: the text around them stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from acpinspect.privacy.vocabulary import FREE_KEYS, KEPT_KEYS

__all__ = ["Place", "decoded", "encoded", "places"]

_TOKEN: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"|[{}\[\],:]', re.DOTALL)
_UNIT: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_TEXT_HOLDERS: Final = frozenset({"content", "prompt", "summary"})


@dataclass(slots=True)
class Place:
    """A string of a JSON text.

    Attributes:
        begin: Where its first character stands, after the quote.
        end: Where it ends.
        text: It, decoded.
        key: It is a key; then `under` is itself.
        under: The key under which it stands, also through arrays.
        free: It stands where the protocol says nothing: in `_meta`, rawInput, rawOutput, under a foreign key.
        path: The keys of the objects and arrays around it, joined by dots; arrays end in ``[]``.
        stream: Number of the content array or block that it is a text of; -1 if it is none.
    """

    begin: int
    end: int
    text: str
    key: bool
    under: str
    free: bool
    path: str
    stream: int


@dataclass(slots=True)
class _Level:
    """An object or array that is open."""

    is_object: bool
    under: str
    free: bool
    path: str
    stream: int
    key: str = ""


def places(raw: str) -> Iterator[Place]:
    """The strings of a JSON text, in order. Cost: linear; depth costs nothing.

    Example:
        >>> [(place.path, place.under, place.text) for place in places('{"a": ["x", {"b": "y"}]}')]
        [('', 'a', 'a'), ('a[]', 'a', 'x'), ('a[]', 'b', 'b'), ('a[]', 'b', 'y')]
    """
    levels = [_Level(is_object=False, under="", free=False, path="", stream=-1)]
    expects_key = False
    for token in _TOKEN.finditer(raw):
        mark = token.group()[0]
        level = levels[-1]
        if mark == '"':
            text = decoded(token.group(1))
            if expects_key:
                level.key = text
                yield Place(token.start(1), token.end(1), text, True, text, level.free, level.path, -1)
            else:
                under = level.key if level.is_object else level.under
                free = level.free or _opens_free(under)
                stream = level.stream if under == "text" and level.is_object else -1
                yield Place(token.start(1), token.end(1), text, False, under, free, level.path, stream)
        elif mark in "{[":
            levels.append(_opened(level, mark == "{", token.start()))
            expects_key = mark == "{"
        elif mark in "}]":
            if len(levels) > 1:
                levels.pop()
            expects_key = False
        else:
            expects_key = mark == "," and level.is_object


def _opens_free(key: str) -> bool:
    return bool(key) and (key in FREE_KEYS or key not in KEPT_KEYS)


def _opened(level: _Level, is_object: bool, at: int) -> _Level:
    under = level.key if level.is_object else level.under
    step = f".{under}" if level.is_object and level.path else under if level.is_object else ""
    path = f"{level.path}{step}{'' if is_object else '[]'}"
    # A text is one with its neighbours in the outermost content array around it.
    stream = -1 if under not in _TEXT_HOLDERS else level.stream if level.stream >= 0 else at
    return _Level(is_object, under, level.free or _opens_free(under), path[-120:], stream)


def decoded(literal: str) -> str:
    """The string that the inside of a JSON string stands for."""
    if "\\" not in literal:
        return literal
    try:
        text: str = json.loads(f'"{literal}"', strict=False)
    except ValueError:
        return literal
    return text


def encoded(literal: str, text: str) -> str:
    r"""Write a text of the same shape as a JSON string does: what was escaped is escaped again.

    Args:
        literal: The inside of the JSON string as it was.
        text: What it is to stand for; as long as before.

    Example:
        >>> encoded(r"a\u00e9\n", "b\u00fc\n")
        'b\\u00fc\\n'
    """
    if "\\" not in literal:
        return text
    units = _UNIT.findall(literal)
    if len(units) != len(text):
        return json.dumps(text)[1:-1]
    return "".join(map(_written, units, text))


def _written(unit: str, character: str) -> str:
    if unit[0] != "\\":
        return character
    if unit[1] != "u" or json.loads(f'"{unit}"') == character:
        return unit
    return json.dumps(character)[1:-1] if not character.isascii() else f"\\u{ord(character):04x}"
