"""What acts on a state beside updates: prompts, responses, permissions, modes, options, loads, cancels."""

from __future__ import annotations

from typing import Any

import pytest

from acpinspect.protocol import Version
from acpinspect.reducer import Change, Entity, Place, SessionState, apply_frame, empty_state, fold

from .build import Update, chunk, text, texts, update

OPTION = {"id": "o", "name": "O", "type": "boolean", "currentValue": True}
V2_OPTION = {"configId": "o", "name": "O", "type": "boolean", "currentValue": True}
PROMPT = {"id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": [text("Hi")]}}
CANCEL = {"method": "session/cancel", "params": {"sessionId": "s"}}
LOAD = {"id": 9, "method": "session/load", "params": {"sessionId": "s"}}
RESUME = {"id": 9, "method": "session/resume", "params": {"sessionId": "s"}}
REPLAY = {"id": 9, "method": "session/resume", "params": {"sessionId": "s", "replayFrom": {"type": "start"}}}
RUN = Entity("session", "run")
OPTIONS = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]


def sent(one: Update) -> Update:
    """An update as a frame."""
    return {"method": "session/update", "params": {"sessionId": "s", "update": one}}


def state_of(version: Version, *frames: Update) -> SessionState:
    return fold(frames, version)["s"]


def answer(result: Any, request_id: int = 1) -> Update:
    return {"id": request_id, "result": result}


def running(state: str, **fields: object) -> Update:
    return sent(update("state_update", state=state, **fields))


# --- prompts and turns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_prompt_that_the_client_sends_is_no_message(version: Version) -> None:
    assert texts(state_of(version, PROMPT)) == []


def test_v1_a_prompt_starts_the_run_and_its_response_ends_it() -> None:
    during, after = state_of("v1", PROMPT), state_of("v1", PROMPT, answer({"stopReason": "max_tokens"}))
    assert (during.run.state, during.run.stop_reason, during.turn) == ("running", None, 1)
    assert (after.run.state, after.run.stop_reason, after.turn) == ("idle", "max_tokens", 1)


def test_v1_the_response_to_a_prompt_says_what_the_work_cost() -> None:
    assert state_of("v1", PROMPT, answer({"stopReason": "end_turn", "usage": {"totalTokens": 7}})).run.usage == {
        "totalTokens": 7
    }


def test_v1_an_error_ends_the_run_without_a_stop_reason() -> None:
    after = state_of("v1", PROMPT, {"id": 1, "error": {"code": -32000, "message": "no"}})
    assert (after.run.state, after.run.stop_reason) == ("idle", None)


def test_v1_a_response_without_its_request_ends_the_run_where_it_has_a_stop_reason() -> None:
    after = state_of("v1", sent(chunk("A")), answer({"stopReason": "end_turn"}, 77))
    assert (after.run.state, after.run.stop_reason) == ("idle", "end_turn")


def test_v1_the_agent_works_on_until_all_prompts_are_answered() -> None:
    second = {**PROMPT, "id": 2}
    state = state_of("v1", PROMPT, second, answer({"stopReason": "cancelled"}, 1))
    assert (state.run.state, state.turn) == ("running", 2)


def test_v1_a_prompt_and_its_response_close_the_open_message() -> None:
    part = sent(chunk("A", None))
    state = state_of("v1", part, PROMPT, part, answer({"stopReason": "end_turn"}), part)
    assert texts(state) == ["A", "A", "A"]


def test_v2_the_response_to_a_prompt_only_acknowledges() -> None:
    state = state_of("v2", PROMPT, running("running"), answer({}))
    assert (state.run.state, state.turn) == ("running", 1)


def test_v2_a_turn_begins_with_the_prompt_or_with_running_whichever_comes_first() -> None:
    assert state_of("v2", PROMPT, running("running")).turn == 1
    assert state_of("v2", running("running"), PROMPT).turn == 1
    assert state_of("v2", PROMPT, running("running"), running("idle"), running("running")).turn == 2


def test_v2_requires_action_is_within_the_turn() -> None:
    assert state_of("v2", PROMPT, running("running"), running("requires_action"), running("running")).turn == 1


def test_v2_a_prompt_while_the_agent_works_begins_no_turn() -> None:
    assert state_of("v2", PROMPT, running("running"), {**PROMPT, "id": 2}).turn == 1


def test_v2_the_idle_update_says_how_the_work_ended() -> None:
    state = state_of("v2", PROMPT, running("running"), running("idle", stopReason="refusal"))
    assert (state.run.state, state.run.stop_reason) == ("idle", "refusal")


def test_the_caller_s_turn_stands_where_the_caller_knows_it() -> None:
    step = apply_frame(empty_state("v1"), PROMPT, Place(turn=5))
    assert (step.state.turn, step.writes[0].fields) == (5, {"turn": 5})


@pytest.mark.parametrize(
    ("version", "end"),
    [("v1", answer({"stopReason": "cancelled"})), ("v2", running("idle", stopReason="cancelled"))],
)
def test_a_cancel_is_noted_until_the_agent_says_that_the_work_ended(version: Version, end: Update) -> None:
    begin = PROMPT if version == "v1" else running("running")
    asked = state_of(version, begin, CANCEL)
    done = state_of(version, begin, CANCEL, sent(chunk("late")), end)
    assert (asked.run.state, asked.run.cancelling) == ("running", True)
    assert (done.run.state, done.run.stop_reason, done.run.cancelling) == ("idle", "cancelled", False)


def test_a_cancel_while_nothing_runs_is_ignored() -> None:
    step = apply_frame(empty_state("v1"), CANCEL)
    assert (step.action, step.reason, step.state) == ("ignored", "nothing is running", empty_state("v1"))
    idle = state_of("v1", PROMPT, answer({"stopReason": "end_turn"}))
    assert apply_frame(idle, CANCEL).action == "ignored"


def test_a_step_of_a_frame_says_what_it_changed() -> None:
    begun = apply_frame(empty_state("v1"), PROMPT)
    assert begun.changes == (Change("patched", Entity("session", "turn")), Change("patched", RUN))
    assert apply_frame(begun.state, CANCEL).changes == (Change("patched", RUN, "cancelling"),)


def test_the_caller_s_event_is_that_of_the_writes_where_the_caller_knows_it() -> None:
    mode = {"id": 3, "method": "session/set_mode", "params": {"sessionId": "s", "modeId": "code"}}
    place, running = Place(event=41), state_of("v1", PROMPT)
    steps = [
        apply_frame(running, PROMPT, place),
        apply_frame(running, CANCEL, place),
        apply_frame(running, permission("v1", {"toolCallId": "t"}), place),
        apply_frame(running, answer({}, 3), place, request=mode),
        apply_frame(running, answer({"stopReason": "end_turn"}), place, request=PROMPT),
        apply_frame(running, answer({"configOptions": [OPTION]}, 3), place, request=LOAD),
    ]
    assert [[write.event for write in step.writes] for step in steps] == [[41, 41], [41], [41], [41], [41], [41]]


# --- permissions, modes, options --------------------------------------------------------------------------------


def permission(version: Version, tool_call: Any) -> Update:
    params: Update = {"sessionId": "s", "options": OPTIONS}
    carried = {"toolCall": tool_call}
    params |= carried if version == "v1" else {"title": "?", "subject": {"type": "tool_call", **carried}}
    return {"id": 5, "method": "session/request_permission", "params": params}


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_permission_request_makes_an_unknown_tool_call_with_defaults(version: Version) -> None:
    call = state_of(version, permission(version, {"toolCallId": "t"})).tool_calls["t"]
    assert (call.title, call.kind, call.status) == (None, "other", "pending")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_permission_request_updates_a_known_tool_call(version: Version) -> None:
    known = sent(update("tool_call_update", toolCallId="t", title="Dig", status="completed"))
    call = state_of(version, known, permission(version, {"toolCallId": "t", "status": "pending"})).tool_calls["t"]
    assert (call.title, call.status) == ("Dig", "pending")


@pytest.mark.parametrize(("version", "title"), [("v1", "Dig"), ("v2", None)])
def test_null_in_a_permission_request_means_what_it_means_in_an_update(version: Version, title: object) -> None:
    known = sent(update("tool_call_update", toolCallId="t", title="Dig"))
    state = state_of(version, known, permission(version, {"toolCallId": "t", "title": None}))
    assert state.tool_calls["t"].title == title


def test_a_permission_request_about_a_command_makes_no_tool_call() -> None:
    subject = {"type": "command", "command": "rm", "cwd": "/", "toolCallId": "t"}
    params = {"sessionId": "s", "title": "?", "subject": subject, "options": OPTIONS}
    step = apply_frame(empty_state("v2"), {"id": 5, "method": "session/request_permission", "params": params})
    assert (step.action, step.reason, dict(step.state.tool_calls)) == ("ignored", "it carries no tool call", {})


def test_a_malformed_permission_request_is_rejected() -> None:
    step = apply_frame(empty_state("v1"), permission("v1", {"title": "no id"}))
    assert (step.action, dict(step.state.tool_calls)) == ("rejected", {})
    assert step.reason == "toolCall.toolCallId is missing"
    assert [issue.path for issue in step.issues] == ["toolCall.toolCallId"]


def test_what_does_not_fit_in_a_permission_request_is_told() -> None:
    step = apply_frame(empty_state("v1"), permission("v1", {"toolCallId": "t", "locations": [3]}))
    assert step.action == "created"
    assert [issue.path for issue in step.issues] == ["toolCall.locations[0]"]


def test_a_permission_request_for_an_unknown_tool_closes_the_open_message() -> None:
    part, ask = sent(chunk("A", None)), permission("v1", {"toolCallId": "t"})
    assert texts(state_of("v1", part, ask, part, ask, part)) == ["A", "AA"]


def test_v1_a_mode_is_set_once_the_agent_has_granted_it() -> None:
    ask = {"id": 3, "method": "session/set_mode", "params": {"sessionId": "s", "modeId": "code"}}
    refused = {"id": 3, "error": {"code": 1, "message": "no"}}
    assert state_of("v1", ask).mode is None
    assert state_of("v1", ask, answer({}, 3)).mode == "code"
    assert state_of("v1", ask, refused).mode is None


@pytest.mark.parametrize(("version", "mode"), [("v1", 7), ("v1", None), ("v2", "code")])
def test_a_mode_that_is_no_text_or_that_v2_does_not_know_is_not_set(version: Version, mode: object) -> None:
    ask = {"id": 3, "method": "session/set_mode", "params": {"sessionId": "s", "modeId": mode}}
    assert state_of(version, ask, answer({}, 3)).mode is None


@pytest.mark.parametrize(("version", "option"), [("v1", OPTION), ("v2", V2_OPTION)])
def test_the_response_to_set_config_option_lists_all_options(version: Version, option: Update) -> None:
    ask = {"id": 3, "method": "session/set_config_option", "params": {"sessionId": "s", "configId": "o"}}
    bad = {"name": "without an id"}
    state = state_of(version, ask, answer({"configOptions": [option, bad]}, 3))
    assert state.config_options == (option,)


@pytest.mark.parametrize(("known", "made", "session_id"), [(None, "s", "s"), ("o", "s", "o"), (None, 7, None)])
def test_the_result_that_makes_a_session_gives_its_id_to_a_state_without_one(
    known: str | None, made: object, session_id: str | None
) -> None:
    new = {"id": 3, "method": "session/new", "params": {"cwd": "/w"}}
    step = apply_frame(empty_state("v1", known), answer({"sessionId": made}, 3), request=new)
    assert step.state.session_id == session_id


@pytest.mark.parametrize("method", ["session/new", "session/load", "session/resume", "session/fork"])
def test_v1_the_results_that_open_a_session_say_its_modes_and_options(method: str) -> None:
    modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}
    request = {"id": 3, "method": method, "params": {"sessionId": "s", "cwd": "/w"}}
    made = {"modes": modes, "configOptions": [OPTION], "sessionId": "s"}
    state = state_of("v1", request, answer(made, 3))
    assert (state.session_id, state.mode, state.available_modes) == ("s", "ask", ({"id": "ask", "name": "Ask"},))
    assert state.config_options == (OPTION,)


def test_v2_knows_no_modes_in_the_results_that_open_a_session() -> None:
    modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}
    request = {"id": 3, "method": "session/new", "params": {"cwd": "/w"}}
    state = state_of("v2", request, answer({"sessionId": "s", "modes": modes}, 3))
    assert (state.mode, state.available_modes) == (None, ())


def test_the_step_of_a_result_says_what_it_wrote_and_what_was_left_out() -> None:
    modes = {"currentModeId": "ask", "availableModes": []}
    made = {"modes": modes, "configOptions": [OPTION, {"name": "without an id"}]}
    step = apply_frame(empty_state("v1"), answer(made, 9), Place(event=41), request=LOAD)
    assert [change.entity.key for change in step.changes if change.entity] == [
        "mode",
        "available_modes",
        "config_options",
    ]
    assert {write.event for write in step.writes} == {41}
    assert [(issue.path, issue.reason) for issue in step.issues] == [("configOptions[1].type", "is missing")]


def test_a_response_to_another_request_is_none_to_a_prompt_whatever_it_says() -> None:
    ask = {"id": 3, "method": "session/set_mode", "params": {"sessionId": "s", "modeId": "code"}}
    step = apply_frame(state_of("v1", PROMPT), answer({"stopReason": "end_turn"}, 3), request=ask)
    assert (step.state.run.state, step.state.mode) == ("running", "code")


def test_what_a_result_does_not_say_stays_as_it_was() -> None:
    modes = {"currentModeId": "ask", "availableModes": []}
    first = {"id": 3, "method": "session/new", "params": {"cwd": "/w"}}
    state = state_of(
        "v1", first, answer({"sessionId": "s", "modes": modes}, 3), RESUME, answer({"modes": None}, 9)
    )
    assert state.mode == "ask"


# --- replays ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("version", "request_"), [("v1", LOAD), ("v2", REPLAY)])
def test_a_load_begins_an_epoch_with_its_request_and_ids_are_new_from_there(
    version: Version, request_: Update
) -> None:
    tool = sent(update("tool_call_update", toolCallId="t", status="completed"))
    state = state_of(
        version,
        sent(chunk("A")),
        tool,
        request_,
        sent(chunk("A")),
        sent(update("tool_call_update", toolCallId="t", title="again")),
        answer({}, 9),
        sent(chunk("B")),
    )
    assert [(m.epoch, m.text) for m in state.messages.values()] == [(0, "A"), (1, "AB")]
    assert [state.tool_calls[0, "t"].status, state.tool_calls["t"].status] == ["completed", "pending"]


def test_a_load_that_fails_has_begun_an_epoch_all_the_same() -> None:
    assert state_of("v1", LOAD, {"id": 9, "error": {"code": 1, "message": "no"}}).epoch == 1


@pytest.mark.parametrize("replay_from", [{}, {"replayFrom": None}], ids=["absent", "null"])
def test_a_resume_without_replay_begins_no_epoch(replay_from: Update) -> None:
    resume = {**RESUME, "params": {"sessionId": "s", **replay_from}}
    assert state_of("v2", resume, answer({}, 9), sent(chunk("A"))).epoch == 0


def test_a_replay_that_nobody_asked_for_begins_an_epoch_at_its_first_transcript_update() -> None:
    usage = sent(update("usage_update", used=1, size=2))
    before = [sent(chunk("A")), RESUME, usage]
    assert state_of("v1", *before).epoch == 0
    state = state_of("v1", *before, sent(chunk("A")), sent(chunk("B")), answer({}, 9), sent(chunk("C")))
    assert [(m.epoch, m.text) for m in state.messages.values()] == [(0, "A"), (1, "ABC")]


def test_a_replay_that_nobody_asked_for_is_like_one_that_was_asked_for() -> None:
    """It has no turns, and the turn before it is over."""
    during = [PROMPT, running("running"), RESUME, sent(chunk("A")), running("idle"), running("running")]
    assert state_of("v2", *during).turn == 1
    assert state_of("v2", *during, answer({}, 9), running("running")).turn == 2


def test_a_turn_that_a_load_cut_off_is_over() -> None:
    state = state_of("v2", PROMPT, REPLAY, answer({}, 9), running("running"))
    assert state.turn == 2


def test_a_load_after_a_resume_begins_one_epoch_alone() -> None:
    assert state_of("v1", RESUME, LOAD, sent(chunk("A"))).epoch == 1


def test_a_resume_closes_the_open_message() -> None:
    """Where the caller counts the replays, and this is none."""
    state, place = empty_state("v1"), Place(epoch=0)
    for frame in (sent(chunk("A", None)), RESUME, sent(chunk("B", None))):
        state = apply_frame(state, frame, place).state
    assert (texts(state), state.epoch) == (["A", "B"], 0)


@pytest.mark.parametrize(("version", "frame"), [("v1", LOAD), ("v2", REPLAY), ("v1", sent(chunk("A")))])
def test_the_caller_s_epoch_stands_where_the_caller_knows_it(version: Version, frame: Update) -> None:
    assert apply_frame(empty_state(version), frame, Place(epoch=3)).state.epoch == 3


def test_a_replay_has_no_turns() -> None:
    state = state_of("v2", REPLAY, running("running"), running("idle"), answer({}, 9), running("running"))
    assert state.turn == 1


def test_initialize_closes_the_message_and_forgets_open_prompts() -> None:
    part = sent(chunk("A", None))
    state = state_of("v1", PROMPT, part, {"id": 0, "method": "initialize", "params": {}}, part)
    assert (texts(state), state.cursor.prompts) == (["A", "A"], 0)


def test_initialize_ends_a_replay_and_forgets_a_resume() -> None:
    again = {"id": 0, "method": "initialize", "params": {}}
    assert state_of("v2", REPLAY, again, running("running")).turn == 1
    assert state_of("v1", RESUME, again, sent(chunk("A"))).epoch == 0


@pytest.mark.parametrize("method", ["session/close", "session/delete", "fs/read_text_file", "_acme/x"])
def test_what_does_not_act_on_the_state_is_ignored_with_a_reason(method: str) -> None:
    step = apply_frame(empty_state("v1"), {"id": 1, "method": method, "params": {"sessionId": "s"}})
    assert (step.action, step.state) == ("ignored", empty_state("v1"))
    assert step.reason == "it doesn't act on a session's state"


def test_what_only_begins_or_ends_something_is_ignored_with_a_reason() -> None:
    frames = [LOAD, RESUME, {"id": 0, "method": "initialize", "params": {}}]
    steps = [apply_frame(empty_state("v1"), frame) for frame in frames]
    assert {step.action for step in steps} == {"ignored"}
    assert {step.reason for step in steps} == {"it only says that something begins, ends or was received"}


def test_two_requests_with_one_id_are_told_apart_by_the_result() -> None:
    asked = {**permission("v1", {"toolCallId": "t"}), "id": 1}
    state = state_of("v1", PROMPT, asked, answer({"stopReason": "end_turn"}), answer({"outcome": {}}))
    assert state.run.stop_reason == "end_turn"


def test_sessions_do_not_mix() -> None:
    other = {"method": "session/update", "params": {"sessionId": "o", "update": chunk("B")}}
    states = fold([sent(chunk("A")), other], "v1")
    assert {session: texts(state) for session, state in states.items()} == {"s": ["A"], "o": ["B"]}


def test_labels_say_where_the_chunks_of_a_log_go() -> None:
    part = sent(chunk("A", None))
    state = fold([part, part, part], "v1", labels={0: 1, 1: 2, 2: 1})["s"]
    assert texts(state) == ["AA", "A"]
