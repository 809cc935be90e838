"""The examples of the two design documents, each by its name or by what it shows."""

from __future__ import annotations

import pytest

from acpinspect.reducer import empty_state, v1, v2

from .build import chunk, folded, text, texts, update, whole

ANALYZING = {
    "sessionUpdate": "agent_message_chunk",
    "messageId": "msg_agent_c42b9",
    "content": {"type": "text", "text": "Analyzing..."},
}


# --- v2 message updates and chunks: the six sequences ---------------------------------------------------


def test_status_quo_a_v1_message_is_its_chunks() -> None:
    state = folded("v1", [ANALYZING])
    assert [(m.role, m.message_id, m.text) for m in state.messages.values()] == [
        ("agent", "msg_agent_c42b9", "Analyzing...")
    ]


def test_a_whole_update_replaces_what_chunks_accumulated() -> None:
    state = folded("v2", [chunk("A"), chunk("B"), whole(content=[text("C")])])
    assert state.message("m1").content == (text("C"),)


def test_chunks_after_a_whole_update_append_to_its_content() -> None:
    state = folded("v2", [whole(content=[text("A")]), chunk("B")])
    assert state.message("m1").content == (text("A"), text("B"))


def test_an_update_without_content_changes_only_the_metadata() -> None:
    before = folded("v2", [chunk("A"), chunk("B")])
    after = v2.reduce(before, whole(meta={"source": "replay"}))
    assert after.message("m1").content == (text("A"), text("B"))
    assert after.message("m1").meta == {"source": "replay"}


def test_an_update_that_comes_before_any_chunk_makes_the_message() -> None:
    state = folded("v2", [whole(meta={"source": "replay"}), chunk("A")])
    assert (texts(state), state.message("m1").meta) == (["A"], {"source": "replay"})


def test_chunks_that_come_before_an_update_are_replaced_by_it() -> None:
    state = folded("v2", [chunk("dr"), chunk("aft"), whole(content=[text("final")])])
    assert texts(state) == ["final"]


@pytest.mark.parametrize("nothing", [None, []], ids=["null", "empty array"])
def test_null_and_the_empty_array_both_clear_the_content(nothing: object) -> None:
    state = folded("v2", [chunk("secret"), whole(content=nothing)])
    assert state.message("m1").content == ()


def test_an_agent_can_redact_a_message_and_go_on() -> None:
    state = folded("v2", [chunk("secret"), whole(content=None), chunk("clean")])
    assert texts(state) == ["clean"]


def test_content_is_replaced_as_a_whole_array_and_not_appended() -> None:
    state = folded("v2", [whole(content=[text("A"), text("B")]), whole(content=[text("C")])])
    assert state.message("m1").content == (text("C"),)


@pytest.mark.parametrize("role", ["user_message", "agent_message", "agent_thought"])
def test_each_role_has_whole_updates_and_chunks(role: str) -> None:
    state = folded("v2", [whole(role=role, content=[text("A")]), chunk("B", role=role)])
    assert texts(state) == ["AB"]


def test_omitted_fields_of_a_new_message_have_their_defaults() -> None:
    message = folded("v2", [whole()]).message("m1")
    assert (message.content, message.meta) == ((), None)


def test_updates_and_chunks_are_applied_in_the_order_received_for_each_id() -> None:
    state = folded("v2", [chunk("A"), chunk("x", "m2"), whole(content=[text("B")]), chunk("y", "m2"), chunk("C")])
    assert texts(state) == ["BC", "xy"]


# --- message ids ----------------------------------------------------------------------------------------


def test_without_ids_two_messages_of_one_type_look_like_one() -> None:
    state = folded("v1", [chunk("Analyzing...", None), chunk("Found issues.", None)])
    assert texts(state) == ["Analyzing...Found issues."]


def test_after_a_tool_call_definitely_a_new_message_begins() -> None:
    state = folded(
        "v1",
        [
            chunk("Analyzing...", None),
            update("tool_call", toolCallId="t1", title="Fix"),
            chunk("Fixed the issues.", None),
        ],
    )
    assert texts(state) == ["Analyzing...", "Fixed the issues."]


def test_a_change_of_the_id_begins_a_new_message() -> None:
    state = folded("v1", [chunk("Analyzing...", "a"), chunk("Found issues.", "b")])
    assert texts(state) == ["Analyzing...", "Found issues."]


def test_user_and_agent_messages_of_the_document_are_two_messages() -> None:
    user = chunk("Can you analyze this code?", "msg_user_8f7a1", "user_message")
    state = folded("v1", [user, chunk("Let me analyze your code...", "msg_agent_c42b9")])
    assert [(m.role, m.message_id) for m in state.messages.values()] == [
        ("user", "msg_user_8f7a1"),
        ("agent", "msg_agent_c42b9"),
    ]


@pytest.mark.parametrize("given", [{}, {"messageId": None}, {"messageId": 7}], ids=["absent", "null", "a number"])
def test_in_v1_null_absent_and_unusable_ids_all_mean_no_id(given: dict[str, object]) -> None:
    state = folded("v1", [{**chunk("A", None), **given}])
    assert [m.message_id for m in state.messages.values()] == [None]


@pytest.mark.parametrize("given", [{}, {"messageId": None}, {"messageId": 7}], ids=["absent", "null", "a number"])
def test_in_v2_a_chunk_without_an_id_is_rejected(given: dict[str, object]) -> None:
    step = v2.apply(empty_state("v2"), {**chunk("A", None), **given})
    assert (step.action, step.state) == ("rejected", empty_state("v2"))
    assert "messageId" in str(step.reason)


def test_ids_are_compared_as_opaque_strings() -> None:
    state = folded("v1", [chunk("A", "1"), chunk("B", "01"), chunk("C", " 1"), chunk("D", "")])
    assert texts(state) == ["A", "B", "C", "D"]


def test_the_message_update_of_the_future_is_kept_out_of_the_state_as_long_as_nobody_reduces_it() -> None:
    before = folded("v1", [chunk("Wrong", "m1")])
    step = v1.apply(before, update("message_update", messageId="m1", updateType="replace", content=text("Right")))
    assert step.state == before
    assert step.action == "rejected"
