"""Values that programs print into their logs: found on their lines, read to their ends, opened to messages.

A notation says what the beginning of a value looks like and how to read one; the text before a value on its line
gives time and direction. What holds no message is left to the caller, who keeps it as rows of the kind ``other``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from acpinspect.reading.document import Document
from acpinspect.reading.envelopes import Found, open_value
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.jsontext import scan, soundness
from acpinspect.reading.notation.builder import NotationError, Value
from acpinspect.reading.notation.compact import write_json
from acpinspect.reading.prefixes import read_prefix

__all__ = [
    "NAME_BEGINS",
    "Printed",
    "frame_of",
    "open_printed",
    "printed_frames",
    "read_json",
    "torn_frame",
    "unread_frame",
]

NAME_BEGINS = r"(?:(?<!\w)|(?<=\x1b\[\dm)|(?<=\x1b\[\d\dm)|(?<=\x1b\[m))"
"""Where a name can begin: after anything but a word's letter, which the end of a colour's code is none of."""

_TRIES_PER_LINE = 6
_WASTE_PER_CHARACTER = 8

Opened = list[Found]


@dataclass(frozen=True)
class Printed:
    """How values of one notation stand in a log.

    Attributes:
        begins: Where a value may begin.
        read: From the text and such a place to the messages there and the place after the value; an empty list
            where the value holds none.
        sender_of: From the text before a value to the side that sent it, where the format itself says so.
    """

    begins: re.Pattern[str]
    read: Callable[[str, int], tuple[Opened, int]]
    sender_of: Callable[[str], Sender | None] = lambda _: None


def printed_frames(document: Document, printed: Printed) -> Iterator[Frame]:
    """The messages that are printed in a log, in order; a value cut off at the end becomes an unreadable row.

    Args:
        document: The log.
        printed: The notation.

    Yields:
        One frame a message. A record goes from the beginning of the line where its value begins to the end of the
        line where it ends.
    """
    text = document.text
    patience = _WASTE_PER_CHARACTER * len(text) + 1_000_000
    start, torn = 0, None
    while start < len(text):
        end = _line_end(text, start)
        attempt = _attempt(text, start, end, printed)
        patience -= attempt.wasted
        if attempt.found:
            end, torn = _line_end(text, attempt.end), None
            yield from _frames(document, printed, attempt, start, end)
        elif attempt.torn and torn is None:
            torn = start
        start = end + 1
        if patience < 0:
            break
    if torn is not None:
        yield torn_frame(document, torn, len(text))


@dataclass
class _Attempt:
    """What came of the values that may begin on one line."""

    found: Opened
    begin: int = 0
    end: int = 0
    torn: bool = False
    wasted: int = 0


def _attempt(text: str, start: int, end: int, printed: Printed) -> _Attempt:
    attempt = _Attempt([])
    for match in islice(printed.begins.finditer(text, start), _TRIES_PER_LINE):
        # What shows that a value begins may stand on the next line, so the search isn't bound to this one.
        if match.start() >= end:
            break
        try:
            found, after = printed.read(text, match.start())
        except NotationError as error:
            attempt.wasted += max(error.position - match.start(), 0)
            attempt.torn = error.torn
            if error.torn:
                # What begins within a record that was cut off is a part of it and no record.
                break
            continue
        attempt.wasted += after - match.start()
        if found:
            return _Attempt(found, match.start(), after)
    return attempt


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _frames(document: Document, printed: Printed, attempt: _Attempt, start: int, end: int) -> Iterator[Frame]:
    prefix = document.text[start : attempt.begin]
    stamp, label = read_prefix(prefix.encode("utf-8", "replace"))
    sender = printed.sender_of(prefix)
    for one in attempt.found:
        if one.beside.stamp.clock is None:
            one.beside.stamp = stamp
        one.beside.label = one.beside.label or label
        yield frame_of(document, one, start, end, sender=sender)


def frame_of(document: Document, found: Found, start: int, end: int, *, sender: Sender | None = None) -> Frame:
    """The frame of a message that was found in ``text[start:end]`` of a document."""
    line, offset, length = document.place(start, end)
    stamp = found.beside.stamp
    return Frame(
        raw=found.raw,
        source=document.name,
        line=line,
        offset=offset,
        length=length,
        time=stamp.time,
        elapsed=stamp.elapsed,
        clock=stamp.clock,
        label=found.beside.label,
        sender=found.sender or sender,
        kind=found.kind,
        problem=found.problem,
        connection=found.beside.connection,
    )


def torn_frame(document: Document, start: int, end: int, problem: str = "torn: the record ends early") -> Frame:
    """The unreadable row of ``text[start:end]``."""
    return _as_written(document, start, end, "unreadable", problem)


def unread_frame(document: Document, start: int, end: int, problem: str = "no JSON-RPC message") -> Frame:
    """The row of ``text[start:end]``, which is no message for anyone."""
    return _as_written(document, start, end, "other", problem)


def _as_written(
    document: Document, start: int, end: int, kind: Literal["unreadable", "other"], problem: str
) -> Frame:
    line, offset, length = document.place(start, end)
    return Frame(
        raw=document.text[start:end],
        source=document.name,
        line=line,
        offset=offset,
        length=length,
        kind=kind,
        problem=problem,
    )


def open_printed(value: Value, problem: str | None = None) -> Opened:
    """The messages in a JSON-like value: itself, in a wrapper, or bare params or a bare update.

    Args:
        value: The value.
        problem: What is odd about it.

    Returns:
        What was found.

    Examples:
        >>> [found] = open_printed({"session_id": "s", "update": {"session_update": "plan", "entries": []}})
        >>> found.raw
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}}}'
    """
    found = open_value(write_json(value).encode())
    for one in found:
        one.problem = one.problem or problem
    return found


def read_json(text: str, position: int) -> tuple[Opened, int]:
    """The messages in the JSON value that begins at a position, and the position after it.

    Raises:
        NotationError: No whole JSON value stands there.
    """
    line = text[position : _line_end(text, position)].encode("utf-8", "surrogatepass")
    span = scan(line, 0)
    value = line[: span.end]
    if not span.whole:
        raise NotationError(
            "the line ends within the value", position, torn=_line_end(text, position) == len(text)
        )
    if not soundness(value).sound:
        raise NotationError("no JSON", position)
    return open_value(value), position + len(value.decode("utf-8", "surrogatepass"))
