r"""Lua tables as ``vim.inspect`` prints them.

A table without a key is a list, one with keys an object; one with both is an object whose unkeyed values have
the keys ``"1"``, ``"2"``, ... as in Lua. ``{}`` says neither: it is read as `EMPTY`, and who knows the schema
decides.
"""

from __future__ import annotations

import re

from acpinspect.reading.notation.builder import Level, Named, Notation, NotationError, Value, parse
from acpinspect.reading.notation.numbers import read_number

__all__ = ["EMPTY", "read_lua"]

EMPTY = Named("{}")
"""The empty table: an empty list or an empty object."""

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<open><\d+>\{|[\[{])
    |(?P<close>[\]}])
    |(?P<comma>[,;])
    |(?P<key>=)
    |(?P<string>"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*')
    |(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+))
    |(?P<bare>[A-Za-z_]\w*(?=\s*=))
    |(?P<word>vim\.empty_dict\(\)|<[^<>\n]*>|-?[A-Za-z_][\w.]*)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(\d{1,3}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,8}\}|z\s*|[\s\S])")
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS: dict[str, Value] = {
    "true": True,
    "false": False,
    "nil": None,
    "vim.NIL": None,
    "vim.empty_dict()": {},
}
_NO_NUMBER = frozenset(("inf", "-inf", "nan", "-nan", "math.huge", "-math.huge"))


def read_lua(text: str, position: int = 0, end: int | None = None) -> tuple[Value, int]:
    r"""Read the Lua value that begins at a position.

    Args:
        text: The text.
        position: Where the value begins.
        end: Where the text ends for this value.

    Returns:
        The value (`EMPTY` wherever ``{}`` stood), and the position after it.

    Raises:
        NotationError: No value stands there, it is torn, or it is nested too deep.

    Examples:
        >>> read_lua('{ id = 0, ["a-b"] = { "x", vim.NIL }, text = "a\\nb" }')[0]
        {'id': 0, 'a-b': ['x', None], 'text': 'a\nb'}
    """
    return parse(_LUA, text, position, end)


def _finish(level: Level) -> Value:
    if level.bracket == "[":
        if len(level.items) != 1 or level.fields:
            message = "a key in brackets is one value"
            raise NotationError(message, 0)
        return level.items[0]
    level.fields.pop("<metatable>", None)
    if not level.fields:
        return level.items or EMPTY
    return {str(place): item for place, item in enumerate(level.items, 1)} | level.fields


def _string(text: str) -> str:
    body = text[1:-1]
    return body if "\\" not in body else _bytes_as_text(_ESCAPE.sub(_unescape, body))


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0].isdigit():
        return _byte(int(code))
    if code[0] == "x" and len(code) > 1:
        return _byte(int(code[1:], 16))
    if code[0] == "u" and len(code) > 1:
        return chr(min(int(code[2:-1], 16), 0x10FFFF))
    return "" if code[0] == "z" else _LETTERS.get(code, code)


def _byte(number: int) -> str:
    """A byte on its way: ASCII as it is, the others where `_bytes_as_text` finds them."""
    return chr(number) if number < 0x80 else chr(0xDC00 + min(number, 255))


def _bytes_as_text(text: str) -> str:
    """Escapes name bytes, and several of them can be one character."""
    return re.sub("[\udc80-\udcff]+", _decode, text)


def _decode(match: re.Match[str]) -> str:
    return match.group().encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _word(text: str) -> Value:
    if text in _NO_NUMBER or (text.startswith("<") and text != "<metatable>"):
        return None
    return _WORDS.get(text, text)


_LUA = Notation(
    name="Lua",
    token=_TOKEN,
    scalars={"string": _string, "number": read_number, "bare": str, "word": _word},
    closing={"{": "}", "[": "]"},
    finish=_finish,
)
