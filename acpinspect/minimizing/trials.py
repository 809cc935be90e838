"""Asks whether a smaller log still shows what it has to, no more often than allowed, and never twice the same."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Final

import pandas as pd

from acpinspect.assembly import Part, assemble
from acpinspect.diagnostics import diagnose
from acpinspect.minimizing.goals import Goal
from acpinspect.protocol import Version
from acpinspect.reading.batches import columns_of_frames
from acpinspect.reading.frames import Frame

__all__ = ["Spent", "Trials", "table_of"]

SOURCE: Final = "<minimized>"


class Spent(Exception):  # noqa: N818  (it is no error, it ends the search)
    """As many logs were looked at, or as much time has passed, as allowed."""


def table_of(raws: Sequence[str], protocol: Version | None) -> pd.DataFrame:
    """The events table of some frames, as if they were a recording of bare messages."""
    frames = [Frame(raw=raw, source=SOURCE) for raw in raws]
    batches = [columns_of_frames(frames)] if frames else []
    return assemble([Part(SOURCE, batches)], protocol=protocol)


class Trials:
    """Looks at smaller logs.

    Args:
        goal: What they have to show.
        allowed: Codes of faults that they may show beside.
        protocol: The version to take, where the log itself doesn't tell.
        most: How many logs to look at.
        told: Called after each with how many events the best one has.
        until: When to stop, by `time.monotonic`; not before one of them shows it.
    """

    def __init__(
        self,
        goal: Goal,
        allowed: frozenset[str],
        protocol: Version | None,
        most: int,
        told: Callable[[int], object],
        until: float | None = None,
    ) -> None:
        self._goal, self._allowed, self._protocol, self._most, self._told = goal, allowed, protocol, most, told
        self._until = until
        self._known: dict[bytes, bool] = {}
        self.best: list[str] = []

    def __call__(self, raws: Sequence[str]) -> bool:
        """Whether a log shows what it has to, and no new fault.

        Raises:
            Spent: If no more logs may be looked at, or the time is over.
        """
        key = hashlib.blake2b("\x00".join(raws).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key not in self._known:
            if len(self._known) >= self._most or self._is_late():
                raise Spent
            self._known[key] = bool(raws) and self._shows(raws)
            if self._known[key]:
                self.best = list(raws)
            self._told(len(self.best))
        return self._known[key]

    def _is_late(self) -> bool:
        return self._until is not None and bool(self.best) and time.monotonic() >= self._until

    def table(self, raws: Sequence[str]) -> pd.DataFrame:
        """The events table of some frames, as the trials see it."""
        return table_of(raws, self._protocol)

    def _shows(self, raws: Sequence[str]) -> bool:
        events = self.table(raws)
        if not self._goal(events):
            return False
        faults = diagnose(events, severity="warning", options=self._goal.options)["code"].astype(str)
        return self._allowed.issuperset(faults)
