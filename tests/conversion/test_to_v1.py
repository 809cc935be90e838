from __future__ import annotations

import acpinspect
from tests.conversion.logs import (
    asked,
    content_chunk,
    convert_frames,
    convert_updates,
    converted,
    frames_of,
    plan,
    update_of,
    whole,
)
from tests.wire import chunk, error, initialize, prompt, request, result, state, text, tool_update, update


def turn(*frames: dict[str, object]) -> list[dict[str, object]]:
    """A whole turn of protocol 2 with frames in it."""
    return [prompt(1), result(1), state("running"), *frames, state("idle", stopReason="end_turn")]


# --- messages ---------------------------------------------------------------------------------------------------


def test_a_chunk_carries_over() -> None:
    frames = [chunk("One", "m1"), chunk("two", "m1", "agent_thought")]
    assert convert_frames(frames, "v1") == frames


def test_a_whole_message_becomes_a_chunk_for_each_block() -> None:
    made = convert_updates([whole("m1", "One", " two", _meta={"a": 1})], "v1")
    assert made == [
        {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": text(t), "_meta": {"a": 1}}
        for t in ("One", " two")
    ]


def test_chunks_after_a_whole_message_append_to_it() -> None:
    made = convert_updates([whole("m1", "A"), chunk("B", "m1")], "v1")
    assert [u["content"]["text"] for u in made] == ["A", "B"]


def test_each_role_and_each_session_has_ids_of_its_own() -> None:
    frames = [whole("m1", "A"), whole("m1", "B", role="user_message"), chunk("C", "m1", session="s2")]
    assert len(convert_frames(frames, "v1")) == 3


def test_a_replay_sends_the_messages_again() -> None:
    resume = request(1, "session/resume", sessionId="s1", cwd="/", replayFrom={"type": "start"})
    made = convert_updates([whole("m1", "A"), resume, whole("m1", "A"), result(1)], "v1")
    assert [u["content"]["text"] for u in made] == ["A", "A"]


def test_the_chunks_of_a_message_have_the_time_of_its_update() -> None:
    record = {"dir": "in", "ts": 1_700_000_000.0, "msg": whole("m1", "A", "B")}
    events = acpinspect.from_records([record], protocol="v2")
    made = acpinspect.convert(events, "v1")
    assert made.events["time"].tolist() == [events["time"][0]] * 2
    assert made.events["sender_label"].tolist() == ["in", "in"]
    assert made.origins.tolist() == [0, 0]


# --- turns ------------------------------------------------------------------------------------------------------


def test_the_prompt_is_answered_when_the_agent_is_idle() -> None:
    made = convert_frames(turn(chunk("A", "m1")), "v1")
    assert made == [prompt(1), chunk("A", "m1"), result(1, stopReason="end_turn")]


def test_usage_and_metadata_of_the_idle_state_go_into_the_response() -> None:
    usage = {"totalTokens": 3, "inputTokens": 1, "outputTokens": 2}
    idle = state("idle", stopReason="end_turn", usage=usage, _meta={"a": 1})
    made = convert_frames([prompt(1), result(1, messageId="u1"), state("running"), idle], "v1")
    assert made[-1] == result(1, messageId="u1", stopReason="end_turn", usage=usage, _meta={"a": 1})


def test_an_idle_state_before_the_acknowledgement_answers_the_prompt() -> None:
    frames = [prompt(1), state("running"), state("idle", stopReason="end_turn"), result(1)]
    assert convert_frames(frames, "v1") == [prompt(1), result(1, stopReason="end_turn")]


def test_an_idle_state_answers_all_prompts_that_were_acknowledged() -> None:
    frames = [prompt(1), result(1), state("running"), prompt(2), result(2), state("idle", stopReason="end_turn")]
    made = convert_frames(frames, "v1")
    assert [f["id"] for f in made if "result" in f] == [1, 2]


def test_a_prompt_that_was_not_acknowledged_yet_waits_for_the_next_idle_state() -> None:
    first = [prompt(1), result(1), state("running"), prompt(2), state("idle", stopReason="cancelled")]
    second = [result(2), state("running"), state("idle", stopReason="end_turn")]
    made = convert_frames([*first, *second], "v1")
    assert [(f["id"], f["result"]["stopReason"]) for f in made if "result" in f] == [
        (1, "cancelled"),
        (2, "end_turn"),
    ]


def test_a_prompt_that_fails_is_answered_at_once() -> None:
    assert convert_frames([prompt(1), error(1), state("idle")], "v1") == [prompt(1), error(1)]


def test_a_cancelled_turn_is_cancelled() -> None:
    cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}}
    frames = [prompt(1), result(1), state("running"), cancel, state("idle", stopReason="cancelled")]
    assert convert_frames(frames, "v1") == [prompt(1), cancel, result(1, stopReason="cancelled")]


# --- tools ------------------------------------------------------------------------------------------------------


def test_the_first_update_of_a_tool_call_becomes_the_call() -> None:
    made = convert_updates([tool_update(title="Dig", kind="read"), tool_update(status="completed")], "v1")
    assert made == [
        {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig", "kind": "read"},
        {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed"},
    ]


def test_a_tool_call_waits_for_its_title() -> None:
    frames = [tool_update(rawInput={"a": 1}), chunk("A", "m1"), tool_update(title="Dig", status="in_progress")]
    made = convert_updates(frames, "v1")
    assert [u["sessionUpdate"] for u in made] == ["agent_message_chunk", "tool_call"]
    assert (made[1]["rawInput"], made[1]["status"]) == ({"a": 1}, "in_progress")


def test_a_content_chunk_sends_all_that_has_come() -> None:
    frames = [tool_update(title="Dig"), content_chunk("t1", "One"), content_chunk("t1", "two")]
    made = convert_updates(frames, "v1")[-1]
    assert made["sessionUpdate"] == "tool_call_update"
    assert [item["content"]["text"] for item in made["content"]] == ["One", "two"]


def test_content_chunks_follow_on_content_that_was_set() -> None:
    item = {"type": "content", "content": text("Set")}
    frames = [tool_update(title="Dig", content=[item]), content_chunk("t1", "more")]
    made = convert_updates(frames, "v1")[-1]
    assert [item["content"]["text"] for item in made["content"]] == ["Set", "more"]


def test_a_null_says_the_default_where_v1_has_one() -> None:
    frames = [tool_update(title="Dig", kind="read", status="completed", content=[], locations=[{"path": "/a"}])]
    frames.append(tool_update(kind=None, status=None, content=None, locations=None))
    made = convert_updates(frames, "v1")[-1]
    assert {key: made[key] for key in ("kind", "status", "content", "locations")} == {
        "kind": "other",
        "status": "pending",
        "content": [],
        "locations": [],
    }


def test_a_null_that_v1_can_not_say_sends_the_call_anew_without_the_field() -> None:
    frames = [tool_update(title="Dig", kind="read", rawInput={"a": 1}), tool_update(rawInput=None)]
    made = convert_updates(frames, "v1")[-1]
    assert made == {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig", "kind": "read"}


def test_a_null_for_what_is_not_set_says_nothing() -> None:
    frames = [tool_update(title="Dig"), tool_update(rawInput=None, status="completed")]
    made = convert_updates(frames, "v1")[-1]
    assert made == {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed"}


def test_a_tool_call_is_announced_again_in_a_replay() -> None:
    resume = request(1, "session/resume", sessionId="s1", cwd="/", replayFrom={"type": "start"})
    frames = [tool_update(title="Dig"), resume, tool_update(title="Dig"), result(1)]
    assert [u["sessionUpdate"] for u in convert_updates(frames, "v1")] == ["tool_call", "tool_call"]


# --- permissions ------------------------------------------------------------------------------------------------


def test_a_permission_request_carries_the_tool_call_of_its_subject() -> None:
    params = convert_frames([asked({"toolCallId": "t1", "title": "Dig", "kind": None})], "v1")[0]["params"]
    assert params["toolCall"] == {"toolCallId": "t1", "title": "Dig"}
    assert params.keys() == {"sessionId", "toolCall", "options"}


def test_a_permission_request_carries_what_waited_for_a_title() -> None:
    frames = [tool_update(rawInput={"a": 1}), asked({"toolCallId": "t1"}, title="t1")]
    made = convert_frames(frames, "v1")
    assert [f["params"]["toolCall"] for f in made] == [{"toolCallId": "t1", "rawInput": {"a": 1}}]


def test_after_a_permission_request_v1_knows_the_tool_call() -> None:
    frames = [asked({"toolCallId": "t1"}, title="t1"), tool_update(status="completed")]
    assert update_of(convert_frames(frames, "v1")[-1])["sessionUpdate"] == "tool_call_update"


def test_what_a_permission_request_clears_is_told_before_it() -> None:
    frames = [tool_update(title="Dig", rawInput=1), asked({"toolCallId": "t1", "rawInput": None})]
    made = convert_frames(frames, "v1")
    assert update_of(made[1]) == {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig"}
    assert made[2]["method"] == "session/request_permission"


# --- the session ------------------------------------------------------------------------------------------------


def test_a_plan_of_items_becomes_the_plan() -> None:
    made = convert_updates([plan("p1", "Dig"), plan("p1", "Dig", "Sow")], "v1")
    assert [(u["sessionUpdate"], len(u["entries"])) for u in made] == [("plan", 1), ("plan", 2)]


def test_the_input_of_a_command_loses_its_type() -> None:
    command = {"name": "dig", "description": "Digs", "input": {"type": "text", "hint": "where"}}
    made = convert_updates([update("available_commands_update", availableCommands=[command])], "v1")
    assert made[0]["availableCommands"][0]["input"] == {"hint": "where"}


def test_options_have_the_ids_of_v1() -> None:
    choices = [{"groupId": "g", "name": "G", "options": [{"value": "a", "name": "A"}]}]
    option = {"configId": "model", "name": "Model", "type": "select", "currentValue": "a", "options": choices}
    made = convert_updates([update("config_option_update", configOptions=[option])], "v1")[0]["configOptions"][0]
    assert (made["id"], made["options"][0]["group"]) == ("model", "g")


def test_a_new_connection_forgets_the_prompts_of_the_one_before() -> None:
    idle = state("idle", stopReason="end_turn")
    frames = [*initialize(0, 2), prompt(1), *initialize(2, 2), prompt(1), result(1), state("running"), idle]
    made = frames_of(converted(frames, "v1", on_loss="report"))
    assert [f["id"] for f in made if "stopReason" in f.get("result", {})] == [1]


def test_there_and_back_gives_the_same_frames() -> None:
    frames = [
        prompt(1),
        chunk("A", "m1"),
        update("tool_call", toolCallId="t1", title="Dig", kind="read"),
        tool_update(status="completed"),
        update("plan", entries=[{"content": "Dig", "priority": "low", "status": "pending"}]),
        result(1, stopReason="end_turn"),
    ]
    assert convert_frames(convert_frames(frames, "v2"), "v1") == frames
