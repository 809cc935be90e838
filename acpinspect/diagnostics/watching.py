"""The findings of a log that is still being written: each is told once, when it can first be seen."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from acpinspect.diagnostics.engine import findings_in
from acpinspect.diagnostics.findings import Severity
from acpinspect.diagnostics.windows import remembered
from acpinspect.pieces import joined

__all__ = ["Watch"]

_RECENT: Final = 5_000


class Watch:
    """Looks at events as they come.

    Args:
        severity: Only findings at least as grave.
        policy: The policy whose messages the rules look at.
        recent: How many of the last events are looked at again with each new one; of those before, only what
            the setup of connections and sessions and the beginnings of messages and tool calls tell.
    """

    def __init__(self, *, severity: Severity | None = None, policy: str = "spec", recent: int = _RECENT) -> None:
        self._severity, self._policy, self._recent = severity, policy, recent
        self._known: pd.DataFrame | None = None
        self._from = 0
        self._told: set[tuple[str, int]] = set()

    def see(self, events: pd.DataFrame) -> pd.DataFrame:
        """The findings that the new events show and none before them showed; they may be at earlier events.

        Args:
            events: The events that follow those of the last call.

        Returns:
            A table as `diagnose` gives it. Cost: that of `diagnose` on the recent events.
        """
        known = events if self._known is None else joined([self._known, events])
        found = findings_in(known, codes=None, severity=self._severity, policy=self._policy, options=None)
        keys = list(zip(found["code"].astype(str), found["event"].tolist(), strict=True))
        new = np.array([event >= self._from and (code, event) not in self._told for code, event in keys], bool)
        self._told.update(keys)
        self._known = self._shortened(known)
        return found[new].reset_index(drop=True).rename_axis("finding")

    def _shortened(self, known: pd.DataFrame) -> pd.DataFrame:
        if len(known) <= 2 * self._recent:
            return known
        old, recent = known.iloc[: -self._recent], known.iloc[-self._recent :]
        self._from = int(recent.index[0])
        self._told = {(code, event) for code, event in self._told if event >= self._from}
        return joined([remembered(old), recent])
