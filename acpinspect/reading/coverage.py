"""Nothing is lost: what a format's reader leaves between its records becomes rows of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame

__all__ = ["covered", "in_source_bytes"]

_PUNCTUATION: Final = " \t\r\n\x0b\x0c\ufeff[]{},:;\0"
_RECORD: Final = re.compile(r'[\[{,\s]*\{\s*"')
_RECORD_WORDS: Final = re.compile(r'"(?:jsonrpc|sessionUpdate|session_update)\\?"')
_KEPT: Final = 1 << 20


def in_source_bytes(document: Document, frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frames of a reader of `Document.utf8`, with their places in the source's own bytes."""
    if document.encoding[0] == "utf-8":
        yield from frames
        return
    for frame in frames:
        if frame.offset is None or frame.length is None:
            yield frame
        else:
            offset, length = document.native(frame.offset, frame.length)
            yield msgspec.structs.replace(frame, offset=offset, length=length)


def covered(document: Document, frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frames, and between them a row for each stretch of text that no frame spans.

    Brackets, commas and blanks between records are no content and get no row.

    Args:
        document: The document that the frames were read from.
        frames: Its frames, mostly in order of their offsets.

    Yields:
        The frames in their order; a stretch before a frame comes before it.
    """
    done = document.encoding[1]
    for frame in frames:
        if frame.offset is not None:
            if frame.offset > done:
                yield from _between(document, done, frame.offset)
            done = max(done, frame.offset + (frame.length or 0))
        elif not done:
            # Records without places (a database): there is no text to cover.
            yield frame
            yield from frames
            return
        yield frame
    yield from _between(document, done, len(document.data))


def _between(document: Document, start: int, end: int) -> Iterator[Frame]:
    codec = document.encoding[0]
    text = document.data[start:end].decode(codec, "backslashreplace")
    if not text.strip(_PUNCTUATION):
        return
    left = len(text) - len(text.lstrip(_PUNCTUATION[:6]))
    written = text.strip(_PUNCTUATION[:6])
    offset = start + len(text[:left].encode(codec, "surrogatepass"))
    torn = _RECORD.match(written) is not None and _RECORD_WORDS.search(written) is not None
    kind: Literal["unreadable", "other"] = "unreadable" if torn else "other"
    yield Frame(
        raw=written[:_KEPT],
        source=document.name,
        line=_line(document.data, offset, codec),
        offset=offset,
        length=end - offset - _size_of_tail(text, codec),
        kind=kind,
        problem="no sound record" if torn else "no record",
    )


def _size_of_tail(text: str, codec: str) -> int:
    return len(text[len(text.rstrip(_PUNCTUATION[:6])) :].encode(codec, "surrogatepass"))


def _line(data: bytes, offset: int, codec: str) -> int:
    return data.count("\n".encode(codec), 0, offset) + 1
