"""The worked sequences of the two design documents, step by step on a timeline."""

from __future__ import annotations

from typing import Any

import acpinspect
from acpinspect.timelines import Timeline
from tests.timelines.make import ABC, events_of
from tests.wire import chunk, text, tool_call, update, whole


def of(frames: list[Any]) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v2"))


def shown(timeline: Timeline) -> list[list[str]]:
    """The texts of the blocks of m1 at each step; before it is there, nothing."""
    steps = []
    for state in timeline:
        message = next((m for m in state.messages.values() if m.message_id == "m1"), None)
        steps.append([] if message is None else [block["text"] for block in message.content])  # type: ignore[index]
    return steps


def test_chunks_a_and_b_then_the_whole_c_gives_c() -> None:
    assert shown(of(ABC())) == [[], ["A"], ["A", "B"], ["C"]]


def test_a_whole_a_then_chunk_b_gives_a_b() -> None:
    assert shown(of([whole("m1", "A"), chunk("B", "m1")])) == [[], ["A"], ["A", "B"]]


def test_a_whole_without_content_changes_the_metadata_only() -> None:
    timeline = of([whole("m1", "A"), update("agent_message", messageId="m1", _meta={"source": "replay"})])
    assert shown(timeline)[-1] == ["A"]
    assert [state.message("m1").meta for state in timeline[1:]] == [None, {"source": "replay"}]


def test_null_and_an_empty_array_both_clear() -> None:
    for nothing in (None, []):
        timeline = of([whole("m1", "A"), update("agent_message", messageId="m1", content=nothing)])
        assert shown(timeline) == [[], ["A"], []]
        assert timeline.steps["action"].tolist() == ["created", "cleared"]


def test_omitted_null_and_a_value_of_the_metadata_are_three_things() -> None:
    metas: list[dict[str, Any]] = [{"_meta": {"k": 1}}, {}, {"_meta": None}]
    timeline = of([update("agent_message", messageId="m1", **meta) for meta in metas])
    assert [state.message("m1").meta for state in timeline[1:]] == [{"k": 1}, {"k": 1}, None]


def test_a_chunk_after_a_clear_begins_anew() -> None:
    cleared = update("agent_message", messageId="m1", content=None)
    assert shown(of([chunk("A", "m1"), cleared, chunk("B", "m1")]))[-1] == ["B"]


def test_interleaved_ids_go_to_their_own_messages() -> None:
    timeline = of([chunk("A", "m1"), chunk("x", "m2"), chunk("B", "m1")])
    assert [message.text for message in timeline[-1].messages.values()] == ["AB", "x"]


def test_two_messages_of_one_type_with_a_tool_between_them() -> None:
    frames = [chunk("Analyzing..."), chunk("Found issues."), tool_call(), chunk("Fixed the issues.")]
    timeline = acpinspect.timeline(events_of(frames, "v1"))
    assert [m.text for m in timeline[-1].messages.values()] == ["Analyzing...Found issues.", "Fixed the issues."]
    assert [entity.kind for entity in timeline[-1].order] == ["message", "tool_call", "message"]


def test_a_message_stands_where_its_id_was_first_seen() -> None:
    frames = [chunk("A", "m1"), chunk("x", "m2"), update("agent_message", messageId="m1", content=[text("C")])]
    assert [message.message_id for message in of(frames)[-1].messages.values()] == ["m1", "m2"]
