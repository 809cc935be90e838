"""Signals that are meant for the agent, and reach the recorder since it stands in the agent's place."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import Final

__all__ = ["HANDED_ON", "Forwarder"]

_NAMES: Final = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2")

HANDED_ON: Final = frozenset(signal.Signals[name] for name in _NAMES if name in signal.Signals.__members__)
"""The signals that are handed on; they must be blocked in every thread."""

_TYPED: Final = frozenset({"SIGINT", "SIGQUIT"})
_FROM_KERNEL: Final = 0x80  # SI_KERNEL of Linux


class Forwarder:
    """Takes the signals of this process and hands them on to another, until it is told to stop.

    What is typed at a terminal goes to all processes in the foreground, and so to the agent as well, which is of
    the same process group: it isn't handed on, or the agent would have it twice.

    Args:
        pid: The process.
        tell: Is told the name of each signal.
    """

    def __init__(self, pid: int, tell: Callable[[str], None]) -> None:
        self._pid, self._tell = pid, tell
        self._lock = threading.Lock()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="acpinspect-signals", daemon=True)

    def start(self) -> None:
        """Hand on signal after signal, in a thread."""
        self._thread.start()

    def _run(self) -> None:
        while True:
            number, typed = _next_signal()
            with self._lock:
                if self._stopped:
                    return
                if not typed:
                    _send(self._pid, number)
            self._tell(number.name)

    def stop(self) -> None:
        """Hand nothing on from now on: the process has ended, and its number may become another's."""
        with self._lock:
            self._stopped = True
        if self._thread.ident is not None:
            signal.pthread_kill(self._thread.ident, signal.SIGTERM)
        self._thread.join()


def _next_signal() -> tuple[signal.Signals, bool]:
    """The next signal, and whether it was typed at the terminal."""
    if hasattr(signal, "sigwaitinfo"):
        info = signal.sigwaitinfo(HANDED_ON)
        number = signal.Signals(info.si_signo)
        return number, number.name in _TYPED and info.si_code == _FROM_KERNEL
    number = signal.Signals(signal.sigwait(HANDED_ON))  # macOS
    return number, number.name in _TYPED and _in_foreground()


def _in_foreground() -> bool:
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it ends at this moment
        os.kill(pid, number)
