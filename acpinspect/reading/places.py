"""Where a piece of decoded text stands in the bytes that it was decoded from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

__all__ = ["Characters", "Places", "as_utf8", "decode"]

_STEP = 4096
_INVALID = re.compile("[\udc80-\udcff]")
_HALF = re.compile("[\ud800-\udfff]")


class Places:
    r"""Maps character positions of a text to lines and to byte positions of its source.

    Args:
        text: The text as its readers see it (each invalid byte written as ``\xNN``).
        source: The same text with one surrogate for each invalid byte, which encodes back to the source.
        codec: The source's encoding.
        base: Size of the byte order mark before the text.
    """

    def __init__(self, text: str, source: str, codec: str, base: int) -> None:
        self._text = text
        self._source = source
        self._codec = codec
        self._errors = "surrogateescape" if codec == "utf-8" else "surrogatepass"
        self._base = base
        self._invalid: list[int] = [m.start() for m in _INVALID.finditer(source)] if text is not source else []
        self._shifted = [position + 3 * order for order, position in enumerate(self._invalid)]
        self._simple = codec == "utf-8" and source.isascii()
        self._marks: list[int] | None = None
        self._newlines: list[int] | None = None

    def place(self, start: int, end: int) -> tuple[int, int, int]:
        """The 1-based line, byte offset and byte length of ``text[start:end]``."""
        first = self.byte(start)
        return self.line(start), first, self.byte(end) - first

    def line(self, position: int) -> int:
        """The 1-based line in which a character stands."""
        if self._newlines is None:
            self._newlines = [m.start() for m in re.finditer("\n", self._text)]
        return bisect_left(self._newlines, position) + 1

    def byte(self, position: int) -> int:
        """The byte at which a character begins."""
        if self._simple:
            return self._base + position
        position = self._in_source(position)
        if self._marks is None:
            self._marks = self._measure()
        block, rest = divmod(position, _STEP)
        start = block * _STEP
        tail = len(self._source[start : start + rest].encode(self._codec, self._errors))
        return self._base + self._marks[block] + tail

    def _in_source(self, position: int) -> int:
        """Undo the widening of each invalid byte from one character to four."""
        before = bisect_right(self._shifted, position)
        if not before:
            return position
        inside = position - self._shifted[before - 1]
        return self._invalid[before - 1] + (inside - 3 if inside >= 4 else min(inside, 1))

    def _measure(self) -> list[int]:
        sizes = (
            len(self._source[i : i + _STEP].encode(self._codec, self._errors))
            for i in range(0, len(self._source), _STEP)
        )
        return [0, *accumulate(sizes)]


class Characters:
    """Maps byte positions of a text as UTF-8 to its characters.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        sizes = (len(as_utf8(text[i : i + _STEP])) for i in range(0, len(text), _STEP))
        self._marks = [0, *accumulate(sizes)]

    def at(self, position: int) -> int:
        """The character that begins at a byte of `as_utf8`."""
        block = bisect_right(self._marks, position, hi=max(len(self._marks) - 1, 1)) - 1
        rest = position - self._marks[block]
        piece = self._text[block * _STEP : (block + 1) * _STEP]
        if _HALF.search(piece):  # is written out, so that characters of the two texts don't pair up
            return block * _STEP + bisect_left([0, *accumulate(len(as_utf8(one)) for one in piece)], rest)
        return block * _STEP + len(as_utf8(piece)[:rest].decode("utf-8", "ignore"))


def as_utf8(text: str) -> bytes:
    r"""A text as UTF-8; half a surrogate pair is written as ``\udXXX``."""
    return text.encode("utf-8", "backslashreplace")


def decode(data: bytes, codec: str, base: int) -> tuple[str, Places, int]:
    """Decode a source so that nothing is lost: the text, its places, and how many bytes were invalid."""
    if codec != "utf-8":
        text = data[base:].decode(codec, "surrogatepass" if len(data[base:]) % 2 == 0 else "replace")
        return text, Places(text, text, codec, base), 0
    source = data[base:].decode("utf-8", "surrogateescape")
    text, invalid = _INVALID.subn(_written, source)
    return (
        (text, Places(text, source, codec, base), invalid)
        if invalid
        else (source, Places(source, source, codec, base), 0)
    )


def _written(match: re.Match[str]) -> str:
    return f"\\x{ord(match.group()) - 0xDC00:02x}"
