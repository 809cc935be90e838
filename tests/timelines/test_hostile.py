"""Logs made to hurt: odd ids, many entities, long messages, deep values, broken rows."""

from __future__ import annotations

import json
from typing import Any

import pytest

import acpinspect
from acpinspect.reducer import MessageKey, get_entity
from acpinspect.timelines import entity_name
from tests.timelines.make import events_of, folded
from tests.wire import chunk, tool_update, update

IDS = [
    "__proto__",
    "",
    "constructor",
    "x" * 1_000_000,
    "\x00\x1b[31m",
    "\u202e",
    "\ud83c",
    "\\ud83c",
    "a b",
    "None",
]


@pytest.mark.parametrize("name", IDS, ids=lambda name: ascii(name)[:20])
def test_an_id_is_nothing_but_an_id(name: str) -> None:
    frames = [chunk("A", name), chunk("B", name, "agent_thought"), tool_update(name, title="T"), chunk("C", name)]
    events = events_of(frames, "v1")
    timeline = acpinspect.timeline(events)
    assert list(timeline) == folded(events)
    assert [m.text for m in timeline[-1].messages.values()] == ["AC", "B"]
    assert timeline[-1].tool_calls[name].title == "T"
    assert timeline[-1].messages[MessageKey(0, "agent", name)].message_id == name
    for entity in timeline.entities:
        assert timeline.blame(entity_name(entity)).entity == entity
    assert len(timeline.diff(4).changed) == 1


def test_two_ids_that_differ_in_their_lone_surrogates_only_are_two() -> None:
    names = ["\ud83c", "\udf3b", "\\ud83c"]
    timeline = acpinspect.timeline(events_of([tool_update(name, title=ascii(name)) for name in names], "v1"))
    assert list(timeline[-1].tool_calls) == names


def test_a_hundred_thousand_entities_are_an_index_and_no_copies() -> None:
    update_ = '{"sessionUpdate":"tool_call_update","toolCallId":"t%d","title":"T%d"}'
    line = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":' + update_ + "}}\n"
    log = "".join(line % (n, n) for n in range(100_000))
    timeline = acpinspect.timeline(acpinspect.load(log.encode(), protocol="v1", progress=False))
    assert len(timeline[-1].order) == 100_000
    assert timeline[-1].tool_calls["t99999"].title == "T99999"
    assert [entity.key[1] for entity in timeline[50_000].order[-2:]] == ["t49998", "t49999"]
    assert timeline.diff(70_000).added[0].key == (0, "t69999")
    assert timeline.next("tool", 99_998) == 99_999


def test_a_message_of_a_hundred_thousand_chunks_is_folded_once_and_then_step_by_step() -> None:
    update_ = '{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"%d "}}'
    line = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":' + update_ + "}}\n"
    log = "".join(line % n for n in range(100_000))
    timeline = acpinspect.timeline(acpinspect.load(log.encode(), protocol="v1", progress=False))
    assert timeline[-1].message("m").text.endswith("99998 99999 ")
    assert timeline[-2].message("m").text.endswith("99998 ")
    assert timeline.diff(100_000).entities[0].fields[0].text[0].new == "99999 "
    assert timeline.find("77777 77778")["step"].tolist() == [77_779]
    pieces = timeline.blame("m").pieces
    assert (len(pieces), pieces[-1].event) == (100_000, 99_999)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"d": value}
    return value


def test_a_deep_value_is_kept_as_text() -> None:
    events = events_of(
        [tool_update("t", title="T", rawInput=nested(300)), tool_update("t", status="completed")], "v1"
    )
    timeline = acpinspect.timeline(events)
    assert list(timeline) == folded(events)
    assert '{"d":{"d":' in json.dumps(timeline[-1].to_dict()).replace("\\", "")
    assert timeline.blame("t").pieces
    assert "t" in repr(timeline.diff(1))


@pytest.mark.parametrize("depth", [1_100, 10_000])
def test_a_value_too_deep_to_be_read_is_an_event_that_does_nothing(depth: int) -> None:
    value = '{"d":' * depth + "1" + "}" * depth
    deep = (
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'
        '{"sessionUpdate":"tool_call_update","toolCallId":"t","rawInput":' + value + "}}}"
    )
    good = json.dumps(chunk("A"))
    events = acpinspect.load(f"{good}\n{deep}\n{good}\n".encode(), protocol="v1", progress=False)
    timeline = acpinspect.timeline(events, "s1")
    assert [m.text for m in timeline[-1].messages.values()] == ["AA"]
    assert list(timeline) == folded(events, session_id="s1")
    assert len(timeline.steps) == len(timeline) - 1


def test_rows_that_are_no_messages_do_nothing_and_say_so() -> None:
    lines = [json.dumps(chunk("A")), "stderr: oops", json.dumps(chunk("B"))[:-9]]
    events = acpinspect.load("\n".join(lines).encode(), progress=False)
    timeline = acpinspect.timeline(events)
    assert [m.text for m in timeline[-1].messages.values()] == ["A"]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("-18446744073709551616", -(2**64)),
        ("1e400", float("inf")),
        ("9" * 5_000, float("inf")),
        ("0.1", 0.1),
    ],
    ids=lambda value: str(value)[:20],
)
def test_odd_numbers_stay_what_they_are(written: str, found: float) -> None:
    update_ = json.dumps(tool_update("t", title="T", rawInput="#")).replace('"#"', '{"n":' + written + "}")
    events = acpinspect.load(update_.encode(), protocol="v1", progress=False)
    timeline = acpinspect.timeline(events)
    assert list(timeline) == folded(events)
    assert timeline[-1].tool_calls["t"].raw_input == {"n": found}


def test_asking_for_everything_changes_nothing() -> None:
    events = events_of([chunk("A", "m1"), tool_update("t", title="T"), update("plan", entries=[])], "v1")
    timeline, fresh = acpinspect.timeline(events), acpinspect.timeline(events)
    before = [state.to_dict() for state in timeline]
    for state in timeline:
        for entity in state.order:
            get_entity(state, entity)
            timeline.history(entity)
    timeline.find("A")
    assert timeline.steps is timeline.steps
    assert [state.to_dict() for state in timeline] == before == [state.to_dict() for state in fresh]
