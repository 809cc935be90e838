"""Text of logs as HTML: escaped, shortened, and with what can't be seen made visible.

A log is written by others. Nothing of it may become markup, and nothing in it may turn the reading direction
of what stands around it. Each character stays one character: a place in what is shown is a place in the text.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

__all__ = ["attribute", "chip", "go_to", "identifier", "number", "short", "tag", "visible", "without_leads"]

_DIRECTIONS: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)
_SIGNS: Final[dict[int, str]] = {
    **{code: chr(0x2400 + code) for code in range(32) if code not in (9, 10)},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    **dict.fromkeys(_DIRECTIONS, "\u21c4"),
    **dict.fromkeys((0x2028, 0x2029), "\u23ce"),
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
}
_KEPT_OF_ID: Final = 14
_LEAD: Final = re.compile('<button type="button" class="go"[^<>]*>([^<>]*)</button>')  # the rest of it is escaped


def visible(text: str) -> str:
    r"""The text escaped for HTML, with a sign for each character that can't be seen or that steers.

    Example:
        >>> visible("<b>\x00")
        '&lt;b&gt;␀'
    """
    return escape(text if text.isprintable() else text.translate(_SIGNS), quote=False)


def attribute(text: str, longest: int = 300) -> str:
    """The beginning of a text as the value of an attribute, without the quotes around it.

    Example:
        >>> attribute('"><img>')
        '&quot;&gt;&lt;img&gt;'
    """
    cut = text[:longest] + ("…" if len(text) > longest else "")
    return escape(cut.translate(_SIGNS).replace("\n", "↵"), quote=True)


def short(text: str, longest: int = 200) -> str:
    """The beginning of a text on one line, escaped.

    Example:
        >>> short("two words", 5)
        'two w…'
    """
    return visible(text[:longest].replace("\n", "↵")) + ("…" if len(text) > longest else "")


def tag(name: str, inner: str, kind: str = "") -> str:
    """An element around what is HTML already.

    Example:
        >>> tag("b", "x", "k")
        '<b class="k">x</b>'
    """
    return f'<{name} class="{kind}">{inner}</{name}>' if kind else f"<{name}>{inner}</{name}>"


def chip(text: str, kind: str = "", title: str = "") -> str:
    """A small label; its words are escaped here."""
    more = f' title="{attribute(title)}"' if title else ""
    return f'<span class="chip {kind}"{more}>{short(text, 60)}</span>'


def identifier(name: str) -> str:
    """An id: shortened in the middle, whole as a tooltip.

    Example:
        >>> identifier("msg_1")
        '<code>msg_1</code>'
    """
    if len(name) <= _KEPT_OF_ID + 4:
        return f"<code>{short(name)}</code>"
    shown = f"{name[:8]}…{name[-6:]}"
    return f'<code title="{attribute(name)}">{short(shown)}</code>'


def go_to(step: int, words: str, title: str = "go to this event") -> str:
    """A button that leads to a step, where the front end can run the explorer's own code."""
    return f'<button type="button" class="go" data-go="{step}" title="{attribute(title)}">{short(words)}</button>'


def without_leads(html: str) -> str:
    """The same without buttons, for front ends that can't run the explorer's own code.

    Example:
        >>> without_leads(go_to(3, "event 2"))
        '<span class="go">event 2</span>'
    """
    return _LEAD.sub(r'<span class="go">\1</span>', html)


def number(count: int, noun: str) -> str:
    """A count with its noun.

    Example:
        >>> number(1, "chunk"), number(1200, "chunk")
        ('1 chunk', '1,200 chunks')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
