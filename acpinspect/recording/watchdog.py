"""Notices that a thread is stuck in a write."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from acpinspect.recording.patience import LONGEST_WAIT

__all__ = ["Watchdog"]

_ROUND: Final = LONGEST_WAIT / 2  # seconds between two looks while there is something to see
_QUIET: Final = 20  # rounds without a write, after which it sleeps until the next


class Watchdog:
    """Watches writes, one at a time; it costs them next to nothing.

    Args:
        bark: Is called with the number of the thread whose write takes longer than `LONGEST_WAIT`, once.
    """

    def __init__(self, bark: Callable[[int], None]) -> None:
        self._bark = bark
        self._write: tuple[float, int] | None = None  # since when, by which thread
        self._seen = False  # a write since the last round
        self._asleep = True
        self._waker = threading.Semaphore(0)
        self._closed = False
        threading.Thread(target=self._run, name="acpinspect-watchdog", daemon=True).start()

    def begin(self) -> None:
        """A write begins, in this thread."""
        self._write = (time.monotonic(), threading.get_ident())
        self._seen = True
        if self._asleep:
            self._asleep = False
            self._waker.release()

    def end(self) -> None:
        """It is over."""
        self._write = None

    def close(self) -> None:
        """Watch no more."""
        self._closed = True
        self._waker.release()

    def _run(self) -> None:
        barked: tuple[float, int] | None = None
        quiet = _QUIET
        while not self._closed:
            self._waker.acquire(timeout=self._sleep(quiet))
            quiet = 0 if self._seen else quiet + 1
            self._seen = False
            write = self._write
            if write is None or write is barked or time.monotonic() - write[0] <= LONGEST_WAIT:
                continue
            if not _is_running(write[1]):
                barked = write
                self._bark(write[1])

    def _sleep(self, quiet: int) -> float | None:
        """Seconds until the next look; None for ever, until a write wakes it."""
        if quiet < _QUIET:
            return _ROUND
        self._asleep = True
        if self._write is not None:  # it has begun just now, and seen us awake
            self._asleep = False
            return _ROUND
        return None


def _is_running(thread: int) -> bool:
    """Whether a thread waits for the processor, or has it, and not for the disk; where the system tells."""
    number = next((one.native_id for one in threading.enumerate() if one.ident == thread), None)
    try:
        state = Path(f"/proc/self/task/{number}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state == b"R"
