"""Events from objects in memory."""

from __future__ import annotations

import acp
import pytest
from acp.schema import AgentMessageChunk, SessionNotification, TextContentBlock

import acpinspect
from tests.wire import chunk, text

UPDATE = {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": text("Hi")}


def row(record: object) -> list[object]:
    [found] = acpinspect.from_records([record])[
        ["session_id", "update", "message_id", "text", "kind"]
    ].values.tolist()
    return found


@pytest.mark.parametrize(
    "record",
    [
        chunk("Hi", "m1"),
        {"sessionId": "s1", "update": UPDATE},
        ("s1", UPDATE),
        {"ts": 1767610800.5, "dir": "in", "msg": chunk("Hi", "m1")},
    ],
    ids=["message", "params", "pair", "envelope"],
)
def test_every_form_of_one_update_gives_the_same_row(record: object) -> None:
    assert row(record) == ["s1", "agent_message_chunk", "m1", "Hi", "notification"]


def test_a_bare_update_has_no_session() -> None:
    assert acpinspect.from_records([UPDATE])["session_id"].isna().all()
    assert acpinspect.messages(acpinspect.from_records([UPDATE, UPDATE]))["text"].tolist() == ["HiHi"]


def test_objects_of_the_python_sdk() -> None:
    block = TextContentBlock(type="text", text="Hi")
    update = AgentMessageChunk(session_update="agent_message_chunk", content=block, message_id="m1")
    assert row(SessionNotification(session_id="s1", update=update))[:4] == [
        "s1",
        "agent_message_chunk",
        "m1",
        "Hi",
    ]
    assert row(("s1", acp.update_agent_message_text("Hi")))[3] == "Hi"


@pytest.mark.parametrize(
    ("given", "state"), [({}, "absent"), ({"message_id": None}, "null"), ({"message_id": "m"}, "present")]
)
def test_an_sdk_object_keeps_absent_and_null_apart(given: dict[str, str | None], state: str) -> None:
    block = TextContentBlock(type="text", text="Hi")
    update = AgentMessageChunk(session_update="agent_message_chunk", content=block, **given)
    assert acpinspect.from_records([("s1", update)])["message_id_state"].tolist() == [state]


def test_records_have_no_place() -> None:
    events = acpinspect.from_records([chunk("a")])
    assert events[["line", "offset", "length"]].isna().all(axis=None)


def test_what_the_fast_writer_refuses_is_kept() -> None:
    events = acpinspect.from_records([chunk("x\ud800"), {"jsonrpc": "2.0", "id": 2**70, "method": "initialize"}])
    assert events["text"].tolist()[0] == "x\ufffd"
    assert events["rpc_id"].tolist()[1] == str(2**70)
    assert "surrogate" in events["problem"].tolist()[0]
