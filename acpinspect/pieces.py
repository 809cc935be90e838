"""The events table of one recording, piece by piece: each piece takes up what those before it left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd
import pyarrow as pa

from acpinspect.assembly import events_table, facts_of
from acpinspect.batch_columns import Batches, category
from acpinspect.context import NOTHING, Carry, Codes, carried_on, derive
from acpinspect.context.facts import Ints
from acpinspect.protocol import Version
from acpinspect.reading.batches import Columns
from acpinspect.time_columns import Clocks, time_columns

__all__ = ["BEGINNING", "Left", "joined", "next_piece"]

_LONGEST_WAIT: Final = 100_000
"""Frames that may wait for the answer to a resume; if it takes more, it is taken to replay nothing."""


@dataclass(frozen=True, slots=True)
class Left:
    """What the pieces of a recording so far left to the next.

    Attributes:
        carry: What the context needs of them.
        clocks: Where the clocks began.
        open_rows: The requests that are still open, as they were read.
        waiting: Frames that belong to the next piece: what they are depends on one that is still to come.
    """

    carry: Carry = NOTHING
    clocks: Clocks | None = None
    open_rows: tuple[Columns, ...] = ()
    waiting: tuple[Columns, ...] = ()

    def at(self, event: int) -> Left:
        """The same, with the next event having another number."""
        return replace(self, carry=replace(self.carry, next_event=event))


BEGINNING: Final = Left()


def next_piece(
    batches: Sequence[Columns],
    left: Left = BEGINNING,
    *,
    protocol: Version | None = None,
    tz: str | None = None,
    last: bool = False,
) -> tuple[pd.DataFrame, Left]:
    """The events table of the next frames of a recording, and what they leave behind.

    Args:
        batches: The frames. The pieces may be cut anywhere.
        left: What the pieces before left.
        protocol: The version to take, instead of what the log says.
        tz: Zone of the times that were written without one.
        last: Nothing follows, so that nothing can wait.

    Returns:
        The table, whose events go on with the number after the last one; and what is left. Cost: linear in the
        frames and in the requests that are open.
    """
    rows = [dict(batch) for batch in (*left.open_rows, *left.waiting, *batches) if len(batch["kind"])]
    if not last:
        rows, waiting = _decided(rows, left, protocol)
    else:
        waiting = []
    table = Batches([dict(batch) for batch in rows])
    n = sum(len(batch["kind"]) for batch in rows)
    recording = np.zeros(n, dtype=np.int32)
    facts = facts_of(table, recording)
    context = derive(facts, protocol=protocol, carry=left.carry)
    carry, open_rows = carried_on(facts, context, left.carry)
    times, clocks = time_columns(table, recording, facts.kind, tz, left.clocks)
    events = _without_carried(events_table(table, facts, context, times), left.carry)
    return events, Left(carry, clocks, tuple(_taken(rows, open_rows)), tuple(waiting))


def _decided(rows: list[Columns], left: Left, protocol: Version | None) -> tuple[list[Columns], list[Columns]]:
    """The rows whose phase can be told, and those from an unanswered resume on: its answer decides on them."""
    n = sum(len(batch["kind"]) for batch in rows)
    new = rows[len(left.open_rows) :]
    if not any("session/resume" in batch["method"].dictionary.to_pylist() for batch in new):
        return rows, []
    facts = facts_of(Batches([dict(batch) for batch in rows]), np.zeros(n, dtype=np.int32))
    context = derive(facts, protocol=protocol, carry=left.carry)
    unanswered = [row for row in context.replies.unanswered if row >= left.carry.before]
    resumes = [row for row in unanswered if facts.method.at(row) == "session/resume"]
    waiting = next((row for row in resumes if n - row <= _LONGEST_WAIT), n)
    return _cut(rows, 0, waiting), _cut(rows, waiting, n)


def _cut(rows: list[Columns], start: int, stop: int) -> list[Columns]:
    """The rows from one on and before another."""
    found, at = [], 0
    for batch in rows:
        n = len(batch["kind"])
        begin, end = max(start - at, 0), min(stop - at, n)
        if begin < end:
            found.append({name: column.slice(begin, end - begin) for name, column in batch.items()})
        at += n
    return found


def _taken(rows: list[Columns], wanted: Ints) -> list[Columns]:
    """Some rows (ascending), copied, so that the others can go."""
    found, at = [], 0
    for batch in rows:
        n = len(batch["kind"])
        own = wanted[(wanted >= at) & (wanted < at + n)] - at
        if len(own):
            found.append({name: column.take(pa.array(own)) for name, column in batch.items()})
        at += n
    return found


def _without_carried(events: pd.DataFrame, carry: Carry) -> pd.DataFrame:
    """The rows of the piece itself, with the events' numbers in the whole recording."""
    number = carry.events(len(events))
    answered = events["reply_to"].to_numpy(dtype=np.int64, na_value=-1)
    reply_to = pd.arrays.IntegerArray(np.where(answered < 0, 0, number[answered]), answered < 0)
    events = events.assign(reply_to=reply_to).iloc[carry.before :]
    events.index = pd.RangeIndex(carry.next_event, carry.next_event + len(events), name="event")
    return joined([events]) if carry.before else events


def joined(pieces: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Events tables in a row as one: categories in the order in which their values first appear.

    Args:
        pieces: At least one table. Their events are numbered as they are.
    """
    columns: dict[str, object] = {}
    for name in pieces[0].columns:
        parts = [piece[name] for piece in pieces]
        if isinstance(parts[0].dtype, pd.CategoricalDtype):
            columns[name] = category(_codes(parts))
        else:
            columns[name] = parts[0].array if len(parts) == 1 else pd.concat(parts).array
    index = pieces[0].index.append([piece.index for piece in pieces[1:]])
    whole = pd.RangeIndex(int(index[0]), int(index[0]) + len(index)) if len(index) else pd.RangeIndex(0)
    return pd.DataFrame(columns, index=(whole if whole.equals(index) else index).rename("event"), copy=False)


def _codes(parts: Sequence[pd.Series]) -> Codes:
    names = list(dict.fromkeys(name for part in parts for name in part.cat.categories))
    number = {name: code for code, name in enumerate(names)}
    codes = [
        np.array([*(number[name] for name in part.cat.categories), -1], dtype=np.int32)[part.cat.codes]
        for part in parts
    ]
    return Codes(np.concatenate(codes), names)
