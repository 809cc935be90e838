"""JSON that was cut off: completed from what is there, with nothing made up."""

from __future__ import annotations

import re

from acpinspect.reading.notation.builder import MAX_DEPTH, NotationError

__all__ = ["complete_json"]

_TOKEN = re.compile(
    r"""\s*(?:(?P<open>[\[{])
    |(?P<close>[\]}])
    |(?P<comma>,)
    |(?P<colon>:)
    |(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    |(?P<torn>"[\s\S]*)
    |(?P<literal>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity))""",
    re.VERBOSE,
)
_AFTER_LITERAL = tuple(" \t\r\n,]}")
_TORN_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)\Z")
_TORN_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u[dD][89abAB][0-9a-fA-F]{2}\Z")


def complete_json(text: str) -> str:
    r"""Close what is open in JSON text that was cut off.

    A string that was cut is closed, without the rest of an escape; a key without a value, a separator, and a
    number or word at the very end, which may lack its own end, are dropped.

    Args:
        text: The beginning of a JSON object or array.

    Returns:
        JSON text with all that the beginning surely says.

    Raises:
        NotationError: It isn't the beginning of a JSON object or array, or is nested too deep.

    Examples:
        >>> complete_json('{"sessionId": "s", "update": {"text": "06:1')
        '{"sessionId": "s", "update": {"text": "06:1"}}'
        >>> complete_json('{"a": [1, 2], "used": 12')
        '{"a": [1, 2]}'
    """
    cut = _Cut()
    position = 0
    while (match := _TOKEN.match(text, position)) is not None:
        kind = match.lastgroup or ""
        if kind == "literal" and text[match.end() : match.end() + 1] not in _AFTER_LITERAL:
            break
        if kind == "torn":
            return cut.closed(text, match.start("torn"), _torn_string(match.group("torn")))
        position = match.end()
        cut.take(kind, match.group(kind), position)
        if cut.done:
            return text[: cut.kept]
    if cut.kept == 0:
        message = "no beginning of a JSON object or array"
        raise NotationError(message, position)
    return cut.closed(text)


class _Cut:
    """What is open, and up to where the text is whole."""

    def __init__(self) -> None:
        self.open: list[str] = []
        self.expects_key: list[bool] = []
        self.kept = 0
        self.done = False

    def take(self, kind: str, sign: str, position: int) -> None:
        """Take a token, `sign`; `position` is its end."""
        if not self.open and kind != "open":
            message = "no JSON object or array"
            raise NotationError(message, position)
        if kind == "open":
            self._enter(sign, position)
        elif kind == "close":
            self._leave(sign, position)
        elif kind == "comma":
            self.expects_key[-1] = self.open[-1] == "}"
        elif kind == "colon":
            self.expects_key[-1] = False
        elif not self.expects_key[-1]:
            self.kept = position

    def _enter(self, sign: str, position: int) -> None:
        if len(self.open) >= MAX_DEPTH:
            message = f"nested deeper than {MAX_DEPTH} levels"
            raise NotationError(message, position)
        self.open.append("}" if sign == "{" else "]")
        self.expects_key.append(sign == "{")
        self.kept = position

    def _leave(self, sign: str, position: int) -> None:
        if self.open.pop() != sign:
            message = f"unexpected {sign!r}"
            raise NotationError(message, position)
        self.expects_key.pop()
        self.kept, self.done = position, not self.open

    def closed(self, text: str, start: int = 0, string: str | None = None) -> str:
        """The text with all brackets closed; `string` is the value that was cut, from `start` on."""
        if not self.open:
            message = "no JSON object or array"
            raise NotationError(message, start)
        body = text[: self.kept] if string is None or self.expects_key[-1] else text[:start] + string
        return body + "".join(reversed(self.open))


def _torn_string(text: str) -> str:
    """A string that lacks its end, closed; half an escape and half a surrogate pair are dropped."""
    escape = _TORN_ESCAPE.search(text, max(0, len(text) - 4096))
    body = text[: escape.start(1)] if escape else text
    return _TORN_PAIR.sub(r"\1", body) + '"'
