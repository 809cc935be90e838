"""What each event of a session does, told from columns: the names of its update or method decide.

Only updates of another protocol version than the session's are read again; a log rarely has any.
"""

from __future__ import annotations

from typing import Final, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import REJECTED as REFUSED
from acpinspect.protocol import VARIANTS, UpdateShape, Version
from acpinspect.reducer import registered_reducers

__all__ = [
    "ACTS",
    "CONTROL",
    "EXTENSION",
    "FIELD_OF",
    "KIND_OF",
    "LEFT_OUT",
    "NOTHING",
    "PERMISSION",
    "REJECTED",
    "UNREADABLE",
    "acts_of",
    "codes_of",
]

_OTHERS: Final = ("nothing", "unreadable", "rejected", "left out", "extension", "control", "permission")
_SHAPES: Final[tuple[str, ...]] = tuple(shape for shape in get_args(UpdateShape) if shape != "state")
ACTS: Final = (*_OTHERS, *_SHAPES)
"""What an event can do: the shape of its update, or one of

nothing (it doesn't act on a state), unreadable, rejected, left out (by the policy), extension (a user's reducer
handles it), control (a prompt, an answer, a load, a v2 state: run through the reducer when the index is built),
permission (upserts a tool call)."""

NOTHING, UNREADABLE, REJECTED, LEFT_OUT, EXTENSION, CONTROL, PERMISSION = range(len(_OTHERS))

KIND_OF: Final = {
    "chunk": "message",
    "whole": "message",
    "permission": "tool_call",
    "tool_call": "tool_call",
    "tool_call_update": "tool_call",
    "tool_content_chunk": "tool_call",
    "terminal": "terminal",
    "terminal_chunk": "terminal",
    "plan": "plan",
    "plan_update": "plan",
    "plan_removed": "plan",
    "compaction": "compaction",
    "compaction_chunk": "compaction",
}
"""The kind of entity that an act writes to."""

FIELD_OF: Final = {
    "commands": "commands",
    "mode": "mode",
    "config": "config_options",
    "info": "info",
    "usage": "usage",
    "notice": "notices",
}
"""The field of the session that an act writes to."""

_SENT: Final = (
    "session/prompt",
    "session/cancel",
    "session/load",
    "session/resume",
)


def codes_of(*acts: str) -> list[int]:
    """The codes of some acts."""
    return [ACTS.index(act) for act in acts]


def acts_of(part: pd.DataFrame, version: Version, label: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """What each event does.

    Args:
        part: The session's part of an events table.
        version: The session's protocol version.
        label: Which message each event is part of; -1 for none.
    """
    acts = np.zeros(len(part), dtype=np.int8)
    request = _is(part["kind"], "request", "notification")
    acts[request & _is(part["method"], *_SENT)] = CONTROL
    acts[request & _is(part["method"], "session/request_permission")] = PERMISSION
    acts[_is(part["kind"], "response", "error")] = CONTROL
    update = request & _is(part["method"], "session/update")
    acts[update] = _spread(
        part["update"], [_act(name, version) for name in part["update"].cat.categories], REJECTED
    )[update]
    refused = _spread(
        part["problem"], [str(name).startswith(REFUSED) for name in part["problem"].cat.categories], 0
    )
    acts[update & (refused == 1) & (acts != EXTENSION)] = REJECTED
    left_out = update & part["role"].notna().to_numpy() & (label < 0) & (acts != EXTENSION) & (acts != REJECTED)
    acts[left_out] = LEFT_OUT
    acts[_is(part["kind"], "unreadable", "other")] = UNREADABLE
    return acts


def _act(name: str, version: Version) -> int:
    variant = VARIANTS[version].get(name)
    if variant is not None:
        return CONTROL if variant.shape == "state" else ACTS.index(variant.shape)
    if name in registered_reducers():
        return EXTENSION
    return NOTHING if name.startswith("_") else REJECTED


def _is(column: pd.Series, *values: str) -> npt.NDArray[np.bool_]:
    hit: npt.NDArray[np.bool_] = _spread(column, [name in values for name in column.cat.categories], 0) == 1
    return hit


def _spread(column: pd.Series, by_category: list[int] | list[bool], missing: int) -> npt.NDArray[np.int8]:
    """A number for each category, spread over the rows."""
    table = np.array([*by_category, missing], dtype=np.int8)
    return table[column.cat.codes.to_numpy()]
