"""Stretches of a large file of lines: each is read by whichever worker is free, and one puts them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.batching import is_by_line, stretch_batches
from acpinspect.collection.entries import Entry, Reopener
from acpinspect.collection.portions import LARGE
from acpinspect.collection.recording_events import Reading, assembled
from acpinspect.collection.urls import is_url, opened
from acpinspect.parallel_reading import line_ends, one_batch
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.decompress import compression_of
from acpinspect.reading.detection import choose

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.reading.batches import Columns

__all__ = ["Stretch", "read_stretch", "stretch_events", "stretches_of"]

_SIZE: Final = 32 << 20
"""Bytes of a stretch."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole lines of a file.

    Attributes:
        file: The file: a path or a url.
        name: The name of the document.
        start: Offset of the first line.
        stop: Offset behind the last line.
    """

    file: str
    name: str
    start: int
    stop: int


def stretches_of(entry: Entry, reading: Reading, large: int = LARGE, size: int = _SIZE) -> list[Stretch]:
    """The stretches of a recording that is large enough and can be cut; else none.

    Args:
        entry: The recording.
        reading: How it is read.
        large: Bytes from which on it is worth it.
        size: Bytes of a stretch.
    """
    if entry.size < large or len(entry.files) != 1 or entry.problem is not None:
        return []
    recording = Reopener()(entry)
    [document, *others] = recording.documents
    if others or recording.paired or document.name != entry.files[0]:
        return []
    with _open(entry.files[0]) as file:
        as_it_is = compression_of(file.read(16)) is None and document.encoding == ("utf-8", 0)
        if not as_it_is or not is_by_line(document, choose(document, reading.format)[0]):
            return []
        cuts = [0, *line_ends(file, entry.size, size), entry.size]
    return [Stretch(entry.files[0], document.name, start, stop) for start, stop in pairwise(cuts)]


def read_stretch(stretch: Stretch) -> tuple[pa.RecordBatch | None, int]:
    """The columns of a stretch, and how many lines end in it; lines count from its first."""
    with _open(stretch.file) as file:
        store = TextStore(stretch.stop - stretch.start, passing=True)
        read = list(stretch_batches(file, stretch.name, stretch.start, stretch.stop, store))
    return one_batch([batch for batch, _ in read]), sum(block.lines for _, block in read)


def _open(file: str) -> IO[bytes]:
    return opened(file) if is_url(file) else Path(file).open("rb")


def stretch_events(
    entry: Entry, reading: Reading, read: Sequence[tuple[pa.RecordBatch | None, int]]
) -> pd.DataFrame:
    """The events table of a recording whose stretches have been read: what one process would have read.

    Args:
        entry: The recording.
        reading: How it is read.
        read: What `read_stretch` gave, in order.

    Raises:
        NotACPError: If it holds no ACP traffic.
    """
    batches: list[Columns] = []
    lines = 0
    for batch, feeds in read:
        if batch is not None:
            columns = dict(zip(batch.schema.names, batch.columns, strict=True))
            batches.append({**columns, "line": pc.add(columns["line"], lines)})
        lines += feeds
    return assembled(Reopener()(entry), batches, reading)
