"""The rules about loads once more: each replay beside the epoch before it, from the messages table."""

from __future__ import annotations

from typing import Any

import pandas as pd

import acpinspect
from tests.diagnostics.reference import ASKING, Event, events_of

Findings = list[tuple[str, int, str]]
CODES = (
    "load-replay-missing",
    "resume-replays-history",
    "replay-duplicate",
    "replay-ids-changed",
    "replay-incomplete",
    "replay-tool-ids-changed",
)


def transcript(event: Event) -> bool:
    """A message, tool or plan that no client refuses."""
    named = str(event.update).startswith(("tool_call", "plan"))
    return (event.role is not None or named) and not event.refused


def findings_of(table: pd.DataFrame) -> Findings:
    """Code, event and severity of what these rules say in a v1 log of one session."""
    events, messages = events_of(table), acpinspect.messages(table)
    replies = {int(at): row for row, at in table["reply_to"].dropna().items()}
    found: Findings = []
    for e in events:
        if e.kind == "request" and e.method in ("session/load", "session/resume") and e.row in replies:
            end = events[replies[e.row]]
            inside = [x for x in events[e.row + 1 : end.row] if transcript(x)]
            if e.method == "session/load":
                found += of_load(events, e, end, inside)
                found += compared(events, messages, end.epoch, end, silent=spoke(found, events, end))
            elif inside:
                found.append(("resume-replays-history", inside[0].row, "error"))
                found += compared(events, messages, end.epoch, end, silent=True)
        elif e.kind == "request" and e.method == "session/load":
            found += compared(events, messages, e.epoch, None, silent=True)
    return sorted(found)


def spoke(found: Findings, events: list[Event], end: Event) -> bool:
    """Whether something was said of this load."""
    rows = {end.row, *(x.row for x in events[end.row + 1 : next_request(events, end)])}
    return any(code == "load-replay-missing" and row in rows for code, row, _ in found)


def next_request(events: list[Event], after: Event) -> int:
    asks = (x.row for x in events[after.row + 1 :] if x.kind == "request" and x.method in ASKING)
    return next(asks, len(events))


def of_load(events: list[Event], e: Event, end: Event, inside: list[Event]) -> Findings:
    if end.kind != "response":
        return []
    late = [x for x in events[end.row + 1 : next_request(events, end)] if transcript(x)]
    if late:
        return [("load-replay-missing", late[0].row, "error")]
    before = events[: e.row]
    if not inside:
        answered = any(x.method == "session/prompt" and x.kind != "request" for x in before)
        proved = answered or any(transcript(x) for x in before)
        return [("load-replay-missing", end.row, "error" if proved else "warning")]
    old = {x.tool for x in before if x.epoch == e.epoch - 1 and str(x.update).startswith("tool_call")}
    new = {x.tool for x in inside if str(x.update).startswith("tool_call")}
    if old and not new and any(x.role for x in inside):
        return [("load-replay-missing", end.row, "warning")]
    return []


def compared(
    events: list[Event], messages: pd.DataFrame, epoch: int, end: Event | None, *, silent: bool
) -> Findings:
    """What the replay of an epoch says, beside the epoch before."""
    found: Findings = []
    new = [
        told(events, m, replayed=True) for m in messages.itertuples() if m.epoch == epoch and m.phase == "replay"
    ]
    old = [told(events, m, replayed=False) for m in messages.itertuples() if m.epoch == epoch - 1]
    seen: set[Any] = set()
    for row, role, _, text, _ in new:
        if len(text.strip()) >= 12 and (role, text.strip()) in seen:
            found.append(("replay-duplicate", row, "info"))
        seen.add((role, text.strip()))
    for row, role, identity, text, _ in new:
        same = [m[2] for m in old if m[1] == role and m[3] == text and m[2] is not None]
        if identity is not None and text and same and identity not in same:
            found.append(("replay-ids-changed", row, "info"))
            break
    if end is None:
        return found
    if not silent and end.kind == "response":
        found += [
            ("replay-incomplete", end.row, "info")
            for role in ("user", "agent", "thought")
            if lost(events, old, new, role)
        ]
    tools = [
        {
            x.tool
            for x in events
            if str(x.update).startswith("tool_call") and x.epoch == n and (n < epoch or x.replay)
        }
        for n in (epoch, epoch - 1)
    ]
    if all(tools) and not tools[0] & tools[1]:
        found.append(("replay-tool-ids-changed", end.row, "info"))
    return found


def told(events: list[Event], message: Any, *, replayed: bool) -> tuple[int, str, Any, str, Any]:
    rows = [row for row in message.events if events[row].replay or not replayed]
    text = "".join(events[row].text for row in rows)
    identity = None if pd.isna(message.message_id) else message.message_id
    return rows[0], message.role, identity, text, events[rows[0]].turn


def lost(events: list[Event], old: list[Any], new: list[Any], role: str) -> bool:
    broken = set()
    for e in events:
        if (
            e.method == "session/prompt"
            and e.kind != "request"
            and (e.kind == "error" or '"cancelled"' in e.answer)
        ):
            broken.add(e.turn)
    texts = [m[3].strip() for m in new if m[1] == role]
    return any(
        m[1] == role
        and len(m[3].strip()) >= 12
        and m[4] not in broken
        and not any(m[3].strip() in t for t in texts)
        for m in old
    )
