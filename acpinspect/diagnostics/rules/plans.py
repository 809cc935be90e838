"""Rules about plans: lists that leave steps out, and steps left open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from acpinspect.diagnostics.columns import by_group
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.protocol import read_update

__all__: list[str] = []


class _Entry(NamedTuple):
    status: str
    priority: str


class _Plan(NamedTuple):
    """One plan as it was sent: where, under which id, and its entries by content (None where it was removed)."""

    row: int
    plan_id: str
    entries: dict[str, _Entry] | None


@builtin("partial-plan-update")
def _partial_plan_update(log: Log) -> Iterator[Hit]:
    for _, plans in _plans(log):
        last: dict[str, _Plan] = {}
        for plan in plans:
            old = last.get(plan.plan_id)
            if old is not None and log.turn[plan.row] >= 0 and log.turn[old.row] == log.turn[plan.row]:
                missing = _left_out(old.entries or {}, plan.entries or {})
                if missing:
                    text = f"The plan lists only what changed; {quote(missing[0])} is gone though it was not done."
                    yield Hit(plan.row, text, related=(old.row,))
            last[plan.plan_id] = plan


def _left_out(old: dict[str, _Entry], new: dict[str, _Entry]) -> list[str]:
    """The steps that a partial list forgets; none if it is a plan of its own."""
    if not new or not new.keys() < old.keys():
        return []
    if any(entry == old[content] for content, entry in new.items()):
        return []
    return [content for content, entry in old.items() if content not in new and entry.status != "completed"]


@builtin("plan-open-at-turn-end")
def _plan_open_at_turn_end(log: Log) -> Iterator[Hit]:
    ends: dict[int, list[int]] = defaultdict(list)
    for prompt in log.control.prompts:
        if not prompt.v2 and prompt.response >= 0 and prompt.stop == "end_turn":
            ends[prompt.session].append(prompt.response)
    for session, states in log.control.states.items():
        ends[session] += [state.row for state in states if state.state == "idle" and state.stop == "end_turn"]
    for session, plans in _plans(log):
        yield from _open_at(log, plans, sorted(ends.get(session, [])))


def _open_at(log: Log, plans: list[_Plan], ends: list[int]) -> Iterator[Hit]:
    """One finding at each end of a turn at which a plan is open that wasn't told of before."""
    current: dict[str, _Plan] = {}
    told: set[int] = set()
    position = 0
    for end in ends:
        while position < len(plans) and plans[position].row < end:
            plan = plans[position]
            current = {k: p for k, p in current.items() if log.epoch[p.row] == log.epoch[plan.row]}
            current[plan.plan_id] = plan
            position += 1
        begun = {
            plan.row: _in_progress(plan) for plan in current.values() if log.epoch[plan.row] == log.epoch[end]
        }
        fresh = [(row, step) for row, step in begun.items() if step is not None and row not in told]
        if fresh:
            told.update(row for row, _ in fresh)
            row, step = fresh[0]
            yield Hit(end, f"The step {quote(step)} of the plan is still in progress.", related=(row,))


def _in_progress(plan: _Plan) -> str | None:
    entries = plan.entries or {}
    return next((content for content, entry in entries.items() if entry.status == "in_progress"), None)


def _plans(log: Log) -> Iterator[tuple[int, list[_Plan]]]:
    """The plans of each session, in order."""
    rows = np.flatnonzero(log.plan_update & (log.session >= 0))
    for session, own in by_group(log.session[rows], rows):
        yield session, [_read(log, row) for row in own]


def _read(log: Log, row: int) -> _Plan:
    fields = read_update(log.part(row, "params", "update"), log.version(row)).fields
    holder = fields.get("plan", fields)
    if not isinstance(holder, dict):
        return _Plan(row, "", None)
    plan_id = holder.get("planId")
    entries = holder.get("entries")
    found = _entries(entries) if isinstance(entries, list) else None
    return _Plan(row, plan_id if isinstance(plan_id, str) else "", found)


def _entries(entries: list[object]) -> dict[str, _Entry]:
    return {
        str(entry["content"]): _Entry(str(entry["status"]), str(entry["priority"]))
        for entry in entries
        if isinstance(entry, dict)
    }
