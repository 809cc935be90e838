"""The chunks of a message, read together: a long run of plain text is one append."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from acpinspect.reducer import Entity, Message, MessageKey, Rope
from acpinspect.timelines.acts import codes_of
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.texts import TextRun, text_run

__all__ = ["with_chunks"]

(_CHUNK,) = codes_of("chunk")


def with_chunks(
    log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32], old: Message | None
) -> Message | None:
    """A message after some of its events, if all of them are chunks of plain text.

    It is what the reducer makes of them one by one.

    Args:
        log: The session.
        entity: The message.
        positions: Of the events.
        old: The message before them; ``None`` where it was not there.

    Returns:
        The message; ``None`` where an event is of another form, and the reducer has to be asked.
    """
    if not (log.acts[positions] == _CHUNK).all():
        return None
    run = text_run(log.texts.slices(log.rows[positions]))
    if run is None:
        return None
    events = log.events
    first, last = int(events[positions[0]]), int(events[positions[-1]])
    return _new(entity.key, run, first, last) if old is None else _longer(old, run, last)


def _new(key: object, run: TextRun, first: int, last: int) -> Message:
    assert isinstance(key, MessageKey)  # noqa: S101 - a message's entity has such a key
    return Message(key.role, run.message_id, Rope(run.blocks), None, first, last, epoch=key.epoch, label=key.label)


def _longer(old: Message, run: TextRun, last: int) -> Message:
    message_id = run.message_id if old.message_id is None else old.message_id
    return replace(old, content=old.content.extend(run.blocks), message_id=message_id, last_event=last)
