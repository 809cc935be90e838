"""From a source to an events table: find the recordings, recognise their format, read, put together."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import pyarrow as pa

from acpinspect.assembly import Part, assemble
from acpinspect.errors import ArgumentError, ReadError
from acpinspect.progress import Progress, shown_progress
from acpinspect.protocol import Version
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import KINDS, Columns, columns_of_frames, columns_of_lines
from acpinspect.reading.detection import Detection, choose, detect, is_acp, not_acp
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.framing import line_frames
from acpinspect.reading.lines import frames_by_line
from acpinspect.reading.reader import frames_of, read_recording
from acpinspect.reading.registry import dialects
from acpinspect.reading.sources import Recording, Source, open_recordings
from acpinspect.time_columns import check_zone

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Detection", "detect", "formats", "load"]

_BLOCK: Final = 1 << 20
"""Bytes of lines that are decoded together: few enough to stay in the processor's cache."""

_BATCH: Final = 1_000


def load(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002  (the word that users look for)
    protocol: Version | None = None,
    sender: Sender | None = None,
    tz: str | None = None,
    on_error: Literal["keep", "raise"] = "keep",
    progress: bool | None = None,
) -> pd.DataFrame:
    """Load recordings of ACP traffic into an events table, one row a frame; nothing is dropped.

    Args:
        source: A path, a glob, a folder, a list of these, an open text or binary file, ``"-"`` for standard
            input, bytes, or a string that is a log itself. gz, bz2, xz, zst and zip are recognised by content; so
            is an events table that `write` stored as Parquet.
        format: Name of the format (see `formats`), where it shall not be recognised.
        protocol: ``"v1"`` or ``"v2"``, instead of what the log says.
        sender: ``"agent"`` or ``"client"``, for a recording of one side alone.
        tz: Zone of times that are written without one, such as ``"Europe/Berlin"``; without it they give
            `elapsed` and no `time`.
        on_error: ``"keep"`` makes a row of what can't be read; ``"raise"`` raises at the first such record.
        progress: Show a progress bar; by default only for long work on a terminal or in a notebook.

    Returns:
        The events table: n frames in order of arrival, columns as in `acpinspect.events.COLUMNS`.

    Raises:
        SourceError: If there is no such file, or it can't be opened.
        NotACPError: If a file that was named holds no ACP traffic. Of a folder, an archive or a glob such files
            are left out, with a warning.
        ReadError: With ``on_error="raise"``, at the first record that can't be read.
        ArgumentError: If an argument has no such value.

    Example:
        >>> import acpinspect
        >>> log = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}'
        >>> acpinspect.load(log)[["line", "kind", "method", "sender"]].values.tolist()
        [[1, 'request', 'initialize', 'client']]
    """
    _check(on_error, sender, tz)
    table = _stored_table(source)
    if table is not None:
        return table
    recordings = open_recordings(source)
    documents = [document for recording in recordings for document in recording.documents]
    with shown_progress(documents, progress) as bar:
        read = [(recording, list(_batches(recording, format, bar))) for recording in recordings]
    kept = read if format is not None else _with_traffic(read)
    if sender is not None:
        kept = [(recording, [_sent_by(sender, batch) for batch in batches]) for recording, batches in kept]
    events = assemble([Part(recording.name, batches) for recording, batches in kept], protocol=protocol, tz=tz)
    if on_error == "raise":
        _raise_first(events)
    return events


def formats() -> pd.DataFrame:
    """The formats of recordings that `load` reads.

    Returns:
        One row a format, in the order in which they are tried: `format`, `title`, `writer` (string), `lossy`,
        `acp` (bool; those that are no ACP traffic are recognised to say so).

    Example:
        >>> import acpinspect
        >>> "raw-ndjson" in acpinspect.formats()["format"].tolist()
        True
    """
    import pandas as pd

    rows = [(one.name, one.title, one.writer, one.lossy, not one.negative) for one in dialects()]
    return pd.DataFrame(rows, columns=["format", "title", "writer", "lossy", "acp"])


def _stored_table(source: object) -> pd.DataFrame | None:
    """The events table that `write` stored as Parquet, if the source is one."""
    if not isinstance(source, str | os.PathLike) or not _is_parquet(Path(source)):
        return None
    from acpinspect.writing import read_parquet

    return read_parquet(source)


def _is_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PAR1"
    except (OSError, ValueError):
        return False


def _check(on_error: str, sender: str | None, tz: str | None) -> None:
    if on_error not in ("keep", "raise"):
        raise ArgumentError(f"on_error={on_error!r} has no meaning; give 'keep' or 'raise'.")
    if sender not in (None, "agent", "client"):
        raise ArgumentError(f"sender={sender!r} is no side; give 'agent' or 'client', or leave it out.")
    check_zone(tz)


def _batches(recording: Recording, format_name: str | None, bar: Progress) -> Iterator[Columns]:
    """The columns of a recording, batch by batch."""
    if recording.paired:
        yield from _in_batches(read_recording(recording, format_name))
        return
    for document in recording.documents:
        dialect, _ = choose(document, format_name)
        if dialect.frames is frames_by_line and document.encoding[0] == "utf-8":
            yield from _of_lines(document, bar)
        else:
            yield from _in_batches(frames_of(document, dialect))
        bar.done(document)


def _of_lines(document: Document, bar: Progress) -> Iterator[Columns]:
    """The columns of a document of lines, in bounded memory beside the table itself."""
    number, offset, store = 1, 0, TextStore()
    for block in _line_blocks(document):
        lines = block.split(b"\n")
        yield columns_of_lines(block, lines, document.name, number, offset, line_frames, store)
        number += len(lines)
        offset += len(block) + 1
        bar.advance(document, len(block) + 1)
    if document.problem is not None:
        yield columns_of_frames([Frame(raw="", source=document.name, kind="unreadable", problem=document.problem)])


def _line_blocks(document: Document) -> Iterator[bytes]:
    """Blocks of whole lines, without the line feed at their ends."""
    rest: list[bytes] = []
    for block in document.blocks(_BLOCK):
        end = block.rfind(b"\n")
        if end < 0:
            rest.append(block)
            continue
        yield b"".join([*rest, memoryview(block)[:end]])
        rest = [block[end + 1 :]]
    last = b"".join(rest)
    if last:
        yield last


def _in_batches(frames: Iterable[Frame]) -> Iterator[Columns]:
    """Frames in batches; each batch is of one source."""
    iterator = iter(frames)
    while batch := list(islice(iterator, _BATCH)):
        ends = [i for i in range(1, len(batch)) if batch[i].source != batch[i - 1].source]
        for start, end in zip([0, *ends], [*ends, len(batch)], strict=True):
            yield columns_of_frames(batch[start:end])


def _with_traffic(read: list[tuple[Recording, list[Columns]]]) -> list[tuple[Recording, list[Columns]]]:
    """Leave out what holds no ACP traffic, or say so if that is what the user named."""
    without = [
        recording for recording, batches in read if _has_text(batches) and not _may_be_acp(recording, batches)
    ]
    named = [recording for recording in without if recording.named]
    if named or (without and len(without) == len(read)):
        raise not_acp(document for recording in (named or without) for document in recording.documents)
    if without:
        names = ", ".join(recording.name for recording in without[:5]) + (", ..." if len(without) > 5 else "")
        warnings.warn(
            f"{len(without)} of {len(read)} files hold no ACP traffic and are left out: {names}", stacklevel=3
        )
    return [(recording, batches) for recording, batches in read if recording not in without]


def _has_text(batches: list[Columns]) -> bool:
    """An empty file is a recording without events, not a foreign one."""
    return any(len(batch["kind"]) for batch in batches)


def _may_be_acp(recording: Recording, batches: list[Columns]) -> bool:
    """Whether there is ACP traffic, or something that may be a torn piece of it."""
    if any(len(batch["update"].dictionary) for batch in batches):
        return True
    found = is_acp(chain.from_iterable(map(_frames_in, batches)))
    return found or (found is None and not all(choose(document)[0].negative for document in recording.documents))


def _frames_in(batch: Columns) -> Iterator[Frame]:
    for kind, raw in zip(batch["kind"].to_pylist(), batch["raw"].to_pylist(), strict=True):
        name = KINDS[kind]
        yield Frame(raw=raw, source="", kind=name if name in ("unreadable", "other") else None)  # type: ignore[arg-type]


def _sent_by(sender: Sender, batch: Columns) -> Columns:
    n = len(batch["kind"])
    side = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), pa.array([sender], pa.large_string()))
    return {**batch, "_sender": side}


def _raise_first(events: pd.DataFrame) -> None:
    unreadable = events[
        (events["kind"] == "unreadable") | events["problem"].astype("string").str.startswith("no JSON")
    ]
    if len(unreadable):
        row = unreadable.iloc[0]
        line = None if row["line"] is None or row["line"] != row["line"] else int(row["line"])
        where = f"{row['source']}, line {line}" if line is not None else str(row["source"])
        raise ReadError(
            f"{where}: {row['problem']}. Load with on_error='keep' to see it as a row.",
            source=str(row["source"]),
            line=line,
        )
