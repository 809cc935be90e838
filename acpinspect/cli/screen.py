"""How text reaches a person's terminal: shortened, on one line, and never able to steer the terminal.

A log is written by others. Whatever stands in it is shown, not obeyed: control characters, escape sequences,
marks that turn the reading direction, and rich's own markup come out as visible signs.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

__all__ = ["console", "cut", "grid", "printable"]

WIDTH = 120  # columns, where the output is no terminal
LONGEST = 400  # characters of one cell; a wider terminal than that would be rare

_JOINERS = "\u200c\u200d"  # they hold emoji and words of some scripts together
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    r"""The text on one line, with every character that could steer a terminal made visible.

    Example:
        >>> printable("two\nlines, \x1b[31mred\x1b[0m")
        'two↵lines, ␛[31mred␛[0m'
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def cut(text: str, longest: int = LONGEST) -> str:
    """The beginning of the text, made printable."""
    return printable(text[:longest]) + ("…" if len(text) > longest else "")


def console() -> Console:
    """A console on standard output: colours only on a terminal, none where ``NO_COLOR`` is set."""
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704  (the group knows what to do with a broken pipe)

    plain = bool(os.environ.get("NO_COLOR")) or not sys.stdout.isatty()
    return QuietConsole(
        color_system=None if plain else "auto",
        width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def grid(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[str] = (), title: str | None = None
) -> Table:
    """A table for people: numbers to the right, the last column takes what room is left."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", pad_edge=False)
    for name in columns:
        last = name == columns[-1]
        table.add_column(
            name,
            justify="right" if name in numbers else "left",
            no_wrap=True,
            overflow="ellipsis",
            ratio=None,
            min_width=None if last else min(len(name), 12),
        )
    for row in rows:
        table.add_row(*map(_cell, row))
    return table


def _cell(text: str) -> Text:
    from rich.text import Text

    return Text(cut(text))  # a Text is never read as markup


def _shown(character: str) -> str:
    if character in _JOINERS or unicodedata.category(character) not in _UNSAFE:
        return character
    code = ord(character)
    if character == "\n":
        return "↵"
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"\\u{{{code:x}}}"
