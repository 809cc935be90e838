"""How the work on a corpus is divided: many small recordings together, large ones for themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acpinspect.collection.entries import Entry

__all__ = ["LARGE", "portions"]

LARGE: Final = 64 << 20
"""Bytes of a recording that is worth being read by several processes."""

_SIZE: Final = 8 << 20
_MOST: Final = 64


def portions(entries: Sequence[Entry], parts: int, largest: int = _SIZE) -> list[tuple[Entry, ...]]:
    """The entries in order, in portions that are worth a message to a worker.

    Args:
        entries: The recordings.
        parts: About how many portions there should be at least, so that all workers have something to do.
        largest: Bytes of a portion of several recordings. The members of an archive may be more than others: it is
            looked through once for a portion.
    """
    size = min(largest, sum(entry.size for entry in entries) // parts)
    most = min(_MOST, -(-len(entries) // parts))
    made: list[tuple[Entry, ...]] = []
    portion: list[Entry] = []
    filled = 0
    for entry in entries:
        full = filled + entry.size > size or (len(portion) >= most and portion[-1].files != entry.files)
        if portion and full:
            made.append(tuple(portion))
            portion, filled = [], 0
        portion.append(entry)
        filled += entry.size
    return [*made, tuple(portion)] if portion else made
