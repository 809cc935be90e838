"""The write that an event makes on its entity, read from its JSON when it is needed."""

from __future__ import annotations

from collections.abc import Iterator

from acpinspect.protocol import Version, read_permission, read_update
from acpinspect.reducer import Entity, Write, fold_writes
from acpinspect.timelines.acts import PERMISSION
from acpinspect.timelines.logs import Excerpt
from acpinspect.timelines.texts import parsed

__all__ = ["entity_after", "reads_of", "writes_of"]


def entity_after(entity: Entity, excerpt: Excerpt, old: object) -> object:
    """An entity of any kind, or a field of the session, after some of its events.

    Args:
        entity: Its kind and key.
        excerpt: The events.
        old: What was there before them; ``None`` for nothing.
    """
    return fold_writes(excerpt.protocol, old, writes_of(entity, excerpt))


def writes_of(entity: Entity, excerpt: Excerpt) -> Iterator[Write]:
    """The writes of some events on one entity, in order.

    Args:
        entity: What they all write to.
        excerpt: The events.
    """
    return (write for write in reads_of(entity, excerpt) if write is not None)


def reads_of(entity: Entity, excerpt: Excerpt) -> Iterator[Write | None]:
    """The same, one for each event; ``None`` for one that writes nothing after all."""
    for act, event, text in zip(excerpt.acts(), excerpt.events(), excerpt.texts, strict=True):
        yield _read(excerpt.protocol, entity, act, event, text)


def _read(version: Version, entity: Entity, act: int, event: int, text: memoryview) -> Write | None:
    frame = parsed(text)
    params = frame.get("params") if isinstance(frame, dict) else None
    if act == PERMISSION:
        carried = read_permission(params, version).tool_call
        return None if carried is None else Write(entity, "tool_call_update", carried, event)
    reading = read_update(params.get("update") if isinstance(params, dict) else None, version)
    if reading.variant is None or reading.rejected is not None:
        return None
    return Write(entity, reading.variant.shape, reading.fields, event, reading.variant.role)
