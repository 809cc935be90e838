"""Reducers of users, for names that the protocol has no rule for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from acpinspect.errors import ArgumentError
from acpinspect.protocol import Version
from acpinspect.reducer import (
    Change,
    Entity,
    MessageKey,
    Plan,
    Rope,
    SessionState,
    empty_state,
    put_entity,
    register_reducer,
    registered_reducers,
    remove_entity,
    unregister_reducer,
    v1,
)
from acpinspect.reducer.values import FrozenDict

from .build import REDUCERS, chunk, folded, text, texts, update


@pytest.fixture(autouse=True)
def empty_registry() -> Iterator[None]:
    """Every test begins and ends without reducers of users."""
    before = registered_reducers()
    for name in before:
        unregister_reducer(name)
    yield
    for name in registered_reducers():
        unregister_reducer(name)
    for name, function in before.items():
        register_reducer(name, function)


def edit(state: SessionState, sent: Mapping[str, object]) -> SessionState:
    message = state.message(str(sent["messageId"]))
    return put_entity(state, Entity("message", message.key), replace(message, content=Rope([sent["content"]])))


def delete(state: SessionState, sent: Mapping[str, object]) -> SessionState:
    return remove_entity(state, Entity("message", state.message(str(sent["messageId"])).key))


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("name", ["_acme/edit", "message_update"])
def test_a_registered_reducer_acts_on_its_updates(version: Version, name: str) -> None:
    register_reducer(name, edit)
    state = folded(version, [chunk("Wrong"), update(name, messageId="m1", content=text("Right"))])
    assert texts(state) == ["Right"]


def test_it_can_remove_an_entity() -> None:
    register_reducer("message_delete", delete)
    step = v1.apply(folded("v1", [chunk("A"), chunk("B", "m2")]), update("message_delete", messageId="m1"))
    assert (texts(step.state), step.action) == (["B"], "removed")


def test_the_step_says_what_a_user_s_reducer_changed() -> None:
    register_reducer("_acme/edit", edit)
    register_reducer("_acme/turn", lambda state, _: replace(state, turn=9))
    before = folded("v1", [chunk("Wrong")])
    edited = v1.apply(before, update("_acme/edit", messageId="m1", content=text("Right")))
    turned = v1.apply(before, update("_acme/turn"))
    assert (edited.action, edited.entity) == ("replaced", Entity("message", before.message("m1").key))
    assert (turned.action, turned.entity) == ("patched", Entity("session", "turn"))


def test_what_a_user_s_reducer_makes_is_created_and_nothing_else_is_said() -> None:
    plan = Entity("plan", "p")
    register_reducer("_acme/plan", lambda state, _: put_entity(state, plan, Plan("p")))
    step = v1.apply(folded("v1", [chunk("A")]), update("_acme/plan"))
    assert step.changes == (Change("created", plan),)
    assert list(step.state.order)[-1] == plan


def test_what_a_user_s_reducer_leaves_equal_is_not_changed() -> None:
    key = Entity("message", MessageKey(0, "agent", "m1"))
    register_reducer("_acme/x", lambda state, _: put_entity(state, key, replace(state.message("m1"))))
    register_reducer("_acme/y", lambda state, _: replace(state, cursor=replace(state.cursor, prompts=3)))
    before = folded("v1", [chunk("A")])
    assert [v1.apply(before, update(name)).action for name in ("_acme/x", "_acme/y")] == ["ignored", "ignored"]


def test_a_reducer_that_changes_nothing_is_a_step_that_is_ignored() -> None:
    register_reducer("_acme/x", lambda state, _: state)
    step = v1.apply(empty_state("v1"), update("_acme/x"))
    assert (step.action, step.reason) == ("ignored", "the reducer for '_acme/x' left all")


def test_a_state_that_a_user_s_reducer_made_with_a_plain_order_goes_on() -> None:
    register_reducer("_acme/x", lambda state, _: replace(state, order=tuple(state.order)))
    state = folded("v1", [chunk("A"), update("_acme/x"), chunk("B", "m2")])
    assert [entity.key for entity in state.order] == [MessageKey(0, "agent", "m1"), MessageKey(0, "agent", "m2")]


def test_it_gets_the_update_frozen() -> None:
    seen: list[object] = []
    register_reducer("_acme/x", lambda state, sent: seen.append(sent) or state)
    v1.reduce(empty_state("v1"), update("_acme/x", a=[1]))
    assert isinstance(seen[0], FrozenDict)


def test_chunks_go_on_after_an_edit() -> None:
    register_reducer("_acme/edit", edit)
    state = folded("v2", [chunk("Wrong"), update("_acme/edit", messageId="m1", content=text("R")), chunk("ight")])
    assert texts(state) == ["Right"]


def test_after_unregistering_the_update_is_ignored_again() -> None:
    register_reducer("_acme/edit", edit)
    unregister_reducer("_acme/edit")
    state = folded("v1", [chunk("Wrong"), update("_acme/edit", messageId="m1", content=text("Right"))])
    assert texts(state) == ["Wrong"]


def test_a_variant_of_the_other_version_cannot_be_taken_over() -> None:
    with pytest.raises(ArgumentError, match="belongs to the protocol"):
        register_reducer("agent_message", edit)


@pytest.mark.parametrize(
    ("name", "function", "sentence"),
    [
        ("", edit, "the name of a reducer is a string that isn't empty"),
        (None, edit, "the name of a reducer is a string that isn't empty"),
        (7, edit, "the name of a reducer is a string that isn't empty"),
        ("_acme/x", None, "the reducer for '_acme/x' can't be called"),
    ],
)
def test_a_name_that_is_none_or_a_function_that_is_none_is_refused(
    name: object, function: object, sentence: str
) -> None:
    with pytest.raises(ArgumentError) as error:
        register_reducer(name, function)  # type: ignore[arg-type]
    assert str(error.value) == sentence


def test_unregistering_what_is_not_registered_is_refused() -> None:
    with pytest.raises(ArgumentError, match="_acme/x"):
        unregister_reducer("_acme/x")


def test_a_reducer_that_returns_something_else_is_told_so() -> None:
    register_reducer("_acme/x", lambda *_: {})  # type: ignore[arg-type,return-value]
    with pytest.raises(ArgumentError, match=r"^the reducer for '_acme/x' returned dict, no SessionState$"):
        REDUCERS["v2"].reduce(empty_state("v2"), update("_acme/x"))


def test_an_error_of_a_user_s_reducer_reaches_the_user() -> None:
    register_reducer("_acme/edit", edit)
    with pytest.raises(KeyError):
        v1.reduce(empty_state("v1"), update("_acme/edit", messageId="nowhere"))


@pytest.mark.parametrize(
    ("entity", "sentence"),
    [
        (Entity("plan", "p"), "there is no such plan to remove: 'p'"),
        (Entity("session", "mode"), "there is no such session to remove: 'mode'"),
    ],
)
def test_removing_what_is_not_there_is_refused(entity: Entity, sentence: str) -> None:
    with pytest.raises(ArgumentError) as error:
        remove_entity(empty_state("v1"), entity)
    assert str(error.value) == sentence


def test_the_name_of_an_extension_that_nobody_registered_is_cut() -> None:
    name = "_" + "x" * 99
    step = v1.apply(empty_state("v1"), update(name))
    assert step.reason == f"'{name[:80]}' is an extension that nobody has registered"
