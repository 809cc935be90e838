"""Records of stores and printed values in their rarer forms."""

from __future__ import annotations

from typing import Any

import pytest

from acpinspect.reading.notation.builder import Named
from acpinspect.reading.wire.empires_events import empires_message
from acpinspect.reading.wire.kotlin_updates import kotlin_update
from acpinspect.reading.wire.lost_ids import LostIds
from acpinspect.reading.wire.python_types import python_message, python_value
from acpinspect.reading.wire.rust_types import rust_message, rust_value

PLAN = {"title": "Read", "status": "InProgress", "priority": "High"}


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            {"ToolCallUpdated": {"tool_call_id": "t", "title": "Read it"}},
            {"sessionUpdate": "tool_call_update", "toolCallId": "t", "title": "Read it"},
        ),
        (
            {"ToolCallCompleted": {"tool_call_id": "t", "is_error": True, "content": "no"}},
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": "t",
                "status": "failed",
                "content": [{"type": "content", "content": {"type": "text", "text": "no"}}],
            },
        ),
        (
            {"PlanUpdated": {"plan": {"steps": [PLAN, "a word"]}}},
            {
                "sessionUpdate": "plan",
                "entries": [{"status": "in_progress", "priority": "high", "content": "Read"}, "a word"],
            },
        ),
        (
            {"UsageUpdated": {"usage": {"used": 5, "size": 9, "model": "m"}}},
            {"sessionUpdate": "usage_update", "used": 5, "size": 9},
        ),
        (
            {"CurrentModeChanged": {"current_mode_id": "code"}},
            {"sessionUpdate": "current_mode_update", "currentModeId": "code"},
        ),
    ],
)
def test_an_event_of_the_store_is_the_update_that_it_came_from(event: Any, expected: dict[str, Any]) -> None:
    message = empires_message(event, "s", LostIds())
    assert message is not None
    assert message["params"] == {"sessionId": "s", "update": expected}


def test_a_cancellation_in_the_store_is_a_notification() -> None:
    message = empires_message({"CancelRequested": {}}, "s", LostIds())
    assert message == {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}


@pytest.mark.parametrize(
    "event",
    [
        {"AgentMessageChunk": None},
        {"ToolCallStarted": {"tool_call": "t"}},
        {"PlanUpdated": {"plan": {"entries": "none"}}},
        {"UsageUpdated": {"usage": {"used": 5}}},
        {"CurrentModeChanged": {}},
        {"Stopped": {"reason": "Tired"}},
        {"RawAgentUpdate": {"payload": {}}},
        {"SomethingNew": {}},
    ],
)
def test_an_event_of_the_store_that_lacks_something_is_no_message(event: Any) -> None:
    assert empires_message(event, "s", LostIds()) is None


@pytest.mark.parametrize(
    ("key", "logged", "expected"),
    [
        ("kind", Named("READ", (), {"deep": [Named("X")]}), {"deep": ["X"]}),
        ("meta", {"list": [1, Named("END")]}, {"list": [1, "END"]}),
        ("content", {"plain": Named("END")}, {"plain": "END"}),
    ],
)
def test_values_in_a_text_of_kotlin_are_plain_ones(key: str, logged: Any, expected: Any) -> None:
    assert kotlin_update("AgentMessageChunk", {key: logged})[key] == expected


def test_a_text_of_kotlin_that_is_none_has_no_fields() -> None:
    assert kotlin_update("ToolCallUpdate", "ToolCallUpdate(toolCallId=") == {"sessionUpdate": "tool_call_update"}


def test_a_printed_dictionary_of_python_may_be_the_message_itself() -> None:
    message = {"jsonrpc": "2.0", "id": 3, "result": {}}
    assert python_message(message, LostIds()) == message
    assert python_message({"method": "session/cancel", "params": {}}, LostIds()) == {
        "jsonrpc": "2.0", "method": "session/cancel", "params": {}
    }  # fmt: skip


def test_a_printed_call_of_python_with_positions_is_its_values() -> None:
    assert python_value(Named("Path", ("/w",))) == "/w"
    assert python_value(Named("Point", (1, Named("END")))) == [1, "END"]


@pytest.mark.parametrize(
    "value",
    ["text", Named("Two", (1, 2)), Named("Some", ("text",)), Named("NotAMessage", (), {"level": 1})],
)
def test_a_printed_value_of_rust_that_is_no_message_is_none(value: Any) -> None:
    assert rust_message(value, LostIds()) is None


def test_what_rust_wraps_too_often_is_no_message() -> None:
    value: Any = Named("Cancel", (), {"method": "session/cancel"})
    assert rust_message(Named("Some", (value,)), LostIds()) == {"jsonrpc": "2.0", "method": "session/cancel"}
    for _ in range(100):
        value = Named("Some", (value,))
    assert rust_message(value, LostIds()) is None


@pytest.mark.parametrize(
    ("value", "key", "expected"),
    [
        ({"a": Named("InProgress")}, "", {"a": "in_progress"}),
        (Named("V1"), "protocolVersion", 1),
        (Named("Map"), "", {}),
        (Named("FileSystemCapabilities"), "fs", {}),
    ],
)
def test_bare_values_of_rust_are_what_the_wire_has(value: Any, key: str, expected: Any) -> None:
    assert rust_value(value, key) == expected


def test_an_answered_request_is_not_answered_again() -> None:
    ids = LostIds()
    first, second = (ids.request("client", "session/prompt") for _ in range(2))
    ids.answered("agent", first)
    assert ids.error("agent") == second
    assert ids.error("agent") is None


def test_of_too_many_open_requests_the_oldest_are_forgotten() -> None:
    ids = LostIds()
    opened = [ids.request("client", "session/prompt") for _ in range(5_000)]
    assert ids.error("agent") != opened[0]
    assert ids.response("agent", {"stopReason": "end_turn"}) in opened
