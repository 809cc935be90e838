"""Tables in HTML: cells are escaped here, whatever a log put into them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from acpinspect.html_report.texts import element, escape

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["cell", "event_link", "frame_table", "table"]

_LONGEST: Final = 300
_MISSING: Final = frozenset({"<NA>", "NaT", "nan"})


def event_link(label: object) -> str:
    """A link that lets the explorer go to an event.

    Example:
        >>> event_link(7)
        '<a href="#e7">7</a>'
    """
    return f'<a href="#e{int(str(label))}">{int(str(label))}</a>'


def cell(value: object, kind: str | None = None, longest: int = _LONGEST) -> str:
    """One cell.

    Args:
        value: Any value; a missing one is an empty cell.
        kind: ``number``, ``text`` or ``id``.
        longest: Characters of its text.

    Example:
        >>> cell("<i>"), cell(1234567, "number")
        ('<td>&lt;i&gt;</td>', '<td class="number">1,234,567</td>')
    """
    text = _text(value)
    title = text if kind == "id" and len(text) > 22 else None
    return element("td", escape(text, longest), class_=kind, title=title)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None or str(value) in _MISSING:
        return ""
    if isinstance(value, float):
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    number = hasattr(value, "__index__") and not isinstance(value, bool)
    return f"{value:,}" if number else str(value)


def table(head: Sequence[tuple[str, str | None]], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already.

    Args:
        head: Name and kind of each column.
        rows: The cells of each row.
    """
    names = "".join(element("th", escape(name), scope="col", class_=kind) for name, kind in head)
    body = "".join(f"<tr>{''.join(row)}</tr>\n" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{names}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def frame_table(frame: pd.DataFrame, numbers: Collection[str] = (), most: int = 100) -> str:
    """A whole DataFrame, its index first.

    Args:
        frame: The table.
        numbers: Columns that stand to the right.
        most: Rows.
    """
    shown = frame.head(most).reset_index()
    head = [(str(name).replace("_", " "), "number" if name in numbers else None) for name in shown.columns]
    values = shown.astype(object).to_numpy().tolist()
    return table(head, ([cell(value, kind) for value, (_, kind) in zip(row, head, strict=True)] for row in values))
