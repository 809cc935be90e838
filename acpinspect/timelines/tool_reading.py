"""The updates of one tool call as few writes: what a later update replaces is dropped before it is looked at.

A tool call's updates repeat its status and its output again and again. Their fields are put together, last value
wins, and the rest is read as one update. Where anything in that one doesn't fit the schema, an earlier value may
count, so each update is then read by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.protocol import Version, read_update
from acpinspect.reducer import Entity, Write
from acpinspect.timelines.acts import ACTS, codes_of
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.reading import writes_of
from acpinspect.timelines.texts import parsed

__all__ = ["tool_writes"]

_CREATES: Final = ACTS.index("tool_call")
_MERGED: Final = frozenset(codes_of("tool_call", "tool_call_update", "permission"))


def tool_writes(log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32]) -> Iterator[Write]:
    """Writes that make of a tool call what all writes of these events would make of it.

    Args:
        log: The session.
        entity: The tool call.
        positions: Of the events.
    """
    acts = log.acts[positions].tolist()
    begin = 0
    for together, group in groupby(acts, key=_MERGED.__contains__):
        end = begin + len(list(group))
        write = _merged(log, entity, positions[begin:end], acts[begin:end]) if together else None
        if write is not None:
            yield write
        else:
            yield from writes_of(log, entity, positions[begin:end])
        begin = end


def _merged(log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32], acts: list[int]) -> Write | None:
    """One write for all of these updates; ``None`` where they have to be read one by one."""
    creations = [at for at, act in enumerate(acts) if act == _CREATES]
    start = creations[-1] if creations else 0  # v1: it overwrites all that was before it
    texts = log.texts.slices(log.rows[positions[start:]])
    update = _last([_fields(text) for text in texts], log.protocol)
    update["sessionUpdate"] = "tool_call" if creations else "tool_call_update"
    reading = read_update(update, log.protocol)
    if reading.variant is None or reading.rejected is not None or reading.issues:
        return None
    return Write(entity, reading.variant.shape, reading.fields, int(log.events[positions[-1]]))


def _fields(text: memoryview) -> Mapping[str, object]:
    """The fields of a tool call: of an update, or of a permission request of v1 or v2."""
    frame = parsed(text)
    params = frame.get("params") if isinstance(frame, dict) else None
    if not isinstance(params, dict):
        return {}
    if "update" in params:
        found = params["update"]
    else:
        subject = params.get("subject")
        found = subject.get("toolCall") if isinstance(subject, dict) else params.get("toolCall")
    return found if isinstance(found, dict) else {}


def _last(updates: list[Mapping[str, object]], version: Version) -> dict[str, object]:
    """The last value of each field; in v1 null means that nothing is said."""
    fields = dict(updates[0])
    for update in updates[1:]:
        fields |= update if version == "v2" else {key: value for key, value in update.items() if value is not None}
    return fields
