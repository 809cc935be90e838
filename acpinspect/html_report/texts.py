"""Text of a log on its way into HTML: shortened, visible, escaped. Nothing of it is ever markup."""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["attribute", "element", "escape", "visible"]

# Control characters, and the marks that turn the direction of all that follows: JavaScript has the same list.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str, longest: int | None = None) -> str:
    r"""The text with every character that can't be seen, or that hides others, as a sign.

    Args:
        text: Text of a log.
        longest: Cut it after so many characters.

    Example:
        >>> visible("\x00 and \u202e", 20), visible("abcdef", 3)
        ('␀ and ⟦U+202E⟧', 'abc… (3 more)')
    """
    cut = text if longest is None or len(text) <= longest else text[:longest]
    seen = _UNSEEN.sub(_sign, cut)
    return seen if len(cut) == len(text) else f"{seen}… ({len(text) - len(cut):,} more)"


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"⟦U+{code:04X}⟧"


def escape(text: str, longest: int | None = None) -> str:
    """The text as content of an element or of a quoted attribute.

    Example:
        >>> escape("<b>&")
        '&lt;b&gt;&amp;'
    """
    return html.escape(visible(text, longest), quote=True)


def attribute(name: str, value: str | None) -> str:
    """One attribute, with the blank before it; nothing where there is no value.

    Example:
        >>> attribute("title", 'a"b'), attribute("title", None)
        (' title="a&quot;b"', '')
    """
    return "" if value is None else f' {name}="{escape(value)}"'


def element(name: str, content: str, **attributes: str | None) -> str:
    """One element; the content is HTML already.

    Example:
        >>> element("td", escape("1 < 2"), class_="number")
        '<td class="number">1 &lt; 2</td>'
    """
    said = "".join(attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    return f"<{name}{said}>{content}</{name}>"
