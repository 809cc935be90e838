"""From a source to an events table: find the recordings, recognise their format, read, put together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from acpinspect.assembly import Part, assemble
from acpinspect.batching import batches_of, sent_by, stands_in_file, with_traffic
from acpinspect.errors import ArgumentError, ReadError
from acpinspect.events import COLUMNS
from acpinspect.file_texts import left_in
from acpinspect.parallel_reading import read_in_parallel
from acpinspect.progress import shown_progress
from acpinspect.protocol import Version
from acpinspect.reading.detection import Detection, detect
from acpinspect.reading.frames import Sender
from acpinspect.reading.registry import dialects
from acpinspect.reading.sources import Source, open_recordings
from acpinspect.thinning import Kept
from acpinspect.time_columns import check_zone
from acpinspect.workers import check_workers

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Detection", "check_loading", "detect", "formats", "load", "raise_first"]


def load(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002  (the word that users look for)
    protocol: Version | None = None,
    sender: Sender | None = None,
    tz: str | None = None,
    on_error: Literal["keep", "raise"] = "keep",
    columns: Sequence[str] | None = None,
    text: bool = True,
    workers: int | None = None,
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
        columns: Only these columns, in this order; for tables of large logs. What isn't asked for is let go of
            while the log is read.
        text: ``False`` leaves the texts out: `text` is NA, and `raw` stays in the files and is read from them
            when it is asked for, which raises `SourceError` if a file has changed since. JSON that doesn't stand
            in a file as it is (of compressed logs, or escaped in a string) is held as ever.
        workers: How many processes read, this one included: files beside each other, and large files of lines in
            stretches; the table is the same. It pays from some hundred megabytes on. A script that asks for more
            than one has its own work under ``if __name__ == "__main__":``, as `multiprocessing` wants it.
        progress: Show a progress bar; by default only for long work on a terminal or in a notebook.

    Returns:
        The events table: n frames in order of arrival, columns as in `acpinspect.events.COLUMNS`.

    Raises:
        SourceError: If there is no such file, or it can't be opened.
        NotACPError: If a file that was named holds no ACP traffic. Of a folder, an archive or a glob such files
            are left out, with a warning.
        ReadError: With ``on_error="raise"``, at the first record that can't be read.
        ArgumentError: If an argument has no such value.
        WorkerError: If a process that read was killed.

    Example:
        >>> import acpinspect
        >>> log = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}'
        >>> acpinspect.load(log)[["line", "kind", "method", "sender"]].values.tolist()
        [[1, 'request', 'initialize', 'client']]
    """
    check_loading(on_error, sender, tz)
    wanted = _known_columns(columns)
    table = _stored_table(source)
    if table is not None:
        table = table if text else table.assign(text=table["text"].iloc[:0].reindex(table.index))
        return table if columns is None else table[wanted]
    kept = Kept(
        text=text and "text" in wanted, raw=text and "raw" in wanted, from_file=not text and "raw" in wanted
    )
    recordings = open_recordings(source)
    documents = [document for recording in recordings for document in recording.documents]
    leave = documents if kept.from_file else []
    files = {one.name: left_in(one.path) for one in leave if one.path and stands_in_file(one)}
    processes = check_workers(workers)
    with shown_progress(documents, progress) as bar:
        if processes > 1:
            read = read_in_parallel(recordings, format, bar, processes, kept)
        else:
            read = [(recording, list(batches_of(recording, format, bar, kept))) for recording in recordings]
    acp = read if format is not None else with_traffic(read)
    if sender is not None:
        acp = [(recording, [sent_by(sender, batch) for batch in batches]) for recording, batches in acp]
    parts = [Part(recording.name, batches) for recording, batches in acp]
    events = assemble(parts, protocol=protocol, tz=tz, files=files)
    if on_error == "raise":
        raise_first(events)
    return events if columns is None else events[wanted]


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


def _known_columns(columns: Sequence[str] | None) -> list[str]:
    """The columns that are wanted; all where none are named."""
    known = [column.name for column in COLUMNS]
    if columns is None:
        return known
    wanted = [columns] if isinstance(columns, str) else list(columns)
    unknown = [name for name in wanted if name not in known]
    if unknown or len(set(wanted)) < len(wanted):
        wrong = f"unknown: {', '.join(map(repr, unknown))}" if unknown else "one is named twice"
        raise ArgumentError(f"columns= names columns of the events table, {wrong}. Known: {', '.join(known)}.")
    return wanted


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


def check_loading(on_error: str, sender: str | None, tz: str | None) -> None:
    """Refuse what `load` and `scan` don't know.

    Raises:
        ArgumentError: If an argument has no such value.
    """
    if on_error not in ("keep", "raise"):
        raise ArgumentError(f"on_error={on_error!r} has no meaning; give 'keep' or 'raise'.")
    if sender not in (None, "agent", "client"):
        raise ArgumentError(f"sender={sender!r} is no side; give 'agent' or 'client', or leave it out.")
    check_zone(tz)


def raise_first(events: pd.DataFrame) -> None:
    """Raise for the first row that could not be read, if there is one.

    Raises:
        ReadError: If there is one.
    """
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
