"""The difference of two steps makes the one of the other, and says what a reader wants to know of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.reducer import Entity, EntityKey, MessageKey, empty_state
from acpinspect.timelines import Timeline
from acpinspect.timelines.difference import diff_states
from acpinspect.timelines.edits import Edit, changed_span, text_edits
from tests.timelines.make import ABC, events_of, folded, logs
from tests.wire import chunk, state, text, tool_call, tool_update, update, whole

M1 = Entity("message", MessageKey(0, "agent", "m1"))


def v1(*frames: Any) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v1"))


def v2(*frames: Any) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v2"))


def applied(text_before: str, edits: tuple[Edit, ...]) -> str:
    """The text after, made of the one before."""
    for edit in reversed(edits):
        assert text_before[edit.start : edit.start + len(edit.old)] == edit.old
        text_before = text_before[: edit.start] + edit.new + text_before[edit.start + len(edit.old) :]
    return text_before


@given(
    st.sampled_from(["v1", "v2"]).flatmap(lambda version: st.tuples(st.just(version), logs(version))),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_difference_applied_to_its_first_state_gives_its_second(made: tuple[Any, list[Any]], rng: Any) -> None:
    events = events_of(made[1], made[0])
    timeline, plain = acpinspect.timeline(events), folded(events)
    steps = range(len(timeline))
    for i, j in [
        *pairwise(steps),
        *((rng.choice(steps), rng.choice(steps)) for _ in range(6)),
    ]:
        diff = timeline.diff(i, j)
        for before in (timeline[i], plain[i]):
            after = diff.apply(before)
            assert after == timeline[j]
            assert after.to_dict() == timeline[j].to_dict()
        assert bool(diff) == (timeline[i] != timeline[j])


def test_without_a_second_step_it_is_that_to_the_step_before() -> None:
    timeline = v2(*ABC())
    assert (timeline.diff(3).before, timeline.diff(3).after) == (2, 3)
    assert timeline.diff(3).events == (2,)
    assert not timeline.diff(0)


def test_a_first_sight_is_an_addition() -> None:
    diff = v2(*ABC()).diff(1)
    assert diff.added == (M1,)
    assert diff.changed == diff.removed == ()


def test_a_replacement_says_which_blocks_and_which_text() -> None:
    (change,) = v2(*ABC()).diff(3).entities
    content = change.fields[0]
    assert (content.field, content.start) == ("content", 0)
    assert (content.before, content.after) == ((text("A"), text("B")), (text("C"),))
    assert content.text == (Edit("replace", 0, "AB", "C"),)


def test_an_appended_chunk_is_an_insertion_at_the_end() -> None:
    (change,) = v1(chunk("The tide "), chunk("is out")).diff(2).entities
    content = change.fields[0]
    assert (content.before, content.after, content.start) == ((), (text("is out"),), 1)
    assert content.text == (Edit("insert", 9, "", "is out"),)


def test_one_word_in_a_replaced_text_is_one_edit() -> None:
    (change,) = v2(whole("m1", "the old tide"), whole("m1", "the new tide")).diff(2).entities
    assert change.fields[0].text == (Edit("replace", 4, "old", "new"),)


def test_backwards_an_addition_is_a_removal() -> None:
    diff = v1(chunk("A", "m1"), tool_call("t")).diff(2, 1)
    assert diff.removed == (Entity("tool_call", EntityKey(0, "t")),)


def test_a_field_of_a_tool_call_is_told_by_its_values() -> None:
    diff = v1(tool_call("t"), tool_update("t", status="completed")).diff(2)
    (field,) = diff.entities[0].fields
    assert (field.field, field.before, field.after) == ("status", "pending", "completed")


def test_fields_of_the_session_are_told_too() -> None:
    diff = v2(state("running"), state("idle", stopReason="end_turn")).diff(2)
    assert [field.field for field in diff.session] == ["run"]
    assert diff.session[0].after.stop_reason == "end_turn"  # type: ignore[attr-defined]


def test_a_rejected_event_makes_no_difference() -> None:
    diff = v1(chunk("A"), update("tool_call", toolCallId="t")).diff(2)
    assert not diff
    assert repr(diff).endswith("none")


def test_the_difference_to_a_step_that_is_not_there_is_an_error() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="no step 9"):
        v1(chunk("A")).diff(0, 9)


def test_a_difference_is_plain_json_too() -> None:
    plain = v2(*ABC()).diff(3).to_dict()
    assert plain["events"] == [2]
    assert plain["entities"][0]["entity"] == "agent message m1"  # type: ignore[index]
    assert plain["entities"][0]["fields"][0]["after"] == [text("C")]  # type: ignore[index]


def test_states_of_one_s_own_can_be_compared() -> None:
    assert not diff_states(empty_state("v1"), empty_state("v1"), [], steps=(0, 0), events=())


# --- edits ------------------------------------------------------------------------------------------------------


@given(st.text("ab \n", max_size=30), st.text("ab \n", max_size=30))
def test_edits_applied_to_the_text_before_give_the_text_after(before: str, after: str) -> None:
    assert applied(before, text_edits(before, after)) == after


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_the_changed_span_is_all_that_differs(before: list[int], after: list[int]) -> None:
    start, old_end, new_end = changed_span(before, after)
    assert before[:start] + after[start:new_end] + before[old_end:] == after


def test_equal_texts_have_no_edits() -> None:
    assert text_edits("same", "same") == ()


def test_a_long_change_is_one_replacement() -> None:
    before, after = "x " * 2_000, "y " * 2_000
    edits = text_edits(before, after)
    assert len(edits) == 1
    assert applied(before, edits) == after
