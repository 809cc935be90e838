"""Ids, depths and sizes that nobody sane sends."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from acpinspect.reducer import MessageKey, Write, empty_state, fold_writes, v1, v2
from acpinspect.reducer.keys import Entity
from acpinspect.reducer.values import MAX_DEPTH

from .build import b64, chunk, folded, text, texts, update, whole

IDS = ["__proto__", "constructor", "", "\x00\x1b[31m\n", "a" * 1_000_000, "\ud800", "🌻", "__class__", "0"]


def nested(depth: int) -> Any:
    value: Any = "core"
    for level in range(depth):
        value = {"k": value} if level % 2 else [value]
    return value


def test_any_string_is_an_id() -> None:
    state = folded("v2", [chunk(str(index), one) for index, one in enumerate(IDS)])
    assert [m.message_id for m in state.messages.values()] == IDS
    assert texts(state) == [str(index) for index in range(len(IDS))]


@pytest.mark.parametrize("one", IDS, ids=lambda one: ascii(one[:12]))
def test_any_string_is_an_id_of_every_kind_of_entity(one: str) -> None:
    state = folded(
        "v2",
        [
            update("tool_call_update", toolCallId=one, title="Dig"),
            update("terminal_output_chunk", terminalId=one, data=b64(b"a")),
            update("compaction_update", compactionId=one, status="completed"),
            update("plan_update", plan={"type": "items", "planId": one, "entries": []}),
        ],
    )
    assert (state.tool_calls[one].title, state.terminals[one].output) == ("Dig", b"a")
    assert (state.compactions[one].status, state.plans[one].plan_id) == ("completed", one)


@pytest.mark.parametrize("depth", [MAX_DEPTH, MAX_DEPTH + 1, 10_000])
def test_a_value_of_any_depth_can_be_reduced_compared_and_written(depth: int) -> None:
    sent = update("tool_call_update", toolCallId="t", rawInput=nested(depth))
    state = folded("v2", [sent])
    assert state == folded("v2", [sent])
    assert orjson.loads(orjson.dumps(state.to_dict())) == state.to_dict()
    assert "core" in json.dumps(state.to_dict())


def test_what_is_nested_too_deep_is_kept_as_its_json_text() -> None:
    value = folded("v2", [update("tool_call_update", toolCallId="t", rawInput=nested(MAX_DEPTH + 2))])
    inner: Any = value.tool_calls["t"].raw_input
    for _ in range(MAX_DEPTH):
        inner = inner["k"] if isinstance(inner, dict) else inner[0]
    assert json.loads(inner) == nested(2)


def test_the_json_text_of_what_is_nested_too_deep_is_compact_and_whole() -> None:
    inner: Any = {"a": [1, "x", None], "b": {"c": [], "d": {}}, "é": True}
    for _ in range(MAX_DEPTH):
        inner = [inner]
    kept: Any = (
        folded("v2", [update("tool_call_update", toolCallId="t", rawInput=inner)]).tool_calls["t"].raw_input
    )
    for _ in range(MAX_DEPTH):
        kept = kept[0]
    assert kept == '{"a":[1,"x",null],"b":{"c":[],"d":{}},"\\u00e9":true}'


@pytest.mark.parametrize("place", ["content", "_meta", "extra"])
def test_depth_is_bounded_wherever_it_stands(place: str) -> None:
    deep = nested(10_000)
    sent = whole(content=[{"type": "_x", "deep": deep}]) if place == "content" else {**whole(), place: {"d": deep}}
    assert folded("v2", [sent]) == folded("v2", [sent])


def test_ten_thousand_entities_each_cost_the_same() -> None:
    state = folded("v2", [chunk("A", str(number)) for number in range(10_000)])
    assert (len(state.messages), len(state.order)) == (10_000, 10_000)
    assert [m.message_id for m in state.messages.values()] == [str(number) for number in range(10_000)]


def test_a_message_of_many_chunks_is_all_of_them() -> None:
    state = folded("v2", [chunk(str(number % 10)) for number in range(5_000)])
    assert state.message("m1").text == "0123456789" * 500


def test_the_writes_of_a_message_of_a_million_chunks_fold_at_once() -> None:
    entity = Entity("message", MessageKey(0, "agent", "m"))
    writes = [
        Write(entity, "chunk", {"messageId": "m", "content": text("ab")}, n, "agent") for n in range(1_000_000)
    ]
    message = fold_writes("v2", None, writes)
    assert (len(message.text), message.first_event, message.last_event) == (2_000_000, 0, 999_999)


@pytest.mark.parametrize("number", [2**64, 10**40, 0, 1e20])
def test_numbers_of_any_size_are_kept(number: float) -> None:
    assert folded("v2", [update("usage_update", used=number, size=1)]).usage.used == number


def test_lone_surrogates_stay_in_the_blocks_and_the_plain_form_can_be_written() -> None:
    plain = folded("v2", [chunk("\ud83c")]).to_dict()
    assert json.loads(json.dumps(plain)) == plain


def test_a_null_byte_is_text() -> None:
    assert texts(folded("v2", [chunk("a\x00b")])) == ["a\x00b"]


@pytest.mark.parametrize("reducer", [v1, v2])
def test_an_update_whose_keys_are_strange_is_kept_out(reducer: Any) -> None:
    version = "v1" if reducer is v1 else "v2"
    sent = {**chunk("A"), "__class__": "x", "": 1, "sessionupdate": "y"}
    assert texts(reducer.reduce(empty_state(version), sent)) == ["A"]
