"""The Axes that a picture is drawn on, and how it is finished: title, labels, legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["MANY", "axes_for", "finish", "height_of", "nothing_to_show", "width_of"]

WIDTH: Final = 10.0
_MOST_IN_A_LINE: Final = 5
MANY: Final = 2_000
"""Shapes beyond this number are drawn as pixels, also in a file of vectors: nobody could tell them apart."""


def axes_for(ax: Axes | None, height: float = 4.0) -> Axes:
    """The Axes that were given, or those of a new figure of pyplot."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    _, made = plt.subplots(figsize=(WIDTH, height), layout="constrained")
    return made


def width_of(ax: Axes) -> float:
    """The width of the Axes in inches, more or less: the layout may still change it."""
    figure = ax.get_figure(root=True)
    return WIDTH if figure is None else max(ax.get_position().width * figure.get_figwidth(), 0.5)


def height_of(ax: Axes) -> float:
    """The height of the Axes in inches, more or less."""
    figure = ax.get_figure(root=True)
    return 4.0 if figure is None else max(ax.get_position().height * figure.get_figheight(), 0.5)


def finish(ax: Axes, title: str, legend: list[Artist] | None = None) -> Axes:
    """Give the picture its title and, above it and to the right, its legend."""
    ax.set_title(title, loc="left", parse_math=False, wrap=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    if legend:
        box = ax.legend(
            handles=legend,
            loc="upper center",
            bbox_to_anchor=(0.5, _below(ax)),
            ncols=min(len(legend), _MOST_IN_A_LINE),
            frameon=False,
            fontsize="small",
        )
        for text in box.get_texts():
            text.set_parse_math(False)  # names of a log: a dollar sign begins no formula
    return ax


def _below(ax: Axes) -> float:
    """Where the legend begins, in parts of the Axes' height: below tick labels and the label of the axis."""
    return -0.52 / height_of(ax)


def nothing_to_show(ax: Axes, title: str, why: str) -> Axes:
    """Say why there is no picture, in the place of the picture."""
    ax.text(0.5, 0.5, why, transform=ax.transAxes, ha="center", va="center", wrap=True)
    ax.set_xticks([])
    ax.set_yticks([])
    return finish(ax, title)
