"""Which agents send ids, session by session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from acpinspect.errors import ArgumentError
from acpinspect.plotting.canvas import axes_for, finish, nothing_to_show
from acpinspect.plotting.labels import set_labels
from acpinspect.plotting.palette import BLUE, NEUTRAL, ORANGE, VERMILION

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["MOST_AGENTS", "NAMELESS", "ids"]

NAMELESS: Final = "(not told)"
"""What an agent is called in a picture that doesn't say its name."""

MOST_AGENTS: Final = 30
"""Agents that are drawn; of more, those with the most sessions."""

_PARTS: Final = (
    ("always", "every piece has an id", BLUE, ""),
    ("sometimes", "some have one", ORANGE, "//"),
    ("never", "none has one", VERMILION, "xx"),
    (None, "no messages", NEUTRAL, ""),
)


def ids(sessions: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw which agents send message ids: of each agent, in how many sessions always, sometimes or never.

    Args:
        sessions: The sessions of a corpus (`acpinspect.corpus(...).sessions`), or some of them.
        ax: Where to draw; a new figure if there is none.

    Returns:
        The Axes. Of more than 30 agents, those with the most sessions are drawn.

    Raises:
        ArgumentError: If the table isn't one of sessions.

    Example:
        >>> import pandas as pd
        >>> from acpinspect import plot
        >>> sessions = pd.DataFrame({"agent": ["keeper", "keeper", "gull"], "ids": ["always", "never", "never"]})
        >>> [name.get_text() for name in plot.ids(sessions).get_yticklabels()]
        ['keeper', 'gull']
    """
    from matplotlib.patches import Patch

    if missing := [name for name in ("agent", "ids") if name not in sessions.columns]:
        raise ArgumentError(f"The table lacks {', '.join(missing)}. Take the sessions of a corpus.")
    agent = sessions["agent"].astype(object).where(sessions["agent"].notna(), NAMELESS)
    counts = agent.value_counts(sort=False).sort_values(ascending=False, kind="stable")
    shown = counts.index[:MOST_AGENTS].tolist()
    more = f", the {MOST_AGENTS} with the most sessions" if len(counts) > MOST_AGENTS else ""
    title = f"Ids of {len(counts):,} agent{'' if len(counts) == 1 else 's'}{more}"
    axes = axes_for(ax, 1.6 + 0.27 * max(len(shown), 1))
    if not shown:
        return nothing_to_show(axes, title, "There are no sessions.")
    legend: list[Artist] = []
    left = np.zeros(len(shown))
    said = sessions["ids"].astype(object)
    for value, meaning, colour, hatch in _PARTS:
        chosen = said.isna() if value is None else said == value
        width = agent[chosen.to_numpy(dtype=bool)].value_counts().reindex(shown).fillna(0).to_numpy(dtype=float)
        axes.barh(range(len(shown)), width, left=left, color=colour, hatch=hatch)
        left += width
        if width.any():
            legend.append(Patch(facecolor=colour, hatch=hatch, label=meaning))
    set_labels(axes, list(range(len(shown))), [str(name) for name in shown])
    axes.invert_yaxis()
    axes.set_xlabel("sessions")
    return finish(axes, title, legend)
