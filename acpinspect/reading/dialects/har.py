"""HTTP archives: WebSocket messages as Chrome saves them, posted bodies, event streams and JSON in responses.

Facts: the HAR 1.2 specification and Chrome's ``_webSocketMessages``. An HTTP body has no time of its own, so
it gets its entry's ``startedDateTime``; file order is kept.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from acpinspect.reading.clocks import NO_STAMP, Stamp, stamp_of_number, stamp_of_text
from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.documents import document_frames
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.framing import BOM, frames_of_value, line_frames
from acpinspect.reading.jsontext import Slice, elements, members, quoted, text_of
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.siblings import Siblings
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.streams import event_frames, stream_events

__all__: list[str] = []

_HAR: Final = re.compile(r'\A\s*\{\s*"log"\s*:\s*\{')
_ENTRIES: Final = re.compile(r'"(?:entries|creator|pages|version)"\s*:')
_SESSION_IN_URL: Final = re.compile(r"/sessions?/([^/?#]+)")
_STREAM: Final = re.compile(rb"^(?:data|event|id|retry):", re.MULTILINE)
_BINARY: Final = b"2"


@dataclass(frozen=True)
class _Entry:
    """One exchange of the archive."""

    keys: Mapping[str, Slice]
    number: int
    stamp: Stamp
    connection: str | None
    session: str | None


@dataclass
class _Archive:
    """Finds the places of slices, going forward."""

    data: bytes
    source: str
    at: int = 0
    line: int = 1
    counted: int = 0

    def place(self, value: Slice) -> Place:
        """Where a slice stands, searched from the last one on."""
        text = bytes(value)
        start = self.data.find(text, self.at)
        start = self.data.find(text) if start < 0 else start
        self.at = max(self.at, start + 1)
        if start >= self.counted:
            self.line += self.data.count(b"\n", self.counted, start)
            self.counted = start
        return Place(self.source, self.line, max(start, 0), len(text))


def _sniff(head: Sniff) -> str | None:
    if _HAR.match(head.text) and _ENTRIES.search(head.text):
        return "a JSON object with log and entries, as in an HTTP archive"
    return None


def _frames(document: Document) -> Iterator[Frame]:
    return in_source_bytes(document, _exchanges(document))


def _exchanges(document: Document) -> Iterator[Frame]:
    archive = _Archive(document.utf8, document.name)
    log = _object(members(document.utf8.removeprefix(BOM).strip()), "log")
    entries = elements(log["entries"]) if "entries" in log else None
    if entries is None:
        yield from document_frames(document)
        return
    for number, item in enumerate(entries):
        keys = members(item)
        if keys is not None:
            yield from _of_entry(archive, _entry(keys, number))


def _entry(keys: Mapping[str, Slice], number: int) -> _Entry:
    request, response = _object(keys, "request"), _object(keys, "response")
    named = {**_headers(request), **_headers(response)}
    url = text_of(request["url"]) or "" if "url" in request else ""
    in_url = _SESSION_IN_URL.search(url)
    session = named.get("acp-session-id") or (in_url.group(1) if in_url else None)
    started = text_of(keys["startedDateTime"]) if "startedDateTime" in keys else None
    connection = named.get("acp-connection-id")
    if connection is None and "_webSocketMessages" in keys:
        connection = f"{number} {url}"
    return _Entry(
        keys=keys,
        number=number,
        stamp=stamp_of_text(started) if started else NO_STAMP,
        connection=connection,
        session=quoted(session) if session else None,
    )


def _of_entry(archive: _Archive, entry: _Entry) -> Iterator[Frame]:
    """What was sent and received, in the order in which the archive has it."""
    for item in elements(entry.keys.get("_webSocketMessages", b"[]")) or []:
        yield from _of_socket(archive, item, entry)
    posted = _object(_object(entry.keys, "request"), "postData")
    yield from _of_body(archive, posted, entry, "send")
    yield from _of_body(archive, _object(_object(entry.keys, "response"), "content"), entry, "receive")


def _of_socket(archive: _Archive, item: Slice, entry: _Entry) -> Iterator[Frame]:
    keys = members(item) or {}
    place = archive.place(item)
    text = text_of(keys.get("data", b"null"))
    if text is None:
        return
    stamp = stamp_of_number(bytes(keys["time"]).decode("ascii", "replace")) if "time" in keys else NO_STAMP
    label = text_of(keys.get("type", b"null"))
    encoded = bytes(keys.get("opcode", b"1")) == _BINARY
    beside = Siblings(stamp, label, entry.connection, entry.session)
    yield from _at(place, _of_text(_decoded(text, encoded), archive.source, beside, place))


def _of_body(archive: _Archive, body: Mapping[str, Slice], entry: _Entry, label: str) -> Iterator[Frame]:
    text = text_of(body["text"]) if "text" in body else None
    if not text:
        return
    place = archive.place(body["text"])
    value = _decoded(text, text_of(body.get("encoding", b"null")) == "base64")
    beside = Siblings(entry.stamp, label, entry.connection, entry.session)
    for frame in _at(place, _of_text(value, archive.source, beside, place)):
        # A page or a script is no record of a connection: it is left to the rows between the records.
        if frame.kind is None:
            yield frame


def _of_text(value: bytes, source: str, beside: Siblings, place: Place) -> Iterator[Frame]:
    """The frames in a body: one value, an event stream, or lines."""
    stripped = value.strip()
    frames = frames_of_value(stripped, place, beside) if stripped[:1] in (b"{", b"[") else None
    if frames is not None:
        yield from frames
    elif _STREAM.search(value):
        for event in stream_events(value):
            session = event.session or beside.session
            yield from event_frames(
                event, source, Siblings(beside.stamp, beside.label, beside.connection, session)
            )
    else:
        for line in stripped.split(b"\n"):
            for frame in line_frames(line, source, place.line, place.offset):
                yield msgspec.structs.replace(
                    frame,
                    time=frame.time or beside.stamp.time,
                    clock=frame.clock or beside.stamp.clock,
                    label=frame.label or beside.label,
                    connection=frame.connection or beside.connection,
                )


def _at(place: Place, frames: Iterator[Frame]) -> Iterator[Frame]:
    for frame in frames:
        yield msgspec.structs.replace(frame, line=place.line, offset=place.offset, length=place.length)


def _decoded(text: str, is_base64: bool) -> bytes:
    if is_base64:
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            pass
    return text.encode("utf-8", "backslashreplace")


def _object(keys: Mapping[str, Slice] | None, name: str) -> Mapping[str, Slice]:
    if keys is None or name not in keys:
        return {}
    return members(keys[name]) or {}


def _headers(message: Mapping[str, Slice]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in elements(message.get("headers", b"[]")) or []:
        keys = members(item) or {}
        name, value = text_of(keys.get("name", b"null")), text_of(keys.get("value", b"null"))
        if name and value:
            found[name.lower()] = value
    return found


register(
    Dialect(
        name="har",
        title="HTTP archive with WebSocket messages, bodies and event streams",
        writer="browsers' developer tools",
        sniff=_sniff,
        frames=_frames,
        order=10,
    )
)
