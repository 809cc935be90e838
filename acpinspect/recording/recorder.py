"""The recorder as an object: bytes of a conversation go in, a log comes out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from acpinspect.errors import ArgumentError
from acpinspect.recording.journal import Journal
from acpinspect.recording.lines import Lines
from acpinspect.recording.log_files import open_log
from acpinspect.recording.records import SENDERS, Sender

if TYPE_CHECKING:
    import asyncio
    from types import TracebackType

__all__ = ["Recorder"]

Side = Literal["client", "agent"]
_OTHER: Final[dict[str, Sender]] = {"client": "agent", "agent": "client"}
_FORMAT: Final = {"format": "acpinspect-recording", "version": 1}


class Recorder:
    r"""Writes what passes between a client and an agent to a log that `load` reads, from inside a program.

    A message is in the log, safe from a kill of the program, before the call that records it returns; a slow disk
    holds that call up for a tenth of a second at most. What is then missing for how long, or for good, the log
    says (docs/recording.md).

    Args:
        path: The log. A file that is there stays as it is: the next free name is taken, ``log-2.jsonl`` for
            ``log.jsonl``. A folder: a new file in it. Only its owner can read the file.
        say: Is told, in a sentence, what is wrong with the log; else it is a warning of the logger
            ``acpinspect``. It must not block.
        **details: More for the log's first record, as JSON values: a version, a number of a test.

    Attributes:
        path: The file that is written.

    Raises:
        SourceError: If the log can't be opened.

    Example:
        >>> import acpinspect, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with acpinspect.Recorder(f"{folder}/log.jsonl") as recorder:
        ...         recorder.write("client", b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"proto')
        ...         recorder.write("client", b'colVersion":1}}\n')
        ...         recorder.write("stderr", b"ready\n")
        ...     acpinspect.load(recorder.path)[["kind", "method", "sender"]].astype(object).values.tolist()
        [['other', nan, nan], ['request', 'initialize', 'client'], ['other', nan, nan]]
    """

    def __init__(
        self, path: str | os.PathLike[str], *, say: Callable[[str], None] | None = None, **details: object
    ) -> None:
        file, opened = open_log(path)
        self._begin(file, opened, say or _warn, details, None)

    @classmethod
    def _on(
        cls,
        file: int,
        path: Path,
        say: Callable[[str], None],
        details: dict[str, object],
        on_stuck: Callable[[int], None],
    ) -> Recorder:
        """A recorder that writes to a file that `open_log` has opened.

        Args:
            file: The file descriptor; it is closed with the recorder.
            path: The file's name.
            say: Is told what is wrong with the log.
            details: More for the log's first record.
            on_stuck: Is told the number of a thread that is stuck in writing; then threads write themselves.
        """
        recorder = cls.__new__(cls)
        recorder._begin(file, path, say, details, on_stuck)
        return recorder

    def _begin(
        self,
        file: int,
        path: Path,
        say: Callable[[str], None],
        details: dict[str, object],
        on_stuck: Callable[[int], None] | None,
    ) -> None:
        self.path = path
        self._directly = on_stuck is not None
        self._journal = Journal(file, lambda text: say(f"{path}: {text}"), on_stuck)
        self._lines = {sender: Lines() for sender in SENDERS}
        self._closed = False
        self._journal.event("start", **_FORMAT, **details)

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._closed

    @property
    def dropped(self) -> int:
        """How many records were dropped so far, since the disk was full or too slow for too long."""
        return self._journal.dropped

    def write(self, sender: Sender, data: bytes) -> None:
        """Record bytes as they pass, in pieces of any size; of one sender from one thread at a time.

        Args:
            sender: ``"client"``, ``"agent"``, or ``"stderr"`` for the agent's standard error.
            data: The bytes. What follows the last line feed is kept until its line is whole, or the end.

        Raises:
            ArgumentError: If there is no such sender, or the recorder is closed.
        """
        if sender not in self._lines:
            raise ArgumentError(f"sender={sender!r} is no sender; give {', '.join(map(repr, SENDERS))}.")
        self._check_open()
        taken = self._lines[sender].feed(data)
        if taken.parts or taken.block is not None:
            self._journal.add(sender, taken.parts, taken.block, directly=self._directly)

    def end(self, sender: Sender) -> None:
        """Record that a stream is at its end, and what it held of a last line.

        Args:
            sender: Whose stream.

        Raises:
            ArgumentError: If the recorder is closed.
        """
        self._check_open()
        self._flush(sender)
        self._journal.event("end", of=sender)

    def event(self, name: str, **details: object) -> None:
        """Record something that isn't on the wire.

        Args:
            name: What happened, in a word or two.
            **details: More of it, as JSON values.

        Raises:
            ArgumentError: If the recorder is closed.
        """
        self._check_open()
        self._journal.event(name, **details)

    def observer(self, side: Side) -> Callable[[Any], None]:
        """A stream observer for a connection of the Python SDK.

        It is shown messages, not bytes, and of its own side's only when they are sent: a log of it has every
        message, with its time, but not the spelling of what came in. `streams` records the bytes.

        Args:
            side: The side that the program is: ``"client"`` or ``"agent"``.

        Returns:
            What goes into the list ``observers`` of the SDK.

        Raises:
            ArgumentError: If there is no such side.
        """
        from acpinspect.recording.messages import observer

        return observer(self, side, _other(side))

    def streams(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, side: Side
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The same two streams, recorded byte for byte: each byte before the program reads it or it is sent.

        Args:
            reader: Where the other side's bytes come from.
            writer: Where this side's bytes go.
            side: The side that the program is: ``"client"`` or ``"agent"``.

        Returns:
            The streams to use in the place of those.

        Raises:
            ArgumentError: If there is no such side.
        """
        from acpinspect.recording.streams import RecordedReader, RecordedWriter

        return RecordedReader(reader, self, _other(side)), RecordedWriter(writer, self, side)

    def close(self) -> None:
        """Write what is left. A recorder that is closed already stays so."""
        if self._closed:
            return
        for sender in SENDERS:
            self._flush(sender)
        self._closed = True
        self._journal.close()

    def _flush(self, sender: Sender) -> None:
        taken = self._lines[sender].end()
        if taken.parts:
            self._journal.add(sender, taken.parts, None, directly=False)

    def _check_open(self) -> None:
        if self._closed:
            raise ArgumentError(f"The recorder of {self.path} is closed; record before that.")

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _other(side: str) -> Sender:
    if side not in _OTHER:
        raise ArgumentError(f"side={side!r} is no side; give 'client' or 'agent'.")
    return _OTHER[side]


def _warn(text: str) -> None:
    import logging

    logging.getLogger("acpinspect").warning("%s", text)
