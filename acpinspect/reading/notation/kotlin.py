"""Kotlin's ``toString()``: data classes and maps, whose strings are not quoted.

``ToolCall(toolCallId=call-7, status=null)`` and ``{type=AgentThoughtChunk, content={text=Hi, you}}`` are two.
Since text stands unquoted, where a value ends is a guess: at the next ``, name=`` of the same bracket, or at
the bracket that closes it.
"""

from __future__ import annotations

import re

from acpinspect.reading.notation.builder import MAX_DEPTH, Named, NotationError, Value

__all__ = ["read_kotlin"]

_OPEN = re.compile(r"\s*([A-Za-z_][\w.$]*)?([({\[])")
_KEY = re.compile(r"\s*([A-Za-z_]\w*)=")
_NEXT = re.compile(r", (?=[A-Za-z_]\w*=)|[()\[\]{}]")
_LONGEST = 64 * 1024
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_WORDS: dict[str, Value] = {"null": None, "None": None, "true": True, "false": False}


def read_kotlin(text: str) -> Value:
    """The value that a ``toString()`` text says.

    Args:
        text: The text, as a whole.

    Returns:
        A `Named` for a class, a dict for a map, and the text itself for anything else, and for what is too long
        to guess at.

    Raises:
        NotationError: Brackets don't match, or are nested too deep.

    Examples:
        >>> read_kotlin("ToolCall(toolCallId=call-7, status=null)")
        Named(name='ToolCall', items=(), fields={'toolCallId': 'call-7', 'status': None})
        >>> read_kotlin("{type=AgentThoughtChunk, content={blockType=text, text=Hi, you}}")
        {'type': 'AgentThoughtChunk', 'content': {'blockType': 'text', 'text': 'Hi, you'}}
    """
    match = _OPEN.match(text) if len(text) <= _LONGEST else None
    if match is None or _CLOSING[match.group(2)] != text.rstrip()[-1:]:
        return _WORDS.get(text.strip(), text)
    value, _ = _bracket(text, match, 0)
    return value


def _bracket(text: str, opened: re.Match[str], depth: int) -> tuple[Value, int]:
    if depth > MAX_DEPTH:
        message = f"nested deeper than {MAX_DEPTH} levels"
        raise NotationError(message, opened.start())
    closing = _CLOSING[opened.group(2)]
    fields: dict[str, Value] = {}
    items: list[Value] = []
    position = opened.end()
    while text[position : position + 1] not in (closing, ""):
        key = _KEY.match(text, position)
        value, position = _value(text, key.end() if key else position, closing, depth)
        if key:
            fields[key.group(1)] = value
        else:
            items.append(value)
        position += 2 if text.startswith(", ", position) else 0
    if position >= len(text):
        message = "the text ends within the value"
        raise NotationError(message, position, torn=True)
    return _made(opened.group(1), closing, fields, items), position + 1


def _made(name: str | None, closing: str, fields: dict[str, Value], items: list[Value]) -> Value:
    if name:
        return Named(name, tuple(items), fields)
    return items if closing == "]" else fields


def _value(text: str, position: int, closing: str, depth: int) -> tuple[Value, int]:
    """A nested bracket, or the text up to where this entry ends."""
    opened = _OPEN.match(text, position)
    if opened is not None and _looks_nested(text, opened):
        return _bracket(text, opened, depth + 1)
    end = _end_of_text(text, position, closing)
    return _WORDS.get(text[position:end], text[position:end]), end


def _looks_nested(text: str, opened: re.Match[str]) -> bool:
    """Whether a bracket holds entries: names with ``=``, another bracket, or nothing."""
    after = opened.end()
    return (
        _KEY.match(text, after) is not None
        or text[after : after + 1] == _CLOSING[opened.group(2)]
        or (opened.group(2) == "[" and opened.group(1) is None)
    )


def _end_of_text(text: str, position: int, closing: str) -> int:
    """Where unquoted text ends; brackets within it are part of it while they match."""
    inner: list[str] = []
    loose: int | None = None
    for match in _NEXT.finditer(text, position):
        sign = match.group()
        if sign == ", ":
            if not inner:
                return match.start()
            loose = match.start() if loose is None else loose
        elif sign in _CLOSING:
            inner.append(_CLOSING[sign])
        elif sign in inner:
            while inner.pop() != sign:
                pass
        elif sign == closing:
            return match.start()
    # A bracket in the text never closes, so brackets mean nothing there.
    return len(text) if loose is None else loose
