"""Which clients would break which agents, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from acpinspect.errors import ArgumentError
from acpinspect.plotting.canvas import axes_for, finish, nothing_to_show
from acpinspect.plotting.clients import DARKEST, LIGHT_FROM
from acpinspect.plotting.ids import MOST_AGENTS, NAMELESS
from acpinspect.plotting.labels import label, set_labels

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["agents"]

_NEEDED: Final = ("agent", "policy", "messages", "right")


def agents(clients: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw which clients would break which agents: the share of an agent's messages that a client shows wrongly.

    Args:
        clients: The clients of a corpus (`acpinspect.corpus(...).compare_clients()`), or some of them.
        ax: Where to draw; a new figure if there is none.

    Returns:
        The Axes: agents from top to bottom, clients from left to right, the number in a cell in per cent. Of more
        than 30 agents, those with the most messages are drawn.

    Raises:
        ArgumentError: If the table isn't one of clients of a corpus.

    Example:
        >>> import pandas as pd
        >>> from acpinspect import plot
        >>> clients = pd.DataFrame(
        ...     {"agent": ["keeper"] * 2, "policy": ["toad", "zed-v1"], "messages": [4, 4], "right": [1, 4]}
        ... )
        >>> [text.get_text() for text in plot.agents(clients).texts]
        ['75', '0']
    """
    if missing := [name for name in _NEEDED if name not in clients.columns]:
        raise ArgumentError(
            f"The table lacks {', '.join(missing)}. Take the one that `compare_clients` of a corpus gave."
        )
    agent = clients["agent"].astype(object).where(clients["agent"].notna(), NAMELESS)
    policy = clients["policy"].astype(object)
    grouped = clients.groupby([agent.to_numpy(), policy.to_numpy()], sort=False)
    wide, right = (grouped[name].sum().unstack() for name in ("messages", "right"))
    messages = wide.max(axis="columns").sort_values(ascending=False, kind="stable")
    shown = messages.index[messages > 0][:MOST_AGENTS]
    names = list(dict.fromkeys(policy))
    title = f"Which of {len(names)} clients would break which of {len(messages)} agents (per cent of the messages)"
    axes = axes_for(ax, 2.4 + 0.27 * max(len(shown), 1))
    if not len(shown):
        return nothing_to_show(axes, title, "There are no messages.")
    _cells(axes, 1 - (right / wide).loc[shown, names].to_numpy(dtype=np.float64))
    axes.set_xticks(range(len(names)), [label(str(name)) for name in names], rotation=90)
    for tick in axes.get_xticklabels():
        tick.set_parse_math(False)
    set_labels(axes, list(range(len(shown))), [str(name) for name in shown])
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    return finish(axes, title)


def _cells(axes: Axes, shares: np.ndarray) -> None:
    image = np.ma.masked_where(~(shares > 0), shares)
    axes.imshow(image, cmap="cividis", vmin=DARKEST, vmax=1.0, aspect="auto", zorder=2)
    for row, column in zip(*np.nonzero(np.isfinite(shares)), strict=True):
        share = float(shares[row, column])
        colour = "#888888" if share == 0 else "#1a1a1a" if share >= LIGHT_FROM else "#ffffff"
        text = "<1" if 0 < share < 0.005 else f"{100 * share:.0f}"
        axes.text(column, row, text, ha="center", va="center", fontsize=7, color=colour, zorder=3)
