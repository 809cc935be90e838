"""Blame and history: who wrote each piece of an entity, and what it wrote over."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.reducer import Entity, EntityKey, MessageKey, get_entity
from acpinspect.timelines import Timeline
from acpinspect.timelines.blame import COLUMNS
from acpinspect.timelines.history import COLUMNS as HISTORY
from tests.timelines.make import ABC, events_of, logs
from tests.wire import chunk, request, state, text, tool_call, tool_update, update, whole


def v1(*frames: Any) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v1"))


def v2(*frames: Any) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v2"))


def pieces(timeline: Timeline, name: str, step: int | None = None) -> list[tuple[int, str, str]]:
    return [(piece.event, piece.field, piece.text) for piece in timeline.blame(name, step).pieces]


def output(data: bytes) -> str:
    return base64.b64encode(data).decode()


@given(st.sampled_from(["v1", "v2"]).flatmap(lambda version: st.tuples(st.just(version), logs(version))))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_pieces_join_to_the_text_at_every_step(made: tuple[Any, list[Any]]) -> None:
    timeline = acpinspect.timeline(events_of(made[1], made[0]))
    for step in (len(timeline) // 2, len(timeline) - 1):
        for entity in timeline[step].order:
            value = get_entity(timeline[step], entity)
            if entity.kind in {"message", "tool_call"}:
                assert timeline.blame(entity, step).text == value.text
            if entity.kind == "terminal":
                shown = (value.output or b"").decode("utf-8", "replace")
                assert timeline.blame(entity, step).text == shown


@given(st.sampled_from(["v1", "v2"]).flatmap(lambda version: st.tuples(st.just(version), logs(version))))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_piece_names_an_event_of_the_session_that_wrote_to_the_entity(made: tuple[Any, list[Any]]) -> None:
    timeline = acpinspect.timeline(events_of(made[1], made[0]))
    for entity in timeline[-1].order:
        told = set(timeline.history(entity)["event"])
        assert {piece.event for piece in timeline.blame(entity).pieces} <= told


def test_each_chunk_is_a_piece() -> None:
    assert pieces(v1(chunk("A", "m1"), chunk("B", "m1")), "m1") == [(0, "content", "A"), (1, "content", "B")]


def test_a_replacement_says_what_it_overwrote_and_who_had_written_it() -> None:
    (piece,) = v2(*ABC()).blame("m1").pieces
    assert (piece.event, piece.action, piece.text) == (2, "replaced", "C")
    assert [(old.event, old.text) for old in piece.overwrote] == [(0, "A"), (1, "B")]


def test_a_step_back_the_overwritten_pieces_stand_there() -> None:
    assert pieces(v2(*ABC()), "m1", 2) == [(0, "content", "A"), (1, "content", "B")]


def test_a_clear_is_a_piece_without_text() -> None:
    timeline = v2(whole("m1", "A"), update("agent_message", messageId="m1", content=None))
    (piece,) = timeline.blame("m1").pieces
    assert (piece.event, piece.action, piece.text, piece.overwrote[0].text) == (1, "cleared", "", "A")


def test_fields_of_a_tool_call_have_each_their_writer() -> None:
    timeline = v1(tool_call("t", kind="read"), tool_update("t", status="completed", rawOutput={"n": 1}))
    assert pieces(timeline, "t") == [
        (0, "title", "Dig"),
        (0, "kind", "read"),
        (1, "status", "completed"),
        (1, "raw_output", '{"n": 1}'),
    ]


def test_a_character_in_two_chunks_is_the_second_one_s() -> None:
    timeline = v2(
        update("terminal_output_chunk", terminalId="t", data=output("é".encode()[:1])),
        update("terminal_output_chunk", terminalId="t", data=output("é".encode()[1:] + b"!")),
    )
    assert pieces(timeline, "t") == [(0, "written", ""), (1, "written", "é!")]


def test_a_snapshot_of_a_terminal_overwrites_its_chunks() -> None:
    timeline = v2(
        update("terminal_output_chunk", terminalId="t", data=output(b"a")),
        update("terminal_update", terminalId="t", output={"data": output(b"xyz")}),
    )
    (piece,) = timeline.blame("t").pieces
    assert (piece.text, piece.stop, piece.overwrote[0].text) == ("xyz", 3, "a")


def test_fields_of_the_session_can_be_asked_for() -> None:
    timeline = v2(state("running"), state("idle", stopReason="end_turn"))
    (piece,) = timeline.blame("run").pieces
    assert piece.event == 1
    assert '"stop_reason": "end_turn"' in piece.text
    assert '"state": "running"' in piece.overwrote[0].text
    assert timeline.blame("session mode").pieces == ()


def test_what_the_table_says_is_what_the_pieces_say() -> None:
    table = v2(*ABC()).blame("m1").table
    assert table.dtypes.astype(str).tolist() == [column.dtype for column in COLUMNS]
    row = table.iloc[0]
    assert (row["event"], row["text"], row["overwrote"], row["overwritten_events"]) == (2, "C", "AB", [0, 1])


def test_an_update_that_says_nothing_writes_nothing() -> None:
    timeline = v1(tool_call("t", kind="read"), tool_update("t"))
    assert [piece[0] for piece in pieces(timeline, "t")] == [0, 0]
    assert timeline.history("t").iloc[-1]["action"] == "patched"
    assert timeline.diff(2).entities == ()


def test_lonely_halves_of_pairs_are_shown_and_kept_out_of_tables() -> None:
    timeline = v1(tool_call("\ud83c", kind="read"), tool_update("\ud83c", title="\ud83c", rawInput={"\ud83c": 1}))
    assert pieces(timeline, "\ud83c")[0] == (1, "title", "\ufffd")
    assert timeline.blame("\ud83c").pieces[0].value == "\ud83c"
    assert timeline.blame("\ud83c").table["text"].tolist()[0] == "\ufffd"
    assert "\ufffd" in timeline.history("\ud83c")["text"].dropna().tolist()


# --- history ----------------------------------------------------------------------------------------------------


def test_the_history_tells_every_change_in_order() -> None:
    history = v2(*ABC()).history("m1")
    told = history[["step", "event", "action", "text"]].astype(object).where(history.notna(), None)
    assert told.to_numpy().tolist() == [
        [1, 0, "created", None],
        [1, 0, "appended", "A"],
        [2, 1, "appended", "B"],
        [3, 2, "replaced", "C"],
    ]
    assert history.dtypes.astype(str).tolist() == [column.dtype for column in HISTORY]


def test_the_history_of_a_plan_goes_on_after_its_removal() -> None:
    plan = update("plan_update", plan={"type": "items", "planId": "p", "entries": []})
    history = v2(plan, update("plan_removed", planId="p"), plan).history("p")
    assert history["action"].tolist() == ["created", "patched", "removed", "created", "patched"]


def test_the_history_tells_what_was_rejected() -> None:
    bad = update("terminal_update", terminalId="t", output={"data": "no base64!"})
    row = v2(bad).history("t").iloc[-1]
    assert row["action"] == "rejected"
    assert "no base64" in row["reason"]


# --- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["m1", "agent message m1", MessageKey(0, "agent", "m1"), Entity("message", MessageKey(0, "agent", "m1"))],
)
def test_a_message_can_be_named_in_many_ways(name: Any) -> None:
    assert v2(*ABC()).blame(name).entity == Entity("message", MessageKey(0, "agent", "m1"))


def test_an_id_that_two_roles_share_has_to_be_told_apart() -> None:
    timeline = v2(chunk("A", "x"), chunk("B", "x", "agent_thought"))
    with pytest.raises(acpinspect.ArgumentError, match=r"agent message x, thought message x"):
        timeline.blame("x")
    assert timeline.blame("thought message x").text == "B"


def test_an_id_that_came_back_after_a_load_means_the_last_one() -> None:
    timeline = v1(
        tool_call("t"), request(1, "session/load", sessionId="s1", cwd="/", mcpServers=[]), tool_call("t")
    )
    assert timeline.blame("t").entity.key == EntityKey(1, "t")
    assert timeline.blame("tool_call t").entity.key == EntityKey(0, "t")


def test_messages_without_an_id_have_numbers() -> None:
    assert v1(chunk("A")).blame("agent message number 0").text == "A"


def test_an_unknown_name_is_an_error_that_tells_the_known_ones() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="agent message m1"):
        v2(*ABC()).blame("m9")


def test_what_is_not_there_yet_can_t_be_blamed() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="isn't there at step 0"):
        v2(*ABC()).blame("m1", 0)


@pytest.mark.parametrize("name", ["", "number 0", "'m'", "a\nb", "x (epoch 1)", "\ud83c", "__proto__", "mode"])
def test_any_id_can_be_named(name: str) -> None:
    timeline = v2(update("agent_message", messageId=name, content=[text("A")]))
    named = timeline.steps["entity"].iloc[0]
    assert timeline.blame(named).text == "A"
    assert timeline.blame(name).text == "A"
