"""What a client that follows the protocol refuses."""

from __future__ import annotations

import pandas as pd
import pytest

import acpinspect
from tests.wire import Json, chunk, notification, tool_call, update, whole


def problem(frame: Json, protocol: str) -> str | None:
    value = acpinspect.from_records([frame], protocol=protocol)["problem"].iloc[0]  # type: ignore[arg-type]
    return None if pd.isna(value) else value


@pytest.mark.parametrize(
    ("frame", "protocol"),
    [
        (chunk("a"), "v1"),
        (chunk("a", ""), "v1"),
        (update("agent_message_chunk", messageId=5, content={"type": "text", "text": "a"}), "v1"),
        (update("_vendor/x", anything=1), "v1"),
        (tool_call(status="no such status"), "v1"),
        (whole("m"), "v2"),
        (update("agent_message", messageId="m", content="no list"), "v2"),
        (update("agent_message", messageId="m"), "v2"),
    ],
)
def test_accepted(frame: Json, protocol: str) -> None:
    assert problem(frame, protocol) is None


@pytest.mark.parametrize(
    ("frame", "protocol", "reason"),
    [
        (chunk("a"), "v2", "messageId is missing"),
        (
            update("agent_message_chunk", messageId=None, content={"type": "text", "text": "a"}),
            "v2",
            "messageId is null",
        ),
        (update("agent_message_chunk", messageId=5, content={"type": "text", "text": "a"}), "v2", "no string"),
        (whole("m", "a"), "v1", "unknown update 'agent_message' in v1"),
        (update("agentMessageChunk"), "v1", "unknown update"),
        (update("agent_message_chunk"), "v1", "content"),
        (update("agent_message_chunk", content={"type": "text"}), "v1", "text"),
        (update("tool_call", toolCallId="t"), "v1", "title"),
        (update("tool_call_update"), "v1", "toolCallId"),
        (notification("session/update", sessionId="s1", update={}), "v1", "sessionUpdate"),
        (notification("session/update", sessionId="s1"), "v1", ""),
    ],
)
def test_refused(frame: Json, protocol: str, reason: str) -> None:
    said = problem(frame, protocol)
    assert said is not None
    assert said.startswith("rejected: ")
    assert reason in said


def test_a_refused_update_keeps_its_role_and_has_no_label() -> None:
    events = acpinspect.from_records([chunk("a")], protocol="v2")
    assert events["role"].tolist() == ["agent"]
    assert acpinspect.group(events).isna().all()
