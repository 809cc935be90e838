"""Looks at a log that is still being written, now and then, while the kernel is free."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import pandas as pd

from acpinspect.errors import AcpInspectError
from acpinspect.following import Following
from acpinspect.widgets.player import Player

__all__ = ["LogWatch"]

_LOOKS: Final = 2.0
_PATIENCE: Final = 5.0
"""Looks in a second, and how many times longer than a look the wait for the next one is at least."""


class LogWatch:
    """Gives new events to who wants them.

    Args:
        log: The log.
        take: Is given the new events.
        failed: Is told why it can't look any more.
    """

    def __init__(
        self, log: Following, take: Callable[[pd.DataFrame], None], failed: Callable[[str], None]
    ) -> None:
        self._log, self._take, self._failed = log, take, failed
        self._player = Player(self._look_on, lambda: None)

    def start(self) -> bool:
        """Begin to look by itself; false where there is no loop to do so in."""
        return self._player.start()

    def stop(self) -> None:
        """Look no more by itself."""
        self._player.stop()

    def close(self) -> None:
        """Stop, and let go of the file."""
        self.stop()
        self._log.close()

    def look(self) -> int:
        """Look now; gives how many events were new.

        Raises:
            SourceError: The log can't be read any more.
        """
        begun, count = time.perf_counter(), 0
        while len(events := self._log.read()):
            self._take(events)
            count += len(events)
        # To take up events costs as much as to open the log: of a long one, that is done less often.
        self._player.per_second = 1 / max(1 / _LOOKS, _PATIENCE * (time.perf_counter() - begun))
        return count

    def _look_on(self) -> bool:
        try:
            self.look()
        except AcpInspectError as error:
            self._failed(str(error))
            return False
        return True
