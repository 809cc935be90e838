"""Chunks: how large each is, and where a stream stalls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from acpinspect.events import check_events, message_events
from acpinspect.plotting.canvas import MANY, axes_for, finish, nothing_to_show
from acpinspect.plotting.horizontal import By, Horizontal, horizontal
from acpinspect.plotting.palette import BLUE, GREEN, PURPLE, VERMILION
from acpinspect.plotting.stretches import joined

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["chunks"]

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_ROLES: Final = (("user", BLUE, "s"), ("agent", GREEN, "o"), ("thought", PURPLE, "^"))
_TITLE: Final = "Chunk sizes"
_FEW: Final = 5_000
"""Beyond this number, chunks that would stand at one place of the screen are one mark."""
_GRID: Final = (600, 90)
_LEAST_STALL: Final = 1.0
_TIMES_MEDIAN: Final = 20.0
_NAMED: Final = 3
_FEW_STALLS: Final = 12


class _Stalls(NamedTuple):
    """Gaps in the middle of a message, longest first."""

    starts: Floats
    ends: Floats
    seconds: Floats
    least: float


def chunks(
    events: pd.DataFrame, ax: Axes | None = None, *, by: By | None = None, stall: float | None = None
) -> Axes:
    """Draw the size of each chunk, and where a stream stalls.

    Args:
        events: An events table.
        ax: Where to draw; else a new figure.
        by: ``time`` or ``event``; else time where the log has it.
        stall: A gap of more seconds than this between two chunks of one message, with nothing of the session in
            between, is a stall; else 20 times the median of these gaps, and at least a second.

    Returns:
        The Axes: characters by time, the scale logarithmic; an empty chunk stands at the bottom. A stall is a band
        as wide as the gap, the longest ones with their seconds.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such axis, or no event has a time.

    Example:
        >>> import acpinspect
        >>> from acpinspect import plot
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> axes = plot.chunks(acpinspect.from_records([chunk("One "), chunk("message")]))
        >>> axes.get_ylabel(), axes.get_title(loc="left")
        ('characters', 'Chunk sizes: 2 chunks, median 6 characters')
    """
    from matplotlib.ticker import SymmetricalLogLocator

    check_events(events)
    across = horizontal(events, by)
    axes = axes_for(ax)
    chunk = message_events(events).to_numpy(dtype=bool)
    if not chunk.any():
        return nothing_to_show(axes, _TITLE, "There is no chunk of a message in this log.")
    size = np.array(events["text"].str.len().to_numpy(dtype=np.float64, na_value=0), dtype=np.float64)
    legend = _marks(axes, events, across, chunk, size)
    across.name(axes)
    stalls = _stalls(events, chunk, stall)
    legend += _bands(axes, across, stalls)
    axes.set_yscale("symlog", linthresh=1)
    axes.yaxis.set_major_locator(SymmetricalLogLocator(base=10, linthresh=1, subs=(1, 2, 5)))
    axes.set_ylim(*_heights(size[chunk]))
    axes.yaxis.set_major_formatter(_count)
    axes.set_ylabel("characters")
    return finish(axes, _said(size[chunk], stalls, events), legend)


def _heights(size: npt.NDArray[np.floating]) -> tuple[float, float]:
    """The range of the vertical axis; room at the top for the stalls."""
    low, high = float(size.min()), float(size.max())
    return (0.7 * low if low >= 1 else -0.3), max(high, 10.0) * 2.2


def _count(value: float, _: object = None) -> str:
    return f"{value:,.0f}"


def _marks(ax: Axes, events: pd.DataFrame, across: Horizontal, chunk: Mask, size: Floats) -> list[Artist]:
    from matplotlib.lines import Line2D

    legend: list[Artist] = []
    many = int(chunk.sum()) > _FEW
    roles = events["role"].astype("string").fillna("")
    for role, colour, marker in _ROLES:
        mine = chunk & (roles == role).to_numpy(dtype=bool)
        if not mine.any():
            continue
        place = _one_a_place(across, size, mine) if many else np.flatnonzero(mine)
        style = {"color": colour, "marker": marker, "linestyle": "none", "markeredgewidth": 0}
        ax.plot(
            across.values[place],
            size[place],
            markersize=2.5 if many else 5,
            alpha=0.55 if many else 0.85,
            rasterized=len(place) > MANY,
            **style,  # type: ignore[arg-type]
        )
        legend.append(Line2D([], [], label=role, markersize=6, **style))  # type: ignore[arg-type]
    return legend


def _one_a_place(across: Horizontal, size: Floats, mine: Mask) -> npt.NDArray[np.int64]:
    """The first chunk of each place that a screen can tell apart."""
    column = across.bins(_GRID[0])
    row = np.log1p(size) / np.log1p(max(size.max(), 1)) * _GRID[1]
    rows = np.flatnonzero(mine & (column >= 0))
    _, first = np.unique(column[rows] * (_GRID[1] + 2) + row[rows].astype(np.int64), return_index=True)
    return rows[first]


def _stalls(events: pd.DataFrame, chunk: Mask, stall: float | None) -> _Stalls:
    """Gaps between two chunks of one message that follow each other in their session."""
    from acpinspect.grouping import group
    from acpinspect.grouping.tokens import tokens

    label = group(events).to_numpy(dtype=np.int64, na_value=-1)
    session = tokens(events).session
    order = np.argsort(session, kind="stable")
    before, after = order[:-1], order[1:]
    same = (label[before] == label[after]) & chunk[before] & chunk[after]
    before, after = before[same], after[same]
    elapsed = events["elapsed"].to_numpy(dtype=np.float64)
    gap = elapsed[after] - elapsed[before]
    known = np.isfinite(gap)
    before, after, gap = before[known], after[known], gap[known]
    least = max(_LEAST_STALL, _TIMES_MEDIAN * float(np.median(gap))) if len(gap) else _LEAST_STALL
    least = least if stall is None else stall
    long = np.flatnonzero(gap > least)
    long = long[np.argsort(-gap[long], kind="stable")]
    return _Stalls(before[long].astype(np.float64), after[long].astype(np.float64), gap[long], least)


def _bands(ax: Axes, across: Horizontal, stalls: _Stalls) -> list[Artist]:
    """A few stalls go over the whole height; many would hide the chunks, and are a strip at the top."""
    from matplotlib.patches import Patch

    if not len(stalls.seconds):
        return []
    starts = across.values[stalls.starts.astype(np.int64)]
    ends = across.values[stalls.ends.astype(np.int64)]
    few = len(starts) <= _FEW_STALLS
    bars_start, bars_end = joined(starts, ends, 0.0)
    ax.broken_barh(
        list(zip(bars_start.tolist(), (bars_end - bars_start).tolist(), strict=True)),
        (0, 1) if few else (0.96, 0.04),
        transform=ax.get_xaxis_transform(),
        facecolors=VERMILION,
        alpha=0.3 if few else 1.0,
        linewidth=0,
        rasterized=len(bars_start) > MANY,
        zorder=0,
    )
    _name_longest(ax, (starts + ends) / 2, stalls.seconds)
    return [Patch(facecolor=VERMILION, alpha=0.3 if few else 1.0, label=f"stall, over {stalls.least:.3g} s")]


def _name_longest(ax: Axes, middles: Floats, seconds: Floats) -> None:
    """Say how long the longest stalls are, where the numbers don't meet."""
    low, high = ax.get_xlim()
    named: list[float] = []
    for middle, long in zip(middles.tolist(), seconds.tolist(), strict=True):
        apart = all(abs(middle - other) > (high - low) / 12 for other in named)
        if len(named) < _NAMED and apart:
            named.append(middle)
            place = (middle - low) / ((high - low) or 1)
            side = "left" if place < 0.05 else "right" if place > 0.95 else "center"
            ax.text(
                middle, 0.95, f"{long:,.1f} s", transform=ax.get_xaxis_transform(), ha=side, va="top", fontsize=8
            )


def _said(size: Floats, stalls: _Stalls, events: pd.DataFrame) -> str:
    """The title: what is to be seen, in numbers."""
    many = f"{len(size):,} chunk{'s' if len(size) != 1 else ''}"
    said = f"{_TITLE}: {many}, median {_count(float(np.median(size)))} characters"
    if not events["elapsed"].notna().any():
        return said
    count = len(stalls.seconds)
    return f"{said}, {count:,} stall{'s' if count != 1 else ''}"
