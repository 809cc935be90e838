"""Compressed data, recognised by its first bytes, expanded in blocks and within bounds."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from typing import BinaryIO, Protocol, cast

import zstandard

from acpinspect.errors import SourceError

__all__ = ["MAX_EXPANDED", "MAX_RATIO", "Expansion", "compression_of", "expanded_blocks"]

MAX_EXPANDED = 4 << 30
"""Compressed data is read up to 4 GiB; more is refused with a `SourceError`."""

MAX_RATIO = 1_000
"""Above 64 MiB, data that grew more than a thousandfold is refused as a decompression bomb."""

_RATIO_FROM = 64 << 20
_LAYERS = 3
_MAGIC = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))
_ERRORS = (EOFError, OSError, zlib.error, lzma.LZMAError, zstandard.ZstdError)


@dataclass
class Expansion:
    """What became of the compressed data: why it ended early, if it did."""

    problem: str | None = None


class _Reader(Protocol):
    """What all the readers of compressed data can do."""

    def peek(self, size: int, /) -> bytes: ...

    def read1(self, size: int, /) -> bytes: ...


class _Counted(RawIOBase):
    """Passes a stream on and counts what was read of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class _Zstandard(RawIOBase):
    """Zstandard frames one after another; unlike the library's own reader it notices where one is cut off."""

    # A small step bounds what a bomb can expand to at once: a block of 4 bytes holds up to 128 KiB.
    _STEP = 2_048

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._new = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj
        self._frame = self._new()
        self._begun = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame, self._begun = self._new(), False
            data = data or self._stream.read(self._STEP)
            if not data:
                if self._begun:
                    raise EOFError("Compressed file ended before the end of its last frame")
                return 0
            self._begun = True
            self._ready = memoryview(self._frame.decompress(data))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def compression_of(head: bytes) -> str | None:
    r"""The name of the compression whose first bytes these are.

    Examples:
        >>> compression_of(b"\x1f\x8b\x08")
        'gzip'
        >>> compression_of(b'{"jsonrpc"') is None
        True
    """
    return next((name for magic, name in _MAGIC if head.startswith(magic)), None)


def expanded_blocks(stream: BinaryIO, name: str, size: int, expansion: Expansion) -> Iterator[bytes]:
    """The stream's bytes in blocks, decompressed where they are compressed.

    Args:
        stream: The bytes as stored.
        name: The document's name, for messages.
        size: About how large a block shall be.
        expansion: Told what went wrong, where the data is cut off.

    Raises:
        SourceError: The data grows beyond `MAX_EXPANDED` or `MAX_RATIO`, or nothing of it can be expanded.
    """
    counted = _Counted(stream)
    reader = BufferedReader(cast("RawIOBase", counted), 65_536)
    compression = compression_of(reader.peek(8)[:8])
    if compression is None:
        while block := reader.read(size):
            yield block
        return
    total = 0
    try:
        for block in _layered(reader, compression, size):
            total += len(block)
            _check(total, counted.count, name)
            yield block
    except _ERRORS as error:
        if not total:
            raise SourceError(
                f"{name} looks like {compression} data, but it can't be expanded: {error}"
            ) from error
        expansion.problem = f"the {compression} data is cut off or damaged: {error}"


def _layered(reader: _Reader, compression: str | None, size: int) -> Iterator[bytes]:
    """The blocks inside, through a few layers of compression at most."""
    for _ in range(_LAYERS):
        if compression is None:
            break
        reader = _opened(reader, compression)
        compression = compression_of(reader.peek(8)[:8])
    while block := reader.read1(size):
        yield block


def _opened(reader: _Reader, compression: str) -> _Reader:
    stream = cast("BinaryIO", reader)
    if compression == "gzip":
        return gzip.GzipFile(fileobj=stream, mode="rb")
    if compression == "bzip2":
        return bz2.BZ2File(stream)
    if compression == "xz":
        return lzma.LZMAFile(stream)
    return BufferedReader(cast("RawIOBase", _Zstandard(stream)), 1 << 20)


def _check(total: int, stored: int, name: str) -> None:
    if total > MAX_EXPANDED:
        raise SourceError(
            f"{name} expands to more than {MAX_EXPANDED >> 30} GiB; expand it yourself and load parts."
        )
    if total > _RATIO_FROM and total > MAX_RATIO * max(stored, 1):
        raise SourceError(
            f"{name} grows more than {MAX_RATIO}-fold when expanded, as no log does; it was not read."
        )
