"""Sessions with updates that reducers of users handle have timelines too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

import acpinspect
from acpinspect.reducer import (
    Entity,
    EntityKey,
    Info,
    Message,
    MessageKey,
    Rope,
    Run,
    SessionState,
    ToolCall,
    put_entity,
    register_reducer,
    remove_entity,
    unregister_reducer,
)
from acpinspect.timelines import Timeline
from tests.timelines.make import events_of, folded, steps_of
from tests.wire import chunk, prompt, stop, text, tool_update, update


def edit(state: SessionState, sent: Mapping[str, Any]) -> SessionState:
    message = state.message(sent["messageId"])
    return put_entity(state, Entity("message", message.key), replace(message, content=Rope([sent["content"]])))


def delete(state: SessionState, sent: Mapping[str, Any]) -> SessionState:
    return remove_entity(state, Entity("message", state.message(sent["messageId"]).key))


def upheaval(state: SessionState, _sent: Mapping[str, Any]) -> SessionState:
    state = put_entity(state, Entity("tool_call", EntityKey(state.epoch, "x")), ToolCall("x", epoch=state.epoch))
    own = Entity("message", MessageKey(0, "agent", None, "mine"))
    state = put_entity(state, own, Message("agent", None, label="mine"))
    return replace(state, mode="own", run=Run("requires_action"), info=Info("title"))


@pytest.fixture(autouse=True)
def reducers() -> Iterator[None]:
    own = {"message_update": edit, "_x/delete": delete, "_x/upheaval": upheaval}
    for name, function in own.items():
        register_reducer(name, function)
    yield
    for name in own:
        unregister_reducer(name)


LOG = [
    prompt(1),
    chunk("a", "m1"),
    chunk("b", "m2"),
    update("message_update", messageId="m1", updateType="replace", content=text("R")),
    chunk("c", "m1"),
    update("_x/delete", messageId="m1"),
    chunk("d", "m2"),
    chunk("again", "m1"),
    update("_x/upheaval"),
    tool_update("x", title="T"),
    update("session_info_update", updatedAt="now"),
    stop(1),
    update("_x/upheaval"),
    update("_x/nobody"),
]


@pytest.fixture
def timeline() -> Timeline:
    return acpinspect.timeline(events_of(LOG, "v1"))


def test_every_state_equals_its_fold(timeline: Timeline) -> None:
    expected = folded(events_of(LOG, "v1"))
    assert list(timeline) == expected
    assert [state.to_dict() for state in timeline] == [state.to_dict() for state in expected]


def test_the_steps_say_what_the_reducers_did(timeline: Timeline) -> None:
    expected = [step.action for step in steps_of(events_of(LOG, "v1"))]
    assert timeline.steps["action"].tolist() == expected
    assert timeline.steps["action"].tolist()[3:6] == ["replaced", "appended", "removed"]


def test_an_edit_is_blamed_on_its_event(timeline: Timeline) -> None:
    edited, appended = timeline.blame("m1", 5).pieces
    assert (edited.event, edited.text, edited.overwrote[0].text) == (3, "R", "a")
    assert (appended.event, appended.text) == (4, "c")


def test_a_deleted_message_that_comes_again_is_a_new_one_at_the_end(timeline: Timeline) -> None:
    assert [m.message_id for m in timeline[6].messages.values()] == ["m2"]
    assert [m.text for m in timeline[8].messages.values()] == ["bd", "again"]
    assert timeline.find("c")["vanishes"].tolist() == [6]


def test_differences_can_be_applied(timeline: Timeline) -> None:
    for before in range(len(timeline)):
        for after in range(len(timeline)):
            assert timeline.diff(before, after).apply(timeline[before]) == timeline[after]


def test_without_a_reducer_the_update_is_ignored(timeline: Timeline) -> None:
    assert timeline.steps.iloc[-1]["action"] == "ignored"
