"""The table of findings for a notebook: whole sentences, one under the other, where pandas would cut them off."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SHOWN", "findings_html"]

SHOWN: Final = ("code", "severity", "event", "message", "remedy")
"""The columns that it takes to show the table so."""

_MOST: Final = 40
_LONGEST: Final = 600
_SIGNS: Final = {"error": "✕", "warning": "⚠", "info": "ℹ"}
_STYLE: Final = (
    "<style>.acp-findings table.acp-found tr :is(th,td){text-align:left;vertical-align:top;white-space:nowrap}"
    ".acp-findings table.acp-found tr td:last-child{white-space:normal;overflow-wrap:anywhere}</style>"
)


def findings_html(findings: pd.DataFrame) -> str:
    """The findings as HTML, the first ones of many; every text of the log in it is escaped."""
    if findings.empty:
        return "<p>Nothing was found.</p>"
    counts = findings["severity"].astype(str).value_counts()
    told = ", ".join(
        f"{counts[name]:,} {name}{'' if name == 'info' or counts[name] == 1 else 's'}"
        for name in _SIGNS
        if counts.get(name, 0)
    )
    rows = "".join(
        _row(*values)
        for values in zip(*(findings[name].head(_MOST).astype(object) for name in SHOWN), strict=True)
    )
    head = "".join(f"<th>{name}</th>" for name in ("severity", "code", "event", "what is wrong, and the remedy"))
    more = len(findings) - _MOST
    last = f"<p>{more:,} more.</p>" if more > 0 else ""
    table = f'<table class="acp-found"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="acp-findings">{_STYLE}<p><b>{told}</b></p>{table}{last}</div>'


def _row(code: object, severity: object, event: object, message: object, remedy: object) -> str:
    name = str(severity)
    sign = _SIGNS.get(name, "")
    said = f"{_visible(message)}<br><i>Remedy:</i> {_visible(remedy)}"
    return (
        f"<tr><td>{sign} {_visible(name)}</td><td><code>{_visible(code)}</code></td>"
        f"<td>{_visible(event)}</td><td>{said}</td></tr>"
    )


def _visible(value: object) -> str:
    """A text cut short and escaped, with what can't be printed spelled out."""
    text = str(value)
    cut = text[:_LONGEST] + ("…" if len(text) > _LONGEST else "")
    return escape("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in cut))
