"""JSON values cut to a size that a page can hold: what is left out is counted."""

from __future__ import annotations

import json
import math
from typing import Final

from acpinspect.events import parse

__all__ = ["shorten", "shorten_text", "shortened_json"]

_MOST_ITEMS: Final = 200
_DEEPEST: Final = 40


def shorten_text(text: str, longest: int) -> str:
    """The beginning of a text, and how much is left out.

    Example:
        >>> shorten_text("abcdef", 4)
        'abcd… (2 more characters)'
    """
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text) - longest:,} more characters)"


def shorten(value: object, longest: int, depth: int = 0) -> object:
    """A JSON value with its long texts, long arrays and deep levels cut.

    Args:
        value: What a JSON parser gives.
        longest: Characters of one text.
        depth: How deep it stands already.

    Example:
        >>> shorten({"a": "x" * 9, "b": list(range(3))}, 4)
        {'a': 'xxxx… (5 more characters)', 'b': [0, 1, 2]}
    """
    if isinstance(value, str):
        return shorten_text(value, longest)
    if isinstance(value, bytes):
        return shorten_text(value.decode("utf-8", "replace"), longest)
    if isinstance(value, dict):
        if depth >= _DEEPEST:
            return f"… ({len(value):,} members)"
        kept = list(value.items())[:_MOST_ITEMS]
        cut = {shorten_text(str(key), longest): shorten(item, longest, depth + 1) for key, item in kept}
        return cut | ({"…": f"{len(value) - len(kept):,} more members"} if len(kept) < len(value) else {})
    if isinstance(value, list | tuple):
        if depth >= _DEEPEST:
            return f"… ({len(value):,} items)"
        items = [shorten(item, longest, depth + 1) for item in value[:_MOST_ITEMS]]
        return [*items, f"… ({len(value) - _MOST_ITEMS:,} more items)"] if len(value) > _MOST_ITEMS else items
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no word for it
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def shortened_json(raw: str, longest: int) -> str:
    """The JSON text of a frame, cut where it is long; a text that is no JSON is cut at its end.

    Example:
        >>> shortened_json('{"text": "abcdefghijklmnop"}', 12)
        '{"text":"abcdefghijkl… (4 more characters)"}'
    """
    if len(raw) <= longest:
        return raw
    try:
        value = parse(raw)
    except (ValueError, RecursionError):
        return shorten_text(raw, longest)
    if isinstance(value, dict | list):
        return json.dumps(shorten(value, longest), ensure_ascii=False, separators=(",", ":"))
    return shorten_text(raw, longest)
