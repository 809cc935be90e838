"""The event stream format of server-sent events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.framing import BOM, frames_of_value, line_frames, odd_frame
from acpinspect.reading.jsontext import quoted
from acpinspect.reading.siblings import Siblings

__all__ = ["StreamEvent", "event_frames", "stream_events"]

_FIELD: Final = re.compile(rb"(data|event|id|retry):[ ]?", re.IGNORECASE)
_HEADER: Final = re.compile(rb"(acp-session-id|acp-connection-id):\s*(\S+)\s*\Z", re.IGNORECASE)


@dataclass(slots=True)
class StreamEvent:
    """One event of a stream.

    Attributes:
        start: Its first byte.
        end: The byte after its last line.
        line: The 1-based line of its first byte.
        data: Its ``data`` lines.
        session: The session that the response's headers name, as JSON text.
        connection: The connection that they name.
    """

    start: int
    end: int
    line: int
    data: list[bytes] = field(default_factory=list)
    session: str | None = None
    connection: str | None = None


def stream_events(text: bytes) -> Iterator[StreamEvent]:
    r"""The events of a stream that have data.

    Args:
        text: The stream; HTTP headers may stand before it.

    Examples:
        >>> [event.data for event in stream_events(b"id: 1\ndata: {\ndata: }\n\n: ping\n\ndata: [DONE]\n")]
        [[b'{', b'}'], [b'[DONE]']]
    """
    event: StreamEvent | None = None
    named: dict[bytes, str] = {}
    offset = len(BOM) if text.startswith(BOM) else 0
    for number, line in enumerate(text[offset:].split(b"\n"), 1):
        content = line.rstrip(b"\r")
        match = _FIELD.match(content)
        if match is not None:
            if event is None:
                session = named.get(b"acp-session-id")
                event = StreamEvent(
                    offset,
                    offset,
                    number,
                    [],
                    quoted(session) if session else None,
                    named.get(b"acp-connection-id"),
                )
            event.end = offset + len(content)
            if match.group(1).lower() == b"data":
                event.data.append(content[match.end() :])
        elif not content and event is not None:
            yield from (event,) if event.data else ()
            event = None
        elif header := _HEADER.match(content):
            named[header.group(1).lower()] = header.group(2).decode("utf-8", "replace")
        offset += len(line) + 1
    if event is not None and event.data:
        yield event


def event_frames(event: StreamEvent, source: str, beside: Siblings) -> list[Frame]:
    """The frames in the data of one event, all at the place of the event."""
    value = b"\n".join(event.data).strip()
    place = Place(source, event.line, event.start, event.end - event.start)
    if value == b"[DONE]":
        return [odd_frame(value, place, "other", "end of stream", beside)]
    frames = frames_of_value(value, place, beside) if value[:1] in (b"{", b"[") else None
    if frames is None:
        frames = line_frames(value, source, event.line, event.start) or [
            odd_frame(value, place, "other", "no data")
        ]
    return [msgspec.structs.replace(frame, offset=place.offset, length=place.length) for frame in frames]
