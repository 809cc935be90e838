"""The engine: one pass over the runs of a table gives each event its label, or the reason why it has none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.grouping.compiled import (
    ABSORBED,
    LABELLED,
    OWN,
    START,
    START_ABSORBED,
    Compiled,
    compiled,
    reason,
)
from acpinspect.grouping.machine import NOTHING, USER, Machine
from acpinspect.grouping.marks import BLANK, EMPTY, NEWLINE, NONTEXT, Marks
from acpinspect.grouping.policy import Policy, Rules
from acpinspect.grouping.vocabulary import BITS

__all__ = ["Outcome", "run"]

Ints = npt.NDArray[np.int64]

_ECHO, _LATE, _BLANK, _INVALID = map(reason, ("echo", "late", "blank", "invalid id"))
_HIDDEN, _OTHER, _NOT_TEXT, _EMPTY = map(reason, ("hidden", "other", "not text", "empty"))
_LOADS = BITS["load"] | BITS["load_end"]
_TURN_START, _TURN_END, _LOAD_END = BITS["turn_start"], BITS["turn_end"], BITS["load_end"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a policy makes of a table.

    Attributes:
        labels: The label of each row, numbered in the order in which the messages first appear; -1 for none.
        reasons: Index into `REASONS` for each row.
    """

    labels: Ints
    reasons: npt.NDArray[np.int8]


def run(policy: Policy, marks: Marks) -> Outcome:
    """Group the events of a table.

    Args:
        policy: The policy.
        marks: What it looks at. Cues and ids under `_meta` are in them already.
    """
    ready = compiled(policy, marks)
    walk = _Walk(policy, marks, ready)
    walk.go()
    return _spread(policy, marks, ready, walk)


class _Walk:
    """One pass over the runs that do something."""

    def __init__(self, policy: Policy, marks: Marks, ready: Compiled) -> None:
        self.marks, self.ready = marks, ready
        self.segment = [NOTHING] * len(marks.head)
        self.reason = np.where(marks.role >= 0, np.maximum(ready.action, LABELLED), _OTHER).tolist()
        self.first_reason: dict[int, int] = {}
        self.ids: list[int] = []
        self.live = Machine(policy.live, marks, self.ids)
        self.load = self.live if policy.load == policy.live else Machine(policy.load, marks, self.ids)
        self.rules = policy.live, policy.load
        self.restated = any("restated_block" in rules.dedup for rules in self.rules)

    def go(self) -> None:
        marks, runs = self.marks, self.ready.walk
        ready = self.ready
        columns = (
            array[runs].tolist()
            for array in (
                marks.role, ready.action, ready.close, ready.id,
                marks.bits, marks.reset, marks.cut, marks.replay, marks.active,
            )
        )  # fmt: skip
        for i, role, action, close, ident, bits, reset, cut, replay, active in zip(
            runs.tolist(), *columns, strict=True
        ):
            machine = self.load if replay else self.live
            if reset or (bits & _LOAD_END and self.load is not self.live):
                machine.reset()
            if cut:
                machine.cut()
            if self.restated and (bits & ~_LOADS if role < 0 else role != 1 or action >= 0):
                machine.forget_said()
            if role >= 0 and action < 0:
                self._chunk(machine, self.rules[replay], i, role, action, close, ident, active)
                continue
            if close:
                machine.close(close)
            if bits & _TURN_START:
                self._prompt(machine, i)
            elif bits & _TURN_END:
                machine.turn(starts=False) if self.rules[replay].late == "route_by_id" else None

    def _prompt(self, machine: Machine, i: int) -> None:
        if self.rules[0].late == "route_by_id":
            machine.turn(starts=True)
        seg = machine.prompt(i)
        if seg >= 0:
            self._label(i, seg)
        else:
            self.reason[i] = _HIDDEN

    def _chunk(
        self, machine: Machine, rules: Rules, i: int, role: int, action: int, close: int, ident: int, active: int
    ) -> None:
        if rules.kind_conflict == "reject" and machine.taken_by_other(role, ident):
            self.reason[i] = _INVALID
            return
        if rules.late == "route_by_id" and self._route(machine, i, role, action, close, ident, active):
            return
        if rules.dedup and self._repeats(machine, rules, i, role, close, ident):
            return
        self._place(machine, i, role, action, close, ident)
        if rules.dedup and role == USER and (self.segment[i] >= 0 or action == ABSORBED):
            machine.heard(i)

    def _route(
        self, machine: Machine, i: int, role: int, action: int, close: int, ident: int, active: int
    ) -> bool:
        """Late chunks of a finished turn go there; others outside a turn are dropped."""
        if ident >= 0 and ident in machine.past_ids:
            machine.swap()
            self._place(machine, i, role, action, close, ident)
            machine.swap()
            return True
        if not active:
            self.reason[i] = _LATE
            return True
        machine.seen_ids.add(ident)
        return False

    def _repeats(self, machine: Machine, rules: Rules, i: int, role: int, close: int, ident: int) -> bool:
        """Repetitions are dropped; of a run only its first chunk can be one."""
        if role == USER:
            if machine.is_echo(i, ident):
                self.reason[i] = _ECHO
                return True
            return False
        named = "swallow_consolidated" in rules.dedup and machine.consolidates(role, ident)
        content = int(self.marks.content[i])
        if not named and not (self.restated and role == 1 and machine.restates(i, ident, empty=content == EMPTY)):
            return False
        return self._drop_first(machine, i, role, close, ident, named=named)

    def _drop_first(self, machine: Machine, i: int, role: int, close: int, ident: int, *, named: bool) -> bool:
        if self.marks.length[i] == 1:
            self.reason[i] = _ECHO
            return True
        self.first_reason[i] = _ECHO
        if not named:
            machine.said_rest_of(i, ident)
        machine.close(close)
        self._label(i, machine.place(role, ident))
        return True

    def _place(self, machine: Machine, i: int, role: int, action: int, close: int, ident: int) -> None:
        known = machine.known(role, ident)
        if known >= 0:
            self._label(i, known)
            return
        if action == START and machine.open[role] < 0:
            self.reason[i] = _BLANK
            return
        if close:
            machine.close(close)
        if action == ABSORBED:
            self.reason[i] = _NOT_TEXT if self.marks.content[i] == NONTEXT else _EMPTY
        elif action == OWN:
            self._label(i, machine.alone(role, ident))
        elif action == START_ABSORBED and machine.open[role] < 0:
            self._begin_unseen(machine, i, role, ident)
        else:
            self._label(i, machine.place(role, ident))

    def _begin_unseen(self, machine: Machine, i: int, role: int, ident: int) -> None:
        """The first line break of a message is not shown; what follows is."""
        seg = machine.place(role, ident)
        if self.marks.length[i] == 1:
            self.reason[i] = _BLANK
            return
        self.first_reason[i] = _BLANK
        self._label(i, seg)

    def _label(self, i: int, seg: int) -> None:
        self.segment[i] = seg
        self.reason[i] = LABELLED


def _spread(policy: Policy, marks: Marks, ready: Compiled, walk: _Walk) -> Outcome:
    """From runs to rows, numbered in the order in which the messages first appear."""
    segment = np.repeat(np.array(walk.segment, dtype=np.int64), marks.length)
    reasons = np.repeat(np.array(walk.reason, dtype=np.int8), marks.length)
    for i, why in walk.first_reason.items():
        segment[marks.head[i]], reasons[marks.head[i]] = NOTHING, why
    single = np.repeat(_singles(policy, marks, ready), marks.length) & (segment >= 0)
    segment[single] = len(walk.ids) + np.flatnonzero(single)
    _drop_blank(policy, marks, segment, reasons)
    labels = np.full(marks.size, -1, dtype=np.int64)
    labels[marks.rows] = segment
    of_rows = np.full(marks.size, _OTHER, dtype=np.int8)
    of_rows[marks.rows] = reasons
    labelled = np.flatnonzero(labels >= 0)
    labels[labelled], _ = pd.factorize(labels[labelled])
    return Outcome(labels, of_rows)


def _singles(policy: Policy, marks: Marks, ready: Compiled) -> npt.NDArray[np.bool_]:
    """The runs whose chunks are messages of their own."""
    single = np.zeros(len(marks.head), dtype=bool)
    for phase, rules in ((~marks.replay, policy.live), (marks.replay, policy.load)):
        for role, stream in enumerate(rules.streams):
            of_role = phase & (marks.role == role)
            if stream.id == "each":
                single |= of_role
            elif stream.id != "ignore" and stream.null == "fresh":
                single |= of_role & (ready.id < 0)
    return single


def _drop_blank(policy: Policy, marks: Marks, segment: Ints, reasons: npt.NDArray[np.int8]) -> None:
    """Take the labels from messages that show nothing but white space."""
    wanted = np.zeros(len(marks.head), dtype=bool)
    for phase, rules in ((~marks.replay, policy.live), (marks.replay, policy.load)):
        for role, stream in enumerate(rules.streams):
            if stream.blank_group == "drop":
                wanted |= phase & (marks.role == role)
    if not wanted.any():
        return
    full = np.repeat(~np.isin(marks.content, (BLANK, EMPTY, NEWLINE)), marks.length) & (segment >= 0)
    seen = np.zeros(int(segment.max(initial=-1)) + 2, dtype=bool)
    seen[segment[full]] = True
    gone = np.repeat(wanted, marks.length) & (segment >= 0) & ~seen[segment]
    segment[gone], reasons[gone] = NOTHING, _BLANK
