"""States never change after they are made, and nobody can change one; equality is by value."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.protocol import Version
from acpinspect.reducer import (
    EntityMap,
    FrozenMap,
    Rope,
    SessionState,
    empty_state,
    fold_writes,
    get_entity,
)
from acpinspect.reducer.engine import apply_update
from acpinspect.reducer.ropes import ByteRope
from acpinspect.reducer.steps import Place
from acpinspect.reducer.values import FrozenDict, FrozenList

from .build import REDUCERS, UPDATES, Update, chunk, folded, plain, text, update, whole

versions = st.sampled_from(["v1", "v2"])
logs = versions.flatmap(lambda version: st.tuples(st.just(version), st.lists(UPDATES[version], max_size=15)))
SCALARS = (str, int, float, bool, bytes, type(None))


def assert_frozen(value: object) -> None:
    """Nothing in the value, however deep, can be changed in place."""
    if isinstance(value, SCALARS):
        return
    if isinstance(value, FrozenMap | EntityMap):
        for key, item in value.items():
            assert_frozen(key)
            assert_frozen(item)
    elif isinstance(value, FrozenDict):
        assert_frozen(tuple(value.items()))
    elif isinstance(value, tuple | Rope | FrozenList):
        for item in value:
            assert_frozen(item)
    else:
        assert isinstance(value, ByteRope) or (is_dataclass(value) and value.__dataclass_params__.frozen), value
        for field in fields(value) if is_dataclass(value) else ():
            assert_frozen(getattr(value, field.name))


@given(logs)
def test_no_step_changes_the_states_before_it(log: tuple[Version, list[Any]]) -> None:
    version, updates = log
    states = [empty_state(version)]
    seen = [plain(states[0])]
    for one in updates:
        states.append(REDUCERS[version].reduce(states[-1], one))
        seen.append(plain(states[-1]))
    assert [plain(state) for state in states] == seen


@given(logs)
def test_no_step_changes_the_update(log: tuple[Version, list[Any]]) -> None:
    version, updates = log
    before = json.dumps(updates)
    folded(version, updates)
    assert json.dumps(updates) == before


@given(logs)
def test_all_that_a_state_holds_is_frozen(log: tuple[Version, list[Any]]) -> None:
    assert_frozen(folded(*log))


@given(logs)
def test_the_same_updates_always_give_equal_states(log: tuple[Version, list[Any]]) -> None:
    assert folded(*log) == folded(*copy.deepcopy(log))


@given(logs)
def test_a_state_is_plain_json_and_says_the_same_after_a_round_trip(log: tuple[Version, list[Any]]) -> None:
    plain_form = folded(*log).to_dict()
    assert json.loads(json.dumps(plain_form)) == plain_form


@given(logs)
def test_a_state_can_be_pickled_and_copied(log: tuple[Version, list[Any]]) -> None:
    state = folded(*log)
    assert pickle.loads(pickle.dumps(state)) == state
    assert copy.deepcopy(state) == state


@given(logs)
def test_states_are_equal_exactly_if_their_plain_forms_are(log: tuple[Version, list[Any]]) -> None:
    version, updates = log
    states = [folded(version, updates[:count]) for count in range(len(updates) + 1)]
    for one in states:
        assert [one == other for other in states] == [one.to_dict() == other.to_dict() for other in states]


@given(logs)
def test_an_entity_is_the_fold_of_its_own_writes(log: tuple[Version, list[Any]]) -> None:
    version, updates = log
    state, writes = empty_state(version), {}
    for one in updates:
        before = state
        step = apply_update(before, one, Place())
        state = step.state
        for write in step.writes:
            writes.setdefault(write.entity, []).append(write)
    for entity, own in writes.items():
        old = get_entity(empty_state(version), entity)
        assert fold_writes(version, old, own) == get_entity(state, entity)


@given(logs)
def test_the_order_names_what_there_is_once_each(log: tuple[Version, list[Any]]) -> None:
    state = folded(*log)
    counts = [len(getattr(state, n)) for n in ("messages", "tool_calls", "plans", "terminals", "compactions")]
    assert len(set(state.order)) == len(state.order) == sum(counts)
    assert all(get_entity(state, entity) is not None for entity in state.order)


def test_a_state_does_not_see_what_the_caller_does_to_the_update_afterwards() -> None:
    sent: Update = whole(content=[text("A")], meta={"a": {"b": [1]}})
    state = folded("v2", [sent])
    sent["content"][0]["text"] = "B"
    sent["_meta"]["a"]["b"].append(2)
    assert (state.message("m1").text, state.message("m1").meta) == ("A", {"a": {"b": [1]}})


@pytest.mark.parametrize(
    "change",
    [
        lambda s: setattr(s, "turn", 5),
        lambda s: setattr(s.message("m1"), "content", ()),
        lambda s: s.message("m1").content[0].update(text="B"),
        lambda s: s.message("m1").content[0].__setitem__("text", "B"),
        lambda s: s.message("m1").meta["list"].append(1),
        lambda s: s.message("m1").meta.__ior__({"x": 1}),
        lambda s: setattr(s.messages, "_size", 7),
        lambda s: setattr(s.message("m1").content, "_size", 7),
        lambda s: setattr(s.tool_calls, "_items", None),
        lambda s: delattr(s.messages, "_root"),
    ],
)
def test_a_state_cannot_be_changed(change: Any) -> None:
    state = folded("v2", [whole(content=[text("A")], meta={"list": []})])
    before = plain(state)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        change(state)
    assert plain(state) == before


def test_a_plain_form_can_be_changed_without_the_state() -> None:
    state = folded("v2", [whole(content=[text("A")])])
    state.to_dict()["messages"][0]["content"][0]["text"] = "B"  # type: ignore[index,call-overload]
    assert state.message("m1").text == "A"


def test_states_of_two_protocols_or_sessions_are_not_equal() -> None:
    assert empty_state("v1") != empty_state("v2")
    assert empty_state("v1", "a") != empty_state("v1", "b")


def test_the_count_of_steps_is_no_part_of_a_state_s_value() -> None:
    assert folded("v2", [None, None]) == empty_state("v2")


def test_a_state_is_of_one_protocol_only() -> None:
    with pytest.raises(ValueError, match="v1"):
        REDUCERS["v2"].reduce(empty_state("v1"), chunk("A"))


def test_the_plain_form_names_the_order_by_kind_and_index() -> None:
    tool = update("tool_call_update", toolCallId="t")
    state: SessionState = folded("v2", [chunk("A"), tool, chunk("B", "m2")])
    assert state.to_dict()["order"] == [
        {"kind": "message", "index": 0},
        {"kind": "tool_call", "index": 0},
        {"kind": "message", "index": 1},
    ]


def test_the_plain_form_says_of_a_message_all_that_the_state_knows() -> None:
    state = apply_update(empty_state("v1"), chunk("A"), Place(event=41)).state
    assert state.to_dict()["messages"] == [
        {
            "role": "agent",
            "message_id": "m1",
            "label": None,
            "epoch": 0,
            "content": [text("A")],
            "text": "A",
            "meta": None,
            "first_event": 41,
            "last_event": 41,
        }
    ]


def test_the_plain_form_can_leave_out_the_numbers_of_events() -> None:
    one = folded("v2", [chunk("A")]).to_dict(events=False)
    other = folded("v2", [None, chunk("A")]).to_dict(events=False)
    assert one == other
