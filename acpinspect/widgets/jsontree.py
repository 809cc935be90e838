"""JSON as a collapsible tree in HTML, with a bound on how much of it is written."""

from __future__ import annotations

from typing import Final

from acpinspect.widgets.markup import number, short, visible

__all__ = ["tree_html"]

_MOST_NODES: Final = 120
_DEEPEST: Final = 12
_LONGEST: Final = 240
_OPEN_TO: Final = 4


class _Tree:
    """How many values may still be written."""

    def __init__(self) -> None:
        self.left = _MOST_NODES

    def value(self, key: str, value: object, depth: int) -> str:
        self.left -= 1
        if self.left < 0:
            return ""
        if isinstance(value, dict | list) and value:
            return self.branch(key, value, depth)
        return f'<div class="leaf">{key}{_scalar(value)}</div>'

    def branch(self, key: str, value: dict[str, object] | list[object], depth: int) -> str:
        is_object = isinstance(value, dict)
        size = number(len(value), "key" if is_object else "item")
        if depth >= _DEEPEST:
            return f'<div class="leaf">{key}<span class="sz">{size}, too deep to show</span></div>'
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        inner = []
        for name, item in pairs:
            if self.left <= 0:
                inner.append('<div class="leaf sz">…</div>')
                break
            inner.append(self.value(_key(name), item, depth + 1))
        opened = " open" if depth < _OPEN_TO and len(value) <= 16 else ""
        marks = "{}" if is_object else "[]"
        return (
            f'<details{opened}><summary>{key}{marks[0]}<span class="sz">{size}</span>{marks[1]}</summary>'
            f'<div class="in">{"".join(inner)}</div></details>'
        )


def tree_html(value: object) -> str:
    """A JSON value as a tree.

    Example:
        >>> tree_html("<b>")
        '<div class="leaf"><span class="s">"&lt;b&gt;"</span></div>'
    """
    return _Tree().value("", value, 0)


def _key(name: object) -> str:
    shown = _quoted(name, 60) if isinstance(name, str) else str(name)
    return f'<span class="k">{shown}</span>: '


def _quoted(text: str, longest: int) -> str:
    """A string as JSON has it, but for what can't be seen: that is shown as a sign."""
    cut = text[:longest].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{visible(cut)}{"…" if len(text) > longest else ""}"'


def _scalar(value: object) -> str:
    if isinstance(value, str):
        more = f' <span class="sz">{len(value):,} characters</span>' if len(value) > _LONGEST else ""
        return f'<span class="s">{_quoted(value, _LONGEST)}</span>{more}'
    if isinstance(value, dict | list):
        return "{}" if isinstance(value, dict) else "[]"
    words = {True: "true", False: "false"}[value] if isinstance(value, bool) else "null" if value is None else None
    return f'<span class="n">{words or short(_digits(value), 60)}</span>'


def _digits(value: object) -> str:
    """A number as text; one of too many digits for Python's own printing by its size."""
    if isinstance(value, int) and value.bit_length() > 1_000:
        return f"an integer of {value.bit_length():,} bits"
    return repr(value)
