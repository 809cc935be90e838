"""Rules about turns: what comes outside of them, how they end, and whether they show anything."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

import numpy as np

from acpinspect.diagnostics.columns import Ints, Mask, by_group, first_of_each
from acpinspect.diagnostics.control import ABSENT, Load, Prompt
from acpinspect.diagnostics.findings import Hit, Severity, quote
from acpinspect.diagnostics.log import AGENT, USER, Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.session_rows import between, rows_by_session
from acpinspect.protocol import read_content_blocks

__all__: list[str] = []

_REASONS: Final = frozenset({"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"})


@builtin("stop-reason-anomaly")
def _stop_reason_anomaly(log: Log) -> Iterator[Hit]:
    misspelt = log.fired("wrong-field-case")
    for prompt in log.control.prompts:
        if prompt.v2 or prompt.request < 0 or prompt.response < 0:
            continue
        cancelled = log.control.cancelled_between(prompt.session, prompt.request, prompt.response)
        if not prompt.ok:
            if cancelled:
                text = "The prompt was cancelled and is answered by an error, not by cancelled."
                yield Hit(prompt.response, text, "error", (prompt.request,))
        elif not (prompt.response in misspelt and not isinstance(prompt.stop, str)):
            yield from _judge(prompt.response, prompt.stop, cancelled=cancelled, custom=False)
    for session, states in log.control.states.items():
        idle = -1
        for state in states:
            if state.state == "idle":
                cancelled = log.control.cancelled_between(session, idle, state.row)
                if state.stop is not None:
                    yield from _judge(state.row, state.stop, cancelled=cancelled, custom=True)
                idle = state.row


def _judge(row: int, stop: object, *, cancelled: bool, custom: bool) -> Iterator[Hit]:
    if not isinstance(stop, str):
        yield Hit(
            row, "The response has no stopReason." if stop is ABSENT else "stopReason is no string.", "error"
        )
    elif stop not in _REASONS and not (custom and stop.startswith("_")):
        yield Hit(row, f"{quote(stop)} is no stop reason of the protocol.", "error")
    elif stop == "cancelled" and not cancelled:
        yield Hit(row, "The turn ended as cancelled, but nobody cancelled it.", "warning")
    elif cancelled and stop != "cancelled":
        yield Hit(row, f"The turn was cancelled, but ended with {quote(stop)}.", "warning")


@builtin("empty-turn")
def _empty_turn(log: Log) -> Iterator[Hit]:
    tools = log.tool_update & log.has("update", "tool_call", "tool_call_update")
    shows = (log.visible & log.chunk & (log.role == AGENT)) | tools | log.plan_update
    shows[list(log.fired("wrong-field-case"))] = False
    shown = rows_by_session(log, shows)
    nothing = np.zeros(0, dtype=np.int64)
    for prompt in log.control.prompts:
        if prompt.v2 or prompt.request < 0 or prompt.stop != "end_turn":
            continue
        if not len(between(shown.get(prompt.session, nothing), prompt.request, prompt.response)):
            text = "The turn ended with end_turn, but showed no text, tool call or plan."
            yield Hit(prompt.response, text, related=(prompt.request,))


@builtin("prompt-echo")
def _prompt_echo(log: Log) -> Iterator[Hit]:
    echoes = rows_by_session(log, log.chunk & (log.role == USER) & log.v1 & ~log.replay)
    nothing = np.zeros(0, dtype=np.int64)
    with_id = log.has("message_id_state", "present")
    done: set[tuple[int, int]] = set()
    for prompt in log.control.prompts:
        if prompt.v2 or prompt.request < 0:
            continue
        rows = between(echoes.get(prompt.session, nothing), prompt.request, prompt.end)
        for row in first_of_each(log.turn[rows], rows).tolist() if len(rows) else ():
            turn = (prompt.session, int(log.turn[row]))
            if turn not in done:
                done.add(turn)
                severity: Severity = "info" if with_id[row] else "warning"
                yield Hit(row, _echo(log, prompt, row), severity, (prompt.request,))


def _echo(log: Log, prompt: Prompt, row: int) -> str:
    blocks = read_content_blocks(log.part(prompt.request, "params", "prompt"), "v1").blocks
    asked = "".join(str(block["text"]) for block in blocks if block.get("type") == "text").strip()
    said = "".join(log.text[r] for r in log.rows_of_message(int(log.label[row]))).strip()
    how = "extends" if asked and said.startswith(asked) else "differs from"
    how = "equals" if said == asked else how
    return f"The user message {quote(said)} comes back while the prompt is open; it {how} the prompt."


@builtin("update-outside-turn")
def _update_outside_turn(log: Log) -> Iterator[Hit]:
    prompted = np.zeros(int(log.recording.max(initial=-1)) + 2, dtype=bool)
    prompted[log.recording[np.flatnonzero(log.tokens.prompt)]] = True
    rows = np.flatnonzero(log.transcript & (log.session >= 0) & prompted[log.recording])
    if len(rows):
        walk = _Gaps(log)
        for session, own in by_group(log.session[rows], rows):
            yield from walk.of(session, own)


class _Gaps:
    """The stretches of each session in which no prompt and no load is open."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.prompts: dict[int, list[Prompt]] = {}
        self.loads: dict[int, list[Load]] = {}
        for prompt in log.control.prompts:
            if prompt.request >= 0:
                self.prompts.setdefault(prompt.session, []).append(prompt)
        for load in log.control.loads:
            self.loads.setdefault(load.session, []).append(load)
        self.closings: dict[int, list[tuple[int, int]]] = {}
        for closing in log.control.closings:
            self.closings.setdefault(closing.session, []).append((closing.begin, closing.end))
        self.late: dict[int, list[int]] = {}
        for _, hit, late in log.replay_faults:
            if late:
                self.late.setdefault(int(log.session[hit.row]), []).append(hit.row)

    def of(self, session: int, rows: list[int]) -> Iterator[Hit]:
        """The first update of each gap."""
        log = self.log
        prompts, loads = self.prompts.get(session, []), self.loads.get(session, [])
        transcript = np.array(rows, dtype=np.int64)
        known = self._known_from(session)
        outside = np.ones(len(transcript), dtype=bool)
        spans = [(p.request, p.end) for p in prompts] + [(load.request, load.end) for load in loads]
        for begin, end in spans:
            _clear(outside, transcript, begin, end)
        for begin, end in self.closings.get(session, []):
            _clear(outside, transcript, begin, end)
        if log.v2[rows[0]]:
            outside &= self._after_cancel(session, transcript)
        found = transcript[outside & (transcript > known)]
        if not len(found):
            return
        turns = [s.row for s in log.control.states.get(session, []) if s.state in ("idle", "running")]
        starts = np.array(sorted([*turns, *(begin for begin, _ in spans)]), dtype=np.int64)
        gap = np.searchsorted(starts, found)
        late = {int(np.searchsorted(starts, row)) for row in self.late.get(session, [])}
        ended = sorted(prompts, key=lambda prompt: prompt.end)
        for i in first_of_each(gap, np.arange(len(found))).tolist():
            if int(gap[i]) not in late:
                yield self._hit(int(found[i]), ended)

    def _hit(self, row: int, ended: list[Prompt]) -> Hit:
        name = self.log.name("update", row)
        if self.log.v2[row]:
            return Hit(row, f"{name} comes after the turn was cancelled.", "warning")
        position = bisect_left(ended, row, key=lambda prompt: prompt.end)
        if not position:
            return Hit(row, f"{name} comes before the first prompt.", "warning")
        last = ended[position - 1]
        if last.stop == "cancelled":
            return Hit(row, f"{name} comes after the turn was cancelled.", "error", (last.end,))
        return Hit(row, f"{name} comes after the end of the turn.", "warning", (last.end,))

    def _known_from(self, session: int) -> int:
        """The row from which on the client knows the session: as it is brought, or at its first prompt."""
        prompts = self.prompts.get(session, [])
        asked = prompts[0].request if prompts else len(self.log)
        return min(asked, self.log.control.known.get(session, asked))

    def _after_cancel(self, session: int, rows: Ints) -> Mask:
        """v2: between an idle with the reason cancelled and the next prompt request or running."""
        edges = [
            (state.row, state.state == "idle" and state.stop == "cancelled")
            for state in self.log.control.states.get(session, [])
            if state.state in ("idle", "running")
        ]
        edges += [(prompt.request, False) for prompt in self.prompts.get(session, [])]
        edges.sort()
        if not edges:
            return np.zeros(len(rows), dtype=bool)
        position = np.searchsorted(np.array([row for row, _ in edges]), rows) - 1
        flags: Mask = np.array([cancelled for _, cancelled in edges])
        return (position >= 0) & flags[np.maximum(position, 0)]


def _clear(
    mask: Mask,
    rows: Ints,
    begin: int,
    end: int,
) -> None:
    mask[np.searchsorted(rows, begin, side="right") : np.searchsorted(rows, end, side="left")] = False
