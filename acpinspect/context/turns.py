"""Turn, phase and epoch of each row, per session.

v1: a turn runs from a session/prompt request to its response. v2: from a session/prompt request or a
state_update running, whichever comes first while no turn is open, to the next idle. A replay runs from a
session/load request, or a session/resume request with replayFrom, to its response; a resume that replays
unasked opens one at its first transcript update. Cost: linear in the control frames; rows are filled in columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import Facts, Ints, Mask
from acpinspect.context.holding import held, spread
from acpinspect.context.replies import Replies
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

    turn: npt.NDArray[np.int32]
    phase: npt.NDArray[np.int8]
    epoch: npt.NDArray[np.int32]
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
    replies: Replies,
    session: npt.NDArray[np.int32],
    version: npt.NDArray[np.int8],
    refused: Mask,
    carried: Mapping[int, Session] | None = None,
    turn_of_prompt: Mapping[int, int] | None = None,
    before: int = 0,
) -> Turns:
    """Derive turn, phase and epoch.

    Args:
        facts: The columns.
        replies: Pairs of request and response, and the methods of responses.
        session: Number of each row's session (one per recording and id); -1 where it has none.
        version: Index into `VERSIONS`.
        refused: Updates that change nothing.
        carried: Where sessions stood, where the rows are a later piece of a recording.
        turn_of_prompt: The turns of the prompt requests that were open then, by row.
        before: How many rows at the beginning only stand for the requests that were open.
    """
    walk = _Walk(facts, replies, session, version, refused)
    walk.go_on(carried or {}, turn_of_prompt or {}, before)
    return walk.run(before)


class _Walk:
    """One pass over the frames that open or close turns and replays; it notes what holds from which row on."""

    def __init__(
        self,
        facts: Facts,
        replies: Replies,
        session: npt.NDArray[np.int32],
        version: npt.NDArray[np.int8],
        refused: Mask,
    ) -> None:
        self.facts, self.method, self.reply_to = facts, replies.method, replies.reply_to
        self.session, self.version, self.refused = session, version, refused
        self.loads = [replies.method.code(name) for name in _LOADS]
        self.sessions: dict[int, Session] = {}
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
        steps, rows_of = zip(*self._steps(), strict=True)
        rows = np.concatenate(rows_of)
        numbers = np.repeat(np.arange(len(steps)), [len(one) for one in rows_of])
        order = np.argsort(rows)[np.count_nonzero(rows < before) :]
        for row, number in zip(rows[order].tolist(), numbers[order].tolist(), strict=True):
            steps[number](row)
        return self._filled()

    def _steps(self) -> list[tuple[Callable[[int], None], Ints]]:
        """What is to be done at which rows."""
        control = self.facts.control
        asking, method = self.facts.kind[control] == 0, self.method.codes[control]
        answering = ~asking & (self.reply_to[control] >= 0)
        v2, own = self.version[control] == _V2, self.session[control] >= 0
        prompts = own & (method == self.method.code("session/prompt"))
        loads = own & np.isin(method, self.loads)
        running, idle = self._states()
        return [
            (self._prompt, control[prompts & asking]),
            (self._answer, control[prompts & answering & ~v2]),
            (self._load, control[loads & asking]),
            (self._loaded, control[loads & answering]),
            (self._initialize, control[asking & (method == self.method.code("initialize"))]),
            (self._running, running),
            (self._idle, idle),
        ]

    @cached_property
    def answers(self) -> dict[int, int]:
        """The answers to loads and resumes, by the row of the request."""
        control = self.facts.control
        rows = control[np.isin(self.method.codes[control], self.loads)]
        return {int(self.reply_to[row]): int(row) for row in rows if self.reply_to[row] >= 0}

    @cached_property
    def transcript(self) -> Ints:
        """The updates that a replay repeats."""
        mask = np.zeros(len(self.facts), dtype=bool)
        for code, known in enumerate(VERSIONS):
            table = VARIANTS[known]
            flags = [name in table and table[name].transcript for name in self.facts.update.names]
            mask |= self.facts.update.flags(flags) & (self.version == code)
        return np.flatnonzero(mask & ~self.refused)

    def _states(self) -> tuple[Ints, Ints]:
        """The v2 state updates that open a turn, and those that close one."""
        rows = np.flatnonzero(self.facts.update.where("state_update"))
        rows = rows[(self.version[rows] == _V2) & ~self.refused[rows]]
        found: dict[object, list[int]] = {"running": [], "idle": []}
        for row, message in self.facts.payloads(rows):
            params = message.get("params")
            update = params.get("update") if isinstance(params, dict) else None
            state = update.get("state") if isinstance(update, dict) else None
            if state in ("running", "idle"):
                found[state].append(row)
        return np.array(found["running"], dtype=np.int64), np.array(found["idle"], dtype=np.int64)

    def _session_at(self, row: int) -> Session:
        number = int(self.session[row])
        state = self.sessions.get(number)
        if state is None:
            state = self.sessions[number] = Session()
            self.recording_of[number] = int(self.facts.recording[row])
        return state

    def _note(self, row: int, number: int, state: Session) -> None:
        turn = _NONE if state.phase == REPLAY else state.turn
        self.changes.append((row, number, turn, state.phase, state.epoch))

    def _begin_turn(self, row: int, state: Session) -> None:
        if state.phase == REPLAY:
            self._end_replay(state)
        state.turns += 1
        state.turn, state.open = state.turns, True
        self._note(row, int(self.session[row]), state)

    def _prompt(self, row: int) -> None:
        state = self._session_at(row)
        if not (state.open and self.version[row] == _V2):
            self._begin_turn(row, state)
        self.turn_of_request[row] = state.turn

    def _answer(self, row: int) -> None:
        self._session_at(row).open = False
        self.own_turn[row] = self.turn_of_request.get(int(self.reply_to[row]), _NONE)

    def _running(self, row: int) -> None:
        state = self._session_at(row)
        if state.phase == LIVE and not state.open:
            self._begin_turn(row, state)

    def _idle(self, row: int) -> None:
        state = self._session_at(row)
        if state.phase == LIVE:
            state.open = False

    def _load(self, row: int) -> None:
        state, begin = self._session_at(row), self._replay_begins(row)
        if begin is not None:
            self._begin_replay(begin, int(self.session[row]), state, row)

    def _loaded(self, row: int) -> None:
        state = self._session_at(row)
        if state.loading == self.reply_to[row]:
            self._end_replay(state)
            self._note(row + 1, int(self.session[row]), state)

    def _replay_begins(self, request: int) -> int | None:
        """The row from which a load or resume replays; None where it doesn't."""
        if self.method.at(request) == "session/load":
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
        recording = self.facts.recording[row]
        for number, state in self.sessions.items():
            if self.recording_of[number] == recording and (state.open or state.phase == REPLAY):
                state.open = False
                if state.phase == REPLAY:
                    self._end_replay(state)
                    self._note(row, number, state)

    def _filled(self) -> Turns:
        at, of, *values = np.array(self.changes, dtype=np.int64).reshape(-1, 5).T
        starts, last = held(self.session, at, of)
        # Behind the changes stand two for where none holds: in a session, and outside of all.
        last = np.where(last >= 0, last, np.where(self.session[starts] >= 0, len(at), len(at) + 1))
        unchanged = ((_NONE, _NONE), (LIVE, _NONE), (0, _NONE))
        turn, phase, epoch = (
            spread(np.append(column, more)[last].astype(np.int32), starts, len(self.session))
            for column, more in zip(values, unchanged, strict=True)
        )
        turn[list(self.own_turn)] = list(self.own_turn.values())
        return Turns(turn, phase.astype(np.int8), epoch, self.sessions, self.turn_of_request)
