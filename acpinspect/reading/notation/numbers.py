"""Numbers as programs print them, read without ever failing or growing without bound."""

from __future__ import annotations

import math

__all__ = ["read_number"]

_MOST_DIGITS = 4000


def read_number(text: str) -> int | float | str | None:
    """The number that a text says; `None` for those that JSON can't hold.

    Args:
        text: Digits with an optional sign, point, exponent and ``_`` between digits; or hexadecimal.

    Returns:
        An integer where the text is one, else a float; the text itself where it has more digits than Python
        converts.

    Examples:
        >>> read_number("12"), read_number("-1.5e3"), read_number("0x1f"), read_number("1e999")
        (12, -1500.0, 31, None)
    """
    plain = text.replace("_", "")
    if len(plain) > _MOST_DIGITS:
        return text
    try:
        return int(plain, 16 if plain.lstrip("+-")[:2].lower() == "0x" else 10)
    except ValueError:
        pass
    try:
        number = float(plain)
    except ValueError:
        return text
    return number if math.isfinite(number) else None
