"""Plays: takes one step after another while the kernel is free."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

__all__ = ["Player"]


class Player:
    """Calls a function again and again, until it says that there is nothing more or it is told to stop.

    Args:
        step_on: Takes one step; false where there is none.
        ended: Is called when there was none.
    """

    def __init__(self, step_on: Callable[[], bool], ended: Callable[[], None]) -> None:
        self.per_second = 3.0
        self._step_on, self._ended = step_on, ended
        self._task: asyncio.Task[None] | None = None

    def start(self) -> bool:
        """Begin; false where there is no loop to play in."""
        self.stop()
        try:
            self._task = asyncio.get_running_loop().create_task(self._run())
        except RuntimeError:
            return False
        return True

    def stop(self) -> None:
        """Stop, at once."""
        task, self._task = self._task, None
        if task is not None and task is not _current():
            task.cancel()

    async def wait(self) -> None:
        """Until it has come to the end."""
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while self._step_on():
            await asyncio.sleep(1 / self.per_second)
        self._ended()


def _current() -> asyncio.Task[object] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
