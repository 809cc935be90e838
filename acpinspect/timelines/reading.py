"""The write that an event makes on its entity, read from its JSON when it is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from acpinspect.protocol import read_permission, read_update
from acpinspect.reducer import Entity, Write
from acpinspect.timelines.acts import PERMISSION
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.texts import parsed

__all__ = ["reads_of", "writes_of"]


def writes_of(log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32]) -> Iterator[Write]:
    """The writes of some events on one entity, in order.

    Args:
        log: The session.
        entity: What they all write to.
        positions: Of the events.
    """
    return (write for write in reads_of(log, entity, positions) if write is not None)


def reads_of(log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32]) -> Iterator[Write | None]:
    """The same, one for each event; ``None`` for one that writes nothing after all."""
    acts: Sequence[int] = log.acts[positions].tolist()
    events: Sequence[int] = log.events[positions].tolist()
    for act, event, text in zip(acts, events, log.texts.slices(log.rows[positions]), strict=True):
        yield _read(log, entity, act, event, text)


def _read(log: SessionLog, entity: Entity, act: int, event: int, text: memoryview) -> Write | None:
    frame = parsed(text)
    params = frame.get("params") if isinstance(frame, dict) else None
    if act == PERMISSION:
        carried = read_permission(params, log.protocol).tool_call
        return None if carried is None else Write(entity, "tool_call_update", carried, event)
    reading = read_update(params.get("update") if isinstance(params, dict) else None, log.protocol)
    if reading.variant is None or reading.rejected is not None:
        return None
    return Write(entity, reading.variant.shape, reading.fields, event, reading.variant.role)
