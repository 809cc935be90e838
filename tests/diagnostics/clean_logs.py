"""Logs that follow the specification and avoid what is legal but looks like a fault: whole sessions, turn by turn.

Every text is unlike every other, begins with a number and ends in a dot and a space; every id is new; each turn
shows something, closes its tools and its plan, and lies between a session's beginning and the end of the log.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Frame = dict[str, Any]
WORDS = ("bed", "root", "rain", "wall", "seed", "leaf", "oak", "well", "hedge", "frost", "naïve", "木", "🌻")
STEPS = ("thought", "answer", "tool", "plan", "session", "permission", "image")


@dataclass
class Writer:
    """Writes frames of one connection; numbers make every text and id unlike every other."""

    version: str
    numbers: Iterator[int] = field(default_factory=itertools.count)
    frames: list[Frame] = field(default_factory=list)

    def next(self, prefix: str) -> str:
        return f"{prefix}{next(self.numbers)}"

    def send(self, method: str, params: Frame, *, asks: bool = False) -> int:
        number = next(self.numbers)
        self.frames.append(
            {"jsonrpc": "2.0", **({"id": number} if asks else {}), "method": method, "params": params}
        )
        return number

    def answer(self, number: int, result: Frame) -> None:
        self.frames.append({"jsonrpc": "2.0", "id": number, "result": result})

    def update(self, session: str, name: str, /, **members: object) -> None:
        self.send("session/update", {"sessionId": session, "update": {"sessionUpdate": name, **members}})

    def ask(self, method: str, result: Frame, **params: object) -> None:
        self.answer(self.send(method, params, asks=True), result)


@st.composite
def clean_logs(draw: st.DrawFn, version: str, most_turns: int = 4) -> list[Frame]:
    """The frames of a clean log, one or two sessions one after the other."""
    w = Writer(version)
    initialize(w)
    for _ in range(draw(st.integers(1, 2))):
        session = w.next("session-")
        open_session(w, session)
        for _ in range(draw(st.integers(1, most_turns))):
            turn(w, session, draw(st.lists(st.sampled_from(STEPS), max_size=6)), draw)
    return w.frames


def initialize(w: Writer) -> None:
    number = 2 if w.version == "v2" else 1
    info = {"info": {"name": "c", "version": "1"}} if number == 2 else {}
    w.ask("initialize", {"protocolVersion": number, **info}, protocolVersion=number, **info)


def open_session(w: Writer, session: str) -> None:
    w.ask("session/new", {"sessionId": session}, cwd="/w", mcpServers=[])
    w.update(session, "available_commands_update", availableCommands=[])


def turn(w: Writer, session: str, steps: list[str], draw: st.DrawFn) -> None:
    text = sentence(w, draw)
    prompt = {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
    number = w.send("session/prompt", prompt, asks=True)
    if w.version == "v2":
        w.answer(number, {})
        w.update(session, "state_update", state="running")
        w.update(session, "user_message", messageId=w.next("u"), content=[{"type": "text", "text": text}])
    for step in [*steps, "answer"]:
        WRITERS[step](w, session, draw)
    if w.version == "v2":
        w.update(session, "state_update", state="idle", stopReason="end_turn")
    else:
        w.answer(number, {"stopReason": "end_turn"})


def sentence(w: Writer, draw: st.DrawFn) -> str:
    """Small words behind a number of their own, so that no two texts begin alike; a dot and a space end it."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5))
    return f"{next(w.numbers)} {' '.join(words)}. "


def chunks(w: Writer, session: str, kind: str, draw: st.DrawFn) -> None:
    identity = w.next("m")
    for _ in range(draw(st.integers(1, 4))):
        w.update(session, kind, messageId=identity, content={"type": "text", "text": sentence(w, draw)})


def thought(w: Writer, session: str, draw: st.DrawFn) -> None:
    chunks(w, session, "agent_thought_chunk", draw)


def answer(w: Writer, session: str, draw: st.DrawFn) -> None:
    if w.version == "v2" and draw(st.booleans()):
        identity, text = w.next("m"), sentence(w, draw)
        w.update(session, "agent_message", messageId=identity, content=[{"type": "text", "text": text}])
        if draw(st.booleans()):
            w.update(session, "agent_message", messageId=identity, _meta={"k": 1})
    else:
        chunks(w, session, "agent_message_chunk", draw)


def tool(w: Writer, session: str, draw: st.DrawFn) -> None:
    """A call from its announcement to its end."""
    identity, title = w.next("t"), sentence(w, draw)
    first = "tool_call_update" if w.version == "v2" else "tool_call"
    w.update(session, first, toolCallId=identity, title=title, status="pending", kind="read")
    if draw(st.booleans()):
        w.update(session, "tool_call_update", toolCallId=identity, status="in_progress")
    output = {"type": "content", "content": {"type": "text", "text": sentence(w, draw)}}
    if w.version == "v2" and draw(st.booleans()):
        w.update(session, "tool_call_content_chunk", toolCallId=identity, content=output)
    end = draw(st.sampled_from(["completed", "failed"]))
    w.update(session, "tool_call_update", toolCallId=identity, status=end, content=[output])


def permission(w: Writer, session: str, draw: st.DrawFn) -> None:
    """A call that needs to be allowed."""
    identity = w.next("t")
    first = "tool_call_update" if w.version == "v2" else "tool_call"
    w.update(session, first, toolCallId=identity, title=sentence(w, draw), status="pending")
    call = {"toolCallId": identity}
    about: Frame = {"toolCall": call}
    if w.version == "v2":
        about = {"title": "May I?", "subject": {"type": "tool_call", "toolCall": call}}
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    outcome = {"outcome": {"outcome": "selected", "optionId": "y"}}
    w.ask("session/request_permission", outcome, sessionId=session, **about, options=options)
    w.update(session, "tool_call_update", toolCallId=identity, status="completed")


def plan(w: Writer, session: str, draw: st.DrawFn) -> None:
    """A plan from open to done, always sent in full."""
    steps = [sentence(w, draw) for _ in range(draw(st.integers(1, 3)))]
    for done in range(len(steps) + 1):
        entries = [
            {"content": s, "priority": "low", "status": "completed" if i < done else "pending"}
            for i, s in enumerate(steps)
        ]
        if w.version == "v2":
            w.update(session, "plan_update", plan={"type": "items", "planId": "p", "entries": entries})
        else:
            w.update(session, "plan", entries=entries)


def session_level(w: Writer, session: str, draw: st.DrawFn) -> None:
    kind = draw(st.sampled_from(["usage", "info", "config", "custom"]))
    if kind == "usage":
        w.update(session, "usage_update", used=next(w.numbers), size=10**6)
    elif kind == "info":
        w.update(session, "session_info_update", title=sentence(w, draw))
    elif kind == "config":
        w.update(session, "config_option_update", configOptions=[])
    else:
        w.update(session, "_acme_tick", anything=[1, {"messageId": 3}])


def image(w: Writer, session: str, draw: st.DrawFn) -> None:  # noqa: ARG001
    block = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    w.update(session, "agent_message_chunk", messageId=w.next("m"), content=block)


WRITERS = {
    "thought": thought,
    "answer": answer,
    "tool": tool,
    "plan": plan,
    "session": session_level,
    "permission": permission,
    "image": image,
}
