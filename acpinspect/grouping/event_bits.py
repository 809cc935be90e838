"""The tokens of events that are no chunks, as bits: what each is, and what came before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import REJECTED, parse
from acpinspect.grouping.tokens import CLOSERS, Tokens
from acpinspect.grouping.tool_marks import ToolEvents, tool_bits
from acpinspect.grouping.vocabulary import BITS

__all__ = ["bits_of_order", "flagged", "plain_bits"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_BIT_OF_UPDATE: Final = {
    "plan": "plan",
    "plan_update": "plan",
    "plan_removed": "plan",
    "usage_update": "usage",
    "current_mode_update": "mode",
    "available_commands_update": "commands",
    "config_option_update": "config",
    "session_info_update": "info",
}
_TOOL_UPDATES: Final = ("tool_call", "tool_call_update", "tool_call_content_chunk")


def flagged(events: pd.DataFrame, column: str, names: Sequence[str]) -> Mask:
    """Where a categorical column has one of these values."""
    categorical = events[column].cat
    hits = [str(value) in names for value in categorical.categories]
    return np.array([*hits, False], dtype=bool)[categorical.codes.to_numpy()]


def plain_bits(events: pd.DataFrame, seen: Tokens) -> Ints:
    """Bits that the event alone tells."""
    update = events["update"].cat
    names = [str(name) for name in update.categories]
    by_name = [0 if name in _TOOL_UPDATES else BITS[_BIT_OF_UPDATE.get(name, "other")] for name in names]
    bits = np.array([*by_name, 0], dtype=np.int64)[update.codes.to_numpy()]
    bits[(seen.role >= 0) | ~_taken(events)] = 0
    request = flagged(events, "kind", ["request"])
    answer = flagged(events, "kind", ["response", "error"])
    prompted = flagged(events, "method", ["session/prompt"]) & answer
    bits[flagged(events, "method", ["session/request_permission"]) & request] = BITS["permission"]
    bits[seen.prompt] = BITS["turn_start"]
    bits[prompted] = BITS["prompt_answer"]
    bits[prompted & ~flagged(events, "protocol", ["v2"])] |= BITS["turn_end"]
    bits[seen.closer == CLOSERS.index("load")] |= BITS["load"]
    bits[_idle_rows(events)] |= BITS["turn_end"]
    bits[seen.closer == CLOSERS.index("compaction")] |= BITS["compaction:first"]
    tool = flagged(events, "update", _TOOL_UPDATES) & _taken(events)
    bits[tool] = BITS["tool_update"]
    return bits


def _taken(events: pd.DataFrame) -> Mask:
    """Events that a client gets to see: refused ones don't count, but unknown updates do."""
    problem = events["problem"].cat
    gone = [
        str(p).startswith(REJECTED) and not str(p).startswith(REJECTED + "unknown") for p in problem.categories
    ]
    return ~np.array([*gone, False], dtype=bool)[problem.codes.to_numpy()]


def _idle_rows(events: pd.DataFrame) -> Ints:
    """The state updates of protocol 2 that end a turn."""
    rows = np.flatnonzero(flagged(events, "update", ["state_update"]) & _taken(events))
    return np.array([row for row in rows.tolist() if _state(events["raw"].iloc[row]) == "idle"], dtype=np.int64)


def _state(raw: str) -> object:
    params = parse(raw).get("params")
    update = params.get("update") if isinstance(params, dict) else None
    return update.get("state") if isinstance(update, dict) else None


def bits_of_order(events: pd.DataFrame, seen: Tokens, bits: Ints, text: Mask, rows: Ints) -> Ints:
    """Bits that depend on what came before: of tools and plans."""
    scope, _ = pd.factorize(seen.session[rows] * (int(seen.epoch.max(initial=0)) + 1) + seen.epoch[rows])
    started = (bits & BITS["turn_start"]) > 0
    turn = np.cumsum(started, dtype=np.int64)
    role = seen.role[rows]
    run = np.cumsum(started | (role == 0), dtype=np.int64)
    shown = (role > 0) & text
    plan = (bits & BITS["plan"]) > 0
    bits = bits | np.where(plan & ~_repeated(plan, scope), BITS["plan:first"], 0)
    bits |= np.where(plan & ~_repeated(plan, scope, turn), BITS["plan:first_in_turn"], 0)
    tool = np.flatnonzero(bits & (BITS["tool_update"] | BITS["permission"]))
    if not len(tool):
        return bits
    part = events[["update", "tool_call_id", "tool_status", "title"]].iloc[rows[tool]]
    status = part["tool_status"].astype(object)
    call = (part["update"] == "tool_call").to_numpy()
    found = ToolEvents(
        call=call,
        asked=(bits[tool] & BITS["permission"]) > 0,
        titled=call & (part["title"].fillna("") != "").to_numpy(),
        id=pd.factorize(part["tool_call_id"])[0].astype(np.int64),
        status=status.where(status.notna(), None).tolist(),
        scope=scope[tool],
        turn=turn[tool],
        run=run[tool],
        texts=np.cumsum(shown, dtype=np.int64)[tool],
    )
    bits[tool] = (bits[tool] & ~BITS["tool_update"]) | tool_bits(found)
    return bits


def _repeated(among: Mask, *keys: Ints) -> Mask:
    repeated = np.zeros(len(among), dtype=bool)
    rows = np.flatnonzero(among)
    repeated[rows] = pd.DataFrame({str(i): key[rows] for i, key in enumerate(keys)}).duplicated().to_numpy()
    return repeated
