"""Turn, phase and epoch of each row, per session.

v1: a turn runs from a session/prompt request to its response. v2: from a session/prompt request or a
state_update running, whichever comes first while no turn is open, to the next idle. A replay runs from a
session/load request, or a session/resume request with replayFrom, to its response; a resume that replays
unasked opens one at its first transcript update. Cost: linear in the control frames; rows are filled in columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import Facts, Ints, Mask
from acpinspect.protocol.fields import VERSIONS
from acpinspect.protocol.variants import VARIANTS

__all__ = ["LIVE", "REPLAY", "Session", "Turns", "derive_turns"]

LIVE: Final = 0
REPLAY: Final = 1
_NONE: Final = -1
_LOADS: Final = ("session/load", "session/resume")
_V2: Final = VERSIONS.index("v2")


@dataclass(frozen=True, slots=True)
class Turns:
    """Turn, phase and epoch by row; -1 is NA.

    Attributes:
        turn: Turn of the session.
        phase: `LIVE` or `REPLAY`.
        epoch: Loads of the session so far.
        sessions: Where each session stands at the end, by its number.
        turn_of_prompt: The turn of each prompt request, by its row.
    """

    turn: Ints
    phase: npt.NDArray[np.int8]
    epoch: Ints
    sessions: dict[int, Session]
    turn_of_prompt: dict[int, int]


@dataclass(slots=True)
class Session:
    """Where a session stands; `loading` is the row of the request of the replay under way."""

    turns: int = 0
    turn: int = _NONE
    open: bool = False
    epoch: int = 0
    phase: int = LIVE
    loading: int = _NONE


def derive_turns(
    facts: Facts,
    method_at: Mapping[int, str],
    session: npt.NDArray[np.int64],
    reply_to: Ints,
    connection: npt.NDArray[np.int32],
    version: npt.NDArray[np.int8],
    refused: Mask,
    carried: Mapping[int, Session] | None = None,
    turn_of_prompt: Mapping[int, int] | None = None,
    before: int = 0,
) -> Turns:
    """Derive turn, phase and epoch.

    Args:
        facts: The columns.
        method_at: The method of each control row that matters, responses included.
        session: Number of each row's session (one per recording and id); -1 where it has none.
        reply_to: The request's row of each response.
        connection: Number of each row's connection.
        version: Index into `VERSIONS`.
        refused: Updates that change nothing.
        carried: Where sessions stood, where the rows are a later piece of a recording.
        turn_of_prompt: The turns of the prompt requests that were open then, by row.
        before: How many rows at the beginning only stand for the requests that were open.
    """
    walk = _Walk(facts, method_at, session, reply_to, connection, version, refused)
    walk.go_on(carried or {}, turn_of_prompt or {}, before)
    return walk.run(before)


class _Walk:
    """One pass over the frames that open or close turns and replays; it notes what holds from which row on."""

    def __init__(
        self,
        facts: Facts,
        method_at: Mapping[int, str],
        session: npt.NDArray[np.int64],
        reply_to: Ints,
        connection: npt.NDArray[np.int32],
        version: npt.NDArray[np.int8],
        refused: Mask,
    ) -> None:
        self.facts, self.method_at, self.reply_to = facts, method_at, reply_to
        self.session, self.connection, self.version = session, connection, version
        self.transcript = _transcript_rows(facts, version, refused)
        self.states = _states(facts, version, refused)
        self.sessions: dict[int, Session] = {}
        self.answers = {int(reply_to[row]): row for row in method_at if reply_to[row] >= 0}
        self.changes: list[tuple[int, int, int, int, int]] = []
        self.turn_of_request: dict[int, int] = {}
        self.own_turn: dict[int, int] = {}
        self.recording_of: dict[int, int] = {}

    def go_on(self, carried: Mapping[int, Session], turn_of_prompt: Mapping[int, int], before: int) -> None:
        self.turn_of_request.update(turn_of_prompt)
        self.recording_of.update(dict.fromkeys(carried, 0))
        for number, state in carried.items():
            self.sessions[number] = state
            self._note(before, number, state)

    def run(self, before: int) -> Turns:
        for row in sorted(row for row in {*self.method_at, *self.states} if row >= before):
            if row in self.states:
                self._state(row, self.states[row])
            elif self.method_at[row] == "initialize":
                self._initialize(row)
            elif self.session[row] >= 0:
                state = self._session_at(row)
                handle = self._prompt if self.method_at[row] == "session/prompt" else self._load
                handle(row, state)
        return self._filled()

    def _session_at(self, row: int) -> Session:
        number = int(self.session[row])
        self.recording_of.setdefault(number, int(self.facts.recording[row]))
        return self.sessions.setdefault(number, Session())

    def _note(self, row: int, number: int, state: Session) -> None:
        turn = _NONE if state.phase == REPLAY else state.turn
        self.changes.append((row, number, turn, state.phase, state.epoch))

    def _begin_turn(self, row: int, state: Session) -> None:
        if state.phase == REPLAY:
            self._end_replay(state)
        state.turns += 1
        state.turn, state.open = state.turns, True
        self._note(row, int(self.session[row]), state)

    def _prompt(self, row: int, state: Session) -> None:
        v2 = self.version[row] == _V2
        if self.facts.kind[row] == 0:
            if not (v2 and state.open):
                self._begin_turn(row, state)
            self.turn_of_request[row] = state.turn
        elif not v2 and self.reply_to[row] >= 0:
            state.open = False
            self.own_turn[row] = self.turn_of_request.get(int(self.reply_to[row]), _NONE)

    def _state(self, row: int, running: bool) -> None:
        state = self._session_at(row)
        if state.phase == REPLAY:
            return
        if not running:
            state.open = False
        elif not state.open:
            self._begin_turn(row, state)

    def _load(self, row: int, state: Session) -> None:
        if self.facts.kind[row] == 0:
            begin = self._replay_begins(row)
            if begin is not None:
                self._begin_replay(begin, int(self.session[row]), state, row)
        elif state.loading == self.reply_to[row] and state.loading != _NONE:
            self._end_replay(state)
            self._note(row + 1, int(self.session[row]), state)

    def _replay_begins(self, request: int) -> int | None:
        """The row from which a load or resume replays; None where it doesn't."""
        if self.method_at[request] == "session/load":
            return request
        if self.version[request] == _V2 and self.facts.params(request).get("replayFrom") is not None:
            return request
        answer = self.answers.get(request)
        if answer is None:
            return None
        rows = self.transcript[
            np.searchsorted(self.transcript, request) : np.searchsorted(self.transcript, answer)
        ]
        own = rows[self.session[rows] == self.session[request]]
        return int(own[0]) if len(own) else None

    def _begin_replay(self, begin: int, number: int, state: Session, request: int) -> None:
        state.epoch += 1
        state.turn, state.open, state.phase, state.loading = _NONE, False, REPLAY, request
        self._note(begin, number, state)

    def _end_replay(self, state: Session) -> None:
        state.phase, state.loading = LIVE, _NONE

    def _initialize(self, row: int) -> None:
        """A new connection: what was open on the one before stays unfinished."""
        if self.facts.kind[row] != 0:
            return
        recording = self.facts.recording[row]
        for number, state in self.sessions.items():
            if self.recording_of[number] == recording and (state.open or state.phase == REPLAY):
                state.open = False
                if state.phase == REPLAY:
                    self._end_replay(state)
                    self._note(row, number, state)

    def _filled(self) -> Turns:
        n = len(self.facts)
        turn, phase, epoch = np.full(n, _NONE), np.full(n, _NONE, np.int8), np.full(n, _NONE)
        in_session = self.session >= 0
        phase[in_session], epoch[in_session] = LIVE, 0
        changes = np.array(self.changes, dtype=np.int64).reshape(-1, 5)
        rows, holding = _holding(self.session, changes[:, 0], changes[:, 1])
        turn[rows], phase[rows], epoch[rows] = (changes[holding, column] for column in (2, 3, 4))
        for row, own in self.own_turn.items():
            turn[row] = own
        return Turns(turn, phase, epoch, self.sessions, self.turn_of_request)


def _holding(session: Ints, at: Ints, of: Ints) -> tuple[Ints, Ints]:
    """The rows at or behind a change of their session, and for each the last such change.

    Args:
        session: Number of each row's session; -1 where it has none.
        at: From which row on each change holds.
        of: The session of each change.
    """
    rows = np.flatnonzero(session >= 0)
    own = session[rows]
    # Few sessions fit into a short integer, and those are sorted without comparing.
    order = np.argsort(own.astype(np.min_scalar_type(own.max(initial=0))), kind="stable")
    rows, own = rows[order], own[order]
    changes = np.lexsort((at, of))
    width = len(session) + 2
    begins = np.searchsorted(own * width + rows, of[changes] * width + at[changes])
    latest = np.repeat(np.arange(-1, len(changes)), np.diff(begins, prepend=0, append=len(rows)))
    rows, own, latest = rows[latest >= 0], own[latest >= 0], latest[latest >= 0]
    holding = changes[latest]
    same = of[holding] == own
    return rows[same], holding[same]


def _transcript_rows(facts: Facts, version: npt.NDArray[np.int8], refused: Mask) -> Ints:
    mask = np.zeros(len(facts), dtype=bool)
    for code, known in enumerate(VERSIONS):
        table = VARIANTS[known]
        flags = [name in table and table[name].transcript for name in facts.update.names]
        mask |= facts.update.flags(flags) & (version == code)
    return np.flatnonzero(mask & ~refused)


def _states(facts: Facts, version: npt.NDArray[np.int8], refused: Mask) -> dict[int, bool]:
    """The v2 state updates that open (True) or close (False) a turn, by row."""
    rows = np.flatnonzero(facts.update.where("state_update") & (version == _V2) & ~refused)
    found = {}
    for row, message in facts.payloads(rows):
        params = message.get("params")
        update = params.get("update") if isinstance(params, dict) else None
        state = update.get("state") if isinstance(update, dict) else None
        if state in ("running", "idle"):
            found[row] = state == "running"
    return found
