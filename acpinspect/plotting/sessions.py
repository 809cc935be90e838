"""Swim lanes: who spoke when, session by session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from acpinspect.events import check_events
from acpinspect.grouping.tokens import tokens
from acpinspect.plotting.canvas import MANY, axes_for, finish, nothing_to_show, width_of
from acpinspect.plotting.horizontal import By, Horizontal, horizontal
from acpinspect.plotting.labels import set_labels
from acpinspect.plotting.palette import BLUE, GREEN, NEUTRAL, ORANGE, PURPLE
from acpinspect.plotting.session_names import session_names
from acpinspect.plotting.stretches import joined

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["sessions"]

Ints = npt.NDArray[np.int64]
_LANES: Final = (("user", BLUE), ("agent", GREEN), ("thought", PURPLE), ("tool", ORANGE))
_COLUMNS: Final = 150
"""Parts of an inch of the axis that can be told apart; stretches within one are one."""
_MOST_SESSIONS: Final = 40
_LANE: Final = 0.2
_GROUND: Final = 0.35
_TITLE: Final = "Who speaks when"


class _Session(NamedTuple):
    number: int
    name: str
    row: int
    epochs: int


def sessions(events: pd.DataFrame, ax: Axes | None = None, *, by: By | None = None) -> Axes:
    """Draw swim lanes: user, agent, thoughts and tools of each session.

    Args:
        events: An events table.
        ax: Where to draw; else a new figure.
        by: ``time`` or ``event``; else time where the log has it.

    Returns:
        The Axes. A bar is a stretch in which one of the four sends; stretches that a screen can't keep apart are
        one. A replay (a loaded session) has a grey ground. Of more than 40 sessions the largest are shown.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such axis, or no event has a time.

    Example:
        >>> import acpinspect
        >>> from acpinspect import plot
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> axes = plot.sessions(acpinspect.from_records([chunk("One "), chunk("message")]))
        >>> axes.get_xlabel(), axes.get_title(loc="left")
        ('event', 'Who speaks when: 1 session')
    """
    check_events(events)
    across = horizontal(events, by)
    number = tokens(events).session
    lane = _lanes(events)
    total, shown = _chosen(events, number)
    axes = axes_for(ax, height=_height(len(shown)))
    if not shown:
        return nothing_to_show(axes, _TITLE, "No event of this log belongs to a session.")
    used = [_draw(axes, across, number, lane, session) for session in shown]
    _grounds(axes, events, across, number, shown)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    set_labels(axes, [float(session.row) for session in shown], [session.name for session in shown])
    axes.tick_params(axis="y", length=0)
    across.name(axes)
    several = f"{total} sessions" if total != 1 else "1 session"
    part = f", the {len(shown)} largest" if total > len(shown) else ""
    return finish(axes, f"{_TITLE}: {several}{part}", _legend(np.any(used, axis=0).tolist(), events))


def _height(rows: int) -> float:
    """Inches: a few sessions get room, many are narrow."""
    return 1.4 + max(rows, 1) * max(0.24, 0.95 - 0.06 * rows)


def _lanes(events: pd.DataFrame) -> Ints:
    """The lane of each event; -1 for none."""
    role = events["role"].astype("string").map({"user": 0, "agent": 1, "thought": 2})
    lane = role.astype("Float64").to_numpy(dtype=np.float64, na_value=-1)
    prompt = (events["method"] == "session/prompt") & (events["kind"] == "request")
    tool = events["tool_call_id"].notna() & (lane < 0)
    chosen: Ints = np.select([prompt.to_numpy(dtype=bool), tool.to_numpy(dtype=bool)], [0, 3], lane).astype(
        np.int64
    )
    return chosen


def _chosen(events: pd.DataFrame, number: Ints) -> tuple[int, list[_Session]]:
    """How many sessions there are, and the largest in the order of the log."""
    numbers, firsts, counts = np.unique(number[number >= 0], return_index=True, return_counts=True)
    rows = np.flatnonzero(number >= 0)[firsts]
    largest = np.sort(np.argsort(-counts, kind="stable")[:_MOST_SESSIONS])
    largest = largest[np.argsort(rows[largest], kind="stable")]
    names = session_names(events, rows[largest].tolist())
    epochs = events["epoch"].to_numpy(dtype=np.int64, na_value=0)
    return len(numbers), [
        _Session(int(numbers[at]), name, row, int(epochs[number == numbers[at]].max()))
        for row, (at, name) in enumerate(zip(largest.tolist(), names, strict=True))
    ]


def _draw(ax: Axes, across: Horizontal, number: Ints, lane: Ints, session: _Session) -> list[bool]:
    """The bars of one session; which lanes it has."""
    drawn = []
    span = np.nanmax(across.values) - np.nanmin(across.values) if len(across.values) else 0.0
    column = float(span) / (_COLUMNS * width_of(ax))
    least = max(2 * column, 1e-9) if across.by == "time" else max(column, 0.8)
    for place, (_, colour) in enumerate(_LANES):
        here = (number == session.number) & (lane >= 0)
        x = across.values[here]
        mine = lane[here] == place
        starts, ends = _runs(x, mine, least)
        starts, ends = joined(starts, ends, least / 4)
        drawn.append(bool(len(starts)))
        bars = list(zip(starts.tolist(), (ends - starts).tolist(), strict=True))
        low = session.row + (place - 2) * _LANE
        ax.broken_barh(
            bars, (low + 0.015, _LANE - 0.03), facecolors=colour, linewidth=0, rasterized=len(bars) > MANY
        )
    return drawn


def _runs(
    x: npt.NDArray[np.float64], mine: npt.NDArray[np.bool_], least: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Stretches of neighbours of one lane, none narrower than can be seen."""
    edges = np.diff(np.concatenate([[False], mine, [False]]).astype(np.int8))
    firsts, lasts = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    starts, ends = x[firsts], x[lasts]
    known = np.isfinite(starts) & np.isfinite(ends)
    starts, ends = starts[known], np.maximum(ends[known], starts[known])
    narrow = (least - (ends - starts)).clip(min=0) / 2
    return starts - narrow, ends + narrow


def _grounds(ax: Axes, events: pd.DataFrame, across: Horizontal, number: Ints, shown: list[_Session]) -> None:
    """A grey ground behind what was replayed."""
    replay = (events["phase"] == "replay").to_numpy(dtype=bool)
    for session in shown:
        x = across.values[(number == session.number)]
        starts, ends = _runs(x, replay[number == session.number], 0.8 if across.by == "event" else 0.0)
        bars = list(zip(starts.tolist(), (ends - starts).tolist(), strict=True))
        ax.broken_barh(bars, (session.row - 0.45, 0.9), facecolors=NEUTRAL, alpha=_GROUND, linewidth=0, zorder=0)


def _legend(used: list[bool], events: pd.DataFrame) -> list[Artist]:
    from matplotlib.patches import Patch

    lanes: list[Artist] = [
        Patch(color=colour, label=name) for (name, colour), there in zip(_LANES, used, strict=True) if there
    ]
    if (events["phase"] == "replay").any():
        lanes.append(Patch(facecolor=NEUTRAL, alpha=_GROUND, label="replay"))
    return lanes
