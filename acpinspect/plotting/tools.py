"""Tool calls as spans, from their first sight to their last update, by status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from acpinspect.events import check_events
from acpinspect.grouping.tokens import tokens
from acpinspect.plotting.canvas import MANY, axes_for, finish, nothing_to_show
from acpinspect.plotting.horizontal import By, Horizontal, horizontal
from acpinspect.plotting.labels import set_labels
from acpinspect.plotting.palette import GREEN, NEUTRAL, ORANGE, SKY, VERMILION
from acpinspect.plotting.stretches import lanes_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["tools"]

_STATUS: Final = {
    "completed": (GREEN, ""),
    "failed": (VERMILION, "xxxx"),
    "in_progress": (SKY, "////"),
    "pending": (ORANGE, "...."),
    "other": (NEUTRAL, "||"),
}
"""Colour and hatching of each status: colour alone is no sign."""

_NAMED: Final = 30
"""Up to so many calls have a row and a name of their own."""
_LANES: Final = 12
_TITLE: Final = "Tool calls"


def tools(events: pd.DataFrame, ax: Axes | None = None, *, by: By | None = None) -> Axes:
    """Draw tool calls as spans, by the status that they ended with.

    Args:
        events: An events table.
        ax: Where to draw; else a new figure.
        by: ``time`` or ``event``; else time where the log has it.

    Returns:
        The Axes. A span goes from the first event of a call to its last. Up to 30 calls have a row each; more are
        put together by status, and calls at one time stand one over the other.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such axis, or no event has a time.

    Example:
        >>> import acpinspect
        >>> from acpinspect import plot
        >>> call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Run build"}
        >>> done = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed"}
        >>> axes = plot.tools(acpinspect.from_records([("s1", call), ("s1", done)]))
        >>> axes.get_title(loc="left"), [label.get_text() for label in axes.get_yticklabels()]
        ('Tool calls: 1, completed 1', ['Run build'])
    """
    check_events(events)
    across = horizontal(events, by)
    calls = _calls(events, across)
    few = len(calls) <= _NAMED
    axes = axes_for(ax, height=1.6 + (0.24 * len(calls) if few else 3.4))
    if not len(calls):
        return nothing_to_show(axes, _TITLE, "There is no tool call in this log.")
    across.name(axes)
    least = _least(across)
    names, places = (_rows if few else _by_status)(axes, calls, least)
    set_labels(axes, places, names)
    axes.tick_params(axis="y", length=0)
    counts = calls["status"].value_counts()
    said = ", ".join(f"{name} {counts[name]:,}" for name in _STATUS if name in counts)
    return finish(axes, f"{_TITLE}: {len(calls):,}, {said}", _legend(counts.index.tolist()) if few else [])


def _calls(events: pd.DataFrame, across: Horizontal) -> pd.DataFrame:
    """One row a call: where it begins and ends, its name, its last status."""
    import pandas as pd

    refused = events["problem"].astype("string").str.startswith("rejected: ").fillna(False).to_numpy(dtype=bool)
    own = events["tool_call_id"].notna().to_numpy() & np.isfinite(across.values) & ~refused
    table = pd.DataFrame(
        {
            "session": tokens(events).session[own],
            "epoch": events["epoch"].to_numpy(dtype=np.int64, na_value=0)[own],
            "id": events["tool_call_id"].to_numpy(dtype=object)[own],
            "x": across.values[own],
            "status": events["tool_status"].to_numpy(dtype=object)[own],
            "title": events["title"].to_numpy(dtype=object)[own],
        }
    )
    calls = table.groupby(["session", "epoch", "id"], sort=False).agg(
        start=("x", "min"), end=("x", "max"), status=("status", "last"), title=("title", "last")
    )
    calls = calls.reset_index()
    calls["status"] = calls["status"].fillna("pending").map(lambda name: name if name in _STATUS else "other")
    calls["title"] = calls["title"].fillna(calls["id"])
    return calls


def _least(across: Horizontal) -> float:
    """The narrowest span that can still be seen."""
    known = across.values[np.isfinite(across.values)]
    span = float(known.max() - known.min()) if len(known) else 0.0
    return max(span / 400, 0.6 if across.by == "event" else 1e-6)


def _rows(ax: Axes, calls: pd.DataFrame, least: float) -> tuple[list[str], list[float]]:
    """A row for each call."""
    for row, call in enumerate(calls.itertuples()):
        _bars(ax, np.array([call.start]), np.array([call.end]), least, (row - 0.36, 0.72), str(call.status))
    ax.set_ylim(len(calls) - 0.4, -0.6)
    return calls["title"].astype(str).tolist(), [float(row) for row in range(len(calls))]


def _by_status(ax: Axes, calls: pd.DataFrame, least: float) -> tuple[list[str], list[float]]:
    """A row for each status; within it calls of one time stand one over the other."""
    there = [name for name in _STATUS if (calls["status"] == name).any()]
    for row, name in enumerate(there):
        own = calls[calls["status"] == name]
        starts, ends = own["start"].to_numpy(dtype=np.float64), own["end"].to_numpy(dtype=np.float64)
        lanes = lanes_of(starts, np.maximum(ends, starts + least), _LANES)
        height = 0.8 / (int(lanes.max()) + 1)
        for lane in range(int(lanes.max()) + 1):
            mine = lanes == lane
            low = row + 0.4 - (lane + 1) * height
            _bars(ax, starts[mine], ends[mine], least, (low, height * 0.86), name)
    ax.set_ylim(len(there) - 0.5, -0.5)
    counts = calls["status"].value_counts()
    return [f"{name} ({counts[name]:,})" for name in there], [float(row) for row in range(len(there))]


def _bars(
    ax: Axes,
    starts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64],
    least: float,
    place: tuple[float, float],
    status: str,
) -> None:
    colour, hatch = _STATUS[status]
    narrow = (least - (ends - starts)).clip(min=0) / 2
    bars = list(zip((starts - narrow).tolist(), (ends - starts + 2 * narrow).tolist(), strict=True))
    ax.broken_barh(
        bars,
        place,
        facecolors=colour,
        edgecolors=ax.get_facecolor(),
        hatch=hatch if len(bars) == 1 else None,
        linewidth=0.3 if 1 < len(bars) < MANY else 0.0,
        rasterized=len(bars) > MANY,
    )


def _legend(used: list[str]) -> list[Artist]:
    from matplotlib.patches import Patch

    return [
        Patch(facecolor=colour, hatch=hatch, edgecolor="white", linewidth=0.0, label=name)
        for name, (colour, hatch) in _STATUS.items()
        if name in used
    ]
