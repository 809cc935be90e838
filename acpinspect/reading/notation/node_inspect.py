r"""JavaScript values as Node's ``util.inspect`` (and so ``console.log``) prints them.

What the printer left out (``[Object]``, ``[Array]``, ``... 3 more items``) is a `Named` with that name: it says
that something stood there and is lost. Colours, which Node prints on a terminal, count as blanks.
"""

from __future__ import annotations

import re

from acpinspect.reading.notation.builder import Level, Named, Notation, Value, parse
from acpinspect.reading.notation.numbers import read_number

__all__ = ["CutText", "is_lost", "read_node"]


class CutText(str):
    """A string of which the printer showed only the beginning."""

    __slots__ = ()


_TOKEN = re.compile(
    r"""(?P<space>(?:\s|\x1b\[[\d;]*m)+|<ref\ \*\d+>\ )
    |(?P<lost>\[(?:class|[A-Z]\w*)(?:[\ :(/][^\[\]\n]*)?\](?!\ \{))
    |(?P<open>(?P<name>(?:[A-Za-z_$][\w$]*(?:\(\d+\))?\ (?:\[[^\[\]\n]*\]\ )?)|\[[A-Z][^\[\]\n]*\]\ )?[\[{])
    |(?P<close>[\]}])
    |(?P<more>\.\.\.\ \d+\ more\ (?:items?|properties|property|entries|entry))
    |(?P<comma>,)
    |(?P<key>:|=>)
    |(?P<join>\+(?=\s))
    |(?P<string>(?:'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|`[^`\\]*(?:\\[\s\S][^`\\]*)*`)
        (?:\.\.\.\ \d+\ more\ characters?)?)
    |(?P<date>\d{4}-\d\d-\d\dT[\d:.]+Z)
    |(?P<number>[-+]?(?:0x[0-9a-fA-F]+|\d[\d_]*\.?\d*(?:e[-+]?\d+)?))n?
    |(?P<bare>[A-Za-z_$][\w$]*(?=:))
    |(?P<word><[^<>\n]*>|-?[A-Za-z_$][\w$]*)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|[\s\S])")
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS: dict[str, Value] = {
    "true": True,
    "false": False,
    "null": None,
    "undefined": Named("undefined"),
    "NaN": None,
    "Infinity": None,
    "-Infinity": None,
}


def read_node(text: str, position: int = 0, end: int | None = None) -> tuple[Value, int]:
    """Read the JavaScript value that begins at a position.

    Args:
        text: The text.
        position: Where the value begins.
        end: Where the text ends for this value.

    Returns:
        The value, and the position after it.

    Raises:
        NotationError: No value stands there, it is torn, or it is nested too deep.

    Examples:
        >>> read_node("{ id: 0, 'a-b': [ 'x', null ], update: [Object] }")[0]
        {'id': 0, 'a-b': ['x', None], 'update': Named(name='[Object]', items=(), fields={})}
    """
    return parse(_NODE, text, position, end)


def is_lost(value: Value) -> bool:
    """Whether the printer left out what stood here, or some of it.

    Examples:
        >>> is_lost(read_node("[Object]")[0]), is_lost(read_node("{}")[0])
        (True, False)
    """
    return isinstance(value, CutText) or (isinstance(value, Named) and value.name[:1] in "[.")


def _finish(level: Level) -> Value:
    if level.bracket == "{" and not level.items:
        return {key: value for key, value in level.fields.items() if value != _UNDEFINED}
    return level.items if not level.fields else {**level.fields, "items": level.items}


def _string(text: str) -> str:
    body, _, rest = text[1:].rpartition(text[0])
    plain = body if "\\" not in body else _ESCAPE.sub(_unescape, body)
    return CutText(plain) if rest else plain


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if len(code) > 1:
        return chr(min(int(code[1:].strip("{}"), 16), 0x10FFFF))
    return _LETTERS.get(code, code)


def _word(text: str) -> Value:
    return _WORDS.get(text, text)


_UNDEFINED = Named("undefined")
_NODE = Notation(
    name="JavaScript",
    token=_TOKEN,
    scalars={
        "string": _string,
        "number": read_number,
        "date": str,
        "bare": str,
        "word": _word,
        "lost": Named,
        "more": Named,
    },
    closing={"{": "}", "[": "]"},
    finish=_finish,
)
