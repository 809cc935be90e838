"""JSON-like values as compact JSON text."""

from __future__ import annotations

import json

import orjson

from acpinspect.reading.notation.builder import NotationError, Value

__all__ = ["write_json"]


def write_json(value: Value) -> str:
    r"""The compact JSON of a value.

    Args:
        value: Dicts with string keys, lists, strings, numbers, booleans and ``None``.

    Returns:
        JSON text; NaN is null, and a text with lone surrogates is written in ASCII with escapes.

    Raises:
        NotationError: It is nested too deep.

    Examples:
        >>> write_json({"id": 1, "text": "tide – moon"})
        '{"id":1,"text":"tide – moon"}'
        >>> write_json(["\ud83d", 1 << 70])
        '["\\ud83d",1180591620717411303424]'
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # Lone surrogates and integers beyond 64 bits, which orjson refuses.
        return _standard(value)


def _standard(value: Value) -> str:
    try:
        return json.dumps(value, separators=(",", ":"))
    except RecursionError as error:
        message = "nested too deep to be written"
        raise NotationError(message, 0) from error
