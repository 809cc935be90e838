"""Events tables of logs that are too large for one: piece by piece, in bounded memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, Literal

from acpinspect.assembly import assemble, check_version
from acpinspect.batching import batches_of, may_be_acp, sent_by
from acpinspect.errors import ArgumentError
from acpinspect.loading import check_loading, raise_first
from acpinspect.pieces import BEGINNING, next_piece
from acpinspect.progress import Progress, shown_progress
from acpinspect.protocol import Version
from acpinspect.reading.batches import Columns
from acpinspect.reading.detection import not_acp
from acpinspect.reading.frames import Sender
from acpinspect.reading.sources import Recording, Source, open_recordings

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["scan"]

_SIZE: Final = 10_000


def scan(
    source: Source,
    *,
    size: int = _SIZE,
    format: str | None = None,  # noqa: A002  (the word that users look for)
    protocol: Version | None = None,
    sender: Sender | None = None,
    tz: str | None = None,
    on_error: Literal["keep", "raise"] = "keep",
    progress: bool | None = None,
) -> Iterator[pd.DataFrame]:
    r"""Load recordings piece by piece: one events table after the other, each going on where the last one ended.

    Put together, the tables are what `load` gives: a turn, an epoch, a reply or a version that began in one piece
    goes on in the next. What `load` infers from the whole of a recording, a scan infers from its beginning: the
    version of a connection without `initialize` by the first piece that shows one, and which side a direction
    label stands for by the pieces so far. ``protocol=`` and ``sender=`` say it for sure.

    Args:
        source: What `load` takes.
        size: About how many events a table has; at least 1. A piece ends earlier where a recording ends, and
            before a `session/resume` whose answer is still to come.
        format: As `load` takes it, like all that follow.
        protocol: The version to take, instead of what the log says.
        sender: For a recording of one side alone.
        tz: Zone of times that are written without one.
        on_error: Keep what can't be read as rows, or raise.
        progress: Show a progress bar.

    Yields:
        Events tables; the index `event` goes on from one to the next. Memory: that of some pieces, and what is
        open at a time (unanswered requests, one small record a session). Cost: that of `load`. Of a log without
        events there is one table without rows.

    Raises:
        SourceError: If there is no such file, or it can't be opened.
        NotACPError: If the beginning of a file that was named holds no ACP traffic.
        ReadError: With ``on_error="raise"``, at the first record that can't be read.
        ArgumentError: If an argument has no such value.

    Example:
        >>> import acpinspect
        >>> def line(text):
        ...     return (
        ...         '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'
        ...         '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}\n' % text
        ...     )
        >>> log = "".join(map(line, "abcde")).encode()
        >>> [piece["text"].tolist() for piece in acpinspect.scan(log, size=2)]
        [['a', 'b'], ['c', 'd'], ['e']]
    """
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise ArgumentError(f"size={size!r} is no number of events; give 1 or more.")
    check_loading(on_error, sender, tz)
    check_version(protocol)
    recordings = open_recordings(source)
    return _scanned(recordings, size, format, protocol, sender, tz, on_error, progress)


def _scanned(
    recordings: list[Recording],
    size: int,
    format_name: str | None,
    protocol: Version | None,
    sender: Sender | None,
    tz: str | None,
    on_error: str,
    progress: bool | None,
) -> Iterator[pd.DataFrame]:
    documents = [document for recording in recordings for document in recording.documents]
    begun, empty = 0, True
    with shown_progress(documents, progress) as bar:
        for recording in recordings:
            left = BEGINNING.at(begun)
            for batches, last in _pieces(recording, size, format_name, sender, bar):
                events, left = next_piece(batches, left, protocol=protocol, tz=tz, last=last)
                if on_error == "raise":
                    raise_first(events)
                if len(events):
                    empty = False
                    yield events
                del events  # the caller may have let go of it
            begun = left.carry.next_event
    if empty:
        yield assemble([], protocol=protocol, tz=tz)


def _pieces(
    recording: Recording, size: int, format_name: str | None, sender: Sender | None, bar: Progress
) -> Iterator[tuple[list[Columns], bool]]:
    """The batches of a recording by pieces, and whether a piece is the last; none if it holds no ACP traffic."""
    pieces = _sized(batches_of(recording, format_name, bar), size)
    first, last = next(pieces)
    if format_name is None and any(map(_rows, first)) and not may_be_acp(recording, first):
        if recording.named:
            raise not_acp(recording.documents)
        warnings.warn(f"{recording.name} holds no ACP traffic at its beginning and is left out.", stacklevel=4)
        return
    yield _sent(sender, first), last
    del first
    for piece, last in pieces:
        yield _sent(sender, piece), last


def _sent(sender: Sender | None, piece: list[Columns]) -> list[Columns]:
    return [sent_by(sender, batch) for batch in piece] if sender else piece


def _sized(batches: Iterable[Columns], size: int) -> Iterator[tuple[list[Columns], bool]]:
    """The batches in pieces of a size, each with whether it is the last, which one more batch tells."""
    piece: list[Columns] = []
    missing = size
    for batch in batches:
        rest = batch
        while rows := _rows(rest):
            if not missing:
                yield piece, False
                piece, missing = [], size
            piece.append(_slice(rest, 0, missing))
            rest = _slice(rest, missing, rows)
            missing = max(missing - rows, 0)
    yield piece, True


def _slice(batch: Columns, start: int, length: int) -> Columns:
    return {name: column.slice(start, length) for name, column in batch.items()}


def _rows(batch: Columns) -> int:
    return len(batch["kind"])
