"""Records of acpinspect's own recorder: lines of the wire, each in an object that says when and from whom.

The form is told in `acpinspect.recording.records`. What a line means is told as of any other log: the record is
taken off, and the line read by itself.
"""

from __future__ import annotations

import binascii
import math
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final

from acpinspect.reading.clocks import Stamp
from acpinspect.reading.envelopes import Found, record_shape
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.jsontext import Slice, text_of
from acpinspect.reading.siblings import Siblings

__all__ = ["RECORD_KEYS"]

RECORD_KEYS: Final = frozenset({"seq", "time", "mono", "sender"})
_MAX_LEVEL: Final = 4  # of recorders that record each other; a hostile log could go on and on
_level: Final = ContextVar("_level", default=0)
_SIDES: Final[dict[str, Sender]] = {"client": "client", "agent": "agent"}


@record_shape("mono")
def recorded(keys: Mapping[str, Slice], beside: Siblings) -> list[Found] | None:
    """One record: a line of a side, of standard error, or a word of the recorder itself."""
    if not keys.keys() >= RECORD_KEYS:
        return None
    said = beside.copy()
    said.label = text_of(keys["sender"])
    said.stamp = Stamp(beside.stamp.time, _number(keys["mono"]), beside.stamp.clock)
    if "event" in keys:
        said.stderr = False
        return [Found(_event_text(keys), said, "other", _event_problem(keys))]
    line = _line(keys)
    if line is None:
        return None
    if "part" in keys:
        part = bytes(keys["part"]).decode("ascii", "replace")
        text = line.decode("utf-8", "backslashreplace")
        return [Found(text, said, "unreadable", f"part {part} of a line that is too long")]
    if said.label not in _SIDES:
        return [Found(line.decode("utf-8", "backslashreplace"), said, "other", said.label)]
    return _opened(line, said, ended=text_of(keys.get("newline", b"0")) != "")


def _opened(line: bytes, said: Siblings, *, ended: bool) -> list[Found]:
    """The frames of a line of one side; a blank line is something that was sent as well."""
    from acpinspect.reading.framing import line_frames

    level = _level.get()
    if level == _MAX_LEVEL:
        return [Found(line.decode("utf-8", "backslashreplace"), said, "unreadable", "records within records")]
    token = _level.set(level + 1)
    try:
        frames = line_frames(line, "", 1, 0)
    finally:
        _level.reset(token)
    if not frames:
        return [Found("", said, "other", "a blank line", _SIDES[said.label or ""])]
    return [_found(frame, said, None if ended else "no line feed at the end of the stream") for frame in frames]


def _found(frame: Frame, said: Siblings, problem: str | None) -> Found:
    beside = said.copy()
    beside.connection = frame.connection or said.connection
    return Found(frame.raw, beside, frame.kind, frame.problem or problem, _SIDES[said.label or ""])


def _line(keys: Mapping[str, Slice]) -> bytes | None:
    if "msg" in keys:
        return bytes(keys["msg"])
    if "text" in keys:
        text = text_of(keys["text"])
        return None if text is None else text.encode("utf-8", "backslashreplace")
    try:
        return binascii.a2b_base64(text_of(keys.get("base64", b"null")) or "!", strict_mode=True)
    except (binascii.Error, ValueError):
        return None


def _number(value: Slice) -> float | None:
    try:
        number = float(bytes(value))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _event_text(keys: Mapping[str, Slice]) -> str:
    """What the recorder says, without what the columns say."""
    said = {key: value for key, value in keys.items() if key not in RECORD_KEYS}
    pairs = (f'"{key}":{bytes(value).decode("utf-8", "replace")}' for key, value in said.items())
    return "{" + ",".join(pairs) + "}"


def _event_problem(keys: Mapping[str, Slice]) -> str:
    name = text_of(keys["event"]) or "?"
    count = bytes(keys.get("records", b"")).decode("ascii", "replace")
    return f"recorder: {name}" + (f", {count} records" if count else "")
