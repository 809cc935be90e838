"""Events that are read together make what they make one by one, and the plain ones are read together."""

from __future__ import annotations

import itertools
from typing import Any

import orjson
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.protocol import Version
from acpinspect.timelines.plain_tools import plain_fields
from benchmarks.generate import messages
from tests.timelines.make import IDS, META, Values, chunks, controls, events_of, folded, named, sent
from tests.timelines.test_equals_fold import assert_equals_fold
from tests.wire import chunk, permission, prompt, request, stop, text, tool_call, tool_update, update

often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def item(block: Any, **more: Any) -> Any:
    return {"type": "content", "content": block, **more}


PLAIN_ITEMS = [item(text("out")), item(text("é 🚢")), item(text("")), item(text('"null'))]
ODD_ITEMS = [
    item(text("m"), _meta={"k": 1}),
    item({"type": "text", "text": "a", "annotations": None}),
    item({"type": "text", "text": "s\ud83c"}),
    item({"type": "text", "text": 7}),
    item({"type": "text", "text": None}),
    item({"type": "text", "text": ["n"]}),
    item({"text": "b"}),
    {"content": text("turned"), "type": "content"},
    {"type": "diff", "path": "/a", "oldText": None, "newText": "n"},
    {"type": "terminal", "terminalId": "x"},
    {"type": "content"},
    7,
]
PLACES = [{"path": "/a"}, {"path": "/b", "line": 3}, {"path": "/c", "line": None}]
ODD_PLACES = [
    {"path": "/a", "line": 1.0},
    {"path": "/a", "line": -1},
    {"path": "/a", "line": True},
    {"path": "/a", "_meta": {}},
    {"line": 3},
]
FREE = st.sampled_from(
    [None, "done", "", 0, False, [], {}, {"q": [1, {"r": None}]}, 2**70, -(2**70), 1e300, "\ud83c", "null"]
)


def mostly(plain: list[Any], odd: list[Any]) -> Values:
    """Now and then an odd one, so that runs of plain updates are long."""
    return st.integers(0, 9).flatmap(lambda n: st.sampled_from(odd if n == 0 else plain))


def tool_fields() -> dict[str, Values]:
    return {
        "title": mostly(["T", "U"], [None, 3]),
        "name": mostly(["n"], [None, []]),
        "kind": mostly(["read", "edit"], ["odd", None, 3]),
        "status": mostly(["pending", "in_progress", "completed"], ["cancelled", "odd", None]),
        "content": st.lists(mostly(PLAIN_ITEMS, ODD_ITEMS), max_size=3) | mostly([[]], [None, {}, "x"]),
        "locations": st.lists(mostly(PLACES, ODD_PLACES), max_size=2) | mostly([[]], [None, {}]),
        "rawInput": FREE,
        "rawOutput": FREE,
        "meta": META | mostly([{}], [3]),
    }


def tool_logs(version: Version) -> Values:
    """Logs of tool calls and messages, most of them as agents send them."""
    ids = st.sampled_from(["a", "b"])
    fields = tool_fields()
    kinds = [named("tool_call_update", {"toolCallId": ids}, **fields)] * 4
    if version == "v1":
        rest = {key: values for key, values in fields.items() if key != "title"}
        kinds.append(named("tool_call", {"toolCallId": ids, "title": st.sampled_from(["T", "U"])}, **rest))
    else:
        kinds.append(
            named("tool_call_content_chunk", {"toolCallId": ids, "content": st.sampled_from(PLAIN_ITEMS)})
        )
    kinds.append(chunks(IDS))
    return st.lists(st.one_of(*map(sent, kinds), asking(version), controls(version)), min_size=1, max_size=20)


def asking(version: Version) -> Values:
    """Permission requests that patch a tool call, at times with what looks like another."""
    call = {key: values for key, values in tool_fields().items() if key != "meta"}
    carried = st.fixed_dictionaries({"toolCallId": st.sampled_from(["a", "b"])}, optional=call)
    decoy: dict[str, Values] = {"update": st.just({"title": "decoy"})}
    if version == "v1":
        decoy["subject"] = st.just({"type": "tool_call", "toolCall": {"toolCallId": "a", "title": "decoy"}})
        params = st.fixed_dictionaries({"toolCall": carried, "options": st.just([])}, optional=decoy)
    else:
        decoy["toolCall"] = st.just({"toolCallId": "a", "title": "decoy"})
        subject = carried.map(lambda one: {"type": "tool_call", "toolCall": one})
        params = st.fixed_dictionaries(
            {"title": st.just("?"), "subject": subject, "options": st.just([])}, optional=decoy
        )
    return params.map(lambda own: request(9, "session/request_permission", sessionId="s1", **own))


@given(tool_logs("v1"))
@often
def test_every_state_of_a_v1_log_of_tool_calls_equals_its_fold(log: list[Any]) -> None:
    assert_equals_fold(events_of(log, "v1"))


@given(tool_logs("v2"))
@often
def test_every_state_of_a_v2_log_of_tool_calls_equals_its_fold(log: list[Any]) -> None:
    assert_equals_fold(events_of(log, "v2"))


@pytest.mark.parametrize("odd", [*ODD_ITEMS], ids=lambda one: ascii(one)[:40])
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_an_odd_item_between_plain_ones_is_read_by_the_schema(odd: Any, version: Version) -> None:
    frames = [tool_update(content=[PLAIN_ITEMS[0]], title="T"), tool_update(content=[PLAIN_ITEMS[1], odd])]
    assert_equals_fold(events_of([*frames, tool_update(status="completed")], version))


def test_a_permission_request_patches_the_tool_call_that_it_carries_and_no_other() -> None:
    asked = permission(1)
    asked["params"] |= {"update": {"title": "decoy"}, "subject": {"toolCall": {"title": "decoy"}}}
    timeline = acpinspect.timeline(events_of([tool_call(), asked], "v1"))
    assert timeline[-1].tool_calls["t1"].title == "Dig"
    assert list(timeline) == folded(events_of([tool_call(), asked], "v1"))


def many(count: int) -> list[Any]:
    """Tool calls and messages beside each other: plain ones, odd ones, and some that are long."""
    frames: list[Any] = [prompt(1)]
    for n in range(count):
        frames += [chunk(f"{n} ", f"m{n % 70}"), tool_call(f"t{n}", rawInput={"n": n})]
        frames += [tool_update(f"t{n - 3}", status="completed", content=[(PLAIN_ITEMS + ODD_ITEMS)[n % 15]])]
        frames += [tool_update("long", rawOutput=n), chunk("…", "long")] if n % 2 else []
    return [*frames, update("plan", entries=[]), stop(1)]


def test_entities_that_are_read_together_are_those_that_are_looked_up() -> None:
    events = events_of(many(200), "v1")
    timeline, expected = acpinspect.timeline(events), folded(events)
    for step in (0, 1, 2, 3, 150, 400, len(timeline) - 1):
        state = timeline[step]
        for name in ("messages", "tool_calls", "plans"):
            found = getattr(state, name)
            assert list(found.values()) == [found[key] for key in found]
            assert list(found.values()) == list(getattr(expected[step], name).values())


def test_a_table_in_many_pieces_has_the_same_states() -> None:
    events = events_of(many(60), "v1")
    cuts = [0, 1, 2, 40, 41, 130, len(events)]
    pieces = pd.concat([events.iloc[a:b] for a, b in itertools.pairwise(cuts)])
    assert [state.to_dict() for state in acpinspect.timeline(pieces)] == [
        state.to_dict() for state in acpinspect.timeline(events)
    ]


def test_the_tool_calls_of_a_usual_log_are_read_together() -> None:
    log = b"\n".join(orjson.dumps(message) for message in itertools.islice(messages(0), 3_000))
    events = acpinspect.load(log, progress=False)
    read = []
    for session in events["session_id"].dropna().unique():
        timeline = acpinspect.timeline(events, session)
        for life in timeline.lives.slots_of_kind("tool_call").tolist():
            excerpt = timeline.columns.excerpt(timeline.lives.track(life).positions)
            read.append(plain_fields("v1", excerpt.acts(), excerpt.texts))
    assert len(read) > 50
    assert all(fields is not None and {"title", "status", "rawInput"} <= fields.keys() for fields in read)
