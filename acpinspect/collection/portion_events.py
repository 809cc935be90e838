"""The events of many small recordings at once: a table costs some milliseconds to put together, however small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.assembly import Part, assemble
from acpinspect.collection.arrow_tables import to_arrow
from acpinspect.collection.entries import Entry, Problem, Reopener, problem_of
from acpinspect.collection.recording_events import Reading, columns_of_recording, is_stored, recording_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from acpinspect.reading.batches import Columns

__all__ = ["portion_events"]


def portion_events(entries: Sequence[Entry], reading: Reading) -> list[pa.Table | Problem]:
    """The events table of each recording as Arrow, or why there is none.

    Each table is what it would be by itself; the names of its categories may be those of all.
    """
    reopen = Reopener()
    read = [_read(entry, reading, reopen) for entry in entries]
    parts = [Part(entry.name, one) for entry, one in zip(entries, read, strict=True) if isinstance(one, list)]
    sizes = [sum(len(batch["kind"]) for batch in part.batches) for part in parts]  # assembling uses them up
    whole = to_arrow("events", assemble(parts, protocol=reading.protocol, tz=reading.tz))
    starts = iter(np.cumsum([0, *sizes]).tolist())
    tables = (_part(whole, start, size) for start, size in zip(starts, sizes, strict=False))
    return [next(tables) if isinstance(one, list) else one for one in read]


def _part(whole: pa.Table, start: int, size: int) -> pa.Table:
    """The rows of one recording, numbered from 0."""
    part = whole.slice(start, size)
    part = part.set_column(0, "event", pa.array(np.arange(size)))
    reply_to = part.schema.get_field_index("reply_to")
    return part.set_column(reply_to, "reply_to", pc.subtract(part["reply_to"], start))


def _read(entry: Entry, reading: Reading, reopen: Reopener) -> list[Columns] | pa.Table | Problem:
    """The columns of a recording; its table, where it was stored as one; or what is wrong with it."""
    if entry.problem is not None:
        return entry.problem
    try:
        recording = reopen(entry)
        if is_stored(recording):
            return to_arrow("events", recording_events(recording, reading))
        return columns_of_recording(recording, reading)
    except Exception as error:  # noqa: BLE001  (a bad file is told of, and is not the end of the run)
        return problem_of("read", error)
