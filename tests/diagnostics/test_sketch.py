"""Sketches: each word and the frame that it stands for, in both versions."""

from __future__ import annotations

from typing import Any

import pytest

from acpinspect.diagnostics.example import Example, around, around_v2
from acpinspect.diagnostics.sketch import sketched

HI = {"type": "text", "text": "Hi"}
PLACE = {"cwd": "/w", "mcpServers": []}
ENTRIES = [
    {"content": "Sow=seed", "priority": "medium", "status": "completed"},
    {"content": "Mow", "priority": "medium", "status": "pending"},
]
OPTIONS = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
V1_UPDATES = {
    "agent m1 Hi": {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": HI},
    "thought m1 Hi": {"sessionUpdate": "agent_thought_chunk", "messageId": "m1", "content": HI},
    "user m1 Hi": {"sessionUpdate": "user_message_chunk", "messageId": "m1", "content": HI},
    "agent - Hi": {"sessionUpdate": "agent_message_chunk", "content": HI},
    "agent null Hi": {"sessionUpdate": "agent_message_chunk", "messageId": None, "content": HI},
    "agent #37 Hi": {"sessionUpdate": "agent_message_chunk", "messageId": 37, "content": HI},
    r"agent - 'a\n b'": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a\n b"}},
    "tool t1 Dig": {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig", "status": "pending"},
    "tool t1 Dig failed": {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig", "status": "failed"},
    "update t1": {"sessionUpdate": "tool_call_update", "toolCallId": "t1"},
    "update t1 failed": {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "failed"},
    "update t1 - Hi": {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "t1",
        "content": [{"type": "content", "content": HI}],
    },
    "plan Sow=seed=completed Mow=pending": {"sessionUpdate": "plan", "entries": ENTRIES},
    'send {"sessionUpdate": "_own", "a b": 1}': {"sessionUpdate": "_own", "a b": 1},
}
V2_UPDATES = {
    "whole agent m1 Hi": {"sessionUpdate": "agent_message", "messageId": "m1", "content": [HI]},
    "whole thought m1 null": {"sessionUpdate": "agent_thought", "messageId": "m1", "content": None},
    "whole user m1 []": {"sessionUpdate": "user_message", "messageId": "m1", "content": []},
    "whole user m1 -": {"sessionUpdate": "user_message", "messageId": "m1"},
    "tool t1 Dig": {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "title": "Dig", "status": "pending"},
    "plan Sow=seed=completed Mow=pending": {
        "sessionUpdate": "plan_update",
        "plan": {"type": "items", "planId": "p1", "entries": ENTRIES},
    },
    "state running": {"sessionUpdate": "state_update", "state": "running"},
    "state idle end_turn": {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"},
}
REQUESTS = {
    "new": ("session/new", PLACE),
    "load": ("session/load", {"sessionId": "s1", **PLACE}),
    "resume": ("session/resume", {"sessionId": "s1", **PLACE}),
    "resume from": ("session/resume", {"sessionId": "s1", **PLACE, "replayFrom": {"type": "start"}}),
    "prompt Hi": ("session/prompt", {"sessionId": "s1", "prompt": [HI]}),
    "close": ("session/close", {"sessionId": "s1"}),
    "delete": ("session/delete", {"sessionId": "s1"}),
}
ANSWERS = {
    "new\nis s7": {"result": {"sessionId": "s7"}},
    "load\nloaded": {"result": {}},
    "prompt Hi\nok": {"result": {}},
    "prompt Hi\nend refusal": {"result": {"stopReason": "refusal"}},
    "load\nfail": {"error": {"code": -32603, "message": "Internal error"}},
}


def frame_of(line: str, version: Any = "v1") -> dict[str, Any]:
    (frame,) = sketched(line, version)
    return frame


@pytest.mark.parametrize("line", V1_UPDATES)
def test_a_word_of_v1_is_an_update(line: str) -> None:
    params = {"sessionId": "s1", "update": V1_UPDATES[line]}
    assert frame_of(line) == {"jsonrpc": "2.0", "method": "session/update", "params": params}


@pytest.mark.parametrize("line", V2_UPDATES)
def test_a_word_of_v2_is_an_update(line: str) -> None:
    params = {"sessionId": "s1", "update": V2_UPDATES[line]}
    assert frame_of(line, "v2") == {"jsonrpc": "2.0", "method": "session/update", "params": params}


@pytest.mark.parametrize("line", REQUESTS)
def test_a_word_is_a_request(line: str) -> None:
    method, params = REQUESTS[line]
    assert frame_of(line) == {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize("sketch", ANSWERS)
def test_a_word_answers_the_open_request(sketch: str) -> None:
    assert sketched(sketch)[1] == {"jsonrpc": "2.0", "id": 1, **ANSWERS[sketch]}


def test_a_cancel_is_a_notification() -> None:
    assert frame_of("cancel") == {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}}


@pytest.mark.parametrize(
    ("version", "about"),
    [
        ("v1", {"toolCall": {"toolCallId": "t1"}}),
        ("v2", {"title": "May I?", "subject": {"type": "tool_call", "toolCall": {"toolCallId": "t1"}}}),
    ],
)
def test_a_permission_is_asked_as_the_version_asks_it_and_allowed(version: str, about: dict[str, Any]) -> None:
    asked, allowed = sketched("ask t1\nallow", version)  # type: ignore[arg-type]
    params = {"sessionId": "s1", **about, "options": OPTIONS}
    assert asked == {"jsonrpc": "2.0", "id": 101, "method": "session/request_permission", "params": params}
    assert allowed == {
        "jsonrpc": "2.0",
        "id": 101,
        "result": {"outcome": {"outcome": "selected", "optionId": "y"}},
    }


def test_an_end_answers_the_last_open_prompt_and_leaves_other_requests_open() -> None:
    frames = sketched("prompt One\nprompt Two\nload\nask t1\nend end_turn\nallow\nloaded\nok")
    assert [frame["id"] for frame in frames] == [1, 2, 3, 104, 2, 104, 3, 1]


def test_a_frame_is_written_as_it_stands() -> None:
    assert frame_of('frame {"id": "x", "result": null}') == {"jsonrpc": "2.0", "id": "x", "result": None}


def test_a_line_names_another_session_for_itself_alone() -> None:
    frames = sketched("@s2 agent m1 'Hi you'\n\n   agent m1 Hi  \n@s2 cancel")
    assert [frame["params"]["sessionId"] for frame in frames] == ["s2", "s1", "s2"]
    assert frames[0]["params"]["update"]["content"]["text"] == "Hi you"


def test_an_unknown_word_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="agnet"):
        sketched("agnet m1 Hi")


def test_an_example_stands_within_one_turn_of_its_version() -> None:
    turn = Example(
        before="prompt Go\nagent - a\nend end_turn", after="prompt Go\nagent m1 a\nend end_turn", options={}
    )
    assert around("agent - a", "agent m1 a") == turn
    assert around("a", "b", options={"replay_min": 3}).options == {"replay_min": 3}


def test_an_example_of_v2_stands_within_one_turn_that_is_reported() -> None:
    turn = "prompt Go\nok\nstate running\nwhole user u1 Go\n{}\nstate idle end_turn"
    example = around_v2("agent m1 a", "agent m2 a")
    assert (example.before, example.after) == (turn.format("agent m1 a"), turn.format("agent m2 a"))
    assert (example.version, example.options) == ("v2", {})
    assert around_v2("a", "b", options={"replay_min": 3}).options == {"replay_min": 3}
