r"""Rust values as ``{:?}`` and ``{:#?}`` print them: structs, tuple structs, enum variants, lists, maps.

Only the notation is read here: every struct, variant and newtype is a `Named`. What the types mean on the wire
(``Some``, newtypes, enum tags) is for `acpinspect.reading.wire.rust_types`.
"""

from __future__ import annotations

import re

from acpinspect.reading.notation.builder import Level, Named, Notation, Value, parse
from acpinspect.reading.notation.numbers import read_number

__all__ = ["read_rust"]

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>b?"[^"\\]*(?:\\[\s\S][^"\\]*)*")
    |(?P<char>b?'(?:[^'\\\n]|\\(?:u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|.))')
    |(?P<open>(?P<name>(?:[A-Za-z_]\w*(?:::<[^<>\n]*>)?::)*[A-Za-z_]\w*)(?:\(|\ ?[{\[](?!\}))|[\[{(])
    |(?P<close>[\]})])
    |(?P<comma>,)
    |(?P<key>:(?!:))
    |(?P<rest>\.\.)
    |(?P<number>[-+]?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w:.-]))
    |(?P<word>(?:[A-Za-z_]\w*(?:::<[^<>\n]*>)?::)*[A-Za-z_]\w*(?:\ ?\{\})?|[-+]?\d[\w:.+-]*|<[^<>\n]*>)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|[\s\S])")
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
_WORDS: dict[str, Value] = {"true": True, "false": False, "NaN": None, "inf": None}


def read_rust(text: str, position: int = 0, end: int | None = None) -> tuple[Value, int]:
    """Read the Rust debug value that begins at a position.

    Args:
        text: The text.
        position: Where the value begins.
        end: Where the text ends for this value.

    Returns:
        The value, and the position after it.

    Raises:
        NotationError: No value stands there, it is torn, or it is nested too deep.

    Examples:
        >>> read_rust('Some(Id("m-1"))')[0]
        Named(name='Some', items=(Named(name='Id', items=('m-1',), fields={}),), fields={})
        >>> read_rust("[1, true, None]")[0]
        [1, True, Named(name='None', items=(), fields={})]
    """
    return parse(_RUST, text, position, end)


def _finish(level: Level) -> Value:
    if level.name:
        return Named(level.name.rpartition("::")[2], tuple(level.items), level.fields)
    if level.bracket == "{" and not level.items:
        return level.fields
    return level.items


def _string(text: str) -> str:
    body = text[text.index(text[-1]) + 1 : -1]
    return body if "\\" not in body else _ESCAPE.sub(_unescape, body)


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] == "u" and len(code) > 1:
        return chr(min(int(code[2:-1], 16), 0x10FFFF))
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _LETTERS.get(code, code)


def _word(text: str) -> Value:
    """A bare name is a unit variant or struct; what begins with a digit (a duration, a time) is text."""
    if text in _WORDS:
        return _WORDS[text]
    name = text.removesuffix("{}").rstrip().rpartition("::")[2]
    return text if text[0].isdigit() or text[0] in "+-" else Named(name)


_RUST = Notation(
    name="Rust",
    token=_TOKEN,
    scalars={"string": _string, "char": _string, "number": read_number, "word": _word, "rest": Named},
    closing={"{": "}", "[": "]", "(": ")"},
    finish=_finish,
)
