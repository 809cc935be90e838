"""Folds one entity, or one field of the session, from its own events up to a step.

What was folded is kept for a while: a step further costs one event, and a long message is not begun anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.reducer import Entity
from acpinspect.timelines.index import Index, Track
from acpinspect.timelines.logs import Excerpt, SessionLog
from acpinspect.timelines.message_reading import message_after
from acpinspect.timelines.reading import entity_after
from acpinspect.timelines.tool_reading import tool_after

__all__ = ["Folder"]

Small = npt.NDArray[np.int32]

_STRIDE: Final = 1024
"""A long entity is kept at every so many of its events."""

_KEPT: Final = 4096
"""So many values are kept, those that were not asked for longest go first."""

_SHORT: Final = 32
"""Folds of entities of up to so many events are made anew; the fields of the session are in every state."""

_TOGETHER: Final = 64
"""So many short entities are read from the log at once."""

_LAST_WINS: Final = frozenset({"commands", "mode", "config_options", "usage", "available_modes", "run", "turn"})

_AFTER: Final = {"message": message_after, "tool_call": tool_after}
"""The kinds of entities whose events can be read together."""


class Folder:
    """Values of entities and fields at any step.

    Args:
        log: The session.
        index: Its index.
    """

    def __init__(self, log: SessionLog, index: Index) -> None:
        self._log, self._index = log, index
        self._kept: OrderedDict[tuple[int | str, int], object] = OrderedDict()
        self._latest: dict[int | str, int] = {}

    def slot(self, slot: int, step: int) -> object:
        """The entity of a slot at a step; ``None`` before it is made."""
        track = self._index.track(slot)
        return self.counted(slot, track, track.count(step))

    def values(self, slots: Small, step: int) -> Iterator[object]:
        """The entities of some slots at a step, as `slot` gives each; what is short is read together."""
        short = (self._index.sizes(slots) <= _SHORT) & (not self._index.values)
        for begin in range(0, len(slots), _TOGETHER):
            some, are_short = slots[begin : begin + _TOGETHER], short[begin : begin + _TOGETHER]
            together = iter(self._together(some[are_short], step))
            for slot, is_short in zip(some.tolist(), are_short.tolist(), strict=True):
                yield next(together) if is_short else self.slot(slot, step)

    def _together(self, slots: Small, step: int) -> list[object]:
        positions, counts = self._index.events_before(step, slots)
        excerpt = self._log.excerpt(positions)
        ends = np.cumsum(counts).tolist()
        return [
            self._after(entity, excerpt.part(begin, end), None)
            for entity, begin, end in zip(self._index.entities(slots), [0, *ends], ends, strict=False)
        ]

    def field(self, name: str, step: int) -> object:
        """A field of the session at a step; ``None`` where nothing was said of it."""
        track = self._index.fields.get(name)
        return None if track is None else self.counted(name, track, track.count(step))

    def counted(self, name: int | str, track: Track, count: int) -> object:
        """The value after the first `count` events of a track."""
        if count == 0:
            return None
        if name in _LAST_WINS:
            return self._last(name, track, count)
        if isinstance(name, int) and count <= _SHORT and not track.values:
            return self._after(track.entity, self._log.excerpt(track.positions[:count]), None)
        start, value = self._nearest(name, track, count)
        return value if start == count else self._folded(name, track, start, count, value)

    def _last(self, name: int | str, track: Track, count: int) -> object:
        position = int(track.positions[count - 1])
        if position in track.values:
            return track.values[position]
        if (name, count) in self._kept:
            return self._kept[name, count]
        return self._folded(name, track, count - 1, count, None)

    def _nearest(self, name: int | str, track: Track, count: int) -> tuple[int, object]:
        """The latest value at or before a count that is known."""
        latest = self._latest.get(name, 0)
        candidates = [count, latest] if 0 < latest < count else [count]
        candidates += range(count // _STRIDE * _STRIDE, 0, -_STRIDE)
        for known in sorted(candidates, reverse=True):
            if (name, known) in self._kept:
                self._kept.move_to_end((name, known))
                return self._later(track, known, count, self._kept[name, known])
        return self._later(track, 0, count, None)

    def _later(self, track: Track, start: int, count: int, value: object) -> tuple[int, object]:
        """A value that a user's reducer put there since, if there is one."""
        if track.values:
            for known in range(count, start, -1):
                position = int(track.positions[known - 1])
                if position in track.values:
                    return known, track.values[position]
        return start, value

    def _folded(self, name: int | str, track: Track, start: int, count: int, value: object) -> object:
        while start < count:
            stop = min(start - start % _STRIDE + _STRIDE, count)
            value = self._after(track.entity, self._log.excerpt(track.positions[start:stop]), value)
            start = stop
            self._keep(name, stop, value)
        self._latest[name] = count
        return value

    def _after(self, entity: Entity, excerpt: Excerpt, value: object) -> object:
        """An entity after some more of its events."""
        return _AFTER.get(entity.kind, entity_after)(entity, excerpt, value)

    def _keep(self, name: int | str, count: int, value: object) -> None:
        self._kept[name, count] = value
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
