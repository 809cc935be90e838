"""The events table of one recording of a corpus: what `load` makes of its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acpinspect.assembly import Part, assemble, check_version
from acpinspect.batching import batches_of, sent_by, with_traffic
from acpinspect.loading import check_loading
from acpinspect.progress import Progress
from acpinspect.protocol import Version
from acpinspect.reading.batches import Columns
from acpinspect.reading.frames import Sender
from acpinspect.reading.registry import dialect
from acpinspect.reading.sources import Recording

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Reading", "assembled", "columns_of_recording", "is_stored", "recording_events"]

_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class Reading:
    """How recordings are read: what `load` takes.

    Attributes:
        format: Name of the format, where it shall not be recognised.
        protocol: The version to take, instead of what the log says.
        sender: For recordings of one side alone.
        tz: Zone of times that are written without one.
    """

    format: str | None = None
    protocol: Version | None = None
    sender: Sender | None = None
    tz: str | None = None

    def check(self) -> None:
        """Refuse what `load` would refuse.

        Raises:
            ArgumentError: If an argument has no such value.
        """
        check_loading("keep", self.sender, self.tz)
        check_version(self.protocol)
        if self.format is not None:
            dialect(self.format)


def recording_events(recording: Recording, reading: Reading) -> pd.DataFrame:
    """The events table of a recording, its events numbered from 0.

    Raises:
        NotACPError: If it holds no ACP traffic.
        SourceError: If it can't be read.
    """
    path = recording.documents[0].path
    if path is not None and is_stored(recording):
        from acpinspect.writing import read_parquet

        return read_parquet(path)
    return assembled(recording, list(batches_of(recording, reading.format, Progress())), reading)


def assembled(recording: Recording, batches: Sequence[Columns], reading: Reading) -> pd.DataFrame:
    """The events table of a recording whose columns are read already; they are used up.

    Raises:
        NotACPError: If it holds no ACP traffic.
    """
    kept = _with_traffic(recording, list(batches), reading)
    return assemble([Part(recording.name, kept)], protocol=reading.protocol, tz=reading.tz)


def columns_of_recording(recording: Recording, reading: Reading) -> list[Columns]:
    """The columns of a recording, from which its table is assembled.

    Raises:
        NotACPError: If it holds no ACP traffic.
        SourceError: If it can't be read.
    """
    return _with_traffic(recording, list(batches_of(recording, reading.format, Progress())), reading)


def _with_traffic(recording: Recording, batches: list[Columns], reading: Reading) -> list[Columns]:
    read = [(recording, batches)]
    [(_, kept)] = read if reading.format is not None else with_traffic(read)
    return kept if reading.sender is None else [sent_by(reading.sender, batch) for batch in kept]


def is_stored(recording: Recording) -> bool:
    """Whether it is an events table that `write` stored as Parquet."""
    return recording.documents[0].path is not None and recording.documents[0].head(len(_PARQUET)) == _PARQUET
