"""AutoDev, BenchFlow, agent-of-empires: what they retell becomes the messages that they retell."""

from __future__ import annotations

import json

import pytest

from acpinspect.reading.wire.empires_events import empires_message
from acpinspect.reading.wire.lost_ids import LostIds
from tests.reading.frame_counts import frames_of, messages_of, recognised, updates_of


def autodev(name: str, update: object) -> dict[str, object]:
    line = json.dumps(
        {"event_type": "SessionUpdate", "timestamp": 1767610802010, "update_type": name, "update": update}
    )
    [found] = updates_of(frames_of("autodev-acp-log", line))
    return found


@pytest.mark.parametrize("update", [
    {"type": "AgentThoughtChunk", "content": "Hi, you"},
    "{type=AgentThoughtChunk, content={blockType=text, text=Hi, you}}",
    "AgentThoughtChunk(content=Text(text=Hi, you, annotations=null), messageId=null)",
])  # fmt: skip
def test_a_chunk_of_autodev_is_a_chunk_however_it_was_printed(update: object) -> None:
    assert autodev("AgentThoughtChunk", update) == {
        "sessionUpdate": "agent_thought_chunk",
        "content": {"type": "text", "text": "Hi, you"},
    }


def test_a_tool_update_of_autodev_has_its_words_in_small_letters() -> None:
    update = {
        "type": "ToolCallUpdate",
        "toolCallId": "c",
        "kind": "READ",
        "status": "IN_PROGRESS",
        "rawInput": "path=a",
    }
    assert autodev("ToolCallUpdate", update) == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "c",
        "kind": "read",
        "status": "in_progress",
        "rawInput": "path=a",
    }


def test_a_prompt_of_autodev_and_its_end_are_request_and_answer() -> None:
    text = (
        '{"type":"prompt_start","timestamp":1,"prompt":"Hi"}\n'
        '{"event_type":"PromptResponse","timestamp":2,"stop_reason":"MAX_TOKENS"}\n'
        '{"type":"prompt_end","timestamp":3}\n'
    )
    frames = frames_of("autodev-acp-log", text)
    prompt, answer = messages_of(frames)
    assert prompt["params"] == {"prompt": [{"type": "text", "text": "Hi"}]}
    assert (answer["id"], answer["result"]) == (prompt["id"], {"stopReason": "max_tokens"})
    assert [frame.kind for frame in frames] == [None, None, "other"]


def test_every_row_of_a_lossy_format_says_so() -> None:
    [frame] = frames_of("benchflow-acp-trajectory", '{"type":"agent_message","text":"Hi"}')
    assert (frame.problem or "").startswith("lossy: ")


def test_a_tool_call_of_benchflow_has_the_protocols_keys() -> None:
    line = '{"type":"tool_call","tool_call_id":"c","title":"T","raw_input":{"old_text":1},"content":[]}'
    assert updates_of(frames_of("benchflow-acp-trajectory", line)) == [
        {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "T", "rawInput": {"old_text": 1}, "content": []}
    ]


def test_a_line_of_a_retelling_that_is_torn_is_unreadable() -> None:
    frames = frames_of("benchflow-acp-trajectory", '{"type":"agent_message","text":"Hi"}\n{"type":"agent_me')
    assert [frame.kind for frame in frames] == [None, "unreadable"]


def test_json_rpc_is_no_trajectory() -> None:
    found = recognised(
        '{"jsonrpc":"2.0","method":"session/cancel","params":{}}\n{"type":"agent_message","text":"x"}\n'
    )
    assert found is None or found.name != "benchflow-acp-trajectory"


TEXT = {"type": "text", "text": "a"}
EMPIRES = [
    ({"AgentThoughtChunk": {"text": "a"}}, {"sessionUpdate": "agent_thought_chunk", "content": TEXT}),
    (
        {"ToolCallStarted": {"tool_call": {"id": "c", "name": "T", "kind": "Read"}}},
        {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "T", "kind": "read"},
    ),
    (
        {"ToolCallCompleted": {"tool_call_id": "c", "is_error": True, "content": "a"}},
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "c",
            "status": "failed",
            "content": [{"type": "content", "content": TEXT}],
        },
    ),
    (
        {"CurrentModeChanged": {"current_mode_id": "ask"}},
        {"sessionUpdate": "current_mode_update", "currentModeId": "ask"},
    ),
    (
        {"PlanUpdated": {"plan": {"steps": [{"title": "A", "status": "InProgress"}]}}},
        {"sessionUpdate": "plan", "entries": [{"status": "in_progress", "content": "A"}]},
    ),
    (
        {"RawAgentUpdate": {"payload": {"sessionUpdate": "plan", "entries": []}}},
        {"sessionUpdate": "plan", "entries": []},
    ),
]
OWN_EVENTS = ["ThinkingStarted", {"RateLimit": {"info": {}}}, {"Stopped": {"reason": "crashed"}}, {}, 5]


@pytest.mark.parametrize(("event", "update"), EMPIRES)
def test_an_event_of_agent_of_empires_is_the_update_that_it_came_from(event: object, update: object) -> None:
    message = empires_message(event, "aoe-1", LostIds())
    assert message is not None
    assert message["params"] == {"sessionId": "aoe-1", "update": update}


@pytest.mark.parametrize("event", OWN_EVENTS)
def test_an_event_of_agent_of_empires_of_its_own_is_no_message(event: object) -> None:
    assert empires_message(event, "aoe-1", LostIds()) is None


def test_a_prompt_of_agent_of_empires_and_its_end_are_request_and_answer() -> None:
    ids = LostIds()
    prompt = empires_message({"UserPromptSent": {"text": "Hi"}}, "s", ids)
    stop = empires_message({"Stopped": {"reason": "EndTurn"}}, "s", ids)
    assert prompt is not None
    assert stop == {"jsonrpc": "2.0", "id": prompt["id"], "result": {"stopReason": "end_turn"}}
