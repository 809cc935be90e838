"""Which client has which kind of fault, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from acpinspect.errors import ArgumentError
from acpinspect.plotting.canvas import axes_for, finish, nothing_to_show, width_of
from acpinspect.plotting.labels import set_labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["FAULTS", "clients"]

FAULTS: Final = ("split", "merged", "shear", "reordered", "lost", "duplicated", "absorbed", "leaked")
LIGHT_FROM: Final = 0.5  # share from which a cell is so light that its number is dark
_WIDE: Final = 7.0  # inches that the names of the faults take side by side
DARKEST: Final = -0.3  # so that a small share stands out from a dark ground as well


def clients(table: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw which client has which kind of fault: the share of messages as colour, their number in the cell.

    Args:
        table: What `acpinspect.compare_clients` gave.
        ax: Where to draw; a new figure if there is none.

    Returns:
        The Axes.

    Raises:
        ArgumentError: If the table isn't one of clients.

    Example:
        >>> import acpinspect
        >>> from acpinspect import plot
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        >>> table = acpinspect.compare_clients(acpinspect.from_records([("s1", chunk)]), ["toad", "zed-v1"])
        >>> [name.get_text() for name in plot.clients(table).get_yticklabels()]
        ['toad', 'zed-v1']
    """
    if missing := [name for name in ("messages", "right", *FAULTS) if name not in table.columns]:
        raise ArgumentError(
            f"The table lacks {', '.join(missing)}. Take the one that acpinspect.compare_clients gave."
        )
    ordered = table.sort_values("right", ascending=False, kind="stable")
    total = int(ordered["messages"].max()) if len(ordered) else 0
    title = f"What clients do to {total:,} messages (numbers: messages)"
    axes = axes_for(ax, 1.4 + 0.27 * max(len(ordered), 1))
    if not total:
        return nothing_to_show(axes, title, "There are no messages.")
    counts = ordered[list(FAULTS)].to_numpy(dtype=np.float64)
    shares = counts / np.maximum(ordered["messages"].to_numpy(dtype=np.float64), 1.0)[:, None]
    image = axes.imshow(
        np.ma.masked_equal(shares, 0.0), cmap="cividis", vmin=DARKEST, vmax=1.0, aspect="auto", zorder=2
    )
    size = set_labels(axes, list(range(len(ordered))), [str(name) for name in ordered.index])
    for row, column in zip(*np.nonzero(counts), strict=True):
        colour = "#1a1a1a" if shares[row, column] >= LIGHT_FROM else "#ffffff"
        text = f"{int(counts[row, column]):,}"
        axes.text(column, row, text, ha="center", va="center", fontsize=min(8, size), color=colour, zorder=3)
    _name_faults(axes)
    axes.grid(visible=True, axis="y", linewidth=0.4, alpha=0.4)
    axes.tick_params(length=0)
    bar = axes.figure.colorbar(image, ax=axes, label="share of the messages", fraction=0.035, pad=0.02)
    bar.ax.set_ylim(0.0, 1.0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    return finish(axes, title)


def _name_faults(ax: Axes) -> None:
    """The columns' names; aslant where they would run into each other."""
    wide = width_of(ax) > _WIDE
    ax.set_xticks(range(len(FAULTS)), FAULTS, rotation=0 if wide else 30, ha="center" if wide else "right")
