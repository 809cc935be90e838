r"""What a line of the log looks like.

One JSON object a line, its keys always in this order::

    {"seq":7,"time":"2026-03-01T06:42:00.123456789Z","mono":5.25,"sender":"agent","msg":{"jsonrpc":"2.0",...}}

``msg`` holds the line as it passed, byte for byte, where it is one JSON value in UTF-8; it is never written anew.
Any other line is a string, ``text`` or ``base64``. ``newline`` is what ended the line, where that isn't a line
feed: carriage return and line feed, or nothing. ``part`` counts the parts of a line that is too long for one
record. Of the recorder itself there are records with an ``event``.
"""

from __future__ import annotations

import time
from binascii import b2a_base64
from collections import deque
from typing import Final, Literal, NamedTuple

__all__ = [
    "LONGEST_LINE",
    "PART",
    "SENDERS",
    "Moment",
    "Records",
    "Sender",
    "bodies_of",
    "event_record",
    "parts_of",
    "records_of",
]

Sender = Literal["client", "agent", "stderr"]
SENDERS: Final[tuple[Sender, ...]] = ("client", "agent", "stderr")

LONGEST_LINE: Final = (64 << 20) - 1024
"""Bytes of the longest line that is one record: with what stands around it, the most that `load` reads as one."""

PART: Final = 1 << 20
"""Bytes of a part of a longer line, and of any line that is no JSON."""

_COPIED: Final = 256 << 10  # bytes of lines that are put together in one piece; more is not copied once more
_SECOND: Final = 1_000_000_000
_NO_NEWLINE: Final = b'"newline":"",'
_CRLF: Final = rb'"newline":"\r\n",'


class Moment(NamedTuple):
    """A time on two clocks, in nanoseconds.

    Attributes:
        wall: Since the epoch, as the machine has it.
        steady: On a clock that is never set.
    """

    wall: int
    steady: int

    @classmethod
    def now(cls) -> Moment:
        """This moment."""
        return cls(time.time_ns(), time.monotonic_ns())


class Records(NamedTuple):
    """Lines of the log, ready to be written.

    Attributes:
        buffers: Their bytes, in order.
        number: How many they are.
        size: How many bytes.
    """

    buffers: list[bytes]
    number: int
    size: int


def records_of(
    number: int, moment: Moment, sender: Sender, parts: list[bytes], block: bytes | None = None
) -> Records:
    r"""The records of some lines of one sender.

    Args:
        number: The sequence number of the first record.
        moment: When the lines were read.
        sender: Who wrote them.
        parts: Parts of a line, as `parts_of` gives them; they come first.
        block: Whole lines, without the line feed of the last one.

    Example:
        >>> records_of(7, Moment(0, 5_250_000_000), "agent", [], b'{"a": 1}\noh').buffers
        [b'{"seq":7,"time":"1970-01-01T00:00:00.000000000Z","mono":5.250000000,"sender":"agent","msg":{"a": 1}}\n',
         b'{"seq":8,"time":"1970-01-01T00:00:00.000000000Z","mono":5.250000000,"sender":"agent","text":"oh"}\n']
    """
    head = _head(moment, sender)
    if block is None:
        return _of_bodies(number, head, parts)
    lines = block.split(b"\n")
    if parts or len(block) > _COPIED or not _are_json(block, lines):
        return _of_bodies(number, head, [*parts, *(body for line in lines for body in bodies_of(line))])
    fields: list[object] = [None] * (2 * len(lines))
    fields[::2] = range(number, number + len(lines))
    fields[1::2] = lines
    joined = (b'{"seq":%d' + head + b'"msg":%b}\n') * len(lines) % tuple(fields)
    return Records([joined], len(lines), len(joined))


def bodies_of(line: bytes, *, ended: bool = True) -> list[bytes]:
    r"""What the records of one line hold: one, or several where it is long and no JSON.

    Args:
        line: Its bytes, without the line feed.
        ended: Whether a line feed followed.

    Example:
        >>> bodies_of(b'{"id": 1}'), bodies_of(b"oh", ended=False)
        ([b'"msg":{"id": 1}'], [b'"newline":"","text":"oh"'])
    """
    end = b"" if ended else _NO_NEWLINE
    if ended and line.endswith(b"\r"):
        end, line = _CRLF, line[:-1]
    if len(line) <= LONGEST_LINE and _are_json(line, [line]):
        return [end + b'"msg":' + line]
    if len(line) <= PART:
        return [end + _string(line)]
    return parts_of(line + b"\r" if end is _CRLF else line, 1, ended=ended)


def parts_of(data: bytes, first: int, *, ended: bool) -> list[bytes]:
    r"""A line in parts of bounded size, or what there is of it so far.

    Args:
        data: Its bytes, without the line feed.
        first: The number of the first part.
        ended: Whether a line feed followed the last of the bytes.

    Example:
        >>> parts_of(b"tail", 3, ended=True), parts_of(b"\xff", 4, ended=False)
        ([b'"part":3,"text":"tail"'], [b'"part":4,"newline":"","base64":"/w=="'])
    """
    starts = range(0, len(data), PART) or (0,)
    return [
        b'"part":%d,' % number
        + (b"" if ended and start + PART >= len(data) else _NO_NEWLINE)
        + _string(data[start : start + PART])
        for number, start in enumerate(starts, first)
    ]


def event_record(number: int, moment: Moment, name: str, details: dict[str, object]) -> Records:
    """The record of something that the recorder has to say for itself.

    Args:
        number: Its sequence number.
        moment: When it was.
        name: What happened.
        details: More of it, as JSON values.
    """
    import msgspec

    body = msgspec.json.encode({"event": name, **details})[1:-1]
    return _of_bodies(number, _head(moment, "recorder"), [body])


def _head(moment: Moment, sender: str) -> bytes:
    seconds, nanos = divmod(moment.wall, _SECOND)
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    steady = b"%d.%09d" % divmod(moment.steady, _SECOND)
    return b',"time":"%b.%09dZ","mono":%b,"sender":"%b",' % (stamp.encode(), nanos, steady, sender.encode())


def _of_bodies(number: int, head: bytes, bodies: list[bytes]) -> Records:
    buffers: list[bytes] = []
    for step, body in enumerate(bodies):
        start = b'{"seq":%d' % (number + step) + head
        buffers += [start, body, b"}\n"] if len(body) > _COPIED else [start + body + b"}\n"]
    return Records(buffers, len(bodies), sum(map(len, buffers)))


def _are_json(block: bytes, lines: list[bytes]) -> bool:
    """Whether each of the lines of a block is one JSON value, in UTF-8."""
    import msgspec

    if b"\r" in block or not _is_utf8(block):  # many take a carriage return for the end of a line
        return False
    try:
        deque(map(msgspec.json.Decoder(msgspec.Raw).decode, lines), maxlen=0)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _is_utf8(data: bytes) -> bool:
    """The parser doesn't look into the strings that it skips."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _string(data: bytes) -> bytes:
    """A key that names the form, and the bytes in that form."""
    import msgspec

    try:
        return b'"text":' + msgspec.json.encode(data.decode())
    except UnicodeDecodeError:
        return b'"base64":"' + b2a_base64(data, newline=False) + b'"'
