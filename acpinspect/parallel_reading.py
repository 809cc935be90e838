"""Read recordings in several processes: files beside each other, and large files of lines in stretches.

What comes back is what one process would have read, in the same order. The caller's process reads as well; the
columns of the others go through files in memory, which are mapped, not copied. Cost: linear in the bytes, divided
by the processes, and one write of the columns that others read.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import IO, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.batching import batches_of, is_by_line, stands_in_file, stretch_batches
from acpinspect.progress import Progress
from acpinspect.reading.arrays import TextStore, merged_views
from acpinspect.reading.batches import Columns
from acpinspect.reading.detection import choose
from acpinspect.reading.document import Document
from acpinspect.reading.sources import Recording
from acpinspect.thinning import ALL, Kept, thinned
from acpinspect.workers import done_beside

__all__ = ["line_ends", "one_batch", "read_in_parallel"]

_STRETCH: Final = 16 << 20
"""Bytes of a stretch: enough to be worth a message to a process, few enough to keep all of them busy."""

_IN_MEMORY: Final = Path("/dev/shm")  # noqa: S108  (a folder of our own is made in it)


@dataclass(frozen=True, slots=True)
class _Task:
    """A document, or a stretch of one, for a worker to read.

    Attributes:
        recording: Number of the recording.
        path: The file.
        name: The name of the document.
        format: The format that the user named.
        kept: What is kept of the texts.
        target: Where the columns go.
        start: Byte offset of the stretch; None for the whole document.
        stop: Where it ends.
    """

    recording: int
    path: Path
    name: str
    format: str | None
    kept: Kept
    target: Path = Path()
    start: int | None = None
    stop: int = 0


def read_in_parallel(
    recordings: Sequence[Recording], format_name: str | None, bar: Progress, workers: int, kept: Kept = ALL
) -> list[tuple[Recording, list[Columns]]]:
    """The columns of each recording, read by several processes.

    Args:
        recordings: What to read. Pairs, archives and what is in memory are read by this process.
        format_name: Name of the format, where it shall not be recognised.
        bar: Told what is read.
        workers: How many processes, this one included.
        kept: What is kept of the texts.

    Raises:
        WorkerError: If a process was killed.
    """
    read: list[tuple[Recording, list[Columns]]] = [(recording, []) for recording in recordings]
    with _folder(recordings) as folder:
        tasks = list(_numbered(_tasks(recordings, format_name, kept), folder))
        lines = 1
        results = done_beside(_read_and_write, _read, tasks, min(workers, len(tasks) or 1))
        for task, (batches, count) in zip(tasks, results, strict=True):
            lines = 1 if not task.start else lines
            columns = _written(task.target) if batches is None else batches
            read[task.recording][1].extend(_lines_counted_on(columns, lines - 1))
            lines += count
            bar.advance_by(task.stop - (task.start or 0))
    own = {task.recording for task in tasks}
    for number, (recording, batches) in enumerate(read):
        if number not in own:
            batches.extend(batches_of(recording, format_name, bar, kept))
    return read


def _tasks(recordings: Sequence[Recording], format_name: str | None, kept: Kept) -> Iterator[_Task]:
    for number, recording in enumerate(recordings):
        if recording.paired or any(document.path is None for document in recording.documents):
            continue
        for document in recording.documents:
            yield from _of_document(number, document, format_name, kept)


def _of_document(number: int, document: Document, format_name: str | None, kept: Kept) -> Iterator[_Task]:
    assert document.path is not None  # noqa: S101  (asked before)
    size = document.path.stat().st_size
    whole = _Task(number, document.path, document.name, format_name, kept, stop=size)
    can_be_cut = stands_in_file(document) and is_by_line(document, choose(document, format_name)[0])
    if size <= _STRETCH or not can_be_cut:
        yield whole
        return
    with document.path.open("rb") as file:
        cuts = [0, *line_ends(file, size, _STRETCH), size]
    for start, stop in pairwise(cuts):
        yield replace(whole, start=start, stop=stop)


def line_ends(file: IO[bytes], size: int, stretch: int) -> Iterator[int]:
    """Offsets behind line feeds, about a stretch apart.

    Args:
        file: The file, open for reading.
        size: How large it is.
        stretch: Bytes of a stretch.
    """
    at = stretch
    while at < size:
        file.seek(at)
        while piece := file.read(1 << 20):
            found = piece.find(b"\n")
            if found >= 0:
                at += found + 1
                break
            at += len(piece)
        if at < size:
            yield at
        at += stretch


def _numbered(tasks: Iterable[_Task], folder: Path) -> Iterator[_Task]:
    return (replace(task, target=folder / str(number)) for number, task in enumerate(tasks))


@contextmanager
def _folder(recordings: Sequence[Recording]) -> Iterator[Path]:
    """A folder for the columns, in memory where there is room; mapped files stay readable when it is gone."""
    paths = [document.path for recording in recordings for document in recording.documents]
    needed = 2 * sum(path.stat().st_size for path in paths if path is not None)
    in_memory = _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free > needed
    with tempfile.TemporaryDirectory(prefix="acpinspect-", dir=_IN_MEMORY if in_memory else None) as folder:
        yield Path(folder)


def _read(task: _Task, *, passing: bool = False) -> tuple[list[Columns] | None, int]:
    """Read what a task says: the columns, and the number of the lines (of a stretch).

    Args:
        task: What to read.
        passing: The columns are soon let go of.
    """
    if task.start is None:
        document = Document.of_path(task.path, name=task.name)
        return list(batches_of(Recording(task.name, (document,)), task.format, Progress(), task.kept)), 0
    with task.path.open("rb") as file:
        store = TextStore(task.stop - task.start, passing=passing)
        stretch = stretch_batches(file, task.name, task.start, task.stop, store)
        read = [(thinned(batch, task.kept), block.lines) for batch, block in stretch]
    return [batch for batch, _ in read], sum(count for _, count in read)


def _read_and_write(task: _Task) -> tuple[list[Columns] | None, int]:
    """Read what a task says, in another process: the columns go to the task's file."""
    batches, lines = _read(task, passing=True)
    _write(batches or [], task.target)
    return None, lines


def _write(batches: list[Columns], target: Path) -> None:
    """The columns as Arrow batches, as few as can be without copying texts together; none without rows."""
    texts = merged_views([batch.pop("raw") for batch in batches if len(batch["kind"])])
    others = one_batch(batches)
    if others is None:
        return
    schema = others.schema.append(pa.field("raw", texts.type))
    at = 0
    with pa.OSFile(str(target), "wb") as file, pa.ipc.new_file(file, schema) as writer:
        for chunk in texts.chunks:
            columns = [*others.slice(at, len(chunk)).columns, chunk]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
            at += len(chunk)


def one_batch(batches: list[Columns]) -> pa.RecordBatch | None:
    """The columns of some batches, which are used up, as one Arrow batch; None where there are no rows."""
    batches = [batch for batch in batches if len(batch["kind"])]
    if not batches:
        return None
    columns = {name: _in_one_piece([batch.pop(name) for batch in batches]) for name in list(batches[0])}
    return pa.RecordBatch.from_pydict(columns)


def _in_one_piece(pieces: list[pa.Array]) -> pa.Array:
    whole = pa.chunked_array(pieces)
    if not pa.types.is_dictionary(whole.type):
        return whole.combine_chunks()
    merged = whole.unify_dictionaries()
    indices = pa.chunked_array([chunk.indices for chunk in merged.chunks]).combine_chunks()
    missing = indices.is_null().to_numpy(zero_copy_only=False)
    # Merging leaves anything in the place of a missing index, and merging again would look it up.
    codes = pa.array(np.where(missing, 0, indices.fill_null(0).to_numpy()), pa.int32(), mask=missing)
    return pa.DictionaryArray.from_arrays(codes, merged.chunk(0).dictionary)


def _written(target: Path) -> list[Columns]:
    """The columns that another process wrote, mapped."""
    if not target.exists():
        return []
    with pa.memory_map(str(target)) as mapped:
        file = pa.ipc.open_file(mapped)
        batches = [file.get_batch(number) for number in range(file.num_record_batches)]
    target.unlink()
    return [dict(zip(batch.schema.names, batch.columns, strict=True)) for batch in batches]


def _lines_counted_on(batches: list[Columns], lines_before: int) -> list[Columns]:
    """The batches of a stretch, with lines that count from the document's first."""
    if not lines_before:
        return batches
    return [{**batch, "line": pc.add(batch["line"], lines_before)} for batch in batches]
