"""One direction of the conversation: what comes in goes into the log, and on.

Blocking reads and writes in a thread of its own. The descriptors are inherited, and others may hold the same open
file: to make them non-blocking, as an event loop does, would change it for them.
"""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

from acpinspect.recording.recorder import Recorder
from acpinspect.recording.records import Sender

__all__ = ["Pump", "let_go"]

_AT_ONCE: Final = 64 << 10  # bytes; what a pipe holds
_STDERR: Final = 2


class Pump:
    """Passes on the bytes of one sender until its stream ends, or nobody takes them any more.

    Then it closes both ends: so the end of a file is handed on, and a broken pipe is.

    Args:
        sender: Whose bytes they are.
        source: The descriptor that they come from.
        target: The descriptor that they go to.
        stop: A descriptor that is at its end when the pump shall stop; what has come until then is passed on.
        recorder: Writes the log.
        say: Is told if the recorder fails; the bytes go on.
    """

    def __init__(
        self, sender: Sender, source: int, target: int, stop: int, recorder: Recorder, say: Callable[[str], None]
    ) -> None:
        self._sender, self._source, self._target, self._stop = sender, source, target, stop
        self._recorder, self._say = recorder, say
        self._failed = False
        self._lock = threading.Lock()
        self._thread: int | None = None  # the number of the one that pumps
        self._data = b""  # what it has read, while that is written to the log
        self._over = threading.Event()

    def start(self) -> None:
        """Pump, in a thread."""
        threading.Thread(target=self._run, name=f"acpinspect-{self._sender}", daemon=True).start()

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end; whether it has come."""
        return self._over.wait(timeout)

    def relieve(self, thread: int) -> None:
        """If this thread is stuck in the log with what it has read, another goes on where it was."""
        with self._lock:
            if self._thread == thread and self._data:
                self._thread = None
                self.start()

    def _run(self) -> None:
        me = threading.get_ident()
        with self._lock:
            self._thread, data, self._data = me, self._data, b""
        ended: bool | None = False
        try:
            self._pass_on(data)
            ended = self._pump(me)
        except OSError:
            self._record(lambda: self._recorder.event("broken", of=self._sender))
        finally:
            if ended is not None:
                self._hand_on_the_end(ended)

    def _hand_on_the_end(self, ended: bool) -> None:
        if ended:
            self._record(lambda: self._recorder.end(self._sender))
        let_go(self._source)
        if self._target != _STDERR:  # there may still be something to say
            let_go(self._target)
        self._over.set()

    def _pump(self, me: int) -> bool | None:
        """Pass on what comes; whether the stream has ended, or was stopped; None if another thread goes on."""
        watch = select.poll()
        watch.register(self._source, select.POLLIN)
        watch.register(self._target, 0)  # tells that nobody reads it any more
        watch.register(self._stop, select.POLLIN)
        while True:
            ready = dict(watch.poll())
            if self._source in ready:
                data = self._read()
                if data == b"":
                    return True
                if data:
                    self._data = data
                    self._record(partial(self._recorder.write, self._sender, data))
                    with self._lock:
                        if self._thread != me:
                            return None
                        self._data = b""
                    self._pass_on(data)
            elif ready.get(self._target, 0) & select.POLLNVAL:
                watch.unregister(self._target)  # a device that can't be watched
            elif self._target in ready:
                raise BrokenPipeError
            else:
                return False

    def _record(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - the conversation is worth more than its log
            if not self._failed:
                self._failed = True
                self._say(f"the recorder fails ({error!r}). The conversation goes on; the log has a gap.")

    def _read(self) -> bytes | None:
        """What has come; nothing at the end, None where there is nothing yet."""
        try:
            return os.read(self._source, _AT_ONCE)
        except BlockingIOError:
            return None
        except OSError:  # a connection that was reset, a terminal that is gone
            return b""

    def _pass_on(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._target, rest) :]
            except BlockingIOError:  # somebody else made it non-blocking
                room = select.poll()
                room.register(self._target, select.POLLOUT)
                room.poll()


def let_go(file: int) -> None:
    """Close a descriptor; one of the three standard ones leads to nowhere from then on."""
    if file > _STDERR:
        os.close(file)
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, file)
    os.close(nowhere)
