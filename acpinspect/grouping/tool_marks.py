"""What a client knows of tools when an event of one arrives: seen before or not, drawn or not, in which state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.grouping.vocabulary import BITS

__all__ = ["ToolEvents", "tool_bits"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_CALL: Final = BITS["tool_call"]
_UPDATE: Final = BITS["tool_update"]
_OVER: Final = ("completed", "failed")
_BEGUN: Final = ("pending", "in_progress")


@dataclass(frozen=True, slots=True)
class ToolEvents:
    """The events of tools, session by session, each in the order of the table.

    Attributes:
        call: It is a tool_call; else an update or, where `asked`, a permission request.
        asked: It is a permission request.
        titled: It is a tool_call with a title.
        id: Number of the tool's id.
        status: The status, as sent; None without one.
        scope: Number of the session and epoch.
        turn: Number of the turn, counted over the table.
        run: Number of the stretch between user messages, counted over the table.
        texts: How many chunks of text stand before it in the table.
    """

    call: Mask
    asked: Mask
    titled: Mask
    id: Ints
    status: list[str | None]
    scope: Ints
    turn: Ints
    run: Ints
    texts: Ints


def tool_bits(tools: ToolEvents) -> Ints:
    """The bits of each event's tokens."""
    known_by_id = tools.id >= 0
    told = known_by_id & ~tools.asked
    new = _first(told, tools.scope, tools.id)
    bits = np.where(tools.asked, 0, np.where(tools.call, _CALL, _UPDATE))
    for name, flag in {
        "tool_call:new": new & tools.call,
        "tool_update:new": new & ~tools.call,
        "tool_call:titled": tools.titled,
        "tool:new": new,
        "tool:new_in_turn": _first(told, tools.scope, tools.turn, tools.id),
        "tool:new_in_run": _first(told, tools.scope, tools.run, tools.id),
        "tool:first_sight": _first(known_by_id, tools.scope, tools.id),
    }.items():
        bits = bits | np.where(flag, BITS[name], 0)
    return bits | _merged(tools, new)


def _first(among: Mask, *keys: Ints) -> Mask:
    """The first event of each combination of keys, among some."""
    first = np.zeros(len(among), dtype=bool)
    rows = np.flatnonzero(among)
    columns = {str(i): key[rows] for i, key in enumerate(keys)}
    first[rows[~pd.DataFrame(columns).duplicated().to_numpy()]] = True
    return first


@dataclass(slots=True)
class _Tools:
    """The tools of one session, as clients remember them."""

    status: dict[int, str | None] = field(default_factory=dict)
    cached: dict[int, str | None] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)

    def merge(self, tool: int, *, call: bool, status: str | None) -> str | None:
        """The status after the event: a call starts anew, an update without status leaves it."""
        if call or status is not None:
            self.status[tool] = status
        return self.status.get(tool)

    def draws(self, tool: int, status: str | None) -> bool:
        """Whether the event draws a card: the first that is not pending; a completed one is forgotten."""
        merged = status if status is not None else self.cached.get(tool)
        if merged == "completed":
            self.cached.pop(tool, None)
        else:
            self.cached[tool] = merged
        if tool in self.drawn:
            if merged == "completed":
                self.drawn.discard(tool)
            return False
        if merged == "pending":
            return False
        self.drawn.add(tool)
        return True


def _merged(tools: ToolEvents, new: Mask) -> Ints:
    """The tokens that depend on what earlier events of the same tool said."""
    bits = np.zeros(len(tools.id), dtype=np.int64)
    known: dict[int, _Tools] = {}
    added: list[int] = []
    events = zip(
        tools.id.tolist(),
        tools.call.tolist(),
        tools.asked.tolist(),
        tools.status,
        tools.scope.tolist(),
        new.tolist(),
        strict=True,
    )
    for i, (tool, call, asked, status, scope, first) in enumerate(events):
        if asked or tool < 0:
            continue
        session = known.setdefault(scope, _Tools())
        merged = session.merge(tool, call=call, status=status)
        if session.draws(tool, status):
            bits[i] |= BITS["tool:card"]
        if not first and merged in (None, "completed"):
            bits[i] |= BITS["tool:idle_or_done"]
        if not call and status in _OVER:
            bits[i] |= BITS["tool:result"]
        elif first and (call or status not in _BEGUN):
            added.append(i)
    bits[_standing(tools, added)] |= BITS["tool:stands"]
    return bits


def _standing(tools: ToolEvents, added: Iterable[int]) -> list[int]:
    """Of the events that add a tool: those whose tool no update says to be in progress before the next text."""
    latest: dict[tuple[int, int, int], str] = {}
    for i in np.flatnonzero(~tools.call & ~tools.asked).tolist():
        status = tools.status[i]
        if status is not None:
            latest[_place(tools, i)] = status
    return [i for i in added if latest.get(_place(tools, i)) != "in_progress"]


def _place(tools: ToolEvents, i: int) -> tuple[int, int, int]:
    return int(tools.scope[i]), int(tools.texts[i]), int(tools.id[i])
