"""Rules about the life cycle of a v2 turn: the prompt reported, its states reported."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from acpinspect.diagnostics.columns import Mask
from acpinspect.diagnostics.control import ABSENT, Prompt, State
from acpinspect.diagnostics.findings import Hit
from acpinspect.diagnostics.log import USER, Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.session_rows import between, rows_by_session

__all__: list[str] = []

_ACTIVE: Final = ("running", "requires_action")
_STATES: Final = (*_ACTIVE, "idle")
_NONE: Final = np.zeros(0, dtype=np.int64)


@builtin("prompt-not-acknowledged")
def _prompt_not_acknowledged(log: Log) -> Iterator[Hit]:
    idle = _rows_of_state(log, "idle")
    output = rows_by_session(log, _output(log) | idle)
    users = rows_by_session(log, (log.role == USER) & log.v2)
    done: set[int] = set()
    for prompt in _accepted_prompts(log):
        rows = between(output.get(prompt.session, _NONE), prompt.response, len(log))
        if not len(rows) or int(rows[0]) in done:
            continue
        row = int(rows[0])
        if not len(between(users.get(prompt.session, _NONE), prompt.request, row)):
            done.add(row)
            text = "The agent goes on with a prompt that it never reported as a user message."
            yield Hit(row, text, related=(prompt.request, prompt.response))


@builtin("state-not-reported")
def _state_not_reported(log: Log) -> Iterator[Hit]:
    yield from _running_missing(log)
    for states in log.control.states.values():
        for last, state in pairwise(states):
            if state.state == "idle" and state.stop is None and last.state in _ACTIVE:
                yield Hit(state.row, "The turn ends without a stopReason.", related=(last.row,))
    for prompt in log.control.prompts:
        if prompt.v2 and prompt.ok and prompt.stop is not ABSENT:
            yield Hit(prompt.response, "The prompt's response has a stopReason, as in v1.")


def _running_missing(log: Log) -> Iterator[Hit]:
    output = rows_by_session(log, _output(log))
    done: set[int] = set()
    for prompt in _accepted_prompts(log):
        rows = between(output.get(prompt.session, _NONE), prompt.response, len(log))
        if not len(rows) or int(rows[0]) in done:
            continue
        row = int(rows[0])
        last = _state_before(log.control.states.get(prompt.session, []), row)
        # An idle after the prompt says that its turn is over: this is work in the background.
        if last is None or (last.state == "idle" and last.row < prompt.request):
            done.add(row)
            text = "The agent's output comes without a state_update running."
            yield Hit(row, text, related=(prompt.request,))


def _state_before(states: list[State], row: int) -> State | None:
    """The last state before a row; those that the protocol doesn't name say nothing."""
    for i in range(bisect_left(states, row, key=lambda state: state.row) - 1, -1, -1):
        if states[i].state in _STATES:
            return states[i]
    return None


def _accepted_prompts(log: Log) -> list[Prompt]:
    return [prompt for prompt in log.control.prompts if prompt.v2 and prompt.ok and prompt.request >= 0]


def _output(log: Log) -> Mask:
    """What shows that the agent works: text of its own, tool calls."""
    tools = log.tool_update & log.has("update", "tool_call_update", "tool_call_content_chunk")
    return ((log.role > USER) | tools) & log.v2 & ~log.replay


def _rows_of_state(log: Log, name: str) -> Mask:
    mask = np.zeros(len(log), dtype=bool)
    for states in log.control.states.values():
        mask[[state.row for state in states if state.state == name]] = True
    return mask
