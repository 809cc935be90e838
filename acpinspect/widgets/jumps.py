"""Where one can jump to: the steps of each kind of landmark, and the next or previous one among those kept."""

from __future__ import annotations

from typing import Final

import numpy as np

from acpinspect.timelines.moves import landmarks
from acpinspect.widgets.spine import Ints, Spine

__all__ = ["KINDS", "after", "before", "disagreements", "landmark_steps", "nearest"]

KINDS: Final[dict[str, str]] = {
    "boundary": "where a message begins",
    "turn": "where a turn begins",
    "tool": "where a tool call begins",
    "finding": "where something was found",
    "disagreement": "where the two policies begin messages differently",
    "replaced": "where content was replaced",
}
"""What one can jump to, and what that is."""


def landmark_steps(spine: Spine, kind: str, found: Ints, apart: Ints) -> Ints:
    """The steps of a kind, ascending.

    Args:
        spine: The session.
        kind: One of `KINDS`.
        found: The events at which something was found.
        apart: The steps at which two policies disagree.
    """
    if kind == "disagreement":
        return apart
    timeline = spine.timeline
    table = timeline.steps if kind == "replaced" else None
    return landmarks(timeline.columns, timeline.lives, kind, table, found if kind == "finding" else None)


def disagreements(spine: Spine, other: Ints) -> Ints:
    """The steps at which another grouping begins, continues or hides what this one doesn't.

    A prompt that only one of them shows is no difference: it is a matter of where a client draws it.

    Args:
        spine: The session, under one policy.
        other: The labels of another policy, by position in the table.
    """
    differs = (spine.starts(spine.labels) != spine.starts(other)) & spine.messages
    return np.flatnonzero(differs) + 1


def after(steps: Ints, step: int) -> int | None:
    """The first of some ascending steps after one.

    Example:
        >>> import numpy as np
        >>> after(np.array([2, 5]), 2), after(np.array([2, 5]), 5)
        (5, None)
    """
    at = int(np.searchsorted(steps, step, side="right"))
    return int(steps[at]) if at < len(steps) else None


def before(steps: Ints, step: int) -> int | None:
    """The last of some ascending steps before one.

    Example:
        >>> import numpy as np
        >>> before(np.array([2, 5]), 5), before(np.array([2, 5]), 2)
        (2, None)
    """
    at = int(np.searchsorted(steps, step))
    return int(steps[at - 1]) if at else None


def nearest(steps: Ints, step: int) -> int:
    """The place in some ascending steps that is meant by a step which may not be among them.

    Example:
        >>> import numpy as np
        >>> nearest(np.array([2, 5, 9]), 6)
        1
    """
    at = int(np.searchsorted(steps, step, side="right")) - 1
    return max(at, 0)
