"""How long the conversation may wait for the disk."""

from __future__ import annotations

import time
from typing import Final

__all__ = ["LONGEST_WAIT", "Patience"]

LONGEST_WAIT: Final = 0.1
"""Seconds that one message waits for its record at most."""

_SHARE: Final = 0.25  # of the time that may go by in waiting
_SAVED: Final = 1.0  # seconds that can be saved up, and are there at the beginning
_FREE: Final = 0.005  # seconds of a wait that don't count: handing over to another thread takes some


class Patience:
    """An allowance of waiting, so that a disk that is slow at every write holds nobody up for long.

    A quarter of the time may be spent in waiting, up to a second at once.

    Example:
        >>> patience = Patience()
        >>> patience.allowance()
        0.1
        >>> patience.spend(2.0)
        >>> patience.allowance()
        0.0
    """

    def __init__(self) -> None:
        self._left = _SAVED
        self._counted = time.monotonic()

    def allowance(self) -> float:
        """Seconds that the next wait may take."""
        now = time.monotonic()
        self._left = min(_SAVED, self._left + _SHARE * (now - self._counted))
        self._counted = now
        return max(0.0, min(LONGEST_WAIT, self._left))

    def spend(self, seconds: float) -> None:
        """A wait took so long."""
        if seconds > _FREE:
            self._left -= seconds
