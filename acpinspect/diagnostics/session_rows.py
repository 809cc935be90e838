"""Rows of one session that are asked for again and again, found by bisection."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from acpinspect.diagnostics.columns import Ints, Mask, by_group

if TYPE_CHECKING:
    from acpinspect.diagnostics.log import Log

__all__ = ["SessionRows", "between", "rows_by_session"]

_NONE = np.zeros(0, dtype=np.int64)


class SessionRows:
    """Transcript updates, requests and answers of each session."""

    def __init__(self, log: Log) -> None:
        self._end = len(log)
        self._transcript = rows_by_session(log, log.transcript)
        self._requests: dict[int, list[int]] = defaultdict(list)
        self._answers: dict[int, list[int]] = defaultdict(list)
        for prompt in log.control.prompts:
            if prompt.request >= 0:
                self._requests[prompt.session].append(prompt.request)
                if prompt.response >= 0:
                    self._answers[prompt.session].append(prompt.response)
        for load in log.control.loads:
            self._requests[load.session].append(load.request)
        for rows in (*self._requests.values(), *self._answers.values()):
            rows.sort()

    def transcript_between(self, session: int, first: int, last: int) -> Ints:
        """Transcript updates between two rows, both left out."""
        return between(self._transcript.get(session, _NONE), first, last)

    def next_request(self, session: int, row: int) -> int:
        """The next prompt, load or resume request after a row; the end of the log if there is none."""
        rows = self._requests.get(session, [])
        i = bisect_right(rows, row)
        return rows[i] if i < len(rows) else self._end

    def answered_before(self, session: int, row: int) -> bool:
        """Whether a prompt was answered before a row."""
        return bisect_left(self._answers.get(session, []), row) > 0


def rows_by_session(log: Log, mask: Mask) -> dict[int, Ints]:
    """Marked rows by session, ascending."""
    rows = np.flatnonzero(mask & (log.session >= 0))
    return {session: np.array(own, dtype=np.int64) for session, own in by_group(log.session[rows], rows)}


def between(rows: Ints, first: int, last: int) -> Ints:
    """Those of some ascending rows that lie between two rows, both left out."""
    return rows[np.searchsorted(rows, first, side="right") : np.searchsorted(rows, last, side="left")]
