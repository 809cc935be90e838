"""Documents whose records are not lines: arrays, exports, pretty-printed values, headers with JSON below them.

One reader for all of them. It looks for JSON values wherever they begin, takes the text before each for its
header, opens arrays and exports to their records, and goes on inside a value that is torn or damaged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw

from acpinspect.reading.clocks import NO_STAMP
from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.exports import Record, records_in
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.framing import BLANK, BOM, frames_of_value, line_frames, odd_frame
from acpinspect.reading.jsontext import MAX_DEPTH, STRING, scan, soundness
from acpinspect.reading.mixed import is_member_of_torn
from acpinspect.reading.prefixes import read_prefix
from acpinspect.reading.siblings import Siblings

__all__ = ["Header", "document_frames", "header_before", "lines_above", "read_values"]

_CANDIDATE: Final = re.compile(rb'\{\s*["}]|\[\s*(?:\{|"\{\\")|"\{\\"')
_TRAILING: Final = re.compile(r"trailing characters \(byte (\d+)\)")
_PUNCTUATION: Final = BLANK + b"[]{},:"
_OPENING: Final = BLANK + b"{["
_QUOTE: Final = ord('"')
_HEADER_LINES: Final = 3
_LONGEST_HEADER: Final = 2_000
_JSON_LINE: Final = re.compile(rb'["{}\],]|\[\s*(?:[\[{"\]]|\Z)')
_TORN: Final = "torn record: the JSON ends in the middle"
_decode_object: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_array: Final = msgspec.json.Decoder(list[Raw]).decode


class Header(NamedTuple):
    """The text before a value that belongs to its record: where it begins, and what it says."""

    start: int
    beside: Siblings


HeaderReader = Callable[[bytes, int, int], Header]


@dataclass
class _Lines:
    """Counts lines up to an offset, going forward."""

    data: bytes
    at: int = 0
    line: int = 1

    def of(self, offset: int) -> int:
        """The 1-based line of an offset."""
        if offset >= self.at:
            self.line += self.data.count(b"\n", self.at, offset)
            self.at = offset
            return self.line
        return self.data.count(b"\n", 0, offset) + 1


@dataclass
class _Walk:
    """The state of a walk over a document."""

    data: bytes
    source: str
    read_header: HeaderReader
    lines: _Lines
    budget: int
    position: int = 0
    taken: int = 0
    torn: int | None = None
    sound: bool = False


def document_frames(document: Document) -> Iterator[Frame]:
    r"""The frames of a document of JSON values in any layout.

    Examples:
        >>> text = b'[2026-01-05T11:00:00Z] <<< AGENT\n{\n "id": 1,\n "result": {}\n}\n'
        >>> [frame] = document_frames(Document.of_bytes("a.log", text))
        >>> frame.label, frame.line, frame.clock
        ('<<<', 1, 'ISO 8601')
    """
    return read_values(document, header_before)


def read_values(document: Document, read_header: HeaderReader) -> Iterator[Frame]:
    """The frames of a document, with a given way to read the headers of its values."""
    yield from in_source_bytes(document, _values(document, read_header))


def _values(document: Document, read_header: HeaderReader) -> Iterator[Frame]:
    data = document.utf8
    walk = _Walk(data, document.name, read_header, _Lines(data), budget=8 * len(data) + (1 << 20))
    walk.taken = len(BOM) if data.startswith(BOM) else 0
    while walk.budget > 0 and (candidate := _CANDIDATE.search(data, walk.position)):
        yield from _step(walk, candidate.start())
    if walk.budget <= 0 or (not walk.sound and walk.torn is None):
        yield from _by_line(walk)
    elif walk.torn is not None:
        yield from _tail(walk, walk.torn)


def _step(walk: _Walk, start: int) -> Iterator[Frame]:
    """Take the value at a place, or go on inside it."""
    end = None if is_member_of_torn(walk.data, start) else _end_of_value(walk, start)
    if end is None:
        if walk.torn is None or walk.torn < walk.taken:
            walk.torn = start
        walk.position = start + 1
        return
    walk.position = end
    walk.sound = True
    header = walk.read_header(walk.data, walk.taken, start)
    frames = list(_frames_of(walk, start, end, header))
    if all(frame.kind == "other" and frame.problem not in ("stderr", "hop duplicate") for frame in frames):
        return
    walk.taken = end
    yield from frames


def _end_of_value(walk: _Walk, start: int) -> int | None:
    """Where the sound value at ``start`` ends; ``None`` where it is torn or damaged."""
    data = walk.data
    if data[start] == _QUOTE:
        string = STRING.match(data, start)
        return string.end() if string else None
    try:
        (_decode_object if data[start] == 0x7B else _decode_array)(memoryview(data)[start:])
    except msgspec.DecodeError as error:
        trailing = _TRAILING.search(str(error))
        end = int(trailing.group(1)) - 1 if trailing is not None else 0
        value = data[start : start + end].rstrip(BLANK)
        if value.endswith((b"}", b"]")):
            return start + len(value)
    except RecursionError:
        pass
    else:
        return start + len(data[start:].rstrip(BLANK))
    span = scan(data, start)
    walk.budget -= max(span.end - start, 64)
    if not span.whole:
        return None
    return span.end if span.depth > MAX_DEPTH or soundness(data[start : span.end]).sound else None


def _frames_of(walk: _Walk, start: int, end: int, header: Header) -> Iterator[Frame]:
    value = walk.data[start:end]
    records = list(records_in(value))
    for number, record in enumerate(records):
        first = header.start if not number and not record.start else start + record.start
        last = start + record.end
        place = Place(walk.source, walk.lines.of(first), first, last - first)
        beside = _with_header(record, header, alone=len(records) == 1)
        yield from frames_of_value(value[record.start : record.end], place, beside) or []


def _with_header(record: Record, header: Header, *, alone: bool) -> Siblings:
    beside = header.beside.copy() if alone else Siblings()
    beside.session = record.session
    beside.connection = record.connection
    return beside


def header_before(data: bytes, start: int, end: int) -> Header:
    """The lines right before a value that say its time or direction, read upwards and each once.

    Args:
        data: The document.
        start: Where the text that belongs to no record yet begins.
        end: Where the value begins.
    """
    beside = Siblings()
    first = end
    for begin, line in lines_above(data, start, end):
        stamp, label = read_prefix(line) if not _JSON_LINE.match(line) else (NO_STAMP, None)
        again = (stamp is not NO_STAMP and beside.stamp is not NO_STAMP) or (label and beside.label)
        if again or (stamp is NO_STAMP and label is None):
            break
        beside.stamp = beside.stamp if stamp is NO_STAMP else stamp
        beside.label = beside.label or label
        first = begin
    return Header(first, beside)


def lines_above(data: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    r"""The last lines of ``data[start:end]`` that are not blank, upwards, each with its offset.

    Examples:
        >>> list(lines_above(b"a\n b\n\n{", 0, 6))
        [(3, b'b'), (0, b'a')]
    """
    at = end
    for _ in range(_HEADER_LINES):
        window = max(start, at - _LONGEST_HEADER)
        text = data[window:at].rstrip(BLANK)
        if not text:
            return
        newline = text.rfind(b"\n")
        line = text[newline + 1 :].lstrip(BLANK)
        yield window + len(text) - len(line), line
        at = window + newline + 1


def _tail(walk: _Walk, torn: int) -> Iterator[Frame]:
    """What is left of a torn value: from where it begins, or after the last record in it."""
    start = max(walk.taken, torn)
    if torn < walk.taken:
        rest = walk.data[start:]
        content = rest.lstrip(_PUNCTUATION)
        # The brackets that open a torn record belong to it, the comma before it doesn't.
        before = rest[: len(rest) - len(content)]
        start += len(before.rstrip(_OPENING))
        start += len(walk.data[start:]) - len(walk.data[start:].lstrip(BLANK))
        if not content:
            return
    tail = walk.data[start:].rstrip(BLANK)
    yield odd_frame(tail, Place(walk.source, walk.lines.of(start), start, len(tail)), "unreadable", _TORN)


def _by_line(walk: _Walk) -> Iterator[Frame]:
    """What can't be read as values, line by line."""
    offset = walk.taken
    line = walk.lines.of(offset)
    for text in walk.data[offset:].split(b"\n"):
        yield from line_frames(text, walk.source, line, offset)
        offset += len(text) + 1
        line += 1
