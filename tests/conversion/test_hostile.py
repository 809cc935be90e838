"""What nobody sends and a log may hold all the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.conversion.own_ids import free_prefix
from acpinspect.protocol import VARIANTS, Version
from tests.conftest import needs_spec
from tests.conversion.logs import convert_updates, converted, frames_of, whole
from tests.conversion.validity import problems
from tests.wire import chunk, notification, prompt, state, stop, text, tool_call, tool_update

VERSIONS: tuple[Version, Version] = ("v1", "v2")
HOSTILE = [
    "__proto__",
    "",
    "\x00\x1b[31m",
    "\u202e",
    "constructor",
    "x" * 1_000_000,
    "</script>",
    "acpinspect-message-",
]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)
NAMES = sorted({*VARIANTS["v1"], *VARIANTS["v2"], "_acme", "mood"})
KEYS = ["messageId", "content", "_meta", "toolCallId", "title", "status", "plan", "entries", "state", "stopReason"]


@pytest.mark.parametrize("hostile", HOSTILE, ids=[f"{value[:12]!a} ({len(value)})" for value in HOSTILE])
def test_an_id_is_only_compared(hostile: str) -> None:
    frames = [chunk("A"), tool_call(hostile), chunk("B", hostile), chunk("C", hostile, session=hostile)]
    there = converted(frames, "v2")
    assert acpinspect.messages(there.events)["text"].tolist() == ["A", "B", "C"]
    assert [f["params"]["sessionId"] for f in frames_of(acpinspect.convert(there.events, "v1"))] == [
        *["s1"] * 3,
        hostile,
    ]


@given(st.lists(st.text("-1m", max_size=6)))
def test_a_prefix_is_free_whatever_the_ids(ids: list[str]) -> None:
    prefix = free_prefix("m", ids)
    assert not any(known.startswith(prefix) for known in ids)


def test_ids_that_imitate_ours_cost_no_more_than_their_length() -> None:
    ids = ["acpinspect-message" + "-" * length for length in (0, 1, 200_000)]
    updates = convert_updates([chunk("A"), *(chunk("B", known) for known in ids)], "v2")
    assert len({u["messageId"] for u in updates}) == 4


def test_long_integers_and_lone_surrogates_are_written_as_they_were() -> None:
    records = [
        tool_call(rawInput={"n": 2**70, "s": "\ud83d"}, title2="x"),
        prompt(2**70),
        stop(2**70),
    ]
    made = converted(records, "v2")
    raw = json.loads(made.events["raw"][0])["params"]["update"]["rawInput"]
    assert raw == {"n": 2**70, "s": "\ud83d"}
    assert [frame["id"] for frame in frames_of(made) if "id" in frame] == [2**70, 2**70]


def test_a_value_of_much_depth_is_carried() -> None:
    deep: Any = 0
    for _ in range(200):
        deep = {"a": deep}
    (made,) = convert_updates([tool_call(rawInput=deep)], "v2")
    assert made["rawInput"] == deep


def test_a_value_of_more_depth_than_can_be_written_is_lost() -> None:
    deep = '{"a":' * 985 + "1" + "}" * 985
    update = f'{{"sessionUpdate":"tool_call","toolCallId":"t","title":"T","rawInput":{deep}}}'
    frame = f'{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s","update":{update}}}}}'
    events = acpinspect.load(f"{frame}\n{json.dumps(prompt(1))}\n".encode(), protocol="v1")
    made = acpinspect.convert(events, "v2", on_loss="report")
    assert made.losses["event"].tolist() == [0]
    assert made.events["method"].tolist() == ["session/prompt", "session/update"]


def test_many_entities_cost_no_more_than_their_number() -> None:
    frames = [tool_update(f"t{i}", title="Dig") for i in range(3_000)]
    frames += [whole(f"m{i}", "A") for i in range(3_000)]
    assert len(converted(frames, "v1").events) == 6_000


@pytest.mark.parametrize("params", [None, 3, [], "x", {}, {"update": None}, {"sessionId": 3, "update": []}])
@pytest.mark.parametrize("to", VERSIONS)
def test_an_update_that_is_none_is_lost(to: Version, params: object) -> None:
    frame = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    made = converted([frame], to, on_loss="report")
    assert (len(made.events), made.losses["field"].tolist()) == (0, ["update"])


@pytest.mark.parametrize("method", ["session/prompt", "session/load", "session/request_permission"])
@pytest.mark.parametrize("params", [None, 3, [], "x", {}])
@pytest.mark.parametrize("to", VERSIONS)
def test_a_request_without_what_it_needs_is_lost(to: Version, params: object, method: str) -> None:
    frame = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    made = converted([frame], to, on_loss="report")
    assert len(made.events) <= 2
    assert len(made.losses) >= 1


@needs_spec
@settings(deadline=None)
@given(
    st.sampled_from(VERSIONS),
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.dictionaries(st.sampled_from(KEYS), values | st.just(text("A")))),
        max_size=4,
    ),
)
def test_whatever_an_update_holds_the_result_is_valid(
    to: Version, updates: list[tuple[str, dict[str, object]]]
) -> None:
    frames = [notification("session/update", sessionId="s1", update={"sessionUpdate": n} | f) for n, f in updates]
    made = converted(frames, to, on_loss="report")
    assert problems(made.events, to) == []


@settings(deadline=None)
@given(st.sampled_from(VERSIONS), st.sampled_from(["session/prompt", "initialize", "session/new", "x"]), values)
def test_whatever_a_result_is_it_is_carried_or_lost(to: Version, method: str, result: object) -> None:
    params = {"sessionId": "s", "prompt": [], "protocolVersion": 1, "cwd": "/", "mcpServers": [], "info": {}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answered = {"jsonrpc": "2.0", "id": 1, "result": result}
    made = converted([asked, answered], to, on_loss="report")
    assert 1 in {*made.origins, *made.losses["event"]}


def test_states_of_sessions_do_not_mix() -> None:
    frames = [prompt(1, session="a"), state("running", "b"), state("idle", "a", stopReason="end_turn")]
    made = converted(frames, "v1", on_loss="report")
    assert made.losses[["event", "session_id"]].to_numpy().tolist() == [[1, "b"]]
    assert made.events["session_id"].tolist() == ["a", "a"]
