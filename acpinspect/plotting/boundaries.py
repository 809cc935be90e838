"""Where two groupings have their boundaries, and where they disagree."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from acpinspect.comparison import check_comparison
from acpinspect.plotting.canvas import axes_for, finish, nothing_to_show
from acpinspect.plotting.labels import label
from acpinspect.plotting.palette import BLUE, NEUTRAL, ORANGE

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from acpinspect.comparison import Comparison

__all__ = ["boundaries"]

Mask = npt.NDArray[np.bool_]

LIGHT: Final = "#bbbbbb"
SINGLE: Final = 400
"""Gaps up to which every message is drawn; above, they are counted in stretches."""

STRETCHES: Final = 300
HEIGHT: Final = 0.44
CLOSE: Final = 60  # marks beyond this number are drawn smaller


def boundaries(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Draw where two groupings have their boundaries, one lane each, and mark where they disagree.

    Up to 400 gaps every message is a bar. Above, a lane shows the share of gaps with a boundary in each stretch
    of the log, and between the lanes stands how many only one side has.

    Args:
        comparison: What `acpinspect.compare` gave.
        ax: Where to draw; a new figure if there is none.

    Returns:
        The Axes.

    Raises:
        ArgumentError: If it is no comparison.

    Example:
        >>> import acpinspect
        >>> from acpinspect import plot
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
        >>> ax = plot.boundaries(acpinspect.compare(events, "ids", "heuristic"))
        >>> ax.get_title(loc="left")
        'Boundaries of ids and heuristic: 1 of 1 gaps differ'
    """
    from matplotlib.ticker import StrMethodFormatter

    check_comparison(comparison)
    gaps = comparison.boundaries
    in_a, in_b = gaps["in_a"].to_numpy(dtype=bool), gaps["in_b"].to_numpy(dtype=bool)
    a, b = label(comparison.a), label(comparison.b)
    title = f"Boundaries of {a} and {b}: {int((in_a != in_b).sum()):,} of {len(gaps):,} gaps differ"
    axes = axes_for(ax, 2.6)
    if not len(gaps):
        return nothing_to_show(axes, title, "There are no neighbouring message events that both show.")
    draw = _draw_messages if len(gaps) <= SINGLE else _draw_stretches
    legend = draw(axes, in_a, in_b, (a, b))
    axes.set_yticks([1, 0], [a, b])
    axes.set_ylim(-0.4, 1.4)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel("message events that both show, in order")
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    return finish(axes, title, legend)


def _draw_messages(ax: Axes, in_a: Mask, in_b: Mask, names: tuple[str, str]) -> list[Artist]:
    """Every message a bar, neighbours in two greys; a triangle where only one side has a boundary."""
    for lane, cuts in ((1, in_a), (0, in_b)):
        edges = [0, *(np.flatnonzero(cuts) + 1).tolist(), len(cuts) + 1]
        spans = [(start + 0.06, end - start - 0.12) for start, end in pairwise(edges)]
        colours = [(NEUTRAL, LIGHT)[i % 2] for i in range(len(spans))]
        ax.broken_barh(spans, (lane - HEIGHT / 2, HEIGHT), facecolors=colours)
    legend: list[Artist] = []
    for marker, colour, where, name in (
        ("v", BLUE, in_a & ~in_b, names[0]),
        ("^", ORANGE, in_b & ~in_a, names[1]),
    ):
        places = np.flatnonzero(where) + 1
        if len(places):
            size = 60 if len(places) <= CLOSE else 22
            at = np.full(len(places), 0.5)
            legend.append(ax.scatter(places, at, marker=marker, c=colour, s=size, label=f"only {name}", zorder=3))
    ax.set_xlim(0, len(in_a) + 1)
    return legend


def _draw_stretches(ax: Axes, in_a: Mask, in_b: Mask, names: tuple[str, str]) -> list[Artist]:
    """The share of boundaries in each stretch, on one scale; between the lanes what only one side has."""
    stretch = np.arange(len(in_a)) * STRETCHES // len(in_a)
    size = np.bincount(stretch, minlength=STRETCHES)
    left = np.searchsorted(stretch, np.arange(STRETCHES))
    counts = {
        name: np.bincount(stretch, weights=where, minlength=STRETCHES)
        for name, where in (("a", in_a), ("b", in_b), ("only a", in_a & ~in_b), ("only b", in_b & ~in_a))
    }
    shares = {name: count / size for name, count in counts.items()}
    top = max(float(max(shares["a"].max(), shares["b"].max())), 1e-9)
    for lane, name in ((1, "a"), (0, "b")):
        height = HEIGHT * shares[name] / top
        ax.bar(left, height, size, lane - HEIGHT / 2, align="edge", color=NEUTRAL, linewidth=0)
    legend: list[Artist] = []
    for sign, colour, name, shown in ((1, BLUE, "only a", names[0]), (-1, ORANGE, "only b", names[1])):
        if counts[name].any():
            height = sign * HEIGHT / 2 * shares[name] / top
            total = f"only {shown}: {int(counts[name].sum()):,}"
            bars = ax.bar(left, height, size, 0.5, align="edge", color=colour, linewidth=0, label=total)
            legend.append(bars[0])
            bars[0].set_label(total)
    ax.set_xlim(0, len(in_a))
    return legend
