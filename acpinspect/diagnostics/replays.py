"""Each replay of a session beside the epoch before it: messages, tool calls, texts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from acpinspect.diagnostics.columns import by_group, combined, runs

if TYPE_CHECKING:
    from acpinspect.diagnostics.control import Load
    from acpinspect.diagnostics.log import Log

__all__ = ["Epoch", "Replay", "Told", "read_replays"]


@dataclass(frozen=True, slots=True)
class Told:
    """A message as one epoch tells it: its first event, role, id number (-1 for none) and text."""

    row: int
    role: int
    id: int
    text: str
    turn: int


@dataclass(slots=True)
class Epoch:
    """What an epoch of a session holds.

    Attributes:
        messages: All its messages, in order.
        replayed: Those of them that begin in the replay, with the text that the replay gave them.
        tools: Ids of tool calls that updates name.
        replayed_tools: Those that the replay names.
    """

    messages: list[Told] = field(default_factory=list)
    replayed: list[Told] = field(default_factory=list)
    tools: set[str] = field(default_factory=set)
    replayed_tools: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Replay:
    """One replay: the load or resume, what it brought, and what was there before."""

    load: Load
    new: Epoch
    old: Epoch


def read_replays(log: Log) -> list[Replay]:
    """All replays, in order. Cost: nothing without loads, else linear."""
    loads = [load for load in log.control.loads if _epoch_of(log, load) > 0]
    if not loads:
        return []
    sessions = {load.session for load in loads}
    epochs = _epochs(log, sessions)
    nothing = Epoch()
    return [
        Replay(load, epochs.get((load.session, number), nothing), epochs.get((load.session, number - 1), nothing))
        for load in loads
        if (number := _epoch_of(log, load))
    ]


def _epoch_of(log: Log, load: Load) -> int:
    """The epoch that a load opened; 0 if it opened none."""
    if load.asked:
        return int(log.epoch[load.request])
    begun = load.response >= 0 and log.epoch[load.response] > log.epoch[load.request]
    return int(log.epoch[load.response]) if begun else 0


def _epochs(log: Log, sessions: set[int]) -> dict[tuple[int, int], Epoch]:
    epochs: dict[tuple[int, int], Epoch] = defaultdict(Epoch)
    wanted = np.isin(log.session, list(sessions))
    rows = log.message_rows
    rows = rows[wanted[rows]]
    shown = _shown(log)
    for begin, end in runs(log.label[rows]):
        own = rows[begin:end].tolist()
        epoch = epochs[int(log.session[own[0]]), int(log.epoch[own[0]])]
        epoch.messages.append(_told(log, own, shown))
        if log.replay[own[0]]:
            epoch.replayed.append(_told(log, [row for row in own if log.replay[row]], shown))
    tools = np.flatnonzero(wanted & log.tool_update)
    names = log.events["tool_call_id"]
    for _, own in by_group(combined(log.session[tools], log.epoch[tools]), tools):
        epoch = epochs[int(log.session[own[0]]), int(log.epoch[own[0]])]
        epoch.tools.update(names.iloc[own].dropna())
        epoch.replayed_tools.update(names.iloc[[row for row in own if log.replay[row]]].dropna())
    for epoch in epochs.values():
        epoch.messages.sort(key=lambda told: told.row)
        epoch.replayed.sort(key=lambda told: told.row)
    return epochs


def _shown(log: Log) -> set[int]:
    """Rows that replace the content of their message."""
    return set(np.flatnonzero(log.whole & log.events["content_type"].notna().to_numpy()).tolist())


def _told(log: Log, rows: list[int], replaces: set[int]) -> Told:
    last = max((i for i, row in enumerate(rows) if row in replaces), default=0)
    text = "".join(log.text[row] for row in rows[last:])
    return Told(rows[0], int(log.role[rows[0]]), int(log.id[rows[0]]), text, int(log.turn[rows[0]]))
