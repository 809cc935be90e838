"""Small pictures for a page that may neither run nor load anything: bars drawn as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acpinspect.html_report.texts import element, escape

__all__ = ["bar", "legend", "shares"]

_WIDTH: Final = 180
_HEIGHT: Final = 16


def shares(parts: Sequence[tuple[str, int]]) -> str:
    """A bar cut into parts.

    Args:
        parts: Class and size of each part; the class is its name too.

    Example:
        >>> shares([("always", 3), ("never", 1)]).count("<rect")
        2
    """
    total = sum(size for _, size in parts)
    said = ", ".join(f"{size:,} {name}" for name, size in parts if size)
    drawn, at = [], 0.0
    for name, size in parts:
        if size:
            width = _WIDTH * size / total
            title = element("title", escape(f"{size:,} {name}"))
            drawn.append(
                element(
                    "rect", title, class_=name, x=f"{at:.1f}", y="0", width=f"{width:.1f}", height=str(_HEIGHT)
                )
            )
            at += width
    return _svg("".join(drawn), said)


def bar(value: int, longest: int) -> str:
    """A bar that is as long as a value is part of the longest one.

    Example:
        >>> 'width="90.0"' in bar(5, 10)
        True
    """
    width = f"{_WIDTH * value / max(longest, 1):.1f}"
    return _svg(element("rect", "", class_="count", x="0", y="0", width=width, height=str(_HEIGHT)), f"{value:,}")


def _svg(content: str, said: str) -> str:
    label = escape(said) or "none"
    return f'<svg class="bar" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{content}</svg>'


def legend(names: Sequence[tuple[str, str]]) -> str:
    """What the classes of a bar mean.

    Args:
        names: Class and meaning of each.
    """
    items = "".join(f'<span><i class="{name}"></i>{escape(meaning)}</span>' for name, meaning in names)
    return f'<p class="legend">{items}</p>'
