"""Which side sent a frame: from its method, and from labels that are calibrated by the methods.

Writers contradict each other (``in`` is the agent for one, the client for another), so a label is never
trusted: it means the side that sent the frames whose sender the protocol fixes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import AGENT, CLIENT, UNKNOWN, Codes, Facts
from acpinspect.protocol.methods import METHODS

__all__ = ["method_sides", "sides_by_label"]

_PURITY: Final = 0.9
"""Share of its calibrated frames that must agree before a label stands for a side."""

_SIDE: Final = {"client": CLIENT, "agent": AGENT}


def method_sides(method: Codes) -> npt.NDArray[np.int8]:
    """The side that the protocol fixes for each row's method; -1 where it fixes none."""
    sides = [_SIDE.get(METHODS[name].sender, UNKNOWN) if name in METHODS else UNKNOWN for name in method.names]
    return np.array([*sides, UNKNOWN], dtype=np.int8)[method.codes]


def sides_by_label(facts: Facts, by_method: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The side that each row's label stands for in its recording; -1 where that can't be told."""
    sides = np.full(len(facts), UNKNOWN, dtype=np.int8)
    labelled = facts.label.codes >= 0
    if not labelled.any():
        return sides
    n_labels = len(facts.label.names)
    cell = facts.recording.astype(np.int64) * n_labels + facts.label.codes
    size = (int(facts.recording.max()) + 1) * n_labels
    message = facts.kind <= 3
    votes = [
        np.bincount(cell[labelled & message & (by_method == side)], minlength=size) for side in (CLIENT, AGENT)
    ]
    used = np.bincount(cell[labelled & message], minlength=size) > 0
    meaning = _meanings(votes[CLIENT], votes[AGENT], used, n_labels)
    sides[labelled] = meaning[cell[labelled]]
    return sides


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
