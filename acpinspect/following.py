"""A log that is still being written: its events as they come."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Literal

from acpinspect.assembly import assemble, check_version
from acpinspect.batching import is_by_line, line_batches, sent_by
from acpinspect.errors import ArgumentError, SourceError
from acpinspect.pieces import BEGINNING, next_piece
from acpinspect.protocol import Version
from acpinspect.reading.batches import Columns
from acpinspect.reading.decompress import compression_of
from acpinspect.reading.detection import choose
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Sender
from acpinspect.time_columns import check_zone

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Following", "follow"]

_MOST: Final = 16 << 20
"""Bytes that are read at once: what is there already comes in several tables."""

_INTERVAL: Final = 0.25


class Following:
    """A log of lines that may grow; each `read` gives the events that came since the last.

    A line counts when its end is there. The file may be replaced by a new one (rotation): the old one is read to
    its end first, and the new one goes on. It may be emptied and written anew: that is read from its beginning.
    Both are one recording. What an event is told to be never changes afterwards; so frames after a
    `session/resume` are live, even if its answer, still to come, would make them a replay in the whole log.

    Args:
        path: The file; it need not exist yet.
        format: Name of the format, where it shall not be recognised.
        protocol: The version to take, instead of what the log says.
        sender: For a recording of one side alone.
        tz: Zone of times that are written without one.

    Raises:
        SourceError: If the path is no file, or its folder doesn't exist.
        ArgumentError: If an argument has no such value.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002  (the word that users look for)
        protocol: Version | None = None,
        sender: Sender | None = None,
        tz: str | None = None,
    ) -> None:
        check_version(protocol)
        check_zone(tz)
        self.path = Path(path)
        if self.path.is_dir() or not self.path.absolute().parent.is_dir():
            raise SourceError(f"{self.path} is no file that could be followed. Give the path of one log.")
        self._format, self._protocol, self._sender, self._tz = format, protocol, sender, tz
        self._file: BinaryIO | None = None
        self._place = 0  # of the first byte that no row has
        self._line = 1
        self._rest = b""
        self._checked = False
        self._left = BEGINNING
        self._nothing = assemble([])

    def read(self, *, final: bool = False) -> pd.DataFrame:
        """The events that came since the last time; a table without rows if there are none.

        Args:
            final: Nothing will follow: a line without an end is taken as it is.

        Raises:
            SourceError: If the file can't be read.
            ArgumentError: If its format is not one of a record a line.
        """
        try:
            data, state = self._new_bytes()
        except OSError as error:
            raise SourceError(f"{self.path} can't be read: {error.strerror}.") from error
        data = self._rest + data
        ended = state == "ended" or (final and state == "waiting")
        end = len(data) if ended else data.rfind(b"\n") + 1
        self._rest = data[end:]
        if not end and state == "waiting":
            return self._nothing
        batches = list(self._batches(data[:end])) if end else []
        events, self._left = next_piece(batches, self._left, protocol=self._protocol, tz=self._tz, last=True)
        if state == "ended":
            self._place, self._line = 0, 1
        return events

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _batches(self, data: bytes) -> Iterator[Columns]:
        if not self._checked:
            self._check(data)
        body = data.removesuffix(b"\n")
        for batch, _ in line_batches([body], str(self.path), self._place, self._line):
            yield sent_by(self._sender, batch) if self._sender else batch
        self._line += data.count(b"\n")
        self._place += len(data)

    def _check(self, data: bytes) -> None:
        """Refuse what can't be read line by line."""
        document = Document.of_bytes(str(self.path), data)
        packed = compression_of(data[:16]) is not None
        dialect = None if packed else choose(document, self._format)[0]
        if dialect is None or not is_by_line(document, dialect):
            name = "compressed" if dialect is None else f"of the format {dialect.name}"
            raise ArgumentError(
                f"{self.path} is {name}, which can't be read line by line while it is written. "
                "Load it when it is whole."
            )
        self._checked = True

    def _new_bytes(self) -> tuple[bytes, Literal["more", "waiting", "ended"]]:
        """What was written since; and whether there is more, more may come, or the next bytes begin a new file."""
        if self._file is None:
            if not self.path.exists():
                return b"", "waiting"
            self._file = self.path.open("rb")
        data = self._file.read(_MOST)
        if len(data) == _MOST:
            return data, "more"
        if self._replaced():
            self.close()
            return data, "ended"
        if os.fstat(self._file.fileno()).st_size < self._file.tell():
            warnings.warn(f"{self.path} was cut off while it was read; it is read anew.", stacklevel=4)
            self._file.seek(0)
            return data, "ended"
        return data, "waiting"

    def _replaced(self) -> bool:
        """Whether another file has the name now. Without any, the old one may still be written to."""
        assert self._file is not None  # noqa: S101  (its only caller has opened it)
        try:
            now = self.path.stat()
        except FileNotFoundError:
            return False
        own = os.fstat(self._file.fileno())
        return (now.st_ino, now.st_dev) != (own.st_ino, own.st_dev)


def follow(
    path: str | os.PathLike[str],
    *,
    until: Callable[[], bool] | None = None,
    interval: float = _INTERVAL,
    format: str | None = None,  # noqa: A002  (the word that users look for)
    protocol: Version | None = None,
    sender: Sender | None = None,
    tz: str | None = None,
) -> Iterator[pd.DataFrame]:
    """The events of a log while it is written: one events table after the other, each going on from the last.

    What is there already comes first. A file that doesn't exist yet is waited for; one that is replaced or emptied
    (rotation, truncation) goes on with its successor. Event numbers, turns and everything else that was told of an
    event stay as they are when later ones come.

    Args:
        path: The log: a file of one record a line, as most recorders write it.
        until: Asked before each look at the file; when it says True, what is there is read to its end, a line
            without an end included, and the iteration ends. Without it, it goes on until it is interrupted.
        interval: Seconds between two looks while nothing comes.
        format: Name of the format, where it shall not be recognised.
        protocol: The version to take, instead of what the log says.
        sender: For a recording of one side alone.
        tz: Zone of times that are written without one.

    Yields:
        Events tables with at least one row. Cost: linear in what is written; memory as for `scan`.

    Raises:
        SourceError: If the path is no file, or it can't be read.
        ArgumentError: If its format can't be read line by line, or an argument has no such value.

    Example:
        >>> import acpinspect
        >>> for events in acpinspect.follow("sample_logs/v1_with_ids.ndjson", until=lambda: True):
        ...     print(len(events), events["kind"].iloc[0])
        25 request
    """
    if not interval > 0:
        raise ArgumentError(f"interval={interval!r} is no time to wait; give seconds, more than 0.")
    following = Following(path, format=format, protocol=protocol, sender=sender, tz=tz)
    return _followed(following, until, interval)


def _followed(following: Following, until: Callable[[], bool] | None, interval: float) -> Iterator[pd.DataFrame]:
    try:
        while True:
            over = until is not None and until()
            while len(events := following.read()):
                yield events
            if over:
                while len(events := following.read(final=True)):
                    yield events
                return
            time.sleep(interval)
    finally:
        following.close()
