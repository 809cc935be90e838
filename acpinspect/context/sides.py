"""Which side sent a frame: from its method, and from labels that are calibrated by the methods.

Writers contradict each other (``in`` is the agent for one, the client for another), so a label is never
trusted: it means the side that sent the frames whose sender the protocol fixes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.carry import NOTHING, Carry
from acpinspect.context.facts import AGENT, CLIENT, UNKNOWN, Codes, Facts, Ints
from acpinspect.protocol.methods import METHODS

__all__ = ["method_sides", "sides_by_label", "votes_by_label"]

_PURITY: Final = 0.9
"""Share of its calibrated frames that must agree before a label stands for a side."""

_SIDE: Final = {"client": CLIENT, "agent": AGENT}


def method_sides(method: Codes) -> npt.NDArray[np.int8]:
    """The side that the protocol fixes for each row's method; -1 where it fixes none."""
    sides = [_SIDE.get(METHODS[name].sender, UNKNOWN) if name in METHODS else UNKNOWN for name in method.names]
    by_method: npt.NDArray[np.int8] = np.array([*sides, UNKNOWN], dtype=np.int8)[method.codes]
    return by_method


def sides_by_label(facts: Facts, by_method: npt.NDArray[np.int8], carry: Carry = NOTHING) -> npt.NDArray[np.int8]:
    """The side that each row's label stands for in its recording; -1 where that can't be told."""
    sides = np.full(len(facts), UNKNOWN, dtype=np.int8)
    labelled = facts.label.codes >= 0
    if not labelled.any():
        return sides
    names = list(dict.fromkeys([*facts.label.names, *carry.votes]))
    cell = facts.recording.astype(np.int64) * len(names) + facts.label.codes
    size = (int(facts.recording.max()) + 1) * len(names)
    votes, used = _votes(facts, by_method, cell, size, carry)
    for name, (client, agent) in carry.votes.items():
        # Only a recording that is read in pieces carries votes, and it stands alone.
        label = names.index(name)
        votes[CLIENT][label] += client
        votes[AGENT][label] += agent
        used[label] = True
    meaning = _meanings(votes[CLIENT], votes[AGENT], used, len(names))
    sides[labelled] = meaning[cell[labelled]]
    return sides


def votes_by_label(facts: Facts, by_method: npt.NDArray[np.int8], carry: Carry) -> dict[str, tuple[int, int]]:
    """How many frames of the client and of the agent had each label, in one recording up to here."""
    n_labels = len(facts.label.names)
    votes, used = _votes(facts, by_method, facts.label.codes.astype(np.int64), n_labels, carry)
    counted = dict(carry.votes)
    for label in np.flatnonzero(used).tolist():
        name = facts.label.names[label]
        client, agent = counted.get(name, (0, 0))
        counted[name] = (client + int(votes[CLIENT][label]), agent + int(votes[AGENT][label]))
    return counted


def _votes(
    facts: Facts, by_method: npt.NDArray[np.int8], cell: Ints, size: int, carry: Carry
) -> tuple[list[Ints], npt.NDArray[np.bool_]]:
    """The frames of each side by cell, and which cells messages use; the rows carried have voted before."""
    message = (facts.label.codes >= 0) & (facts.kind <= 3)
    message[: carry.before] = False
    votes = [np.bincount(cell[message & (by_method == side)], minlength=size) for side in (CLIENT, AGENT)]
    return votes, np.bincount(cell[message], minlength=size) > 0


def _meanings(
    client: npt.NDArray[np.int64], agent: npt.NDArray[np.int64], used: npt.NDArray[np.bool_], n_labels: int
) -> npt.NDArray[np.int8]:
    total = client + agent
    meaning = np.full(len(total), UNKNOWN, dtype=np.int8)
    meaning[(total > 0) & (client >= _PURITY * total)] = CLIENT
    meaning[(total > 0) & (agent >= _PURITY * total)] = AGENT
    # Of two labels one is calibrated: then the other, if no method contradicts, is the other side.
    for row in range(0, len(total), n_labels):
        cells = np.flatnonzero(used[row : row + n_labels]) + row
        if len(cells) == 2:
            known, other = sorted(cells, key=lambda c: meaning[c] == UNKNOWN)
            if meaning[known] != UNKNOWN and meaning[other] == UNKNOWN and total[other] == 0:
                meaning[other] = 1 - meaning[known]
    return meaning
