"""Rules about the status of tool calls: left open, or open again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from acpinspect.diagnostics.findings import Hit, Severity, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.toolbook import FINAL, OPEN, PERMISSION, Step

__all__: list[str] = []


class _End(NamedTuple):
    """The end of a turn or replay: its first and last row."""

    begin: int
    row: int
    cancelled: bool


@builtin("tool-status-regression")
def _tool_status_regression(log: Log) -> Iterator[Hit]:
    for steps in log.tools.calls:
        for step in steps:
            if step.name == "tool_call_update" and step.sent in OPEN and step.before in FINAL:
                tool = quote(log.name("tool_call_id", step.row))
                yield Hit(step.row, f"Tool call {tool} was {step.before} and is {step.sent} again.")


@builtin("tool-open-at-turn-end")
def _tool_open_at_turn_end(log: Log) -> Iterator[Hit]:
    turn_ends, replay_ends = _turn_ends(log), _replay_ends(log)
    for steps in log.tools.calls:
        created = next((step.row for step in steps if step.name != PERMISSION), None)
        if created is None:
            continue
        session = int(log.session[created])
        if log.replay[created]:
            end = replay_ends.get((session, int(log.epoch[created])))
        else:
            end = turn_ends.get((session, int(log.turn[created])))
        if end is not None and end.begin <= created < end.row:
            status = _status_at(steps, end.row)
            if status in OPEN:
                mild = end.cancelled or bool(log.v2[end.row])
                severity: Severity = "info" if mild else "warning"
                tool = quote(log.name("tool_call_id", created))
                text = f"Tool call {tool} is still {status.replace('_', ' ')} at the end."
                yield Hit(end.row, text, severity, (created,))


def _status_at(steps: list[Step], row: int) -> str:
    return steps[bisect_left(steps, row, key=lambda step: step.row) - 1].status


def _turn_ends(log: Log) -> dict[tuple[int, int], _End]:
    """The end of each turn, by session and number; what comes after it is in no turn."""
    ends: dict[tuple[int, int], _End] = {}
    for prompt in log.control.prompts:
        if not prompt.v2 and prompt.request >= 0 and prompt.response >= 0:
            key = (prompt.session, int(log.turn[prompt.request]))
            ends[key] = _End(prompt.request, prompt.response, prompt.stop == "cancelled")
    for session, states in log.control.states.items():
        for state in states:
            turn = int(log.turn[state.row])
            if state.state == "idle" and turn >= 0:
                ends.setdefault((session, turn), _End(0, state.row, cancelled=False))
    return ends


def _replay_ends(log: Log) -> dict[tuple[int, int], _End]:
    """The end of each replay, by session and epoch."""
    ends = {}
    for load in log.control.loads:
        if load.response >= 0:
            ends[load.session, int(log.epoch[load.response])] = _End(load.request, load.response, cancelled=False)
    return ends
