"""What a conversion gives: an events table of its own, and a table of what it could not carry."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, cast

import pandas as pd

from acpinspect.assembly import Part, assemble
from acpinspect.conversion.log import Log
from acpinspect.conversion.walk import Lost, Placed
from acpinspect.events import Column
from acpinspect.protocol import Version
from acpinspect.reading.batches import Columns, columns_of_frames
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.jsontext import soundness
from acpinspect.reading.recordings import recording_of

__all__ = ["COLUMNS", "Conversion", "converted_events", "losses_of", "origins_of"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("event", "int64", "The event, in the table that was converted."),
    Column("session_id", "string", "Its session; NA where it has none."),
    Column("variant", "string", "Its update (`sessionUpdate`), else its method; NA where it can't be read."),
    Column("field", "string", "Path of the field; sessionUpdate, method or result where all of it is lost."),
    Column("reason", "string", "Why the other version can't hold it."),
)

_MOST: Final = 40  # losses that a notebook shows


@dataclass(frozen=True, slots=True)
class Conversion:
    """A log in another version of the protocol.

    Attributes:
        events: The events table of the converted log.
        losses: One row for each thing that it can't hold; see `COLUMNS`.
        origins: For each converted event, the event at whose place it stands in the table that was converted.

    Examples:
        >>> import acpinspect
        >>> mode = {"sessionUpdate": "current_mode_update", "currentModeId": "ask"}
        >>> conversion = acpinspect.convert(acpinspect.from_records([("s1", mode)]), to="v2", on_loss="report")
        >>> conversion
        Conversion(0 events, 1 losses)
        >>> conversion.losses[["event", "variant", "field"]].values.tolist()
        [[0, 'current_mode_update', 'sessionUpdate']]
    """

    events: pd.DataFrame
    losses: pd.DataFrame
    origins: pd.Series

    def __repr__(self) -> str:
        return f"Conversion({len(self.events)} events, {len(self.losses)} losses)"

    def _repr_html_(self) -> str:
        shown = self.losses.map(_visible)
        with pd.option_context("display.max_colwidth", None):
            table = shown.to_html(index=False, max_rows=_MOST) if len(shown) else ""
        return f"<p>{escape(repr(self))}</p>{table}"


def _visible(value: object) -> str:
    """A cell of the table in a notebook, with what can't be printed spelled out."""
    text = "" if pd.isna(value) else str(value)  # type: ignore[call-overload]
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def losses_of(lost: Sequence[Lost]) -> pd.DataFrame:
    """The losses as a table; its columns have their types also when it is empty."""
    columns = {
        column.name: pd.Series([loss[place] for loss in lost], dtype=column.dtype)
        for place, column in enumerate(COLUMNS)
    }
    return pd.DataFrame(columns).rename_axis("loss")


def origins_of(log: Log, placed: Sequence[Placed]) -> pd.Series:
    """The label of the row at whose place each message stands."""
    labels = [log.labels[each.position] for each in placed]
    return pd.Series(labels, index=pd.RangeIndex(len(labels), name="event"), dtype="int64", name="origin")


def converted_events(log: Log, placed: Sequence[Placed], to: Version) -> pd.DataFrame:
    """The events table of the converted messages.

    Each has the time of the row at whose place it stands, and its sender and label but where it is sent by the
    other side. It has no line and no offset: it stands in no file yet.
    """
    frames = _Frames(log).frames(placed)
    by_recording: dict[str, list[Columns]] = {}
    for source, group in itertools.groupby(frames, key=lambda frame: frame.source):
        by_recording.setdefault(recording_of(source), []).append(columns_of_frames(list(group)))
    return assemble([Part(name, batches) for name, batches in by_recording.items()], protocol=to)


class _Frames:
    """Makes frames of messages."""

    def __init__(self, log: Log) -> None:
        self.log = log
        events = log.events
        self.times = events["time"].astype("int64").where(events["time"].notna(), None).tolist()
        self.elapsed = events["elapsed"].where(events["elapsed"].notna(), None).tolist()
        self.clocks = _texts(events["time_source"])
        self.labels = _texts(events["sender_label"])
        self.senders = _texts(events["sender"])
        self.labels_of = self._labels_of()

    def _labels_of(self) -> dict[tuple[str | None, str], str]:
        """The label that each side of each source has, where its first message has one."""
        found: dict[tuple[str | None, str], str] = {}
        for source, sender, label in zip(self.log.sources, self.senders, self.labels, strict=True):
            if sender is not None and label is not None:
                found.setdefault((source, sender), label)
        return found

    def frames(self, placed: Sequence[Placed]) -> list[Frame]:
        """A frame for each message, in order."""
        return [self._frame(*each) for each in placed]

    def _frame(self, position: int, text: str | None, by: Sender | None) -> Frame:
        source, sender = self.log.sources[position] or "", self.senders[position]
        label = self.labels[position]
        if by not in {None, sender}:
            sender = by
            label = self.labels_of.get((source, str(sender)))
        raw = self.log.raws[position] if text is None else text
        return Frame(
            raw=raw,
            source=source,
            time=self.times[position],
            elapsed=self.elapsed[position],
            clock=self.clocks[position],
            label=label,
            sender=cast("Sender | None", sender),
            problem=soundness(raw.encode()).problem,
        )


def _texts(column: pd.Series) -> list[str | None]:
    values = column.astype(object)
    return values.where(column.notna(), None).tolist()
