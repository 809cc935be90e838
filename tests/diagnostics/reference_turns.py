"""The rules about turns, tools and states once more: one walk with a notebook for each session."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

import acpinspect
from acpinspect.events import message_events

FINAL, OPEN = ("completed", "failed", "cancelled"), ("pending", "in_progress")
REASONS = ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")
TRANSCRIPT = ("chunk", "message", "thought", "tool", "plan", "terminal")
Findings = list[tuple[str, int, str]]


@dataclass
class Tool:
    status: str
    turn: Any
    created: int | None = None
    creator: Any = None
    first_call: Any = None


@dataclass
class Notes:
    """What is known of one session."""

    known: bool = False
    prompts: list[int] = field(default_factory=list)
    loads: list[int] = field(default_factory=list)
    spoken: bool = False
    last_stop: Any = None
    answered: bool = False
    after_cancel: bool = False
    cancels: list[int] = field(default_factory=list)
    shown: int = -1
    tools: dict[Any, Tool] = field(default_factory=dict)
    state: str | None = None
    waiting: list[dict[str, Any]] = field(default_factory=list)


def plain(value: Any) -> Any:
    """A value of a table without its types; None for NA."""
    if pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


class Walk:
    """One pass over the events of one recording."""

    def __init__(self, table: pd.DataFrame, version: str) -> None:
        self.v2 = version == "v2"
        self.found: Findings = []
        self.notes: dict[str, Notes] = defaultdict(Notes)
        self.table, self.parts = table, message_events(table)
        payloads = acpinspect.payloads(table)
        for row, payload in zip(table.index, payloads, strict=True):
            at = {name: plain(value) for name, value in table.loc[row].items()}
            self.step(row, at, payload or {})

    def say(self, code: str, row: int, severity: str) -> None:
        self.found.append((code, row, severity))

    def step(self, row: int, at: dict[str, Any], payload: dict[str, Any]) -> None:
        note = self.notes[at["session_id"]]
        method, kind = at["method"], at["kind"]
        if method == "session/prompt" and kind == "request":
            note.known, note.spoken, note.after_cancel = True, False, False
            note.prompts.append(row)
            note.waiting.append({"request": row, "response": None, "user": False, "running": note.state})
        elif method == "session/prompt":
            self.prompt_answered(row, at, payload, note)
        elif method in ("session/load", "session/resume") and kind == "request":
            note.known, note.spoken = True, False
            note.loads.append(row)
        elif method in ("session/load", "session/resume"):
            note.loads.remove(at["reply_to"])
            # What comes now is a replay that is late: another code says so.
            note.spoken = method == "session/load" and kind == "response"
            self.tools_left(row, note, lambda tool: tool.creator == ("replay", at["epoch"]), "warning")
        elif method == "session/cancel":
            note.cancels.append(row)
        elif method == "session/request_permission" and kind == "request":
            self.tool(row, at, note, "ask", None)
        elif at["update"] is not None and not str(at["problem"]).startswith("rejected"):
            self.update(row, at, payload["params"]["update"], note)

    def prompt_answered(self, row: int, at: dict[str, Any], payload: dict[str, Any], note: Notes) -> None:
        request = at["reply_to"]
        note.prompts.remove(request)
        if self.v2:
            for one in note.waiting:
                if one["request"] == request and "result" in payload:
                    one["response"] = row
            return
        stop = payload.get("result", {}).get("stopReason")
        cancelled = any(cancel > request for cancel in note.cancels)
        if "result" in payload:
            if stop not in REASONS:
                self.say("stop-reason-anomaly", row, "error")
            elif (stop == "cancelled") != cancelled:
                self.say("stop-reason-anomaly", row, "warning")
            if stop == "end_turn" and note.shown < request:
                self.say("empty-turn", row, "warning")
        elif cancelled:
            self.say("stop-reason-anomaly", row, "error")
        turn = plain(self.table.loc[request, "turn"])
        severity = "info" if stop == "cancelled" else "warning"
        self.tools_left(row, note, lambda tool: tool.creator == turn and tool.created > request, severity)
        note.answered, note.last_stop, note.spoken = True, stop, False

    def tools_left(self, row: int, note: Notes, mine: Any, severity: str) -> None:
        for tool in note.tools.values():
            if tool.created is not None and mine(tool) and tool.status in OPEN:
                self.say("tool-open-at-turn-end", row, "info" if self.v2 else severity)

    def tool(self, row: int, at: dict[str, Any], note: Notes, name: str, status: str | None) -> None:
        key = (at["tool_call_id"], at["epoch"])
        new = key not in note.tools
        tool = note.tools.setdefault(key, Tool("pending", at["turn"]))
        if new and not self.v2 and name in ("ask", "tool_call_update"):
            self.say("tool-update-before-create", row, "warning" if name == "ask" else "error")
        where = ("replay", at["epoch"]) if at["phase"] == "replay" else at["turn"]
        if name == "tool_call":
            if tool.first_call:
                worse = tool.status in FINAL or tool.first_call != [where]
                self.say("duplicate-tool-call", row, "error" if worse else "warning")
            tool.first_call = tool.first_call or [where]
            status = status or "pending"
        elif name == "tool_call_update" and status in OPEN and tool.status in FINAL:
            self.say("tool-status-regression", row, "warning")
        if name != "ask" and tool.created is None:
            tool.created, tool.creator = row, where
        tool.status = status or tool.status

    def update(self, row: int, at: dict[str, Any], update: dict[str, Any], note: Notes) -> None:
        name = at["update"]
        if any(part in name for part in TRANSCRIPT):
            self.outside(row, note)
        if name.startswith("tool_call"):
            self.tool(row, at, note, name, at["tool_status"])
            note.shown = row
        if name.startswith("plan"):
            note.shown = row
        if self.parts[row] and at["role"] == "agent" and (at["text"] or "").strip():
            note.shown = row
        if self.v2 and at["phase"] != "replay":
            self.v2_update(row, at, update, note)

    def outside(self, row: int, note: Notes) -> None:
        if not note.known or note.prompts or note.loads or note.spoken:
            return
        if self.v2 and not note.after_cancel:
            return
        note.spoken = True
        cancelled = note.answered and note.last_stop == "cancelled"
        self.say("update-outside-turn", row, "error" if cancelled and not self.v2 else "warning")

    def v2_update(self, row: int, at: dict[str, Any], update: dict[str, Any], note: Notes) -> None:
        state = update.get("state") if at["update"] == "state_update" else None
        output = at["role"] in ("agent", "thought") or at["update"].startswith("tool_call")
        for one in list(note.waiting):
            one["user"] = one["user"] or at["role"] == "user"
            if one["response"] is not None and (output or state == "idle") and not one.get("judged"):
                one["judged"] = True
                if not one["user"]:
                    self.say("prompt-not-acknowledged", row, "error")
            if one["response"] is not None and output and not one.get("ran"):
                one["ran"] = True
                idle_before = note.state == "idle" and note.state_row < one["request"]
                if note.state is None or idle_before:
                    self.say("state-not-reported", row, "error")
        if state is not None:
            self.state(row, state, update.get("stopReason"), note)

    def state(self, row: int, state: str, stop: str | None, note: Notes) -> None:
        if state == "idle":
            if stop is None and note.state in ("running", "requires_action"):
                self.say("state-not-reported", row, "error")
            if stop is not None and (stop == "cancelled") != bool(note.cancels):
                self.say("stop-reason-anomaly", row, "warning")
            turn = plain(self.table.loc[row, "turn"])
            if turn is not None and ("ended", turn) not in note.tools:
                self.tools_left(row, note, lambda tool: tool.creator == turn, "info")
                note.tools["ended", turn] = Tool("completed", turn)
            note.cancels, note.spoken = [], False
        if state in ("idle", "running"):
            note.after_cancel = state == "idle" and stop == "cancelled"
        note.state, note.state_row = state, row  # type: ignore[attr-defined]


CODES = (
    "stop-reason-anomaly",
    "empty-turn",
    "tool-open-at-turn-end",
    "tool-update-before-create",
    "duplicate-tool-call",
    "tool-status-regression",
    "update-outside-turn",
    "prompt-not-acknowledged",
    "state-not-reported",
)


def findings_of(table: pd.DataFrame, version: str) -> Findings:
    """Code, event and severity of what these rules say."""
    # One prompt each: an event that two prompts speak of is one finding.
    once = ("prompt-not-acknowledged", "state-not-reported")
    found = Walk(table, version).found
    kept = {one for one in found if one[0] in once}
    return sorted([*kept, *(one for one in found if one[0] not in once)])
