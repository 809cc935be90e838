"""How text reaches a person's terminal: shortened, on one line, and never able to steer the terminal.

A log is written by others. Whatever stands in it is shown, not obeyed: control characters, escape sequences,
marks that turn the reading direction, and rich's own markup come out as visible signs.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod, OverflowMethod
    from rich.table import Table
    from rich.text import Text

__all__ = ["LONGEST", "console", "cut", "grid", "printable"]

WIDTH = 120  # columns, where the output is no terminal
GAP = 2  # blanks between two columns of a table, one of them the box's own
WIDEST = 36  # columns that an id or a name may take
NARROWEST = 8  # columns that are left to the one that is cut first
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
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    width: int,
    numbers: Sequence[str] = (),
    elastic: str | None = None,
    whole: str | None = None,
    wraps: bool = False,
) -> Table:
    """A table for people, one line a row.

    Args:
        columns: The names at the top.
        rows: The cells, as text from a log: they are made printable here.
        width: How wide it may be.
        numbers: The columns that stand to the right.
        elastic: The column that is cut first where there isn't room for all; else the last one.
        whole: The column that is cut last: names that somebody will want to copy.
        wraps: A cell that is too long goes on in the next line, instead of being cut.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    cells = [[_cell(text) for text in row] for row in rows]
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for name, wide in zip(columns, _widths(columns, cells, width, elastic or columns[-1], whole), strict=True):
        justify: JustifyMethod = "right" if name in numbers else "left"
        too_long: OverflowMethod = "fold" if wraps else "ellipsis"
        table.add_column(name, justify=justify, width=wide, no_wrap=not wraps, overflow=too_long)
    for row in cells:
        table.add_row(*row)
    return table


def _widths(
    columns: Sequence[str], cells: Sequence[Sequence[Text]], room: int, elastic: str, whole: str | None
) -> list[int]:
    """The width of each column: what it needs, up to a bound; the elastic one gives or takes the rest."""
    needed = [max([len(name), *(row[n].cell_len for row in cells)]) for n, name in enumerate(columns)]
    bounded = [wide if name == elastic else min(wide, WIDEST) for name, wide in zip(columns, needed, strict=True)]
    place = list(columns).index(elastic)
    free = room - sum(bounded) - GAP * (len(columns) - 1)
    if whole is not None:
        own, spare = list(columns).index(whole), free + bounded[place] - NARROWEST
        more = min(needed[own] - bounded[own], max(spare, 0))
        bounded[own], free = bounded[own] + more, free - more
    bounded[place] = max(NARROWEST, bounded[place] + min(free, 0))
    return bounded


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
