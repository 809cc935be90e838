"""Text of a log as a label in a picture: one short line that the font can show, and no formula."""

from __future__ import annotations

import functools
import math
import unicodedata
from typing import TYPE_CHECKING, Final

from acpinspect.plotting.canvas import height_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["label", "set_labels"]

LONGEST: Final = 32
SMALLEST: Final = 5.0
"""Points; smaller letters can't be read."""

_OF_A_ROW: Final = 0.85
"""How much of a row its letters may take."""

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def label(text: str, longest: int = LONGEST) -> str:
    r"""The beginning of a text, with all that can't be drawn replaced.

    Example:
        >>> label("Run\nbuild " + "x" * 50, 12)
        'Run build x…'
    """
    cut = " ".join(text[: 4 * longest].split())
    cut = cut if len(cut) <= longest else cut[: longest - 1] + "…"
    shown = "".join(character if _drawable(character) else "\u25a1" for character in cut)
    return f" {shown}" if shown.startswith("_") else shown  # a legend leaves out what begins with an underscore


def set_labels(ax: Axes, places: list[float], names: list[str]) -> float:
    """Put names at places of the vertical axis; a dollar sign begins no formula.

    Where the places stand close the names are small; where they would be too small to read some are left out.

    Returns:
        The size of the names in points.
    """
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties

    points = 72 * height_of(ax) / max(len(places), 1) * _OF_A_ROW
    usual = FontProperties(size=rcParams["ytick.labelsize"]).get_size_in_points()
    every = max(1, math.ceil(SMALLEST / max(points, 0.01)))
    size = min(usual, points * every)
    ax.set_yticks(places)
    for number, tick in enumerate(ax.set_yticklabels([label(name) for name in names], fontsize=size)):
        tick.set_parse_math(False)
        tick.set_visible(number % every == 0)
    return size


@functools.lru_cache(maxsize=4096)
def _drawable(character: str) -> bool:
    if character.isascii():
        return character.isprintable()
    if unicodedata.category(character) in _UNSAFE:
        return False
    from matplotlib import font_manager

    font = font_manager.get_font(font_manager.findfont(font_manager.FontProperties()))
    return bool(font.get_char_index(ord(character)))
