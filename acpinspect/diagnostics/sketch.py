"""Small logs, written down in few words: one frame a line. The examples of `explain_code` are written so.

A line is a word and what belongs to it; texts with spaces stand in quotes. ``@s2`` before the word names another
session than ``s1``; an id ``-`` is left out, ``null`` is null, ``#3`` is a number.

    new | is s1                     session/new and its response
    load, resume [from] | loaded    session/load, session/resume (from: with replayFrom) and the response
    prompt TEXT | ok | end REASON   session/prompt and its response: empty (v2), with a stop reason
    fail                            an error in answer to the last open request
    agent ID TEXT                   a chunk; thought, user likewise
    whole agent ID TEXT             a v2 whole-message update; TEXT null or [] clears, - leaves out
    tool ID TITLE [STATUS]          tool_call; in v2 tool_call_update
    update ID [STATUS [TEXT]]       tool_call_update with text as its output
    ask ID | allow                  session/request_permission and its response
    plan STEP=STATUS...             the plan; in v2 that of the id p1
    state running, state idle [R]   v2 state_update
    cancel | close | delete         session/cancel; session/close, session/delete
    send {...}                      any update
    frame {...}                     any frame
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from acpinspect.protocol import Version

__all__ = ["sketched"]

Json: TypeAlias = "dict[str, Any]"

_PLACE: Final = {"cwd": "/w", "mcpServers": []}
_PATCHED: Final = {"agent": "agent_message", "thought": "agent_thought", "user": "user_message"}


def sketched(text: str, version: Version = "v1") -> list[Json]:
    r"""The frames of a sketch.

    Args:
        text: The sketch; empty lines don't count.
        version: The protocol version in whose words the frames are written.

    Raises:
        KeyError: If a line begins with no known word.

    Example:
        >>> [frame.get("method") for frame in sketched('prompt "Go"\nagent m1 "Hi."\nend end_turn')]
        ['session/prompt', 'session/update', None]
    """
    writer = _Writer(version)
    return [writer.frame(line.strip()) for line in text.splitlines() if line.strip()]


class _Writer:
    """Writes one frame after the other and knows which requests are open."""

    def __init__(self, version: Version) -> None:
        self.v2 = version == "v2"
        self.session = "s1"
        self.open: list[tuple[str, int]] = []
        self.count = 0

    def frame(self, line: str) -> Json:
        """The frame of one line."""
        self.session = "s1"
        if line.startswith("@"):
            name, _, line = line.partition(" ")
            self.session = name[1:]
        word, _, rest = line.partition(" ")
        if word in ("send", "frame"):
            value = json.loads(rest)
            return self.update(value) if word == "send" else {"jsonrpc": "2.0", **value}
        return _WORDS[word](self, *shlex.split(rest))

    def request(self, method: str, **params: object) -> Json:
        """A request that waits for its answer."""
        self.count += 1
        number = self.count + 100 if method == "session/request_permission" else self.count
        self.open.append((method, number))
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}

    def answer(self, method: str | None, **outcome: object) -> Json:
        """The answer to the last open request, or the last one of a method."""
        at = next(i for i in reversed(range(len(self.open))) if method in (None, self.open[i][0]))
        return {"jsonrpc": "2.0", "id": self.open.pop(at)[1], **outcome}

    def update(self, update: Json) -> Json:
        """A session/update."""
        params = {"sessionId": self.session, "update": update}
        return {"jsonrpc": "2.0", "method": "session/update", "params": params}

    def notify(self, method: str) -> Json:
        """A notification about the session."""
        return {"jsonrpc": "2.0", "method": method, "params": {"sessionId": self.session}}


def _block(text: str) -> Json:
    return {"type": "text", "text": text.replace("\\n", "\n")}


def _id(written: str) -> Json:
    """The member messageId, as a sketch writes it."""
    if written == "-":
        return {}
    value = None if written == "null" else int(written[1:]) if written.startswith("#") else written
    return {"messageId": value}


def _chunk(w: _Writer, role: str, written: str, text: str) -> Json:
    return w.update({"sessionUpdate": f"{_PATCHED[role]}_chunk", **_id(written), "content": _block(text)})


def _whole(w: _Writer, role: str, written: str, text: str) -> Json:
    special: dict[str, Json] = {"null": {"content": None}, "[]": {"content": []}, "-": {}}
    content = special.get(text, {"content": [_block(text)]})
    return w.update({"sessionUpdate": _PATCHED[role], **_id(written), **content})


def _tool(w: _Writer, tool: str, title: str, status: str = "pending") -> Json:
    name = "tool_call_update" if w.v2 else "tool_call"
    return w.update({"sessionUpdate": name, "toolCallId": tool, "title": title, "status": status})


def _tool_update(w: _Writer, tool: str, status: str = "-", text: str | None = None) -> Json:
    members: Json = {} if status == "-" else {"status": status}
    if text is not None:
        members["content"] = [{"type": "content", "content": _block(text)}]
    return w.update({"sessionUpdate": "tool_call_update", "toolCallId": tool, **members})


def _ask(w: _Writer, tool: str) -> Json:
    call: Json = {"toolCallId": tool}
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    params: Json = (
        {"title": "May I?", "subject": {"type": "tool_call", "toolCall": call}} if w.v2 else {"toolCall": call}
    )
    return w.request("session/request_permission", sessionId=w.session, **params, options=options)


def _plan(w: _Writer, *steps: str) -> Json:
    pairs = [step.rsplit("=", 1) for step in steps]
    entries = [{"content": content, "priority": "medium", "status": status} for content, status in pairs]
    if w.v2:
        return w.update(
            {"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p1", "entries": entries}}
        )
    return w.update({"sessionUpdate": "plan", "entries": entries})


def _state(w: _Writer, state: str, stop: str | None = None) -> Json:
    return w.update({"sessionUpdate": "state_update", "state": state, **({"stopReason": stop} if stop else {})})


def _resume(w: _Writer, replay: str | None = None) -> Json:
    start = {"replayFrom": {"type": "start"}} if replay == "from" else {}
    return w.request("session/resume", sessionId=w.session, **_PLACE, **start)


_WORDS: Final[dict[str, Callable[..., Json]]] = {
    "agent": lambda w, *rest: _chunk(w, "agent", *rest),
    "thought": lambda w, *rest: _chunk(w, "thought", *rest),
    "user": lambda w, *rest: _chunk(w, "user", *rest),
    "whole": _whole,
    "tool": _tool,
    "update": _tool_update,
    "ask": _ask,
    "plan": _plan,
    "state": _state,
    "resume": _resume,
    "new": lambda w: w.request("session/new", **_PLACE),
    "is": lambda w, name: w.answer("session/new", result={"sessionId": name}),
    "load": lambda w: w.request("session/load", sessionId=w.session, **_PLACE),
    "loaded": lambda w: w.answer(None, result={}),
    "prompt": lambda w, text: w.request("session/prompt", sessionId=w.session, prompt=[_block(text)]),
    "ok": lambda w: w.answer(None, result={}),
    "end": lambda w, stop: w.answer("session/prompt", result={"stopReason": stop}),
    "fail": lambda w: w.answer(None, error={"code": -32603, "message": "Internal error"}),
    "allow": lambda w: w.answer(
        "session/request_permission", result={"outcome": {"outcome": "selected", "optionId": "y"}}
    ),
    "close": lambda w: w.request("session/close", sessionId=w.session),
    "delete": lambda w: w.request("session/delete", sessionId=w.session),
    "cancel": lambda w: w.notify("session/cancel"),
}
