"""Small logs for the explorer's tests."""

from __future__ import annotations

import pandas as pd

import acpinspect

Json = dict[str, object]


def text(value: str) -> Json:
    return {"type": "text", "text": value}


def chunk(value: str, message_id: str | None = None, role: str = "agent") -> Json:
    update: Json = {"sessionUpdate": f"{role}_message_chunk", "content": text(value)}
    if role == "thought":
        update["sessionUpdate"] = "agent_thought_chunk"
    return update if message_id is None else update | {"messageId": message_id}


def tool(call: str, **more: object) -> Json:
    return {"sessionUpdate": "tool_call", "toolCallId": call, "title": f"Run {call}", **more}


def sent(update: Json, session: str = "s1") -> Json:
    params = {"sessionId": session, "update": update}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def prompt(value: str, number: int = 1, session: str = "s1") -> Json:
    params = {"sessionId": session, "prompt": [text(value)]}
    return {"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": params}


def answer(number: int = 1) -> Json:
    return {"jsonrpc": "2.0", "id": number, "result": {"stopReason": "end_turn"}}


def turn() -> pd.DataFrame:
    """A turn: prompt, thought, two chunks of one message, a tool call, another message, the answer."""
    frames = [
        prompt("Build it"),
        sent(chunk("Let me see.", "t1", "thought")),
        sent(chunk("One ", "m1")),
        sent(chunk("two.", "m1")),
        sent(tool("call-1", status="in_progress")),
        sent({"sessionUpdate": "tool_call_update", "toolCallId": "call-1", "status": "completed"}),
        sent(chunk("Done.", "m2")),
        answer(),
    ]
    return acpinspect.from_records(frames, protocol="v1")


def restated() -> pd.DataFrame:
    """A turn whose answer comes once in pieces and once whole (event 4), and a turn in which nothing is wrong."""
    same = "The build stops in the parser: a missing import."
    frames = [
        prompt("Build it"),
        sent(tool("call-1", status="completed")),
        sent(chunk(same[:20], "m1")),
        sent(chunk(same[20:], "m1")),
        sent(chunk(same, "m9")),
        answer(),
        prompt("Thanks", 2),
        sent(chunk("You are welcome.", "m10")),
        answer(2),
    ]
    return acpinspect.from_records(frames, protocol="v1")


def two_sessions() -> pd.DataFrame:
    frames = [prompt("A", 1, "s1"), sent(chunk("a", "m1"), "s1"), prompt("B", 2, "s2")]
    frames += [sent(chunk(word, "m1"), "s2") for word in ("b1 ", "b2 ", "b3")]
    return acpinspect.from_records(frames, protocol="v1")


HOSTILE = (
    "<script>window.canary=1</script>",
    '"><img src=x onerror="window.canary=1">',
    "</script></style></textarea><svg onload=window.canary=1>",
    "\u202eright to left\u2066",
    "nul \x00 escape \x1b[31m",
    "${window.canary=1} {{window.canary=1}} javascript:window.canary=1",
)


def hostile() -> pd.DataFrame:
    """A log whose every text would like to be markup, and one text of a megabyte."""
    frames = [prompt(HOSTILE[0])]
    for number, word in enumerate(HOSTILE):
        frames.append(sent(chunk(word, f"id{number}{word}")))
        frames.append(sent(tool(f"call{word}", title=word, kind=word, locations=[{"path": word}])))
        frames.append(sent({"sessionUpdate": word, "content": text(word), word: word}))
    plan = [{"content": word, "priority": "high", "status": word} for word in HOSTILE]
    frames += [sent({"sessionUpdate": "plan", "entries": plan}), sent(chunk("<b>&" * 250_000, "big")), answer()]
    frames = [frame | {"extra": HOSTILE[1]} for frame in frames]
    return acpinspect.from_records(frames, protocol="v1")
