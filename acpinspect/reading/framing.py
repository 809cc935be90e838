"""From one line of a recording, or one JSON value, to its frames, without knowing its neighbours or its format."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from acpinspect.reading import recorded as _recorded  # noqa: F401 - registers the records of our recorder
from acpinspect.reading import shapes as _shapes  # noqa: F401 - registers the records that hold messages in parts
from acpinspect.reading.envelopes import Found, open_value
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.jsontext import (
    MAX_DEPTH,
    MAX_VALUE,
    elements,
    may_be_too_deep,
    members,
    scan,
    soundness,
    text_of,
)
from acpinspect.reading.plain_records import plain_record
from acpinspect.reading.siblings import Siblings, placed, read_siblings

__all__ = ["BLANK", "BOM", "frames_of_value", "line_frames", "odd_frame"]

BLANK: Final = b" \t\r\n\x0b\x0c"

BOM: Final = b"\xef\xbb\xbf"
"""A byte order mark: no part of the text that it stands before."""

_KEPT_OF_LARGE: Final = 65_536
_MARKER_KEYS: Final = ("type", "event", "event_type", "kind")
_NO_MESSAGE: Final = "no JSON-RPC message"

_decode_object: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_array: Final = msgspec.json.Decoder(list[Raw]).decode


def line_frames(line: bytes, source: str, line_no: int, offset: int) -> list[Frame]:
    """The frames in one line, whatever wraps them; a blank line has none, any other line has one at least.

    Args:
        line: The line, with or without its end.
        source: Name of its source.
        line_no: Its 1-based number.
        offset: The byte at which it begins.

    Returns:
        One frame for each message. A line without a message is one frame of the kind ``other``, or
        ``unreadable`` where it begins or ends like a record.

    Examples:
        >>> [frame] = line_frames(b'INFO -> {"jsonrpc":"2.0","id":1,"result":{}}', "a.log", 7, 300)
        >>> frame.raw, frame.label, frame.line, frame.offset
        ('{"jsonrpc":"2.0","id":1,"result":{}}', '->', 7, 300)
        >>> line_frames(b"ready", "a.log", 8, 345)[0].kind
        'other'
    """
    body = line.strip(BLANK)
    if not body:
        return []
    if body[0] != line[0]:
        offset += len(line) - len(line.lstrip(BLANK))
    place = Place(source, line_no, offset, len(body))
    if len(body) > MAX_VALUE:
        return [_too_large(body, place)]
    value = body.removeprefix(BOM)
    if value[:1] in (b"{", b"["):
        plain = plain_record(value, place) if len(value) == len(body) else None
        frames = [plain] if plain is not None else frames_of_value(value, place)
        if frames is not None:
            return frames
    from acpinspect.reading.mixed import mixed_frames

    return mixed_frames(value, place)


def frames_of_value(value: bytes, place: Place, beside: Siblings | None = None) -> list[Frame] | None:
    """The frames of one JSON object or array, or of a string that holds one; ``None`` where that isn't sound.

    Args:
        value: The value's text, without blanks around it.
        place: Where the record stands; its span may hold more than the value, before it.
        beside: What a header has said of time and direction.

    Examples:
        >>> frames_of_value(b'[{"id":1,"result":{}},{"id":2,"result":{}}]', Place("a", 1, 0, 43))[1].offset
        22
    """
    problem = None
    if len(value) > MAX_VALUE:
        return [_too_large(value, place)]
    if value[:1] == b'"':
        return _of_string(value, place, beside)
    if may_be_too_deep(value) and scan(value, 0).depth > MAX_DEPTH:
        return [odd_frame(value, place, "unreadable", f"nested deeper than {MAX_DEPTH} levels")]
    try:
        (_decode_object if value[:1] == b"{" else _decode_array)(value)
    except (msgspec.DecodeError, RecursionError):
        span = scan(value, 0)
        if not span.whole or span.end != len(value):
            return None
        sound, problem = soundness(value)
        if not sound:
            return None
    if value[:1] == b"[":
        return _batch(value, place, beside, problem)
    return _of_object(value, place, beside, problem)


def _too_large(text: bytes, place: Place) -> Frame:
    problem = f"larger than {MAX_VALUE >> 20} MiB; only its beginning is kept"
    return odd_frame(text[:_KEPT_OF_LARGE], place, "unreadable", problem)


def _of_string(value: bytes, place: Place, beside: Siblings | None) -> list[Frame] | None:
    """The frames of a value that was written once more as a JSON string."""
    text = (text_of(value) or "").strip().encode("utf-8", "backslashreplace")
    if text[:1] not in (b"{", b"["):
        return None
    frames = frames_of_value(text, place, beside)
    if frames is None:
        return None
    return [msgspec.structs.replace(frame, offset=place.offset, length=place.length) for frame in frames]


def _of_object(value: bytes, place: Place, beside: Siblings | None, problem: str | None) -> list[Frame]:
    found = open_value(value, beside)
    if not found:
        return [_without_message(value, place, beside, problem)]
    return [_frame(one, place, problem) for one in found]


def _batch(value: bytes, place: Place, beside: Siblings | None, problem: str | None) -> list[Frame]:
    """One frame for each element of an array, at its own place; one for all where none is a message."""
    rows: list[Frame] = []
    base = place.offset + place.length - len(value)
    end = 0
    for item in elements(value) or []:
        text = bytes(item)
        start = value.find(text, end)
        end = start + len(text)
        line = place.line + value.count(b"\n", 0, start) if b"\n" in value else place.line
        inner = Place(place.source, line, base + start, len(text))
        if text.startswith(b"{"):
            rows += _of_object(text, inner, beside, problem)
        else:
            found = _of_string(text, inner, beside) if text.startswith(b'"') else None
            rows += found or [odd_frame(text, inner, "other", _NO_MESSAGE)]
    if any(row.kind is None for row in rows):
        return rows
    return [odd_frame(value, place, "other", problem or _NO_MESSAGE)]


def _frame(found: Found, place: Place, problem: str | None) -> Frame:
    kind, found_problem = ("other", "stderr") if found.beside.stderr else (found.kind, found.problem)
    frame = placed(found.raw, place, found.beside)
    return replace(frame, sender=found.sender, kind=kind, problem=found_problem or problem)


def _without_message(value: bytes, place: Place, beside: Siblings | None, problem: str | None) -> Frame:
    """A record that holds no message: a marker, a line of standard error, another program's record."""
    keys = members(value) or {}
    said = read_siblings(keys, beside or Siblings())
    if said.stderr:
        problem = "stderr"
    elif problem is None:
        name = next((text for key in _MARKER_KEYS if key in keys and (text := text_of(keys[key]))), None)
        problem = f"{_NO_MESSAGE}: {name[:60]}" if name else _NO_MESSAGE
    return odd_frame(value, place, "other", problem, said)


def odd_frame(
    text: bytes, place: Place, kind: Literal["unreadable", "other"], problem: str, beside: Siblings | None = None
) -> Frame:
    """A frame for what is no message; its raw text is the text as written."""
    frame = placed(text.decode("utf-8", "backslashreplace"), place, beside or Siblings())
    return replace(frame, kind=kind, problem=problem)
