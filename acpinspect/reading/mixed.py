"""Lines that are not JSON from end to end: text before or after it, several values, torn ones, or none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import msgspec

from acpinspect.reading.clocks import NO_STAMP
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.framing import BLANK, frames_of_value, odd_frame
from acpinspect.reading.jsontext import MAX_DEPTH, STRING, Span, members, scan, soundness
from acpinspect.reading.prefixes import read_prefix, without_ansi
from acpinspect.reading.repairs import repair, repairable
from acpinspect.reading.siblings import Siblings

__all__ = ["begins_like_record", "is_member_of_torn", "mixed_frames"]

_CANDIDATE: Final = re.compile(rb'\{\s*"|\[\s*\{\s*"|"\s*\{\s*\\"')
_RECORD_START: Final = re.compile(rb'\{\s*(?:"|\Z)|\[\s*(?:\{\s*(?:"|\Z)|\Z)')
_RECORD_WORDS: Final = re.compile(
    rb'"(?:jsonrpc|method|params|result|sessionUpdate|session_update|sessionId|session_id|update|msg|frame)\\?"'
)
_TORN_END: Final = re.compile(rb'["\d\]}el]\s*\}\Z')
_TORN: Final = "torn record: the JSON ends in the middle"
_NO_MESSAGE: Final = "no JSON-RPC message"
_MEMBER: Final = re.compile(rb'"\s*:\s*\Z')
_BUDGET: Final = 8


@dataclass
class _Search:
    """The state of a search for messages in one line.

    Attributes:
        text: The line without terminal escapes.
        place: Where the whole line stands.
        exact: Positions in the text are positions in the line.
        budget: How many more bytes may be looked at, so that no line takes quadratic time.
        taken: How far the text belongs to frames already.
        torn: Where the first record since then begins that can't be read, and why it can't.
        passed: A sound value was seen that is no message.
        frames: What was found.
    """

    text: bytes
    place: Place
    exact: bool
    budget: int
    taken: int = 0
    torn: tuple[int, str] | None = None
    passed: bool = False
    frames: list[Frame] = field(default_factory=list)

    def place_of(self, start: int, end: int) -> Place:
        """The place of a piece of the line; the whole line's where escapes were taken out."""
        if not self.exact:
            return self.place
        base = self.place.offset + self.place.length - len(self.text)
        first = base + start if start else self.place.offset
        return self.place._replace(offset=first, length=base + end - first)


def begins_like_record(text: bytes) -> bool:
    """Whether a text that is no JSON begins as a JSON object or a batch does."""
    return _RECORD_START.match(text) is not None


def is_member_of_torn(text: bytes, start: int) -> bool:
    """Whether the object at ``start`` is a member of one that can't be read, and no message by itself.

    Examples:
        >>> is_member_of_torn(b'ate":{"sessionUpdate":"plan"}}}', 5)
        True
        >>> is_member_of_torn(b'"msg":{"jsonrpc":"2.0","id":1,"result":{}}}', 6)
        False
    """
    before = _MEMBER.search(text, max(start - 40, 0), start)
    return before is not None and b'"jsonrpc"' not in text[start : start + 400]


def mixed_frames(value: bytes, place: Place) -> list[Frame]:
    """The frames of a line that is no JSON value by itself.

    Args:
        value: The line, without blanks around it.
        place: Where it stands.

    Returns:
        A frame for each message, its span reaching back over its prefix; what is torn is a frame of its own.
        Without any message, one frame for the line.
    """
    text = without_ansi(value).strip(BLANK)
    search = _Search(text, place, exact=len(text) == len(value), budget=_BUDGET * len(text) + 4_096)
    position = 0
    while search.budget > 0 and (candidate := _CANDIDATE.search(text, position)):
        position = _take(search, candidate.start()) or candidate.start() + 1
    if not search.frames:
        return [_no_message(search, value)]
    _add_tail(search)
    return search.frames


def _take(search: _Search, start: int) -> int:
    """Take the value at ``start``: where it ends, or 0 if it can't be read."""
    end, problem = _end_of_value(search, start)
    if problem is not None:
        if search.torn is None:
            search.torn = start, problem
        return 0
    torn = _torn_before(search, start)
    first = start if torn else search.taken
    prefix = search.text[first:start]
    stamp, label = read_prefix(prefix)
    beside = Siblings(stamp, label, stderr=label == "stderr")
    place = search.place_of(first, end)
    frames = frames_of_value(search.text[start:end], place, beside) or []
    if all(frame.kind == "other" and frame.problem not in ("stderr", "hop duplicate") for frame in frames):
        search.passed = True
        return end
    if torn:
        search.frames.append(torn)
    if search.exact:
        frames[0] = _reaching_back(frames[0], place)
    else:
        frames = [msgspec.structs.replace(frame, offset=place.offset, length=place.length) for frame in frames]
    search.frames += [repair(frame) for frame in frames] if repairable(prefix) else frames
    search.taken, search.torn = end, None
    return end


def _reaching_back(frame: Frame, place: Place) -> Frame:
    """The first frame of a batch with the prefix of its line in its span."""
    if frame.offset is None or frame.length is None or frame.offset == place.offset:
        return frame
    return msgspec.structs.replace(frame, offset=place.offset, length=frame.offset + frame.length - place.offset)


def _end_of_value(search: _Search, start: int) -> tuple[int, str | None]:
    """Where the value at ``start`` ends, or why it can't be read."""
    text = search.text
    if is_member_of_torn(text, start):
        return start, _TORN
    if text.startswith(b'"', start):
        string = STRING.match(text, start)
        search.budget -= (string.end() if string else len(text)) - start
        return (string.end(), None) if string and soundness(string.group()).sound else (start, _TORN)
    if (
        members(text[start:]) is not None
        and not search.taken
        and search.torn is None
        and soundness(text[start:]).sound
    ):
        return len(text), None
    span = scan(text, start)
    search.budget -= max(span.end - start, 64)
    return span.end, _why_not(text, start, span)


def _why_not(text: bytes, start: int, span: Span) -> str | None:
    if not span.whole:
        return _TORN
    if span.depth > MAX_DEPTH:
        return None
    sound, problem = soundness(text[start : span.end])
    return None if sound else problem


def _torn_before(search: _Search, start: int) -> Frame | None:
    """The frame for a torn record that stands before a sound one on the same line."""
    if search.torn is None:
        return None
    part = search.text[search.taken : start]
    if part.rstrip(BLANK).endswith((b"[", b",", b":")):
        # The value stands inside what is torn further on: an export, a batch.
        return None
    if search.torn[0] != search.taken and not _RECORD_WORDS.search(part):
        return None
    return odd_frame(part.rstrip(), search.place_of(search.taken, start), "unreadable", search.torn[1])


def _add_tail(search: _Search) -> None:
    """What follows the last message on the line: torn, or a remark that belongs to it."""
    tail = search.text[search.taken :]
    if not tail.strip(BLANK):
        return
    place = search.place_of(search.taken, len(search.text))
    if search.torn is not None or begins_like_record(tail.lstrip(BLANK)):
        problem = search.torn[1] if search.torn else _TORN
        search.frames.append(odd_frame(tail.strip(BLANK), place, "unreadable", problem))
    elif search.exact:
        last = search.frames[-1]
        length = place.offset + place.length - (last.offset or 0)
        search.frames[-1] = msgspec.structs.replace(last, length=length)


def _no_message(search: _Search, value: bytes) -> Frame:
    """The one frame of a line without any message."""
    text = search.text
    prefix = text[: search.torn[0]] if search.torn else text
    stamp, label = read_prefix(prefix)
    beside = None if stamp is NO_STAMP and label is None else Siblings(stamp, label)
    if search.torn is not None and (begins_like_record(text) or _RECORD_WORDS.search(text)):
        return odd_frame(value, search.place, "unreadable", search.torn[1], beside)
    if begins_like_record(text):
        return odd_frame(value, search.place, "unreadable", _TORN, beside)
    if not search.passed and _TORN_END.search(text) and b'":' in text and _RECORD_WORDS.search(text):
        return odd_frame(value, search.place, "unreadable", "torn record: its beginning is missing", beside)
    return odd_frame(value, search.place, "other", _NO_MESSAGE if search.passed else "no JSON", beside)
