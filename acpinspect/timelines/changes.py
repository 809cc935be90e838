"""What each event of one entity did to it: the entity's own story, told by the reducer's operations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from acpinspect.reducer import Change, SessionState, Step, Write, empty_state
from acpinspect.reducer.operations import operate
from acpinspect.timelines.index import Index, Track
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.reading import reads_of

__all__ = ["Told", "summary", "told"]

_AT_ONCE = 256
_NOBODY: SessionState = empty_state("v1")


class Told(NamedTuple):
    """One event of an entity.

    Attributes:
        position: The event.
        changes: What it did to the entity.
        before: The entity before it; ``None`` where it was not there.
        after: The entity after it.
    """

    position: int
    changes: tuple[Change, ...]
    before: object
    after: object


def told(log: SessionLog, index: Index, track: Track, step: int | None = None) -> Iterator[Told]:
    """The story of one track, event by event.

    Args:
        log: The session.
        index: Its index.
        track: The events of one entity.
        step: Up to this step; else to the end.
    """
    count = len(track.positions) if step is None else track.count(step)
    value: object = None
    for start in range(0, count, _AT_ONCE):
        positions = track.positions[start : min(start + _AT_ONCE, count)]
        reads = reads_of(track.entity, log.excerpt(positions))
        for position, write in zip(positions.tolist(), reads, strict=True):
            before = value
            if position in track.values:
                value = track.values[position]
                changes = tuple(c for c in index.changes.get(position, ()) if c.entity == track.entity)
            else:
                value, changes = _operated(log, value, write)
            yield Told(position, changes, before, value)


def _operated(log: SessionLog, value: object, write: Write | None) -> tuple[object, tuple[Change, ...]]:
    if write is None:
        return value, (Change("ignored", reason="it can't be read"),)
    after, made = operate(log.protocol, value, write)
    return after, tuple([Change(change.action, write.entity, *change[1:]) for change in made])


def summary(changes: tuple[Change, ...]) -> Step:
    """Changes as one step, which says in one word what they are."""
    return Step(_NOBODY, changes)
