"""asyncio's streams, recorded: what comes in before the program has it, what goes out before it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from acpinspect.recording.records import Sender

if TYPE_CHECKING:
    from acpinspect.recording.recorder import Recorder

__all__ = ["RecordedReader", "RecordedWriter"]


class RecordedReader(asyncio.StreamReader):
    """A reader that records what is read from another one.

    Args:
        inner: The reader.
        recorder: Where to.
        sender: Whose bytes it reads.
    """

    def __init__(self, inner: asyncio.StreamReader, recorder: Recorder, sender: Sender) -> None:
        # It is a StreamReader for those who ask, and has nothing of its own: no buffer, no loop.
        self._inner, self._recorder, self._sender = inner, recorder, sender
        self._ended = False

    async def read(self, n: int = -1) -> bytes:
        """Up to n bytes, all for -1."""
        return self._passed(await self._inner.read(n), asked=n)

    async def readline(self) -> bytes:
        """A line, or what is left."""
        return self._passed(await self._inner.readline())

    async def readexactly(self, n: int) -> bytes:
        """So many bytes."""
        try:
            return self._passed(await self._inner.readexactly(n), asked=n)
        except asyncio.IncompleteReadError as error:
            self._end(error.partial)
            raise

    async def readuntil(self, separator: Any = b"\n") -> bytes:  # noqa: ANN401 - bytes; later Pythons take a tuple too
        """What comes before a separator, and the separator."""
        try:
            return self._passed(await self._inner.readuntil(separator))
        except asyncio.IncompleteReadError as error:
            self._end(error.partial)
            raise

    def at_eof(self) -> bool:
        """Whether nothing more comes."""
        return self._inner.at_eof()

    def exception(self) -> Exception | None:  # type: ignore[override,unused-ignore]  # typeshed leaves None out
        """What is wrong with the stream."""
        return self._inner.exception()

    def set_exception(self, exc: Exception) -> None:
        """Say what is wrong with the stream."""
        self._inner.set_exception(exc)

    def set_transport(self, transport: asyncio.BaseTransport) -> None:
        """Set the transport."""
        self._inner.set_transport(transport)

    def feed_data(self, data: Iterable[Any]) -> None:
        """Put bytes into the stream; they are recorded when they are read."""
        self._inner.feed_data(data)  # type: ignore[arg-type,unused-ignore]  # the stubs differ by version

    def feed_eof(self) -> None:
        """End the stream."""
        self._inner.feed_eof()

    def __repr__(self) -> str:
        return f"<recorded {self._inner!r}>"

    def _passed(self, data: bytes, asked: int = -1) -> bytes:
        if data:
            _record(self._recorder, self._sender, data)
        elif asked:
            self._end(b"")
        return data

    def _end(self, rest: bytes) -> None:
        _record(self._recorder, self._sender, rest)
        if not self._ended:
            self._ended = True
            _record_end(self._recorder, self._sender)


class RecordedWriter(asyncio.StreamWriter):
    """A writer that records what is written before it hands it to another one.

    Args:
        inner: The writer.
        recorder: Where to.
        sender: Whose bytes it writes.
    """

    def __init__(self, inner: asyncio.StreamWriter, recorder: Recorder, sender: Sender) -> None:
        self._inner, self._recorder, self._sender = inner, recorder, sender
        self._ended = False

    @property
    def transport(self) -> asyncio.WriteTransport:
        """The transport; what is written to it directly isn't recorded."""
        return self._inner.transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write bytes."""
        _record(self._recorder, self._sender, bytes(data))
        self._inner.write(data)

    def writelines(self, data: Iterable[bytes | bytearray | memoryview]) -> None:
        """Write several bytes objects."""
        self.write(b"".join(data))

    def write_eof(self) -> None:
        """End what is written."""
        self._end()
        self._inner.write_eof()

    def can_write_eof(self) -> bool:
        """Whether it can be ended without closing it."""
        return self._inner.can_write_eof()

    def close(self) -> None:
        """Close it."""
        self._end()
        self._inner.close()

    def is_closing(self) -> bool:
        """Whether it is closed or about to be."""
        return self._inner.is_closing()

    async def wait_closed(self) -> None:
        """Wait until it is closed."""
        await self._inner.wait_closed()

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - asyncio's own signature
        """What the transport knows."""
        return self._inner.get_extra_info(name, default)

    async def drain(self) -> None:
        """Wait until more may be written."""
        await self._inner.drain()

    def __repr__(self) -> str:
        return f"<recorded {self._inner!r}>"

    def __del__(self) -> None:
        """The inner writer closes itself."""

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            _record_end(self._recorder, self._sender)


def _record(recorder: Recorder, sender: Sender, data: bytes) -> None:
    """A stream outlives its recorder: what passes then isn't recorded."""
    if data and not recorder.closed:
        recorder.write(sender, data)


def _record_end(recorder: Recorder, sender: Sender) -> None:
    if not recorder.closed:
        recorder.end(sender)
