"""A timeline is a sequence of states, and every event of the table has its place in it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence

import pandas as pd
import pytest

import acpinspect
from acpinspect.reducer import EntityKey, MessageKey, SessionState
from acpinspect.timelines import Timeline
from tests.timelines.make import ABC, events_of
from tests.wire import chunk, initialize, permission, prompt, request, result, stop, tool_call, tool_update, update


@pytest.fixture
def abc() -> Timeline:
    return acpinspect.timeline(events_of(ABC(), "v2"))


def texts(state: SessionState) -> list[str]:
    return [message.text for message in state.messages.values()]


def test_there_is_one_state_more_than_events(abc: Timeline) -> None:
    assert len(abc) == 4
    assert abc.events == (0, 1, 2)
    assert texts(abc[0]) == []


def test_it_counts_from_the_end_too(abc: Timeline) -> None:
    assert texts(abc[-1]) == texts(abc[3]) == ["C"]


def test_a_step_that_is_not_there_is_an_index_error(abc: Timeline) -> None:
    with pytest.raises(IndexError):
        abc[4]


def test_a_slice_is_a_sequence_of_states(abc: Timeline) -> None:
    part = abc[1:3]
    assert isinstance(part, Sequence)
    assert [texts(state) for state in part] == [["A"], ["AB"]]
    assert [texts(state) for state in abc[::-1]] == [["C"], ["AB"], ["A"], []]
    assert texts(abc[1:][1:][0]) == ["AB"]


def test_iterating_gives_every_state(abc: Timeline) -> None:
    assert [texts(state) for state in abc] == [[], ["A"], ["AB"], ["C"]]


def test_equal_steps_of_two_timelines_are_equal(abc: Timeline) -> None:
    other = acpinspect.timeline(events_of(ABC(), "v2"))
    assert list(abc) == list(other)
    assert abc[1] != abc[2]


def test_an_event_s_state_is_that_after_it() -> None:
    events = events_of([*initialize(), chunk("A"), chunk("x", session="s2"), chunk("B")], "v1")
    timeline = acpinspect.timeline(events, "s1")
    assert [texts(timeline.at(event)) for event in events.index] == [[], [], ["A"], ["A"], ["AB"]]
    assert [timeline.step_of(event) for event in events.index] == [0, 0, 1, 1, 2]


def test_an_event_that_is_not_in_the_table_is_an_error(abc: Timeline) -> None:
    with pytest.raises(acpinspect.EventsError, match="no event 9"):
        abc.at(9)


def test_the_events_of_a_filtered_table_keep_their_numbers() -> None:
    events = events_of([chunk("A"), update("usage_update", used=1, size=2), chunk("B")], "v1")
    timeline = acpinspect.timeline(events[events["role"].notna()])
    assert timeline.events == (0, 2)
    assert texts(timeline.at(2)) == ["AB"]


# --- sessions ---------------------------------------------------------------------------------------------------


def test_several_sessions_have_to_be_told_apart() -> None:
    events = events_of([chunk("A"), chunk("x", session="s2")], "v1")
    with pytest.raises(acpinspect.ArgumentError, match=r"'s1', 's2'"):
        acpinspect.timeline(events)
    assert [texts(acpinspect.timeline(events, session)[-1]) for session in ("s1", "s2")] == [["A"], ["x"]]


def test_an_unknown_session_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="'s1'"):
        acpinspect.timeline(events_of([chunk("A")], "v1"), "s9")


def test_a_log_without_sessions_has_a_timeline_of_one_empty_state() -> None:
    timeline = acpinspect.timeline(events_of(initialize(), "v1"))
    assert len(timeline) == 1
    assert len(timeline.steps) == 0


def test_updates_without_a_session_are_one_session() -> None:
    bare = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "A"}}
    timeline = acpinspect.timeline(acpinspect.from_records([bare, bare]))
    assert timeline.session_id is None
    assert texts(timeline[-1]) == ["AA"]


def test_one_id_in_two_recordings_is_two_sessions() -> None:
    one = events_of([chunk("A")], "v1")
    other = one.assign(source=pd.Categorical(["other.jsonl"]), raw=one["raw"])
    both = pd.concat([one.astype({"source": object}), other.astype({"source": object})], ignore_index=True)
    for column in one.select_dtypes("category"):
        both[column] = both[column].astype("category")
    both.index.name = "event"
    with pytest.raises(acpinspect.ArgumentError, match="several recordings"):
        acpinspect.timeline(both, "s1")


def test_two_events_of_one_number_are_refused() -> None:
    events = events_of([chunk("A"), chunk("B")], "v1")
    with pytest.raises(acpinspect.EventsError, match="one number"):
        acpinspect.timeline(events.set_axis(pd.Index([0, 0], name="event")))


def test_no_events_table_is_an_error() -> None:
    with pytest.raises(acpinspect.EventsError):
        acpinspect.timeline(pd.DataFrame({"raw": []}))


def test_no_policy_is_an_error() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="nonsense"):
        acpinspect.timeline(events_of([chunk("A")], "v1"), policy="nonsense")


# --- what the states hold ---------------------------------------------------------------------------------------


def test_chunks_without_ids_go_where_the_policy_sends_them() -> None:
    events = events_of([chunk("A", "m1"), chunk("B"), chunk("C", "m2")], "v1")
    assert texts(acpinspect.timeline(events)[-1]) == ["AB", "C"]
    assert texts(acpinspect.timeline(events, policy="heuristic")[-1]) == ["ABC"]
    assert texts(acpinspect.timeline(events, policy="ids")[-1]) == ["A", "B", "C"]


def test_a_policy_that_leaves_a_chunk_out_leaves_it_out_of_the_state() -> None:
    timeline = acpinspect.timeline(events_of([chunk("A", "m1"), chunk("B")], "v1"), policy="spec-v2")
    assert texts(timeline[-1]) == ["A"]
    assert timeline.steps["reason"].tolist()[1] == "the policy leaves it out"


def test_turns_modes_and_runs_come_from_prompts_and_answers() -> None:
    frames = [
        request(1, "session/new", cwd="/", mcpServers=[]),
        result(1, sessionId="s1", modes={"currentModeId": "ask", "availableModes": []}),
        prompt(2),
        chunk("A"),
        stop(2),
        request(3, "session/set_mode", sessionId="s1", modeId="code"),
        result(3),
    ]
    timeline = acpinspect.timeline(events_of(frames, "v1"))
    assert [timeline.at(event).run.state for event in (1, 2, 3, 4)] == [None, "running", "running", "idle"]
    assert [timeline.at(event).mode for event in (1, 5, 6)] == ["ask", "ask", "code"]
    assert [timeline.at(event).turn for event in (1, 2, 6)] == [0, 1, 1]
    assert timeline[-1].run.stop_reason == "end_turn"


def test_a_permission_request_makes_the_tool_call_that_it_carries() -> None:
    timeline = acpinspect.timeline(events_of([permission(1, "t9"), tool_update("t9", status="completed")], "v1"))
    assert timeline[1].tool_calls["t9"].status == "pending"
    assert timeline[2].tool_calls["t9"].status == "completed"


def test_a_tool_call_that_comes_back_after_a_load_is_another_one() -> None:
    frames = [tool_call("t"), request(1, "session/load", sessionId="s1", cwd="/", mcpServers=[]), tool_call("t")]
    calls = acpinspect.timeline(events_of(frames, "v1"))[-1].tool_calls
    assert list(calls) == [EntityKey(0, "t"), "t"]
    assert calls[EntityKey(1, "t")] is calls["t"] or calls[EntityKey(1, "t")] == calls["t"]
    assert calls["t"].epoch == 1
    assert len(calls) == 2


def test_a_plan_that_was_removed_and_comes_again_stands_last() -> None:
    plan = update("plan_update", plan={"type": "items", "planId": "p", "entries": []})
    frames = [plan, tool_update("t"), update("plan_removed", planId="p"), plan]
    timeline = acpinspect.timeline(events_of(frames, "v2"))
    assert [[e.kind for e in state.order] for state in timeline[2:]] == [
        ["plan", "tool_call"],
        ["tool_call"],
        ["tool_call", "plan"],
    ]
    assert [list(state.plans) for state in timeline[2:]] == [["p"], [], ["p"]]


def test_a_rejected_event_leaves_the_state_and_says_why() -> None:
    bad = update("tool_call", toolCallId="t")
    timeline = acpinspect.timeline(events_of([chunk("A"), bad], "v1"))
    assert timeline[2] == timeline[1]
    assert timeline.steps.loc[2, ["action", "reason"]].tolist() == ["rejected", "title is missing"]


# --- views ------------------------------------------------------------------------------------------------------


def test_the_mappings_of_a_state_are_mappings_that_nobody_can_change(abc: Timeline) -> None:
    messages = abc[-1].messages
    key = MessageKey(0, "agent", "m1")
    assert isinstance(messages, Mapping)
    assert key in messages
    assert "m1" not in messages
    assert [] not in messages  # type: ignore[comparison-overlap]
    assert messages.get(MessageKey(0, "user", "m1")) is None
    with pytest.raises(KeyError):
        messages[MessageKey(0, "user", "m1")]
    with pytest.raises(AttributeError, match="can't be changed"):
        messages._step = 0  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        messages[key] = messages[key]  # type: ignore[index]


def test_a_state_that_is_pickled_is_the_same_state_without_its_timeline(abc: Timeline) -> None:
    for state in abc:
        copy = pickle.loads(pickle.dumps(state))
        assert copy == state
        assert copy.to_dict() == state.to_dict()
        assert type(copy.messages).__name__ == "FrozenMap"


def test_the_order_can_be_sliced_and_indexed() -> None:
    order = acpinspect.timeline(events_of([chunk("A", "m1"), tool_call("t"), chunk("B", "m2")], "v1"))[-1].order
    assert [entity.kind for entity in order[-2:]] == ["tool_call", "message"]
    assert order[0].kind == "message"
    assert len(order) == 3
    with pytest.raises(IndexError):
        order[3]


def test_what_is_shown_of_a_state_is_short(abc: Timeline) -> None:
    assert "1 messages at step 3" in repr(abc[-1])
