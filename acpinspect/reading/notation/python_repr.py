r"""Python values as ``repr`` prints them: literals, and objects as calls with keywords.

The text is read token by token and never evaluated; `ast.literal_eval` decodes single string literals only.
Tuples and sets are lists, bytes are text (each byte a character, as in Latin-1), an object is a `Named`. Strings
side by side are one, so ``pprint``'s output reads as well.
"""

from __future__ import annotations

import ast
import re
import warnings

from acpinspect.reading.notation.builder import Level, Named, Notation, NotationError, Value, parse
from acpinspect.reading.notation.numbers import read_number

__all__ = ["read_python", "read_python_fields"]

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>(?:[rR]?[bB]|[bB]?[rR]|[uU])?(?:'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"))
    |(?P<open>(?P<name>[A-Za-z_][\w.]*)\(|[\[{(])
    |(?P<close>[\]})])
    |(?P<comma>,)
    |(?P<key>[:=])
    |(?P<number>[-+]?(?:0[xX][0-9a-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?))
    |(?P<enum><[A-Za-z_][\w.]*:\ (?:'[^'\\\n]*(?:\\.[^'\\\n]*)*'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|-?\d+)>)
    |(?P<word><[^<>\n]*>|\.\.\.|-?[A-Za-z_][\w.]*)""",
    re.VERBOSE,
)
_WORDS: dict[str, Value] = {
    "None": None,
    "True": True,
    "False": False,
    "nan": None,
    "inf": None,
    "-inf": None,
}
_LONGEST_STRING = 64 * 1024 * 1024
_CONTAINERS = {"list", "tuple", "set", "frozenset", "deque"}
_MAPPINGS = {"dict", "OrderedDict", "defaultdict", "mappingproxy", "SimpleNamespace", "namespace"}
_FIELD = re.compile(r"\s*([A-Za-z_]\w*)=")


def read_python(text: str, position: int = 0, end: int | None = None) -> tuple[Value, int]:
    """Read the Python value that begins at a position.

    Args:
        text: The text.
        position: Where the value begins.
        end: Where the text ends for this value.

    Returns:
        The value, and the position after it.

    Raises:
        NotationError: No value stands there, it is torn, or it is nested too deep.

    Examples:
        >>> read_python("{'id': 0, 'ok': True, 'list': (1, None)}")[0]
        {'id': 0, 'ok': True, 'list': [1, None]}
        >>> read_python("TextContentBlock(text='Hi')")[0]
        Named(name='TextContentBlock', items=(), fields={'text': 'Hi'})
    """
    return parse(_PYTHON, text, position, end)


def read_python_fields(text: str, position: int = 0, end: int | None = None) -> tuple[dict[str, Value], int]:
    """Read ``name=value name=value ...``, as ``str()`` prints a pydantic object.

    Args:
        text: The text.
        position: Where the first name begins.
        end: Where the text ends for these.

    Returns:
        The fields, and the position after the last one.

    Raises:
        NotationError: No field stands there, or the first one can't be read.

    Examples:
        >>> read_python_fields("session_id='s' update=None")
        ({'session_id': 's', 'update': None}, 26)
    """
    fields: dict[str, Value] = {}
    stop = len(text) if end is None else end
    match = _FIELD.match(text, position, stop)
    if match is None:
        message = "no name=value"
        raise NotationError(message, position)
    while match is not None:
        fields[match.group(1)], position = read_python(text, match.end(), stop)
        match = _FIELD.match(text, position, stop)
    return fields, position


def _finish(level: Level) -> Value:
    if level.name in _CONTAINERS:
        return level.items[0] if len(level.items) == 1 and isinstance(level.items[0], list) else level.items
    if level.name in _MAPPINGS:
        given = level.items[-1] if level.items and isinstance(level.items[-1], dict) else {}
        return {**given, **level.fields}
    if level.name:
        return Named(level.name, tuple(level.items), level.fields)
    if level.bracket == "{" and not level.items:
        return level.fields
    if level.fields:
        message = "keys and values without keys in one bracket"
        raise NotationError(message, 0)
    return level.items


def _string(text: str) -> str:
    if len(text) > _LONGEST_STRING:
        message = f"a string of {len(text)} characters"
        raise NotationError(message, 0)
    if "\\" not in text and text[0] in "'\"":
        return text[1:-1]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError) as error:
        message = "a string with an escape that Python doesn't know"
        raise NotationError(message, 0) from error
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _enum(text: str) -> Value:
    """``<StopReason.end_turn: 'end_turn'>`` is its value."""
    value = text[text.index(": ") + 2 : -1]
    return _string(value) if value[0] in "'\"" else read_number(value)


def _word(text: str) -> Value:
    return _WORDS[text] if text in _WORDS else Named(text)


_PYTHON = Notation(
    name="Python",
    token=_TOKEN,
    scalars={"string": _string, "number": read_number, "enum": _enum, "word": _word},
    closing={"{": "}", "[": "]", "(": ")"},
    finish=_finish,
    adjacent_strings_join=True,
)
