"""One engine for all bracketed notations: tokens in, nested values out, with an explicit stack.

Lua tables, Python and Rust reprs and Node's ``util.inspect`` differ in their tokens, not in how values nest.
A `Notation` says what the tokens are and what an opened and closed bracket becomes; the engine nests them, so
that no input makes it recurse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["MAX_DEPTH", "Level", "Named", "Notation", "NotationError", "Value", "parse"]

MAX_DEPTH = 200
"""How deep values may nest. Writers of these notations stop long before; what passes can be written as JSON."""

Value = object
"""A JSON-like value; on the way also `Named`, for what a notation writes with a type's name."""


class NotationError(ValueError):
    """The text at this place is no value of the notation.

    Attributes:
        position: Where reading stopped.
        torn: Whether the text ended before the value did.
    """

    def __init__(self, message: str, position: int, *, torn: bool = False) -> None:
        super().__init__(message)
        self.position = position
        self.torn = torn


@dataclass(frozen=True, slots=True)
class Named:
    """A value with its type's name: ``Some("m-1")``, ``TextContentBlock(text='Hi')``.

    Attributes:
        name: The name before the bracket; a bare name has neither items nor fields.
        items: The values without a key.
        fields: The values with a key.
    """

    name: str
    items: tuple[Value, ...] = ()
    fields: Mapping[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class Level:
    """A bracket that is still open, and what stands in it so far."""

    bracket: str
    name: str = ""
    items: list[Value] = field(default_factory=list)
    fields: dict[str, Value] = field(default_factory=dict)
    key: str | None = None
    last: Value = None
    filled: bool = False
    more: list[str] = field(default_factory=list)

    @property
    def value(self) -> Value:
        """The value since the last comma, with the strings that were joined to it."""
        return "".join((self.last, *self.more)) if self.more and isinstance(self.last, str) else self.last

    def put(self, value: Value, position: int) -> None:
        """Take a value; another one must not have come since the last comma."""
        if self.filled:
            message = "two values with nothing between them"
            raise NotationError(message, position)
        self.last, self.filled = value, True

    def mark_key(self, position: int) -> None:
        """Make the value that has just come the key of the next one."""
        if not self.filled or self.key is not None:
            message = "a separator without a key"
            raise NotationError(message, position)
        self.key = key_text(self.value)
        self._clear()

    def end_entry(self, position: int) -> None:
        """Store the entry that a comma or the closing bracket ends."""
        if self.key is not None and not self.filled:
            message = "a key without a value"
            raise NotationError(message, position)
        if self.filled and self.key is not None:
            self.fields[self.key] = self.value
        elif self.filled:
            self.items.append(self.value)
        self.key = None
        self._clear()

    def _clear(self) -> None:
        self.last, self.filled = None, False
        self.more.clear()


_JSON_WORDS: Mapping[object, str] = {True: "true", False: "false", None: "null"}


def key_text(value: Value) -> str:
    """The text of a key, which JSON needs as a string."""
    if isinstance(value, str):
        return value
    if isinstance(value, Named):
        return value.name
    return _JSON_WORDS[value] if value is None or isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Notation:
    """What a notation's tokens are, and what they stand for.

    Attributes:
        name: For messages.
        token: One token. Its groups say what it is: ``space`` (skipped), ``open`` (the name, if any, in
            ``name``), ``close``, ``comma``, ``key`` (the separator after a key), ``join`` (joins two strings),
            or one of `scalars`.
        scalars: By the group's name, the function from the token's text to its value.
        closing: By the opening bracket, the closing one.
        finish: From a closed bracket to its value.
        adjacent_strings_join: Whether two strings in a row are one, as in Python.
    """

    name: str
    token: re.Pattern[str]
    scalars: Mapping[str, Callable[[str], Value]]
    closing: Mapping[str, str]
    finish: Callable[[Level], Value]
    adjacent_strings_join: bool = False


def parse(notation: Notation, text: str, position: int = 0, end: int | None = None) -> tuple[Value, int]:
    """Read the one value that begins at a position.

    Args:
        notation: What the tokens mean.
        text: The text.
        position: Where the value begins; spaces before it are skipped.
        end: Where the text ends for this value.

    Returns:
        The value, and the position after it.

    Raises:
        NotationError: No value stands there, it is torn, or it is nested too deep.
    """
    stop = len(text) if end is None else end
    nest = _Nest(notation)
    while True:
        match = notation.token.match(text, position, stop)
        if match is None or match.end() == position:
            raise _no_value(notation, text, position, stop)
        position = match.end()
        if match.lastgroup != "space":
            nest.take(match)
            root = nest.stack[0]
            if root.filled and not _continues(notation, text, position, stop, root):
                return root.value, position


class _Nest:
    """The brackets that are open, from the outside in; the first level holds the one value itself."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.stack = [Level("")]
        self.joining = notation.adjacent_strings_join
        self._signs: dict[str, Callable[[re.Match[str]], None]] = {
            "open": self._open,
            "close": self._close,
            "comma": self._comma,
            "key": self._key,
            "join": self._join,
        }

    def take(self, match: re.Match[str]) -> None:
        """Take the next token."""
        kind = match.lastgroup or ""
        sign = self._signs.get(kind)
        if sign is not None:
            sign(match)
            return
        value = self.notation.scalars[kind](match.group(kind))
        level = self.stack[-1]
        if self.joining and level.filled and isinstance(level.last, str) and isinstance(value, str):
            level.more.append(value)
        else:
            level.put(value, match.start())
        self.joining = self.notation.adjacent_strings_join

    def _open(self, match: re.Match[str]) -> None:
        if len(self.stack) > MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
            raise NotationError(message, match.start())
        if self.stack[-1].filled:
            raise _unexpected(match)
        name = match.groupdict().get("name") or ""
        self.stack.append(Level(match.group("open")[-1], name=name.strip()))

    def _close(self, match: re.Match[str]) -> None:
        level = self.stack[-1]
        if self.notation.closing.get(level.bracket) != match.group("close"):
            raise _unexpected(match)
        level.end_entry(match.start())
        self.stack.pop()
        self.stack[-1].put(self.notation.finish(level), match.start())

    def _comma(self, match: re.Match[str]) -> None:
        if len(self.stack) == 1:
            raise _unexpected(match)
        self.stack[-1].end_entry(match.start())

    def _key(self, match: re.Match[str]) -> None:
        if len(self.stack) == 1:
            raise _unexpected(match)
        self.stack[-1].mark_key(match.start())

    def _join(self, match: re.Match[str]) -> None:
        level = self.stack[-1]
        if not (level.filled and isinstance(level.last, str)):
            raise _unexpected(match)
        self.joining = True


def _unexpected(match: re.Match[str]) -> NotationError:
    return NotationError(f"unexpected {match.group()[:20]!r}", match.start())


def _no_value(notation: Notation, text: str, position: int, stop: int) -> NotationError:
    """Why no token can be read: the text is at its end, or what stands there is of another notation."""
    if not text[position:stop].strip() or _is_torn_string(text, position, stop):
        return NotationError("the text ends within the value", position, torn=True)
    return NotationError(f"no {notation.name} value", position)


def _continues(notation: Notation, text: str, position: int, stop: int, root: Level) -> bool:
    """Whether a string at the top goes on, by a joining sign or by another string right after it."""
    if not isinstance(root.last, str):
        return False
    match = notation.token.match(text, position, stop)
    while match is not None and match.lastgroup == "space" and match.end() > match.start():
        match = notation.token.match(text, match.end(), stop)
    follows = None if match is None else match.lastgroup
    return follows == "join" or (notation.adjacent_strings_join and follows == "string")


def _is_torn_string(text: str, position: int, stop: int) -> bool:
    """Whether what can't be read is a string that never ends, on the last line of the text."""
    return text[position] in "\"'`" and "\n" not in text[position:stop]
