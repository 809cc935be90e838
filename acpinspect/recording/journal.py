"""The log as it is written: before what it tells goes on, and never at the conversation's expense.

Who adds records writes them, or waits until they are written, so that what has passed is in the log; but not
longer than `Patience` allows. Then the log is late: records queue up, a thread writes them, and nobody waits until
all are written. A queue that is full takes no more; what is dropped is counted, and the log says so where it is
missing.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from acpinspect.recording.arrears import Arrears
from acpinspect.recording.patience import Patience
from acpinspect.recording.records import Moment, Records, Sender, event_record, records_of
from acpinspect.recording.watchdog import Watchdog

__all__ = ["Journal"]

_RETRY: Final = 0.25  # seconds between two tries to write to a disk that is full
_CLOSING: Final = 1.0  # seconds that the end waits for the disk
_TURNS: Final = 8  # entries that a thread writes before it goes on with its own work


class _Entry(NamedTuple):
    """Records that are to be written."""

    records: Records
    rest: list[bytes | memoryview]  # what of them isn't written yet
    done: threading.Lock | None  # held until they are, if somebody waits for that

    def release(self) -> None:
        """Nobody needs to wait any longer."""
        if self.done is not None and self.done.locked():
            self.done.release()


class Journal:
    """A log that is being written.

    Args:
        file: The file descriptor; it is closed with the journal.
        say: Tells the user that something is wrong with the log; it must not block.
        on_stuck: Threads that add lines write them themselves, which is fast; but a write can get stuck, and
            the thread with it. Then this is called with the thread's number, to have its work done by another.
            Without it a thread of the journal writes, and the others wait for it, in vain if need be.
    """

    def __init__(
        self, file: int, say: Callable[[str], None], on_stuck: Callable[[int], None] | None = None
    ) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._queue: deque[_Entry] = deque()
        self._number = 0
        self._arrears = Arrears(say)
        self._patience = Patience()
        self._writing = False  # by the thread that has set it
        self._watchdog = Watchdog(self._stuck) if on_stuck is not None else None
        self._on_stuck = on_stuck
        self._work = threading.Semaphore(0)
        self._scribe: threading.Thread | None = None
        self._give_up = threading.Event()

    @property
    def dropped(self) -> int:
        """Records that were dropped so far."""
        return self._arrears.dropped

    def add(self, sender: Sender, parts: list[bytes], block: bytes | None, *, directly: bool) -> None:
        """Write the lines that a sender has sent, before this returns if the disk is well."""
        self._add(lambda: records_of(self._number, Moment.now(), sender, parts, block), directly=directly)

    def event(self, name: str, **details: object) -> None:
        """Write something that the recorder has to say for itself."""
        self._add(lambda: self._own(name, details), directly=False)

    def close(self) -> None:
        """Write what waits, as far as the disk takes it within a second, and say what is missing."""
        done = threading.Lock()
        done.acquire()
        with self._lock:
            self._enqueue_gap()
            self._enqueue(Records([], 0, 0), done)
            self._hand_over()
        written = done.acquire(timeout=_CLOSING)
        self._give_up.set()
        self._work.release()
        if self._watchdog is not None:
            self._watchdog.close()
        elif self._scribe is not None:
            self._scribe.join(_RETRY)
            written = written or not self._scribe.is_alive()
        self._arrears.say_missing()
        if written:  # else a thread is stuck in it
            os.close(self._file)

    def _add(self, make: Callable[[], Records], *, directly: bool) -> None:
        with self._lock:
            arrears = self._arrears
            full = arrears.full
            if not full:
                self._enqueue_gap()
            records = make()
            self._number += records.number
            if full:
                arrears.lose(records)
                return
            allowed = 0.0 if arrears.late else self._patience.allowance()
            done = threading.Lock() if allowed else None
            if done is None:
                arrears.be_late(records)
            else:
                done.acquire()
            self._enqueue(records, done)
            takes = directly and done is not None and not self._writing
            if takes:
                self._writing = True
            else:
                self._hand_over()
        if done is not None:
            begun = time.monotonic()
            if takes:
                self._drain(patient=False)
            else:
                self._await(done, allowed, records)
            self._patience.spend(time.monotonic() - begun)
        arrears.say_slow()

    def _await(self, done: threading.Lock, allowed: float, records: Records) -> None:
        """Wait until records are written, but not longer than allowed."""
        if not done.acquire(timeout=allowed):
            with self._lock:
                if not done.acquire(blocking=False):
                    self._arrears.be_late(records)

    # With the lock held

    def _enqueue(self, records: Records, done: threading.Lock | None = None) -> None:
        self._arrears.wait(records)
        self._queue.append(_Entry(records, list(records.buffers), done))

    def _enqueue_gap(self) -> None:
        """Say in the log, in its place, what was dropped."""
        gap = self._arrears.take_gap()
        if gap:
            self._enqueue(self._own("dropped", gap))
            self._number += 1

    def _own(self, name: str, details: dict[str, object]) -> Records:
        return event_record(self._number, Moment.now(), name, details)

    def _hand_over(self) -> None:
        """Have the journal's own thread write, if no thread does."""
        if self._writing:
            return
        self._writing = True
        self._wake_scribe()

    def _wake_scribe(self) -> None:
        if self._scribe is None:
            self._scribe = threading.Thread(target=self._run, name="acpinspect-log", daemon=True)
            self._scribe.start()
        self._work.release()

    # Without the lock

    def _run(self) -> None:
        while self._work.acquire() and not self._give_up.is_set():
            self._drain(patient=True)
            self._arrears.say_trouble()

    def _drain(self, *, patient: bool) -> None:
        """Write what waits, until nothing does; the thread has said that it writes."""
        written: _Entry | None = None
        turns = 0
        while (entry := self._next(written, last=not patient and turns == _TURNS)) is not None:
            turns += 1
            try:
                self._write(entry)
            except OSError as error:
                self._put_back(entry, error, patient=patient)
                if not patient or self._give_up.wait(_RETRY):
                    return
                written = None
            else:
                written = entry

    def _next(self, written: _Entry | None, *, last: bool) -> _Entry | None:
        """What is to be written next, after what is written now; None where this thread writes no more.

        Where nothing waits, the log says what was late.
        """
        with self._lock:
            if written is not None:
                self._arrears.write(written.records)
                written.release()
            if not self._queue and self._arrears.late:
                self._enqueue_gap()
                self._enqueue(self._own("late", self._arrears.settle()))
                self._number += 1
            if not self._queue:
                self._writing = False
            elif last:
                self._wake_scribe()
            else:
                return self._queue.popleft()
        return None

    def _put_back(self, entry: _Entry, error: OSError, *, patient: bool) -> None:
        """The disk has refused an entry: the journal's own thread tries again."""
        with self._lock:
            self._arrears.fail(error, entry.records)
            self._queue.appendleft(entry)
            entry.release()
            if not patient:
                self._wake_scribe()
        self._arrears.say_trouble()

    def _write(self, entry: _Entry) -> None:
        if self._watchdog is not None:
            self._watchdog.begin()
        try:
            while entry.rest:
                written = os.write(self._file, entry.rest[0])
                if written == len(entry.rest[0]):
                    entry.rest.pop(0)
                else:
                    entry.rest[0] = memoryview(entry.rest[0])[written:]
        finally:
            if self._watchdog is not None:
                self._watchdog.end()

    def _stuck(self, thread: int) -> None:
        """A thread doesn't come back from writing."""
        with self._lock:
            self._arrears.be_late(None)
        if self._on_stuck is not None:
            self._on_stuck(thread)
