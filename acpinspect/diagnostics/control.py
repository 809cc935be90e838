"""What frames a conversation: prompts and loads with their answers, v2 states, cancels, closings."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pandas as pd

from acpinspect.diagnostics.columns import first_of_each

if TYPE_CHECKING:
    from acpinspect.diagnostics.log import Log

__all__ = ["ABSENT", "Closing", "Control", "Load", "Prompt", "State", "read_control"]

ABSENT: Final = object()
"""Stands for a key that isn't there."""

_OPENERS: Final = ("session/new", "session/fork")
_ASKERS: Final = ("session/load", "session/resume", "session/prompt")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt request and its response.

    Attributes:
        session: Number of the session.
        request: Its row; -1 where the log has only the response.
        response: Row of the response; -1 without one.
        end: Row up to which it is open: the response, a new connection, or the end of the log.
        ok: It was answered by a result.
        stop: stopReason of the result, whatever it is; `ABSENT` without one.
        v2: It was sent over a v2 connection.
    """

    session: int
    request: int
    response: int
    end: int
    ok: bool
    stop: Any
    v2: bool


@dataclass(frozen=True, slots=True)
class Load:
    """A load or resume request and its response.

    Attributes:
        session: Number of the session.
        request: Its row.
        response: Row of the response; -1 without one.
        end: Row up to which it is open.
        ok: It was answered by a result.
        asked: It asks for a replay.
        resume: It is a session/resume.
    """

    session: int
    request: int
    response: int
    end: int
    ok: bool
    asked: bool
    resume: bool


class State(NamedTuple):
    """A v2 state_update: its row, the state, and the stop reason (`None` without a usable one)."""

    row: int
    state: str
    stop: str | None


class Closing(NamedTuple):
    """Rows between which a session is closed or deleted."""

    session: int
    begin: int
    end: int
    deleted: bool


@dataclass(slots=True)
class Control:
    """What was read.

    Attributes:
        prompts: All prompts, in order of their requests; orphaned responses last.
        loads: All loads and resumes, in order.
        states: v2 states by session, in order.
        cancels: Rows of session/cancel by session, ascending.
        closings: When sessions were closed.
        brought: Rows that bring a session, by session, ascending.
        known: From which row on a client knows a session by a new, fork, load or resume.
    """

    prompts: list[Prompt] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    states: dict[int, list[State]] = field(default_factory=lambda: defaultdict(list))
    cancels: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    closings: list[Closing] = field(default_factory=list)
    brought: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    known: dict[int, int] = field(default_factory=dict)

    def cancelled_between(self, session: int, first: int, last: int) -> bool:
        """Whether a cancel of the session lies between two rows."""
        rows = self.cancels.get(session, [])
        return bisect_left(rows, last) > bisect_left(rows, first)


def read_control(log: Log) -> Control:
    """Read prompts, loads, states, cancels and closings. Cost: linear in the requests, responses and states."""
    return _Reading(log).run()


class _Reading:
    def __init__(self, log: Log) -> None:
        self.log = log
        self.control = Control()
        self.answer = _answers(log)
        self.methods = [str(name) for name in log.events["method"].cat.categories]
        self.method = log.events["method"].cat.codes.to_numpy()
        self.kind = log.events["kind"].astype(object).to_numpy()
        self.closed: dict[int, int] = {}
        self.starts = np.flatnonzero(log.has("method", "initialize") & log.request)
        named = np.flatnonzero(log.session >= 0)
        first = first_of_each(log.session[named], named)
        names = log.events["session_id"].iloc[first].tolist()
        self.number_of = dict(
            zip(zip(log.recording[first].tolist(), names, strict=True), log.session[first].tolist(), strict=True)
        )

    def run(self) -> Control:
        wanted = self.log.has("method", *_OPENERS, *_ASKERS, "session/cancel", "session/close", "session/delete")
        for row in np.flatnonzero(wanted).tolist():
            method = self.methods[self.method[row]]
            if self.kind[row] in ("request", "notification"):
                self._ask(row, method)
            elif self.kind[row] == "response":
                self._reply(row, method)
        self._orphans()
        self._states()
        for rows in self.control.brought.values():
            rows.sort()
        return self.control

    def _ask(self, row: int, method: str) -> None:
        session = int(self.log.session[row])
        if method == "session/cancel":
            self.control.cancels[session].append(row)
        if method not in _ASKERS or session < 0:
            return
        self.control.brought[session].append(row)
        response = self.answer.get(row, -1)
        end = response if response >= 0 else self._forgotten(row)
        ok = response >= 0 and self.kind[response] == "response"
        if method == "session/prompt":
            stop = _stop(self.log.part(response, "result")) if ok else ABSENT
            prompt = Prompt(session, row, response, end, ok, stop, bool(self.log.v2[row]))
            self.control.prompts.append(prompt)
            return
        resume = method == "session/resume"
        asked = not resume or (bool(self.log.v2[row]) and self.log.part(row, "params", "replayFrom") is not None)
        self.control.loads.append(Load(session, row, response, end, ok, asked, resume))
        self.control.known.setdefault(session, row)
        self._reopen(session, row)

    def _reply(self, row: int, method: str) -> None:
        if method in _OPENERS:
            name = self.log.part(row, "result", "sessionId")
            session = self._session_named(name, row) if isinstance(name, str) else -1
            if session >= 0:
                self.control.brought[session].append(row)
                self.control.known.setdefault(session, row)
                self._reopen(session, row)
        elif method in ("session/close", "session/delete"):
            session = int(self.log.session[row])
            self._reopen(session, row)
            self.closed[session] = len(self.control.closings)
            self.control.closings.append(Closing(session, row, len(self.log), method == "session/delete"))

    def _session_named(self, name: str, row: int) -> int:
        return int(self.number_of.get((int(self.log.recording[row]), name), -1))

    def _reopen(self, session: int, row: int) -> None:
        open_one = self.closed.pop(session, None)
        if open_one is not None:
            self.control.closings[open_one] = self.control.closings[open_one]._replace(end=row)

    def _forgotten(self, request: int) -> int:
        """Where an unanswered request ends: at the next connection of its recording."""
        later = self.starts[np.searchsorted(self.starts, request, side="right") :]
        # The rows of a recording are neighbours.
        if len(later) and self.log.recording[later[0]] == self.log.recording[request]:
            return int(later[0])
        return len(self.log)

    def _orphans(self) -> None:
        """Results of prompts whose requests are not in the log."""
        answered = set(self.answer.values())
        rows = np.flatnonzero(self.log.has("method", "session/prompt") & self.log.has("kind", "response"))
        for row in rows.tolist():
            if row not in answered:
                stop = _stop(self.log.part(row, "result"))
                session = int(self.log.session[row])
                self.control.prompts.append(Prompt(session, -1, row, row, True, stop, bool(self.log.v2[row])))

    def _states(self) -> None:
        log = self.log
        for row in np.flatnonzero(log.accepted & log.has("update", "state_update") & ~log.replay).tolist():
            update = log.part(row, "params", "update")
            stop = update.get("stopReason")
            state = State(row, str(update.get("state")), stop if isinstance(stop, str) else None)
            self.control.states[int(log.session[row])].append(state)


def _answers(log: Log) -> dict[int, int]:
    """Row of the response by row of the request."""
    reply_to = log.events["reply_to"]
    rows = np.flatnonzero(reply_to.notna().to_numpy())
    requests = log.events.index.get_indexer(pd.Index(reply_to.iloc[rows].to_numpy(dtype=np.int64)))
    return {int(request): int(row) for request, row in zip(requests, rows, strict=True) if request >= 0}


def _stop(result: object) -> object:
    return result.get("stopReason", ABSENT) if isinstance(result, dict) else ABSENT
