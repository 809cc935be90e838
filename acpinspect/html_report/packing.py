"""Data in a page: JSON in a script element that is no script; compressed where that is worth it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Final

__all__ = ["data_element", "json_text"]

_SMALL: Final = 60_000
"""Up to so many characters it stays as it is, and can be read in the page's source."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MARKUP: Final = re.compile("[<>&\u2028\u2029]")


def json_text(value: object) -> str:
    r"""JSON that is safe in a script element: it holds no ``<`` at all, so nothing in it can end the element.

    Example:
        >>> json_text(["</script>", "\ud83c"])
        '["\\u003c/script\\u003e","\\ud83c"]'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _MARKUP.sub(_escaped, _SURROGATE.sub(_escaped, text))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def data_element(value: object) -> str:
    """The script element that holds a value.

    Example:
        >>> data_element({"a": 1})
        '<script type="application/json" id="log" data-form="json">{"a":1}</script>'
    """
    text, form = json_text(value), "json"
    if len(text) > _SMALL:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(text.encode("utf-8")) + packer.flush()
        text, form = base64.b64encode(packed).decode("ascii"), "deflate-raw"
    return f'<script type="application/json" id="log" data-form="{form}">{text}</script>'
