"""From bytes as they come to whole lines, in bounded memory."""

from __future__ import annotations

from typing import NamedTuple

from acpinspect.recording.records import LONGEST_LINE, PART, bodies_of, parts_of

__all__ = ["Lines", "Taken"]


class Taken(NamedTuple):
    """What the bytes so far give to the log.

    Attributes:
        parts: Parts of a line that is too long for one record.
        block: The whole lines after them, without the last line feed; None where there are none.
    """

    parts: list[bytes]
    block: bytes | None = None


class Lines:
    r"""The lines of one stream: what has no line feed yet is kept until it has.

    A line that grows longer than `LONGEST_LINE` is given away in parts, and so is all that follows of it.

    Example:
        >>> lines = Lines()
        >>> lines.feed(b'{"id":1}\n{"id"'), lines.feed(b":2}\n"), lines.end()
        (Taken(parts=[], block=b'{"id":1}'), Taken(parts=[], block=b'{"id":2}'), Taken(parts=[], block=None))
    """

    def __init__(self) -> None:
        self._open = bytearray()
        self._next_part = 0  # of a line that is given away in parts; 0 for any other

    def feed(self, data: bytes) -> Taken:
        """Take the next bytes of the stream."""
        cut = data.rfind(b"\n")
        if cut < 0:
            self._open += data
            too_long = len(self._open) > (PART if self._next_part else LONGEST_LINE)
            return Taken(self._give_away(ended=False) if too_long else [])
        parts: list[bytes] = []
        start = 0
        if self._next_part:
            start = data.index(b"\n") + 1
            self._open += data[: start - 1]
            parts = self._give_away(ended=True)
        block = self._block(data[start:cut]) if start <= cut else None
        self._open += data[cut + 1 :]
        return Taken(parts, block)

    def end(self) -> Taken:
        """The stream is at its end: what there is of a last line."""
        rest, part = bytes(self._open), self._next_part
        self._open, self._next_part = bytearray(), 0
        if not rest:
            return Taken([])
        return Taken(parts_of(rest, part, ended=False) if part else bodies_of(rest, ended=False))

    def _block(self, data: bytes) -> bytes:
        if not self._open:
            return data
        self._open += data
        block = bytes(self._open)
        self._open = bytearray()
        return block

    def _give_away(self, *, ended: bool) -> list[bytes]:
        parts = parts_of(bytes(self._open), self._next_part or 1, ended=ended)
        self._open = bytearray()
        self._next_part = 0 if ended else (self._next_part or 1) + len(parts)
        return parts
