"""Stretches of an axis on which something is going on: neighbours joined, so that a picture has few shapes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["joined", "lanes_of"]

Floats = npt.NDArray[np.float64]


def joined(starts: Floats, ends: Floats, gap: float) -> tuple[Floats, Floats]:
    """Join stretches that overlap or lie closer than a gap.

    Args:
        starts: Where each begins.
        ends: Where it ends.
        gap: What can't be seen.

    Examples:
        >>> starts, ends = joined(np.array([0.0, 1.0, 5.0]), np.array([1.0, 2.0, 6.0]), 0.5)
        >>> starts.tolist(), ends.tolist()
        ([0.0, 5.0], [2.0, 6.0])
    """
    if not len(starts):
        return starts, ends
    order = np.argsort(starts, kind="stable")
    starts, ends = starts[order], np.maximum.accumulate(ends[order])
    begins = np.append(True, starts[1:] > ends[:-1] + gap)
    last = np.append(np.flatnonzero(begins)[1:] - 1, len(starts) - 1)
    return starts[begins], ends[last]


def lanes_of(starts: Floats, ends: Floats, most: int) -> npt.NDArray[np.int64]:
    """The lane of each stretch, so that those of one lane don't overlap; all the rest share the last lane.

    Examples:
        >>> lanes_of(np.array([0.0, 0.5, 2.0]), np.array([1.0, 3.0, 3.0]), 8).tolist()
        [0, 1, 0]
    """
    free: list[float] = []
    lanes = np.zeros(len(starts), dtype=np.int64)
    for place in np.argsort(starts, kind="stable").tolist():
        start, end = float(starts[place]), float(ends[place])
        lane = next((n for n, until in enumerate(free) if until <= start), len(free))
        if lane == len(free) and len(free) < most:
            free.append(end)
        lane = min(lane, most - 1)
        free[lane] = max(free[lane], end)
        lanes[place] = lane
    return lanes
