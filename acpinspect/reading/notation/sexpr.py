r"""S-expressions as Emacs prints them (``pp`` with ``print-circle``), and the JSON that an alist stands for.

Reading gives Lisp: a list is a `Cons`, a vector a Python list, a symbol a `Symbol`. `as_json` then takes an alist
for an object, a vector for an array and ``t`` for true. ``nil`` is false, null and the empty object in one: it
becomes `NIL`, and who knows the schema decides. Shared parts (``#1=`` and ``#1#``) are copied where they are used,
up to a bound, since a few labels can stand for more than any memory holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from acpinspect.reading.notation.builder import MAX_DEPTH, Named, NotationError, Value
from acpinspect.reading.notation.numbers import read_number

__all__ = ["NIL", "Cons", "Symbol", "as_json", "read_sexpr"]

NIL = Named("nil")
"""Lisp's nil: false, null or an object with nothing in it."""

_LARGEST_COPY = 200_000


class Symbol(str):
    """A Lisp symbol, by its name."""

    __slots__ = ()


@dataclass(slots=True)
class Cons:
    """A list that isn't empty: its elements, and what stands after the dot, if anything does.

    Attributes:
        items: The elements.
        tail: What follows the dot; `NIL` for a proper list.
    """

    items: list[Value] = field(default_factory=list)
    tail: Value = NIL


@dataclass(slots=True)
class _Open:
    """A list or vector that is being read; `labels` are its own ``#n=``."""

    closing: str
    labels: tuple[int, ...] = ()
    items: list[Value] = field(default_factory=list)
    tail: Value = NIL
    dotted: int = 0
    table: bool = False
    pending: tuple[int, ...] = ()

    def put(self, value: Value, position: int) -> None:
        """Take an element, or what stands after the dot."""
        if self.dotted == 2 or (self.closing == "" and self.items):
            message = "more than one value after a dot"
            raise NotationError(message, position)
        if self.dotted:
            self.tail, self.dotted = value, 2
        else:
            self.items.append(value)


_TOKEN = re.compile(
    r"""(?P<space>\s+|;[^\n]*)
    |(?P<table>\#s\()
    |(?P<open>\#?[\[(])
    |(?P<close>[\])])
    |(?P<label>\#\d{1,9}=)
    |(?P<shared>\#\d{1,9}\#)
    |(?P<string>\#?"[^"\\]*(?:\\[\s\S][^"\\]*)*")
    |(?P<dot>\.(?=[\s()\[\]"]))
    |(?P<quote>\#?'|`|,@?)
    |(?P<char>\?(?:\\[\s\S]|[^\\\s]))
    |(?P<symbol>(?:[^\s()\[\]"';`,\\]|\\[\s\S])+)""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?|\d*\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)\Z")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,6}(?:\\\ )?|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|\n|\ |[\s\S])")
_LETTERS = {
    "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r",
    "e": "\x1b", "s": " ", "d": "\x7f", "\n": "", " ": "",
}  # fmt: skip
_SYMBOLS: dict[str, Value] = {
    "t": True,
    "nil": NIL,
    "##": Symbol(),
    ":false": False,
    ":json-false": False,
    ":null": None,
}


def read_sexpr(text: str, position: int = 0, labels: dict[int, Value] | None = None) -> tuple[Value, int]:
    r"""Read the expression that begins at a position.

    Args:
        text: The text.
        position: Where the expression begins.
        labels: The labelled parts known so far; new ones are added.

    Returns:
        The expression, and the position after it.

    Raises:
        NotationError: No expression stands there, it is torn, or it is nested too deep.

    Examples:
        >>> read_sexpr('((id . 0) (list . #1=["a\\nb"]) (again . #1#))')[1]
        45
    """
    known = {} if labels is None else labels
    root = _Open("")
    stack = [root]
    while not root.items:
        match = _TOKEN.match(text, position)
        if match is None:
            torn = position >= len(text) or text[position] in '"#?\\'
            message = "the text ends within the expression" if torn else "no Lisp expression"
            raise NotationError(message, position, torn=torn)
        kind, position = match.lastgroup or "", match.end()
        if kind in ("space", "quote"):
            continue
        if kind == "label":
            stack[-1].pending += (int(match.group()[1:-1]),)
        elif kind in ("open", "table"):
            _open(stack, match, table=kind == "table")
        elif kind == "close":
            _close(stack, match, known)
        elif kind == "dot":
            _dot(stack[-1], match.start())
        else:
            _put(stack[-1], _atom(kind, match, known), match.start(), known)
    return root.items[0], position


def _open(stack: list[_Open], match: re.Match[str], *, table: bool) -> None:
    if len(stack) > MAX_DEPTH:
        message = f"nested deeper than {MAX_DEPTH} levels"
        raise NotationError(message, match.start())
    labels, stack[-1].pending = stack[-1].pending, ()
    stack.append(_Open(")" if match.group()[-1] == "(" else "]", labels=labels, table=table))


def _close(stack: list[_Open], match: re.Match[str], known: dict[int, Value]) -> None:
    level = stack[-1]
    if level.closing != match.group() or level.dotted == 1:
        message = f"unexpected {match.group()!r}"
        raise NotationError(message, match.start())
    stack.pop()
    value = _closed(level)
    for label in level.labels:
        known[label] = value
    _put(stack[-1], value, match.start(), known)


def _closed(level: _Open) -> Value:
    if level.closing == "]":
        return level.items
    if level.table:
        return _hash_table(level.items)
    return Cons(level.items, level.tail) if level.items else NIL


def _hash_table(items: list[Value]) -> Value:
    """``#s(hash-table test equal data (k v k v))`` as the alist of its entries."""
    for name, data in pairwise(items):
        if name == "data" and isinstance(name, Symbol) and isinstance(data, Cons):
            pairs = zip(data.items[::2], data.items[1::2], strict=False)
            return Cons([Cons([Symbol(str(key))], tail=value) for key, value in pairs])
    return NIL


def _dot(level: _Open, position: int) -> None:
    if level.closing != ")" or not level.items or level.dotted:
        message = "a dot where none can stand"
        raise NotationError(message, position)
    level.dotted = 1


def _put(level: _Open, value: Value, position: int, known: dict[int, Value]) -> None:
    for label in level.pending:
        known[label] = value
    level.pending = ()
    level.put(value, position)


def _atom(kind: str, match: re.Match[str], known: dict[int, Value]) -> Value:
    text = match.group()
    if kind == "string":
        return _string(text)
    if kind == "shared":
        number = int(text[1:-1])
        if number not in known:
            message = f"{text} refers to a part that isn't there, or to what it stands in"
            raise NotationError(message, match.start())
        return known[number]
    if kind == "char":
        return ord(_ESCAPE.sub(_unescape, text[1:])[:1] or "\0")
    return _symbol(text)


def _symbol(text: str) -> Value:
    if text in _SYMBOLS:
        return _SYMBOLS[text]
    return (
        read_number(text.removesuffix(".")) if _NUMBER.match(text) else Symbol(re.sub(r"\\([\s\S])", r"\1", text))
    )


def _string(text: str) -> str:
    body = text[text.index('"') + 1 : -1]
    return body if "\\" not in body else _ESCAPE.sub(_unescape, body)


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "xuU" and len(code) > 1:
        return chr(min(int(code[1:].removesuffix("\\ "), 16), 0x10FFFF))
    if code[0] in "01234567":
        return chr(int(code, 8))
    return _LETTERS.get(code, code)


def as_json(value: Value) -> Value:
    """The JSON-like value that a Lisp value stands for.

    Args:
        value: What `read_sexpr` gave.

    Returns:
        Objects for alists and plists, arrays for vectors and other lists, `NIL` wherever nil stood.

    Raises:
        NotationError: Its shared parts, written out, would be too large.

    Examples:
        >>> as_json(read_sexpr('((method . "m") (params (id . 1) (all)) (list . [a t]))')[0])
        {'method': 'm', 'params': {'id': 1, 'all': Named(name='nil', items=(), fields={})}, 'list': ['a', True]}
    """
    return _Writer().write(value, 0)


class _Writer:
    """Counts what is written, so that shared parts can't grow without bound."""

    def __init__(self) -> None:
        self.left = _LARGEST_COPY

    def write(self, value: Value, depth: int) -> Value:
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            message = "its shared parts, written out, are too large"
            raise NotationError(message, 0)
        if isinstance(value, list):
            return [self.write(item, depth + 1) for item in value]
        if isinstance(value, Cons):
            return self._write_list(value, depth + 1)
        return str(value) if isinstance(value, Symbol) else value

    def _write_list(self, value: Cons, depth: int) -> Value:
        pairs = _pairs(value)
        if pairs is not None:
            written: dict[str, Value] = {}
            for key, item in pairs:
                # The first entry of a key is the one that Lisp finds.
                if key not in written:
                    written[key] = self.write(item, depth)
            return written
        items = [self.write(item, depth) for item in value.items]
        return items if value.tail == NIL else [*items, self.write(value.tail, depth)]


def _pairs(value: Cons) -> list[tuple[str, Value]] | None:
    """The keys and values of an alist or plist; `None` for another list."""
    items = value.items
    if value.tail != NIL:
        return None
    if all(isinstance(item, Cons) and _is_key(item.items[0]) for item in items):
        return [(_key(item.items[0]), _entry_value(item)) for item in items if isinstance(item, Cons)]
    if len(items) % 2 == 0 and all(isinstance(key, Symbol) and key.startswith(":") for key in items[::2]):
        return [(_key(key).removeprefix(":"), item) for key, item in zip(items[::2], items[1::2], strict=True)]
    return None


def _is_key(item: Value) -> bool:
    """A symbol; ``t`` and ``nil`` are too, when they stand for keys of those names."""
    return isinstance(item, Symbol) or item is True or item is NIL


def _key(symbol: Value) -> str:
    if symbol is NIL:
        return "nil"
    return "t" if symbol is True else str(symbol)


def _entry_value(entry: Cons) -> Value:
    """What stands after the key: ``(key . 1)`` 1, ``(key (a . 1))`` the alist, ``(key)`` nil."""
    rest = entry.items[1:]
    return Cons(rest, entry.tail) if rest else entry.tail
