"""What stands beside a message in its wrapper: time, direction, connection, session, encoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from acpinspect.reading.clocks import NO_STAMP, Stamp, stamp_of_number, stamp_of_text
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.jsontext import Slice, text_of
from acpinspect.reading.prefixes import LABELS

__all__ = ["SIBLING_KEYS", "Siblings", "placed", "read_siblings"]


@dataclass(slots=True)
class Siblings:
    """What wrappers say of the message inside.

    Attributes:
        stamp: When it was recorded, by the outermost wrapper that says so.
        label: The direction label, as written.
        connection: The connection's name.
        session: The session's id as JSON text, for updates that have none themselves.
        base64: The message is in base64.
        stderr: The record is the standard error stream of a side.
    """

    stamp: Stamp = NO_STAMP
    label: str | None = None
    connection: str | None = None
    session: str | None = None
    base64: bool = False
    stderr: bool = False

    def copy(self) -> Siblings:
        """Another one that says the same."""
        return Siblings(self.stamp, self.label, self.connection, self.session, self.base64, self.stderr)


_TIME: Final = [
    "ts",
    "timestamp",
    "time",
    "at",
    "t",
    "datetime",
    "date",
    "when",
    "@timestamp",
    "_ts",
    "_time",
    "created_at",
    "createdAt",
    "logged_at",
    "loggedAt",
    "recorded_at",
    "recordedAt",
    "received_at",
    "receivedAt",
    "time_ms",
    "ts_ms",
    "timestamp_ms",
    "timestampMs",
    "tsMs",
    "epoch_ms",
    "Timestamp",
    "Time",
    "elapsed",
    "elapsed_ms",
    "elapsedMs",
    "offset_ms",
    "offsetMs",
    "relative_ms",
    "t_ms",
    "startedDateTime",
    "asctime",
    "T",
    "__REALTIME_TIMESTAMP",
]
_LABEL: Final = [
    "dir",
    "direction",
    "_direction",
    "sender",
    "side",
    "channel",
    "stream",
    "flow",
    "Direction",
    "_dir",
]
_WEAK_LABEL: Final = ["type", "kind", "event", "event_type"]
_CONNECTION: Final = ["connection", "connection_id", "connectionId", "conn", "conn_id", "connId"]
_SESSION: Final = ["sessionId", "session_id", "acpSessionId", "acp_session_id", "session"]


def _take_time(beside: Siblings, key: str, value: Slice) -> None:
    if beside.stamp is not NO_STAMP:
        return
    milliseconds = key.endswith(("ms", "Ms"))
    text = text_of(value)
    written = bytes(value).decode("ascii", "replace") if text is None else text
    stamp = (stamp_of_number if text is None else stamp_of_text)(written, milliseconds=milliseconds)
    if stamp.clock is not None:
        beside.stamp = stamp


def _take_label(beside: Siblings, _key: str, value: Slice) -> None:
    if beside.label is None:
        beside.label = text_of(value)
        beside.stderr = beside.label == "stderr"


def _take_weak_label(beside: Siblings, key: str, value: Slice) -> None:
    if beside.label is None:
        text = text_of(value)
        if text is not None and text.lower() in LABELS | {"stderr"}:
            _take_label(beside, key, value)


def _take_connection(beside: Siblings, _key: str, value: Slice) -> None:
    if beside.connection is None and bytes(memoryview(value)[:1]) not in (b"{", b"[", b"n"):
        beside.connection = text_of(value) or bytes(value).decode("utf-8", "replace")


def _take_session(beside: Siblings, _key: str, value: Slice) -> None:
    if text_of(value) is not None:
        beside.session = bytes(value).decode("utf-8", "replace")


def _take_encoding(beside: Siblings, _key: str, value: Slice) -> None:
    beside.base64 = text_of(value) == "base64"


_Taker = Callable[[Siblings, str, Slice], None]
_TAKERS: Final[dict[str, _Taker]] = {
    **dict.fromkeys(_TIME, _take_time),
    **dict.fromkeys(_LABEL, _take_label),
    **dict.fromkeys(_CONNECTION, _take_connection),
    **dict.fromkeys(_SESSION, _take_session),
    "encoding": _take_encoding,
}
_WEAK_TAKERS: Final[dict[str, _Taker]] = dict.fromkeys(_WEAK_LABEL, _take_weak_label)

SIBLING_KEYS: Final = frozenset(_TAKERS) | frozenset(_WEAK_LABEL) | {"seq", "index", "level", "pid", "_meta"}
"""Keys that a recorder may write right beside the keys of a message."""


def read_siblings(keys: Mapping[str, Slice], beside: Siblings, *, weak: bool = True) -> Siblings:
    """What the keys say, added to what outer wrappers said.

    Args:
        keys: The wrapper's members.
        beside: What the outer wrappers said; it is not changed.
        weak: Whether a ``type`` or ``kind`` may be the direction; not so beside an update, which has its own.
    """
    said = beside.copy()
    for key, value in keys.items():
        taker = _TAKERS.get(key)
        if taker is not None:
            taker(said, key, value)
    if weak and said.label is None:
        for key in _WEAK_LABEL:
            if key in keys:
                _take_weak_label(said, key, keys[key])
    return said


def placed(raw: str, place: Place, beside: Siblings) -> Frame:
    """A frame with all that stands beside it in its record."""
    stamp = beside.stamp
    return Frame(
        raw=raw,
        source=place.source,
        line=place.line,
        offset=place.offset,
        length=place.length,
        time=stamp.time,
        elapsed=stamp.elapsed,
        clock=stamp.clock,
        label=beside.label,
        connection=beside.connection,
    )
