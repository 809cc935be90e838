"""Which clients would begin a message at an event, and which would not show it, as their policies say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.grouping.applying import Shared, apply
from acpinspect.grouping.registry import client_names
from acpinspect.widgets.markup import short
from acpinspect.widgets.spine import LANES, Ints, Spine

__all__ = ["MOST_EVENTS", "SHOWN_UP_TO", "client_labels", "is_asked", "verdicts_html"]

MOST_EVENTS: Final = 50_000
"""Of longer logs the clients are not asked: that would take too long for one click."""

SHOWN_UP_TO: Final = 20_000
"""Up to so many events they are asked without being told to."""

_SAID: Final = {1: "begin a message here", 0: "join it to the message before", -1: "don't show it"}
_MOST_NAMED: Final = 8


def client_labels(spine: Spine) -> dict[str, npt.NDArray[np.int8]]:
    """What each client makes of each event: 1 begins a message, 0 continues one, -1 is not shown."""
    shared = Shared(spine.events)
    labels: dict[str, Ints] = {name: apply(name, shared).labels for name in client_names()}
    return {name: spine.starts(label) for name, label in labels.items()}


def is_asked(spine: Spine, position: int) -> bool:
    """Whether there is something to ask: only of what is, or could be, a part of a message."""
    return bool(spine.starts(spine.labels)[position] >= 0 or spine.lanes[position] < LANES.index("tools"))


def verdicts_html(clients: Mapping[str, npt.NDArray[np.int8]], position: int) -> str:
    """Who does what with an event: those first who are few."""
    groups = {
        said: [name for name, marks in clients.items() if marks[position] == code] for code, said in _SAID.items()
    }
    asked = sorted(((names, said) for said, names in groups.items() if names), key=lambda group: len(group[0]))
    if len(asked) == 1:
        return f'<div class="line">All {len(clients)} clients {asked[0][1]}.</div>'
    return "".join(_group(names, said, is_last=names is asked[-1][0]) for names, said in asked)


def _group(names: list[str], said: str, *, is_last: bool) -> str:
    listed = ", ".join(short(name) for name in names)
    if len(names) <= _MOST_NAMED:
        return f'<div class="line"><b>{said}</b>: {listed}</div>'
    count = f"the other {len(names)}" if is_last else f"{len(names)} clients"
    return f'<details class="line"><summary><b>{said}</b>: {count}</summary>{listed}</details>'
