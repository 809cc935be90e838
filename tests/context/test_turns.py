"""Turn, phase and epoch."""

from __future__ import annotations

import pandas as pd

import acpinspect
from tests.wire import chunk, initialize, prompt, request, result, state, stop, tool_update, update, whole

LOAD = request(9, "session/load", sessionId="s1", cwd="/w", mcpServers=[])
RESUME = request(9, "session/resume", sessionId="s1", cwd="/w")


def column(events: pd.DataFrame, name: str) -> list[object]:
    return [None if pd.isna(value) else value for value in events[name]]


def test_a_v1_turn_runs_from_the_prompt_to_its_response() -> None:
    events = acpinspect.from_records(
        [chunk("early"), prompt(1), chunk("a"), stop(1), chunk("late"), prompt(2), chunk("b")]
    )
    assert column(events, "turn") == [None, 1, 1, 1, 1, 2, 2]


def test_turns_are_counted_per_session() -> None:
    log = [prompt(1, session="a"), prompt(2, session="b"), chunk("x", session="a"), chunk("y", session="b")]
    assert column(acpinspect.from_records(log), "turn") == [1, 1, 1, 1]


def test_a_response_has_the_turn_of_its_prompt() -> None:
    events = acpinspect.from_records([prompt(1), prompt(2), stop(1), chunk("a"), stop(2)])
    assert column(events, "turn") == [1, 2, 1, 2, 2]


def test_a_v2_turn_runs_to_idle() -> None:
    log = [
        prompt(1),
        result(1),
        state("running"),
        whole("m", "a"),
        state("idle"),
        whole("m2", "late"),
        state("running"),
    ]
    assert column(acpinspect.from_records(log, protocol="v2"), "turn") == [1, 1, 1, 1, 1, 1, 2]


def test_a_v2_prompt_while_a_turn_is_open_begins_none() -> None:
    log = [state("running"), prompt(1), result(1), state("idle"), prompt(2)]
    assert column(acpinspect.from_records(log, protocol="v2"), "turn") == [1, 1, 1, 1, 2]


def test_a_load_replays_from_its_request_to_its_response() -> None:
    log = [prompt(1), chunk("a"), stop(1), LOAD, chunk("a"), result(9), chunk("b"), prompt(2), chunk("c")]
    events = acpinspect.from_records(log)
    assert column(events, "phase") == ["live"] * 3 + ["replay"] * 3 + ["live"] * 3
    assert column(events, "epoch") == [0] * 3 + [1] * 6
    assert column(events, "turn") == [1, 1, 1, None, None, None, None, 2, 2]


def test_a_load_that_fails_opens_an_epoch_too() -> None:
    events = acpinspect.from_records(
        [LOAD, {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "no"}}, chunk("a")]
    )
    assert column(events, "epoch") == [1, 1, 1]


def test_a_v1_resume_replays_nothing() -> None:
    events = acpinspect.from_records([RESUME, result(9), prompt(1), chunk("a")])
    assert column(events, "epoch") == [0, 0, 0, 0]
    assert set(column(events, "phase")) == {"live"}


def test_a_replay_that_nobody_asked_for_begins_at_its_first_transcript_update() -> None:
    log = [
        RESUME,
        update("available_commands_update", availableCommands=[]),
        chunk("a"),
        chunk("b"),
        result(9),
        prompt(1),
    ]
    events = acpinspect.from_records(log)
    assert column(events, "epoch") == [0, 0, 1, 1, 1, 1]
    assert column(events, "phase") == ["live", "live", "replay", "replay", "replay", "live"]


def test_a_refused_update_begins_no_replay() -> None:
    log = [RESUME, update("agent_message_chunk", content="no block"), result(9), chunk("a")]
    assert column(acpinspect.from_records(log), "epoch") == [0, 0, 0, 0]


def test_a_v2_resume_replays_if_asked() -> None:
    asked = request(9, "session/resume", sessionId="s1", cwd="/w", replayFrom={"type": "start"})
    log = [asked, whole("m", "a"), tool_update(title="Dig"), result(9)]
    assert column(acpinspect.from_records(log, protocol="v2"), "epoch") == [1, 1, 1, 1]


def test_state_updates_in_a_replay_count_no_turn() -> None:
    asked = request(9, "session/resume", sessionId="s1", cwd="/w", replayFrom={"type": "start"})
    log = [asked, state("running"), whole("m", "a"), state("idle"), result(9), prompt(1)]
    assert column(acpinspect.from_records(log, protocol="v2"), "turn") == [None] * 5 + [1]


def test_a_new_connection_ends_a_replay_that_was_never_answered() -> None:
    events = acpinspect.from_records([LOAD, chunk("a"), *initialize(), prompt(1), chunk("b")])
    assert column(events, "phase") == ["replay", "replay", None, None, "live", "live"]


def test_frames_without_a_session_have_no_phase() -> None:
    events = acpinspect.from_records(initialize())
    assert column(events, "phase") == [None, None]
    assert column(events, "epoch") == [None, None]


def test_updates_that_name_no_session_share_one() -> None:
    events = acpinspect.from_records(
        [{"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}}]
    )
    assert column(events, "epoch") == [0]
