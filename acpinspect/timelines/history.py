"""The history of one entity as a table: every change, with the event that made it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import Column
from acpinspect.reducer import Change, Entity
from acpinspect.timelines.blame import value_text, written_by
from acpinspect.timelines.changes import Told

__all__ = ["COLUMNS", "history_table"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("step", "int64", "The step that the event makes."),
    Column("event", "int64", "The event, in the events table."),
    Column("action", "string", "created, appended, replaced, cleared, patched, removed, rejected or ignored."),
    Column("field", "string", "The field that it did it to; NA for the entity as a whole."),
    Column("start", "Int64", "First item (block, byte) that it wrote; NA where the field is one value."),
    Column("stop", "Int64", "The item after the last one."),
    Column("text", "string", "What it wrote, as text; NA where it wrote nothing."),
    Column("reason", "string", "Why it was rejected or ignored."),
)
_WRITES: Final = frozenset({"appended", "replaced", "patched"})


def history_table(entity: Entity, stories: Iterable[Told], events: npt.NDArray[np.int64]) -> pd.DataFrame:
    """Make the table.

    Args:
        entity: The entity.
        stories: Its events, those of all its lives.
        events: The label of each position in the events table.
    """
    rows = [_row(entity, event, change, events) for event in stories for change in event.changes]
    table = pd.DataFrame(rows, columns=[column.name for column in COLUMNS])
    return table.astype({column.name: column.dtype for column in COLUMNS})


def _row(entity: Entity, event: Told, change: Change, events: npt.NDArray[np.int64]) -> tuple[object, ...]:
    name = change.field or str(entity.key)
    wrote = change.action in _WRITES and (change.field is not None or entity.kind == "session")
    text = value_text(name, written_by(event.after, change)) if wrote else None
    return (
        event.position + 1,
        int(events[event.position]),
        change.action,
        change.field,
        change.start,
        change.stop,
        text,
        change.reason,
    )
