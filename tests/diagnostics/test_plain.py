"""Which updates are plainly in order: those need no second look, all others get one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from acpinspect.diagnostics.plain import odd_rows
from acpinspect.diagnostics.rawtext import RawTexts
from tests.wire import chunk, text, tool_call, tool_update, update, whole

Json = dict[str, Any]

IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png", "uri": None}
LINK = {"type": "resource_link", "name": "a", "uri": "file:///a", "size": 0, "title": "A"}
OUTPUT = {"type": "content", "content": text("wet"), "_meta": {"any": [1]}}
DIFF = {"type": "diff", "path": "/a", "newText": "b", "oldText": None}
ENTRY = {"content": "Sow", "priority": "low", "status": "pending"}
ITEMS = {"type": "items", "planId": "p", "entries": [ENTRY]}
COMMAND = {"name": "dig", "description": "Digs.", "input": {"hint": "where"}}
IN_ORDER: dict[str, list[Json]] = {
    "v1": [
        chunk("Hi"),
        chunk("Hi", "m1", "user_message"),
        update("agent_thought_chunk", messageId=None, content=text("hm") | {"annotations": None}, _meta=None),
        update("agent_message_chunk", content=IMAGE, _meta={"deep": {"er": []}}),
        update("agent_message_chunk", content=LINK),
        tool_call(kind="read", status="completed", content=[OUTPUT, DIFF], locations=[{"path": "/a", "line": 0}]),
        tool_call(rawInput={"any": [1]}, rawOutput="x"),
        tool_call(rawInput=None, rawOutput=3),
        tool_update(title=None, kind=None, status=None, content=None, locations=None),
        update("plan", entries=[ENTRY, ENTRY]),
        update("available_commands_update", availableCommands=[COMMAND]),
        update("current_mode_update", currentModeId="ask"),
        update("session_info_update", title=None, updatedAt="2026-01-01T00:00:00Z"),
        update("session_info_update"),
        update("usage_update", used=0, size=9, cost=None),
    ],
    "v2": [
        chunk("Hi", "m1"),
        whole("m1", "One", "Two", _meta={"a": 1}),
        update("agent_message", messageId="m1", content=None),
        update("agent_message", messageId="m1"),
        tool_update(title="Dig", kind="_own", status="_paused", content=[OUTPUT]),
        update("tool_call_content_chunk", toolCallId="t1", content=OUTPUT),
        update("plan_update", plan=ITEMS),
        update("plan_removed", planId="p"),
        update("usage_update", used=0, size=9),
    ],
}
ODD: dict[str, list[Json]] = {
    "v1": [
        chunk("Hi") | {"params": 3},
        chunk("Hi") | {"params": {"sessionId": "s1"}},
        chunk("Hi") | {"params": {"update": chunk("Hi")["params"]["update"]}},
        chunk("Hi") | {"params": chunk("Hi")["params"] | {"sessionId": 3}},
        chunk("Hi") | {"params": chunk("Hi")["params"] | {"_meta": 3}},
        chunk("Hi") | {"params": chunk("Hi")["params"] | {"mood": 3}},
        update("weather"),
        update("agent_message", messageId="m1", content=[]),
        chunk("Hi") | {"params": {"sessionId": "s1", "update": {"content": text("Hi")}}},
        update("agent_message_chunk"),
        update("agent_message_chunk", content=None),
        update("agent_message_chunk", content={"type": "text"}),
        update("agent_message_chunk", content={"type": "song", "text": "la"}),
        update("agent_message_chunk", content=text("Hi"), messageId=3),
        update("agent_message_chunk", content=text("Hi"), mood=1),
        update("agent_message_chunk", content=text("Hi"), _meta=3),
        update("tool_call", toolCallId="t1"),
        tool_call(status="paused"),
        tool_call(status=None),
        tool_call(kind="song"),
        tool_call(content=[OUTPUT, {"type": "content"}]),
        tool_call(content=[3]),
        tool_call(content={}),
        tool_call(locations=[{"path": "/a", "line": -1}]),
        tool_call(locations=[{"line": 1}]),
        tool_update(title=3),
        update("plan", entries=[ENTRY, {"content": "Sow", "status": "pending"}]),
        update("plan", entries=[ENTRY | {"priority": "grave"}]),
        update("available_commands_update", availableCommands=[{"name": "dig"}]),
        update("current_mode_update"),
        update("current_mode_update", currentModeId=None),
        update("usage_update", used="many", size=9),
        update("usage_update", used=-1, size=9),
        update("usage_update", used=1.5, size=9),
    ],
    "v2": [
        chunk("Hi"),
        update("agent_message", content=[]),
        whole("m1") | {"params": whole("m1")["params"] | {"_meta": 3}},
        update("agent_message", messageId="m1", content=text("Hi")),
        tool_update(status=3),
        tool_call(),
        update("plan", entries=[]),
        update("plan_update", plan=ITEMS | {"entries": None}),
        update("plan_removed"),
    ],
}


def odd(frames: list[Json], version: Any, rows: list[int] | None = None) -> list[int]:
    raw = pd.Series([json.dumps(frame) for frame in frames], dtype="string[pyarrow]")
    return odd_rows(RawTexts(raw), np.array(range(len(frames)) if rows is None else rows, dtype=np.int64), version)


@pytest.mark.parametrize(("version", "frame"), [(v, f) for v, frames in IN_ORDER.items() for f in frames])
def test_what_is_in_order_needs_no_second_look(version: str, frame: Json) -> None:
    assert odd([frame], version) == []


@pytest.mark.parametrize(("version", "frame"), [(v, f) for v, frames in ODD.items() for f in frames])
def test_what_is_odd_gets_a_second_look(version: str, frame: Json) -> None:
    assert odd([frame], version) == [0]


def test_the_odd_ones_among_some_rows_are_told_by_their_rows() -> None:
    bad, good = ODD["v1"][9], IN_ORDER["v1"][0]
    frames = [bad, good, bad, bad, good, bad, good]
    assert odd(frames, "v1", [0, 1, 3, 4, 5, 6]) == [0, 3, 5]
    assert odd(frames, "v1", [1, 4, 6]) == []
    assert odd(frames, "v1", []) == []


@pytest.mark.parametrize("raw", ["", "{", "3", "[" * 100_000, '{"a":' * 100_000])
def test_what_is_no_frame_at_all_gets_a_second_look(raw: str) -> None:
    texts = RawTexts(pd.Series([raw], dtype="string[pyarrow]"))
    assert odd_rows(texts, np.zeros(1, dtype=np.int64), "v1") == [0]
