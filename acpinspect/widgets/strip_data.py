"""What the time strip draws, as bytes: a lane and marks for each step, so that 100,000 steps take 700 KB."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.widgets.spine import LANES, Ints, Spine

__all__ = ["BOUNDARY", "DISAGREEMENT", "ERROR", "INFO", "ODD", "WARNING", "StripData", "strip_data"]

BOUNDARY: Final = 1
INFO: Final = 2
WARNING: Final = 4
ERROR: Final = 8
DISAGREEMENT: Final = 16
ODD: Final = 32
_MARK_OF: Final = {"info": INFO, "warning": WARNING, "error": ERROR}
_MOST_NAMES: Final = 250


class StripData(NamedTuple):
    """The columns of the strip, one entry per step.

    Attributes:
        lanes: The number of the lane, a byte each.
        marks: Bits: boundary, finding (by severity), disagreement, oddity; a byte each.
        events: The event's label in the table, 32 bits each, little-endian.
        names: What the event is, as a number of `words`, a byte each.
        words: What the numbers of `names` stand for.
        lane_names: The names of the lanes.
    """

    lanes: bytes
    marks: bytes
    events: bytes
    names: bytes
    words: list[str]
    lane_names: list[str]


def strip_data(spine: Spine, findings: pd.DataFrame | None, apart: Ints) -> StripData:
    """Make the columns.

    Args:
        spine: The session.
        findings: What was found in it; ``None`` where nobody has looked yet.
        apart: The steps at which two policies disagree.
    """
    marks = np.zeros(len(spine), dtype=np.uint8)
    marks[spine.boundaries - 1] |= BOUNDARY
    marks[apart - 1] |= DISAGREEMENT
    marks[spine.table["problem"].notna().to_numpy()] |= ODD
    if findings is not None:
        for severity, bit in _MARK_OF.items():
            hit = findings["event"][findings["severity"] == severity].to_numpy(dtype=np.int64)
            marks[np.isin(spine.numbers, hit)] |= bit
    codes, words = _names(spine)
    numbers = np.clip(spine.numbers, -(2**31), 2**31 - 1).astype("<i4")
    return StripData(
        spine.lanes.tobytes(), marks.tobytes(), numbers.tobytes(), codes.tobytes(), words, list(LANES)
    )


def _names(spine: Spine) -> tuple[npt.NDArray[np.uint8], list[str]]:
    """What each event is: its update, else its method, else its kind; the rarest share a name."""
    table = spine.table
    name = table["update"].astype(object).where(table["update"].notna(), table["method"].astype(object))
    name = name.where(name.notna(), table["kind"].astype(object))
    codes, words = pd.factorize(name)
    shown = [str(word)[:60] for word in words[:_MOST_NAMES]]
    return np.where(codes < _MOST_NAMES, codes, _MOST_NAMES).astype(np.uint8), [*shown, "other"]
