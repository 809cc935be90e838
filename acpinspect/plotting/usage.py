"""How full the context is, and what the session has cost so far."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from acpinspect.events import check_events, parse
from acpinspect.grouping.tokens import tokens
from acpinspect.plotting.canvas import MANY, axes_for, finish, nothing_to_show
from acpinspect.plotting.horizontal import By, Horizontal, horizontal
from acpinspect.plotting.labels import label
from acpinspect.plotting.palette import NEUTRAL, OTHERS
from acpinspect.plotting.session_names import session_names

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["usage"]

_TITLE: Final = "Context and cost"
_NEARLY_EMPTY: Final = 0.25
_MOST: Final = len(OTHERS)
_LINES: Final = ("-", (0, (6, 1.5)), (0, (3, 1)), "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
"""Each session has a dash of its own: colour alone is no sign."""


class _Usage(NamedTuple):
    """One `usage_update`."""

    session: int
    row: int
    x: float
    used: float
    size: float
    cost: float
    currency: str


def usage(events: pd.DataFrame, ax: Axes | None = None, *, by: By | None = None) -> Axes:
    """Draw how many tokens of the context are used, and the cost so far.

    Args:
        events: An events table.
        ax: Where to draw; else a new figure.
        by: ``time`` or ``event``; else time where the log has it.

    Returns:
        The Axes: tokens, one line a session, the size of the context as a grey line. The cost has an axis of its
        own on the right (a twin of the Axes) and dotted lines with markers. Of more than six sessions those with
        the most updates are shown.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such axis, or no event has a time.

    Example:
        >>> import acpinspect
        >>> from acpinspect import plot
        >>> log = [("s1", {"sessionUpdate": "usage_update", "used": used, "size": 200}) for used in (20, 90)]
        >>> axes = plot.usage(acpinspect.from_records(log))
        >>> axes.get_ylabel(), axes.get_lines()[0].get_ydata().tolist()
        ('tokens in the context', [20.0, 90.0])
    """
    check_events(events)
    across = horizontal(events, by)
    axes = axes_for(ax)
    total, shown = _largest(_read(events, across))
    if not shown:
        return nothing_to_show(axes, _TITLE, "There is no usage_update in this log.")
    across.name(axes)
    legend = _tokens(axes, shown, session_names(events, [own[0].row for own in shown]))
    legend += _costs(axes, shown)
    part = f"{len(shown)} of {total} sessions" if total > len(shown) else _highest(shown)
    return finish(axes, f"{_TITLE}: {part}", legend)


def _read(events: pd.DataFrame, across: Horizontal) -> list[_Usage]:
    rows = np.flatnonzero((events["update"] == "usage_update").to_numpy(dtype=bool) & np.isfinite(across.values))
    session = tokens(events).session
    found = []
    for row in rows.tolist():
        update = _update(str(events["raw"].iat[row]))
        used, size, cost = _number(update.get("used")), _number(update.get("size")), update.get("cost")
        amount, currency = (cost.get("amount"), cost.get("currency")) if isinstance(cost, dict) else (None, None)
        if math.isfinite(used):
            place = float(across.values[row])
            found.append(_Usage(int(session[row]), row, place, used, size, _number(amount), str(currency or "")))
    return found


def _update(raw: str) -> dict[str, object]:
    try:
        frame = parse(raw)
    except (ValueError, RecursionError):
        return {}
    params = frame.get("params") if isinstance(frame, dict) else None
    update = params.get("update") if isinstance(params, dict) else None
    return update if isinstance(update, dict) else {}


def _number(value: object) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    try:
        return float(value) if number else math.nan  # type: ignore[arg-type]  # asked above
    except OverflowError:
        return math.nan


def _largest(found: list[_Usage]) -> tuple[int, list[list[_Usage]]]:
    """How many sessions there are, and the updates of those with the most."""
    sessions: dict[int, list[_Usage]] = {}
    for each in found:
        sessions.setdefault(each.session, []).append(each)
    kept = sorted(sessions, key=lambda number: -len(sessions[number]))[:_MOST]
    return len(sessions), [sessions[number] for number in sessions if number in kept]


def _tokens(ax: Axes, shown: list[list[_Usage]], names: list[str]) -> list[Artist]:
    from matplotlib.lines import Line2D

    legend: list[Artist] = []
    sizes = [each.size for own in shown for each in own if math.isfinite(each.size)]
    for number, own in enumerate(shown):
        line = ax.plot(
            [each.x for each in own],
            np.array([each.used for each in own]),
            color=OTHERS[number],
            linestyle=_LINES[number],
            drawstyle="steps-post",
            marker="o" if len(own) < 40 else None,
            markersize=4,
            rasterized=len(own) > MANY,
            label=label(names[number], 20),
        )
        legend += line if len(shown) > 1 else []
    most = max(each.used for own in shown for each in own)
    # A context that is nearly empty is looked at closely: its size is in the title only.
    if sizes and most >= _NEARLY_EMPTY * max(sizes):
        for size in sorted(set(sizes))[:_MOST]:
            ax.axhline(size, color=NEUTRAL, linewidth=1, zorder=0)
        legend.append(Line2D([], [], color=NEUTRAL, linewidth=1, label="size of the context"))
        most = max(most, *sizes)
    ax.set_ylim(0, most * 1.06 or 1)
    ax.yaxis.set_major_formatter(_thousands)
    ax.set_ylabel("tokens in the context")
    return legend


def _thousands(value: float, _: object = None) -> str:
    return f"{value:,.0f}"


def _costs(ax: Axes, shown: list[list[_Usage]]) -> list[Artist]:
    from matplotlib.lines import Line2D

    known = [[each for each in own if math.isfinite(each.cost)] for own in shown]
    if not any(known):
        return []
    right = ax.twinx()
    for number, own in enumerate(known):
        right.plot(
            [each.x for each in own],
            [each.cost for each in own],
            color=OTHERS[number],
            linestyle=":",
            marker="D" if len(own) < 40 else None,
            markersize=4,
            fillstyle="none",
            drawstyle="steps-post",
        )
    currencies = sorted({each.currency for own in known for each in own if each.currency})
    right.set_ylabel(label(f"cost ({', '.join(currencies)})" if currencies else "cost"), parse_math=False)
    right.set_ylim(bottom=0)
    right.spines["top"].set_visible(False)
    ax.set_zorder(right.get_zorder() + 1)
    ax.patch.set_visible(False)
    return [Line2D([], [], color=NEUTRAL, linestyle=":", marker="D", fillstyle="none", label="cost (right)")]


def _highest(shown: list[list[_Usage]]) -> str:
    """How full it was at most."""
    each = max((one for own in shown for one in own), key=lambda one: one.used)
    full = f" of {each.size:,.0f}" if math.isfinite(each.size) and each.size > 0 else ""
    return f"at most {each.used:,.0f}{full} tokens"
