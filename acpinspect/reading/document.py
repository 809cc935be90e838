"""A document: one stream of bytes with a name, read in blocks or as a whole, with exact places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Literal

from acpinspect.reading.decompress import Expansion, expanded_blocks
from acpinspect.reading.places import Characters, Places, as_utf8, decode

__all__ = ["Document", "Role"]

Role = Literal["agent", "client", "stderr"]

_HEAD = 65_536
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class Document:
    r"""One stream of bytes of a recording, decompressed on the way.

    Args:
        name: What the ``source`` column will say.
        opener: Gives the stream from its beginning, as often as it is asked.
        path: The file, where the document is one (SQLite wants it).
        role: The side whose messages alone stand here (one half of a pair of files), or ``"stderr"``.

    Attributes:
        problem: Why the document ended before its end (cut-off compressed data), once it has been read.
        origin: The file to open to get the document again, itself or the archive that it is a member of; None for
            what was only in memory.

    Examples:
        >>> document = Document.of_bytes("<bytes>", b'{"id":0}\n{"id":1}\n')
        >>> document.text.splitlines()
        ['{"id":0}', '{"id":1}']
        >>> document.place(9, 17)
        (2, 9, 8)
    """

    def __init__(
        self, name: str, opener: Callable[[], BinaryIO], *, path: Path | None = None, role: Role | None = None
    ) -> None:
        self.name = name
        self.path = path
        self.role: Role | None = role
        self.origin = None if path is None else str(path)
        self._opener = opener
        self._expansion = Expansion()

    def __repr__(self) -> str:
        return f"Document({self.name!r})"

    @classmethod
    def of_bytes(cls, name: str, data: bytes, *, role: Role | None = None) -> Document:
        """A document that is already in memory."""
        from io import BytesIO

        return cls(name, lambda: BytesIO(data), role=role)

    @classmethod
    def of_path(cls, path: Path, *, name: str | None = None, role: Role | None = None) -> Document:
        """A document that is a file."""
        return cls(name or str(path), lambda: path.open("rb"), path=path, role=role)

    @property
    def problem(self) -> str | None:
        """Why the document ended before its end, once it has been read."""
        return self._expansion.problem

    def blocks(self, size: int = 1 << 20) -> Iterator[bytes]:
        """The decompressed bytes in blocks of about ``size``, in bounded memory."""
        with self._opener() as stream:
            yield from expanded_blocks(stream, self.name, size, self._expansion)

    def head(self, size: int = _HEAD) -> bytes:
        """The first ``size`` decompressed bytes."""
        parts: list[bytes] = []
        missing = size
        for block in self.blocks(min(size, _HEAD)):
            parts.append(block[:missing])
            missing -= len(parts[-1])
            if missing <= 0:
                break
        return b"".join(parts)

    @cached_property
    def data(self) -> bytes:
        """All decompressed bytes."""
        return b"".join(self.blocks())

    @cached_property
    def encoding(self) -> tuple[str, int]:
        """The text encoding (UTF-8 or UTF-16) and the size of the byte order mark."""
        head = self.head(4096)
        for mark, codec in _BOMS:
            if head.startswith(mark):
                return codec, len(mark)
        return _without_mark(head), 0

    @cached_property
    def _decoded(self) -> tuple[str, Places, int]:
        return decode(self.data, *self.encoding)

    @property
    def text(self) -> str:
        r"""The whole text: no byte order mark, each invalid byte written as ``\xNN``."""
        return self._decoded[0]

    @property
    def invalid(self) -> int:
        """How many bytes of the text were not valid in its encoding."""
        return self._decoded[2]

    def place(self, start: int, end: int) -> tuple[int, int, int]:
        """The 1-based line, byte offset and byte length of ``text[start:end]``."""
        return self._decoded[1].place(start, end)

    @cached_property
    def utf8(self) -> bytes:
        """The whole text as UTF-8; the very bytes of the source where that is UTF-8 (its mark included)."""
        if self.encoding[0] == "utf-8":
            return self.data
        return as_utf8(self.text)

    @cached_property
    def _characters(self) -> Characters:
        return Characters(self.text)

    def native(self, offset: int, length: int) -> tuple[int, int]:
        """The byte offset and length in the source of a piece of `utf8`."""
        if self.encoding[0] == "utf-8":
            return offset, length
        return self.place(self._characters.at(offset), self._characters.at(offset + length))[1:]

    def lines(self, size: int = 1 << 20) -> Iterator[tuple[bytes, int, int]]:
        """Each line of `utf8` without its end, with its 1-based number and its byte offset there."""
        blocks = self.blocks(size) if self.encoding[0] == "utf-8" else iter((self.utf8,))
        rest: list[bytes] = []
        number, offset = 1, 0
        for block in blocks:
            first = block.find(b"\n")
            if first < 0:
                rest.append(block)
                continue
            rest.append(block[:first])
            lines = [b"".join(rest), *block[first + 1 :].split(b"\n")]
            rest = [lines.pop()]
            for line in lines:
                yield line, number, offset
                number += 1
                offset += len(line) + 1
        last = b"".join(rest)
        if last:
            yield last, number, offset


def _without_mark(head: bytes) -> str:
    """UTF-16 without a mark shows as a zero in every second byte of what is nearly all ASCII."""
    even, odd = head[0::2], head[1::2]
    if len(head) < 4 or not odd:
        return "utf-8"
    if odd.count(0) > 0.7 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.7 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return "utf-8"
