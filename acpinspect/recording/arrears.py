"""What the log owes: records that wait for the disk, are late, or had to be dropped; and what is said of that."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from acpinspect.recording.records import Records

__all__ = ["MOST_WAITING", "Arrears"]

MOST_WAITING: Final = 64 << 20
"""Bytes that may wait for the disk before records are dropped."""

_SLOW: Final = 1.0  # seconds after which a log that is late is worth a word


class Arrears:
    """The accounts of a journal; they are changed with its lock held.

    Args:
        say: Tells the user, and must not block.

    Attributes:
        dropped: Records that were dropped, ever.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.dropped = 0
        self._waiting_bytes = self._waiting_records = 0
        self._since: float | None = None
        self._late = 0  # records, since the log is late
        self._gap_records = self._gap_bytes = 0  # dropped since the last one that wasn't
        self._missing = 0  # records dropped since the log is late
        self._trouble: str | None = None
        self._told = False
        self._news: str | None = None

    @property
    def late(self) -> bool:
        """Whether records pass before they are written."""
        return self._since is not None

    @property
    def full(self) -> bool:
        """Whether to drop records: once that begins, until half of the room is free, for one gap and not many."""
        return self._waiting_bytes >= (MOST_WAITING // 2 if self._gap_records else MOST_WAITING)

    def wait(self, records: Records) -> None:
        """These records are to be written."""
        self._waiting_bytes += records.size
        self._waiting_records += records.number

    def write(self, records: Records) -> None:
        """These records are written."""
        self._waiting_bytes -= records.size
        self._waiting_records -= records.number

    def be_late(self, records: Records | None) -> None:
        """These records pass before they are written; None where that is counted elsewhere."""
        self._since = self._since or time.monotonic()
        self._late += records.number if records else 0

    def lose(self, records: Records) -> None:
        """These records are dropped."""
        self._gap_records += records.number
        self._gap_bytes += records.size
        self._missing += records.number
        self.dropped += records.number

    def take_gap(self) -> dict[str, object]:
        """What a record of the gap has to say, if there is one to be said."""
        if not self._gap_records:
            return {}
        gap = {
            "records": self._gap_records,
            "bytes": self._gap_bytes,
            "reason": self._trouble or "the disk is too slow",
        }
        self._gap_records = self._gap_bytes = 0
        return gap

    def fail(self, error: OSError, records: Records) -> None:
        """The disk has refused records; they wait."""
        if self._trouble is None:
            self._trouble = error.strerror or str(error)
            self._news = f"{self._trouble}. The conversation goes on; what can't be written is counted."
            self._told = True
            self.be_late(records)

    def settle(self) -> dict[str, object]:
        """All is written: what the record of it has to say."""
        late: dict[str, object] = {
            "records": self._late,
            "seconds": round(time.monotonic() - (self._since or 0.0), 3),
        }
        if self._told:
            self._news = f"it is written again; {_counted(self._missing)} missing."
        self._since, self._late, self._missing = None, 0, 0
        self._trouble, self._told = None, False
        return late

    def say_trouble(self) -> None:
        """Tell what there is to tell; without the lock."""
        news, self._news = self._news, None
        if news:
            self._say(news)

    def say_slow(self) -> None:
        """Tell that the log is late, if it has been for a while; without the lock."""
        since = self._since
        if since is not None and not self._told and time.monotonic() - since > _SLOW:
            self._told = True
            self._say("the disk is slow. The conversation goes on; records wait in memory.")
        self.say_trouble()

    def say_missing(self) -> None:
        """Tell what the log doesn't have in the end."""
        missing = self.dropped + self._waiting_records
        if missing:
            self._say(f"{_counted(missing)} not in it.")


def _counted(records: int) -> str:
    return f"{records:,} record is" if records == 1 else f"{records:,} records are"
