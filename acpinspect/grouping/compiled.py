"""A policy made ready for a table: for each run of like chunks, what becomes of it and what it closes.

Everything here is columns; the engine then walks only over the runs that do something.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.grouping.marks import BLANK, EMPTY, NEWLINE, NONTEXT, TEXT, Marks
from acpinspect.grouping.policy import Policy, Rules, Stream
from acpinspect.grouping.vocabulary import BITS, ROLES, mask

__all__ = ["LABELLED", "REASONS", "START", "WALK", "Compiled", "chunk_bits", "compiled", "reason"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

REASONS: Final = (
    "",
    "hidden",
    "empty",
    "blank",
    "not text",
    "late",
    "echo",
    "invalid id",
    "load",
    "rejected",
    "other",
)
"""Why an event has no label; the first stands for events that have one."""

LABELLED: Final = 0
WALK: Final = -1  # the engine decides
OWN: Final = -2  # it stands alone
ABSORBED: Final = -3  # it shows nothing, but it counts
START: Final = -4  # dropped where it would begin a message
START_ABSORBED: Final = -5  # begins a message, but shows nothing there


_FULL: Final = (TEXT, NONTEXT)


def reason(name: str) -> int:
    """The number of a reason."""
    return REASONS.index(name)


@dataclass(frozen=True, slots=True)
class Compiled:
    """Arrays by run.

    Attributes:
        action: What becomes of it: `WALK` and below are for the engine, else the number of its reason.
        close: Bits 0 to 2: it closes user, agent, thought; bits 3 to 5: the same for chunks without id.
        id: Number of the id, as the policy sees it.
        walk: The runs that do something.
    """

    action: Ints
    close: Ints
    id: Ints
    walk: Ints


def compiled(policy: Policy, marks: Marks) -> Compiled:
    """Make a policy ready for a table."""
    ident = np.where(marks.id == marks.empty_id, -1, marks.id) if policy.empty_id == "absent" else marks.id
    action, close, ident = _phase(policy.live, marks, ident)
    if policy.load != policy.live and marks.replay.any():
        for_load = _phase(policy.load, marks, ident)
        action, close, ident = (
            np.where(marks.replay, *pair) for pair in zip(for_load, (action, close, ident), strict=True)
        )
    turns = (marks.bits & (BITS["turn_start"] | BITS["turn_end"] | BITS["load_end"])) > 0
    walk = (action < 0) & (marks.role >= 0) | (close > 0) | turns | marks.reset | marks.cut
    if any("restated_block" in rules.dedup for rules in (policy.live, policy.load)):
        walk[:] = True
    return Compiled(action, close, ident, np.flatnonzero(walk))


def chunk_bits(marks: Marks, ready: Compiled) -> Ints:
    """The bits of the chunks' own tokens, under a policy."""
    return _chunk_bits(marks, (marks.role >= 0) & (ready.action < 0), ready.id)


def _phase(rules: Rules, marks: Marks, ident: Ints) -> tuple[Ints, Ints, Ints]:
    action = _actions(rules, marks, ident)
    if rules.unanimous_ids:
        ident = _unanimous(marks, action, ident)
    counts = (marks.role >= 0) & (action < 0)
    bits = marks.bits | _chunk_bits(marks, counts, ident)
    close = np.zeros(len(bits), dtype=np.int64)
    for role, stream in enumerate(rules.streams):
        close |= np.where(bits & mask(stream.close_on), 1 << role, 0)
        close |= np.where(bits & mask(stream.close_idless), 8 << role, 0)
    return action, close, ident


def _actions(rules: Rules, marks: Marks, ident: Ints) -> Ints:
    table = np.array([_by_content(stream) for stream in rules.streams], dtype=np.int64)
    action = np.where(marks.role >= 0, table[np.maximum(marks.role, 0), marks.content], LABELLED)
    chunk = marks.role >= 0
    shown = chunk & (action != reason("hidden"))
    if rules.null_invalid:
        action[shown & (ident < 0)] = reason("invalid id")
    if rules.late == "drop":
        action[shown & ~marks.active] = reason("late")
    if rules.drop_all:
        action[chunk] = reason("load")
    return action


def _by_content(stream: Stream) -> list[int]:
    """What becomes of chunks with text, blank, empty, line breaks, and no text."""
    actions = [WALK] * 5
    if stream.show == "never":
        return [reason("hidden")] * 5
    actions[NONTEXT] = {"join": WALK, "own": OWN, "absorb": ABSORBED, "drop": reason("not text")}[stream.nontext]
    actions[EMPTY] = {"keep": WALK, "drop": reason("empty"), "absorb": ABSORBED}[stream.empty]
    blank = {"keep": WALK, "drop": reason("blank"), "drop_at_start": START}[stream.blank]
    actions[BLANK] = actions[NEWLINE] = blank
    if stream.blank == "drop_at_start" and stream.empty == "keep":
        actions[EMPTY] = START
    if stream.newline == "absorb_at_start":
        actions[NEWLINE] = START_ABSORBED
    actions[TEXT] = WALK
    return actions


def _chunk_bits(marks: Marks, counts: Mask, ident: Ints) -> Ints:
    bits = np.zeros(len(counts), dtype=np.int64)
    for number, role in enumerate(ROLES):
        own = marks.role == number
        bits |= np.where(own, BITS[f"{role}:any"], 0)
        bits |= np.where(own & counts, BITS[role], 0)
        bits |= np.where(own & counts & (ident >= 0), BITS[f"{role}:id"], 0)
        bits |= np.where(own & counts & (marks.content != EMPTY), BITS[f"{role}:nonempty"], 0)
        bits |= np.where(own & counts & np.isin(marks.content, _FULL), BITS[f"{role}:nonblank"], 0)
        bits |= np.where(own & (marks.content == NONTEXT), BITS[f"{role}:nontext"], 0)
        bits |= np.where(own & marks.whole, BITS[f"{role}:whole"], 0)
    return bits


def _unanimous(marks: Marks, action: Ints, ident: Ints) -> Ints:
    """The ids, taken away in turns where a shown agent chunk has none."""
    turn = np.cumsum(marks.reset | ((marks.bits & BITS["turn_start"]) > 0))
    lacking = np.zeros(int(turn.max(initial=0)) + 1, dtype=bool)
    lacking[turn[(marks.role == ROLES.index("agent")) & (action < 0) & (ident < 0)]] = True
    return np.where(lacking[turn], -1, ident)
