"""JSON text as text: where values begin and end, and the exact slices of an object or array.

`msgspec` slices sound JSON fast. What it refuses (lone surrogates, NaN, much depth) is sliced here by a scanner
that looks at strings and brackets only, needs no recursion, and never goes over a byte twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias, cast

import msgspec
import orjson
from msgspec import Raw

__all__ = [
    "MAX_DEPTH",
    "MAX_VALUE",
    "STRING",
    "Soundness",
    "Span",
    "compact",
    "elements",
    "may_be_too_deep",
    "members",
    "quoted",
    "scan",
    "soundness",
    "text_of",
]

MAX_DEPTH = 1_000
"""How deep a value may nest; a deeper one becomes an unreadable row."""

MAX_VALUE = 64 << 20
"""How large one record may be, in bytes; a larger one becomes an unreadable row."""

Slice: TypeAlias = "Raw | bytes"

STRING = re.compile(rb'"(?:[^"\\\n]++|\\[^\n])*+"')
"""A whole JSON string."""

_TOKEN = re.compile(rb'"(?:[^"\\\n]++|\\[^\n])*+(?:"|(?=\n)|\Z|\\(?=\n))|[{}\[\]]')
_FINE = re.compile(rb'"(?:[^"\\\n]++|\\[^\n])*+"|[{}\[\],:]')
_LAYOUT = re.compile(r'("(?:[^"\\]++|\\.)*+")|[ \t\r\n]+')
_SPACE = b" \t\r\n"
_QUOTE, _BACKSLASH, _OPEN, _CLOSE, _LIST, _TSIL, _COMMA, _COLON = b'"\\{}[],:'

_decode_members = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_string = msgspec.json.Decoder(str).decode
_decode_elements = msgspec.json.Decoder(list[Raw]).decode


class Span(NamedTuple):
    """What the scanner found from an opening bracket on.

    Attributes:
        end: Where the value ends, or how far it was followed.
        depth: How deep it nests.
        whole: Whether its last bracket was found.
    """

    end: int
    depth: int
    whole: bool


class Soundness(NamedTuple):
    """Whether a text is JSON, and what is odd about it.

    Attributes:
        sound: It can be read.
        problem: Why not, or what a strict parser would refuse.
    """

    sound: bool
    problem: str | None = None


def scan(data: bytes, start: int, end: int | None = None) -> Span:
    r"""Follow the object or array that opens at ``start`` to its end.

    Examples:
        >>> scan(b'x {"a":["}"]} y', 2)
        Span(end=13, depth=2, whole=True)
        >>> scan(b'{"a":"b', 0)
        Span(end=7, depth=1, whole=False)
    """
    depth = deepest = 0
    limit = len(data) if end is None else end
    for token in _TOKEN.finditer(data, start, limit):
        position = token.start()
        byte = data[position]
        if byte == _QUOTE:
            if token.end() - position < 2 or data[token.end() - 1] != _QUOTE:
                return Span(token.end(), deepest, False)
        elif byte in (_OPEN, _LIST):
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
            if depth <= 0:
                return Span(token.end(), deepest, True)
    return Span(limit, deepest, False)


def may_be_too_deep(text: bytes) -> bool:
    """Whether a text has so many brackets that it may nest too deep; the parsers' own limits differ by version.

    Examples:
        >>> may_be_too_deep(b'{"a":[]}'), may_be_too_deep(b"[" * 2_000)
        (False, True)
    """
    return len(text) > MAX_DEPTH and text.count(b"[") + text.count(b"{") > MAX_DEPTH


def members(value: Slice) -> Mapping[str, Slice] | None:
    """The exact slices of an object's values by key; ``None`` where it is no object.

    Examples:
        >>> {key: bytes(value) for key, value in members(b'{"a": 1.0, "b":[NaN]}').items()}
        {'a': b'1.0', 'b': b'[NaN]'}
    """
    try:
        return _decode_members(value)
    except (msgspec.DecodeError, RecursionError):
        text = bytes(value).strip(_SPACE)
    if not (text.startswith(b"{") and text.endswith(b"}")):
        return None
    return dict(_scanned_members(text))


def elements(value: Slice) -> list[Slice] | None:
    """The exact slices of an array's elements; ``None`` where it is no array."""
    try:
        return cast("list[Slice]", _decode_elements(value))
    except (msgspec.DecodeError, RecursionError):
        text = bytes(value).strip(_SPACE)
    if not (text.startswith(b"[") and text.endswith(b"]")):
        return None
    return [text[start:end] for start, end in _pieces(text) if text[start:end].strip(_SPACE)]


def _pieces(text: bytes) -> Iterator[tuple[int, int]]:
    """The places between the commas of the outermost level, without the blanks around."""
    depth, start = 0, 1
    for token in _FINE.finditer(text):
        byte = text[token.start()]
        if byte in (_OPEN, _LIST):
            depth += 1
        elif byte in (_CLOSE, _TSIL):
            depth -= 1
            if not depth:
                yield _trimmed(text, start, token.start())
                return
        elif byte == _COMMA and depth == 1:
            yield _trimmed(text, start, token.start())
            start = token.end()


def _trimmed(text: bytes, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip(_SPACE))
    return start + left, start + len(piece.rstrip(_SPACE)) if piece.strip(_SPACE) else start + left


def _scanned_members(text: bytes) -> Iterator[tuple[str, bytes]]:
    for start, end in _pieces(text):
        piece = text[start:end]
        key = _FINE.match(piece)
        if key is None or piece[0] != _QUOTE:
            continue
        rest = piece[key.end() :].lstrip(_SPACE)
        if rest.startswith(b":"):
            yield _string(key.group()), rest[1:].strip(_SPACE)


def _string(text: bytes) -> str:
    try:
        value = json.loads(text.decode("utf-8", "replace"), strict=False)
    except ValueError:
        return text.decode("utf-8", "replace")
    return value if isinstance(value, str) else str(value)


def text_of(value: Slice) -> str | None:
    r"""The string that a JSON string stands for; lone surrogates become escapes again. ``None`` for others.

    Examples:
        >>> text_of(b'"a\\u00e9"'), text_of(b"5")
        ('aé', None)
    """
    if bytes(memoryview(value)[:1]) != b'"':
        return None
    try:
        return _decode_string(value)
    except (msgspec.DecodeError, RecursionError):
        text = bytes(value).strip(_SPACE)
    if not (text.startswith(b'"') and text.endswith(b'"') and len(text) > 1):
        return None
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", _string(text))


def quoted(text: str) -> str:
    r"""The JSON string for a text.

    Examples:
        >>> print(quoted('a"b'))
        "a\"b"
    """
    return json.dumps(text, ensure_ascii=not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text))


def compact(text: str) -> str:
    r"""JSON text in one line; a text that is one line already stays as it is.

    Examples:
        >>> print(compact('{\n "a b": [1,\n 2.0]\n}'))
        {"a b":[1,2.0]}
    """
    return _LAYOUT.sub(r"\1", text) if "\n" in text else text


def soundness(value: bytes) -> Soundness:
    """Whether a text is one JSON value, and what is odd about it.

    Examples:
        >>> soundness(b'{"a":NaN}')
        Soundness(sound=True, problem='NaN or Infinity, which JSON does not have')
        >>> soundness(b'{"a":tru}').sound
        False
    """
    try:
        orjson.loads(value)
    except orjson.JSONDecodeError as error:
        return _standard(value, str(error))
    return Soundness(True)


def _standard(value: bytes, reason: str) -> Soundness:
    """What the standard parser says of a value that the fast one refused."""
    # The standard parser's own limit differs from one version of Python to the next.
    if scan(value, 0).depth > MAX_DEPTH:
        return Soundness(False, f"nested deeper than {MAX_DEPTH} levels")
    constants: list[str] = []
    try:
        text = value.decode("utf-8")
        invalid = 0
    except UnicodeDecodeError:
        text = value.decode("utf-8", "replace")
        invalid = text.count("\ufffd") - value.count(b"\xef\xbf\xbd")
    try:
        json.loads(text, parse_constant=constants.append)
    except RecursionError:
        return Soundness(False, f"nested deeper than {MAX_DEPTH} levels")
    except ValueError as error:
        return Soundness(False, "a number with too many digits" if "digit" in str(error) else f"no JSON: {reason}")
    if constants:
        return Soundness(True, "NaN or Infinity, which JSON does not have")
    return Soundness(True, f"invalid UTF-8 ({invalid} bytes replaced)" if invalid else "lone surrogates")
