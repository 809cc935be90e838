"""The horizontal axis that the pictures share: seconds of the recording where it has times, else events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from acpinspect.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["By", "Horizontal", "horizontal"]

By: TypeAlias = Literal["time", "event"]
Floats: TypeAlias = npt.NDArray[np.float64]

_UNITS: Final = ((10_800.0, 3_600.0, "hours"), (600.0, 60.0, "minutes"), (0.0, 1.0, "seconds"))
_ENOUGH: Final = 0.5
"""Time is the axis of its own accord where at least this part of the events has one."""


@dataclass(frozen=True, slots=True)
class Horizontal:
    """Where each event stands.

    Attributes:
        by: ``time`` or ``event``.
        values: Of each row: seconds, minutes or hours, NaN where it has no time; or the event's number.
        unit: Seconds in one unit of `values`; of events, 1.
        title: What the axis is called.
    """

    by: By
    values: Floats
    unit: float
    title: str

    def name(self, ax: Axes) -> None:
        """Give the axis its name, its range and its numbers."""
        from matplotlib.ticker import StrMethodFormatter

        ax.set_xlabel(self.title)
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}" if self.by == "time" else "{x:,.0f}"))
        known = self.values[np.isfinite(self.values)]
        if len(known):
            low, high = float(known.min()), float(known.max())
            margin = max((high - low) * 0.01, 1e-6 if self.by == "time" else 0.5)
            ax.set_xlim(low - margin, high + margin)

    def bins(self, count: int) -> npt.NDArray[np.int64]:
        """The one of `count` equal parts of the axis that each event stands in; -1 where it has no place."""
        known = np.isfinite(self.values)
        if not known.any():
            return np.full(len(self.values), -1, dtype=np.int64)
        low, high = self.values[known].min(), self.values[known].max()
        scaled = (self.values - low) / ((high - low) or 1.0) * (count - 1)
        return np.where(known, np.nan_to_num(scaled), -1).astype(np.int64)


def horizontal(events: pd.DataFrame, by: By | None) -> Horizontal:
    """The axis of these events.

    Args:
        events: An events table.
        by: ``time``, ``event``, or ``None``: time where at least half of the events have one.

    Raises:
        ArgumentError: There is no such axis, or it is ``time`` and no event has one.
    """
    elapsed = events["elapsed"].to_numpy(dtype=np.float64)
    known = np.isfinite(elapsed)
    if by not in (None, "time", "event"):
        raise ArgumentError(f"There is no axis {by!r}. There is: 'time' and 'event'.")
    if by == "time" and not known.any():
        raise ArgumentError("No event of this log has a time. Use by='event'.")
    if by == "event" or (by is None and not (len(known) and known.mean() >= _ENOUGH)):
        return Horizontal("event", events.index.to_numpy(dtype=np.float64), 1.0, "event")
    span = float(np.nanmax(elapsed) - np.nanmin(elapsed))
    _, unit, name = next(entry for entry in _UNITS if span >= entry[0])
    return Horizontal("time", elapsed / unit, unit, f"{name} since the recording began")
