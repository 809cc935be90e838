from __future__ import annotations

import acpinspect
from tests.conversion.logs import convert_frames, convert_updates, converted, frames_of, losses_of, update_of
from tests.wire import (
    chunk,
    error,
    initialize,
    permission,
    prompt,
    request,
    result,
    stop,
    text,
    tool_call,
    tool_update,
    update,
)

YES = {"optionId": "y", "name": "Yes", "kind": "allow_once"}


# --- messages ---------------------------------------------------------------------------------------------------


def test_a_chunk_with_an_id_stays_as_it_is() -> None:
    frames = [chunk("One", "m1"), chunk("two", "m1")]
    assert convert_frames(frames, "v2") == frames


def test_chunks_without_ids_get_the_id_of_their_message() -> None:
    updates = convert_updates([chunk("One "), chunk("two"), tool_call(), chunk("Three")], "v2")
    ids = [u["messageId"] for u in updates if u["sessionUpdate"] == "agent_message_chunk"]
    assert ids == ["acpinspect-message-1", "acpinspect-message-1", "acpinspect-message-2"]


def test_a_null_id_is_as_good_as_none() -> None:
    frames = [update("agent_message_chunk", messageId=None, content=text("A"))]
    assert convert_updates(frames, "v2")[0]["messageId"] == "acpinspect-message-1"


def test_a_chunk_without_an_id_takes_the_id_of_the_message_that_it_continues() -> None:
    updates = convert_updates([chunk("A", "m1"), chunk("B")], "v2")
    assert [u["messageId"] for u in updates] == ["m1", "m1"]


def test_the_policy_says_which_chunks_are_one_message() -> None:
    updates = convert_updates([chunk("A"), chunk("B")], "v2", policy="ids")
    assert [u["messageId"] for u in updates] == ["acpinspect-message-1", "acpinspect-message-2"]


def test_a_chunk_that_the_policy_makes_no_message_of_is_lost() -> None:
    made = converted([chunk("A"), chunk("B", "m1")], "v2", policy="spec-v2", on_loss="report")
    assert made.losses[["event", "field"]].to_numpy().tolist() == [[0, "messageId"]]
    assert made.events["text"].tolist() == ["B"]


def test_ids_count_the_messages_of_each_session() -> None:
    updates = convert_updates([chunk("A"), chunk("B", session="s2")], "v2")
    assert [u["messageId"] for u in updates] == ["acpinspect-message-1", "acpinspect-message-1"]


def test_ids_stay_when_the_log_goes_on() -> None:
    frames = [chunk("A"), tool_call(), chunk("B"), prompt(1), chunk("C")]
    longer = convert_updates(frames, "v2")
    for length in range(1, len(frames)):
        shorter = convert_updates(frames[:length], "v2")
        assert shorter == longer[: len(shorter)]


def test_no_id_of_the_log_is_given_again() -> None:
    frames = [chunk("A"), tool_call(), chunk("B", "acpinspect-message-1"), chunk("C", "acpinspect-message--1")]
    ids = [u["messageId"] for u in convert_updates(frames, "v2") if "messageId" in u]
    assert len(set(ids)) == 3


def test_two_epochs_share_no_id_that_was_given() -> None:
    load = request(1, "session/load", sessionId="s1", cwd="/", mcpServers=[])
    updates = convert_updates([chunk("A"), load, chunk("A"), result(1)], "v2")
    assert len({u["messageId"] for u in updates}) == 2


def test_the_foreign_keys_of_an_update_are_kept() -> None:
    frames = [update("agent_message_chunk", content=text("A"), _meta={"a": 1}, seen=True)]
    made = convert_updates(frames, "v2")[0]
    assert (made["_meta"], made["seen"]) == ({"a": 1}, True)


def test_an_extension_stays_as_it_is() -> None:
    frames = [update("_acme_tick", n=1)]
    assert convert_frames(frames, "v2") == frames


def test_a_name_that_no_version_knows_stays_as_it_is() -> None:
    frames = [update("mood_update", mood="good")]
    assert convert_frames(frames, "v2") == frames


# --- turns ------------------------------------------------------------------------------------------------------


def states(frames: list[dict[str, object]]) -> list[tuple[str, str | None]]:
    found = [u for u in convert_updates(frames, "v2") if u["sessionUpdate"] == "state_update"]
    return [(u["state"], u.get("stopReason")) for u in found]


def test_a_prompt_is_acknowledged_and_the_agent_runs_until_the_response() -> None:
    made = convert_frames([prompt(1), chunk("A", "m1"), stop(1)], "v2")
    assert [f.get("method") or f["result"] for f in made] == [
        "session/prompt",
        {},
        "session/update",
        "session/update",
        "session/update",
    ]
    assert [update_of(f).get("state") for f in made[2:]] == ["running", None, "idle"]


def test_the_stop_reason_stands_in_the_idle_state() -> None:
    assert states([prompt(1), stop(1, "cancelled")]) == [("running", None), ("idle", "cancelled")]


def test_usage_and_metadata_of_the_response_go_with_the_stop_reason() -> None:
    usage = {"totalTokens": 3, "inputTokens": 1, "outputTokens": 2}
    response = result(1, stopReason="end_turn", usage=usage, _meta={"a": 1}, userMessageId="u1")
    made = convert_frames([prompt(1), response], "v2")
    assert update_of(made[-1]) == {
        "sessionUpdate": "state_update",
        "state": "idle",
        "stopReason": "end_turn",
        "usage": usage,
        "_meta": {"a": 1},
    }
    assert made[1]["result"] == {"userMessageId": "u1"}


def test_no_user_message_is_made_of_a_prompt() -> None:
    made = converted([prompt(1), chunk("A", "m1"), stop(1)], "v2")
    assert acpinspect.messages(made.events)["role"].tolist() == ["agent"]


def test_a_prompt_that_fails_is_not_acknowledged() -> None:
    made = convert_frames([prompt(1), error(1)], "v2")
    assert [f.get("method", f.get("error")) for f in made] == [
        "session/prompt",
        "session/update",
        error(1)["error"],
        "session/update",
    ]
    assert states([prompt(1), error(1)]) == [("running", None), ("idle", None)]


def test_a_prompt_that_waits_for_ever_is_not_acknowledged() -> None:
    assert [f.get("method") for f in convert_frames([prompt(1)], "v2")] == ["session/prompt", "session/update"]


def test_the_agent_runs_on_where_a_second_prompt_waits() -> None:
    frames = [prompt(1), prompt(2), stop(1), stop(2)]
    assert [state for state, _ in states(frames)] == ["running", "idle", "running", "idle"]


def test_a_response_to_a_prompt_before_the_log_ends_the_turn() -> None:
    assert states([chunk("A", "m1"), stop(7)]) == [("idle", "end_turn")]


def test_a_stop_reason_that_v1_does_not_know_is_carried() -> None:
    assert states([prompt(1), stop(1, "_acme_paused")])[-1] == ("idle", "_acme_paused")


def test_what_is_made_of_the_agents_answer_is_sent_by_the_agent() -> None:
    records = [
        {"dir": "out", "ts": 1_700_000_000.0, "msg": prompt(1)},
        {"dir": "in", "ts": 1_700_000_001.0, "msg": chunk("A", "m1")},
        {"dir": "in", "ts": 1_700_000_002.0, "msg": stop(1)},
    ]
    made = acpinspect.convert(acpinspect.from_records(records, protocol="v1"), "v2").events
    assert made["sender"].tolist() == ["client", "agent", "agent", "agent", "agent"]
    assert made["sender_label"].tolist() == ["out", "in", "in", "in", "in"]
    assert made["elapsed"].tolist() == [0, 0, 0, 1, 2]


# --- tools ------------------------------------------------------------------------------------------------------


def test_a_tool_call_becomes_an_update_of_it() -> None:
    (made,) = convert_updates([tool_call(kind="read")], "v2")
    assert made == {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "title": "Dig", "kind": "read"}


def test_a_second_tool_call_clears_what_it_no_longer_has() -> None:
    frames = [tool_call(kind="read", rawInput={"a": 1}), tool_update(status="failed"), tool_call(_meta={})]
    made = convert_updates(frames, "v2")[-1]
    assert {key: made[key] for key in ("kind", "rawInput", "status", "_meta")} == {
        "kind": None,
        "rawInput": None,
        "status": None,
        "_meta": {},
    }


def test_a_null_in_an_update_says_nothing_and_is_left_out() -> None:
    frames = [tool_call(kind="read"), tool_update(kind=None, title=None, status="completed")]
    made = convert_updates(frames, "v2")[-1]
    assert made == {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed"}


def test_a_null_in_a_tool_call_is_no_loss() -> None:
    assert "content" not in convert_updates([tool_call(content=None)], "v2")[0]


def test_a_diff_becomes_a_change_with_a_patch() -> None:
    diff = {"type": "diff", "path": "/a.txt", "oldText": "one\n", "newText": "two\n", "_meta": {"a": 1}}
    (item,) = convert_updates([tool_call(content=[diff])], "v2")[0]["content"]
    assert item["changes"] == [{"operation": "modify", "path": "/a.txt"}]
    assert item["patch"]["text"].endswith("-one\n+two\n")
    assert item["_meta"] == {"a": 1}


def test_a_diff_without_an_old_text_adds_the_file() -> None:
    diff = {"type": "diff", "path": "/a.txt", "newText": "two"}
    (item,) = convert_updates([tool_call(content=[diff])], "v2")[0]["content"]
    assert item["changes"][0]["operation"] == "add"


# --- permissions ------------------------------------------------------------------------------------------------


def ask(**tool: object) -> dict[str, object]:
    return request(
        5,
        "session/request_permission",
        sessionId="s1",
        toolCall={"toolCallId": "t1", **tool},
        options=[YES],
    )


def test_a_permission_request_has_its_tool_call_as_subject_and_its_title() -> None:
    params = convert_frames([ask(title="Dig deep", kind=None)], "v2")[0]["params"]
    assert params == {
        "sessionId": "s1",
        "title": "Dig deep",
        "subject": {"type": "tool_call", "toolCall": {"toolCallId": "t1", "title": "Dig deep"}},
        "options": [YES],
    }


def test_a_permission_request_takes_the_title_that_the_tool_call_had() -> None:
    assert convert_frames([tool_call(), ask()], "v2")[-1]["params"]["title"] == "Dig"


def test_a_permission_request_for_a_call_without_a_title_is_named_by_its_id() -> None:
    assert convert_frames([ask()], "v2")[0]["params"]["title"] == "t1"


def test_a_request_that_v2_refuses_still_updates_its_tool_call() -> None:
    made = converted([permission(5), result(5, outcome={"outcome": "cancelled"})], "v2", on_loss="report")
    assert [update_of(f) for f in frames_of(made)] == [{"sessionUpdate": "tool_call_update", "toolCallId": "t1"}]


def test_the_outcome_of_a_request_stays_as_it_is() -> None:
    outcome = result(5, outcome={"outcome": "selected", "optionId": "y"})
    assert convert_frames([ask(), outcome], "v2")[-1] == outcome


# --- the session ------------------------------------------------------------------------------------------------


def test_a_plan_gets_an_id_of_ours() -> None:
    entry = {"content": "Dig", "priority": "low", "status": "pending"}
    (made,) = convert_updates([update("plan", entries=[entry], _meta={"a": 1})], "v2")
    assert made == {
        "sessionUpdate": "plan_update",
        "plan": {"type": "items", "planId": "acpinspect-plan", "entries": [entry]},
        "_meta": {"a": 1},
    }


def test_the_id_of_a_plan_is_none_of_the_log() -> None:
    other = update("plan_update", plan={"type": "items", "planId": "acpinspect-plan", "entries": []})
    made = convert_updates([update("plan", entries=[]), other], "v2")
    assert made[0]["plan"]["planId"] != made[1]["plan"]["planId"]


def test_an_unstable_plan_of_v1_keeps_its_id() -> None:
    frames = [update("plan_update", plan={"type": "markdown", "planId": "p1", "content": "# Dig"})]
    assert convert_frames(frames, "v2") == frames


def test_the_input_of_a_command_is_text() -> None:
    command = {"name": "dig", "description": "Digs", "input": {"hint": "where"}}
    made = convert_updates([update("available_commands_update", availableCommands=[command])], "v2")
    assert made[0]["availableCommands"][0]["input"] == {"type": "text", "hint": "where"}


def test_options_name_their_ids_anew() -> None:
    choices = [{"group": "g", "name": "G", "options": [{"value": "a", "name": "A"}]}]
    option = {"id": "model", "name": "Model", "type": "select", "currentValue": "a", "options": choices}
    made = convert_updates([update("config_option_update", configOptions=[option])], "v2")[0]["configOptions"][0]
    assert (made["configId"], made["options"][0]["groupId"]) == ("model", "g")


def test_what_both_versions_have_stays_as_it_is() -> None:
    frames = [
        update("usage_update", used=1, size=10),
        update("session_info_update", title=None),
        update("notice", severity="info", title="Hello"),
        update("compaction_update", compactionId="c", status="completed"),
    ]
    assert convert_frames(frames, "v2") == frames


def test_a_frame_that_says_the_same_keeps_its_text() -> None:
    line = '{"jsonrpc" : "2.0", "method":"session/cancel","params":{"sessionId":"s1"}}'
    events = acpinspect.from_records([{"msg": prompt(1)}, {"msg": {"jsonrpc": "2.0", "method": "session/cancel"}}])
    events.loc[1, "raw"] = line
    assert acpinspect.convert(events, "v2").events["raw"].iloc[-1] == line


def test_a_table_that_speaks_the_version_stays_as_it_is() -> None:
    frames = [update("state_update", state="running"), update("user_message", messageId="u", content=None)]
    events = acpinspect.from_records(frames, protocol="v2")
    assert acpinspect.convert(events, "v2").events["raw"].tolist() == events["raw"].tolist()


def test_an_empty_table_gives_an_empty_table() -> None:
    made = acpinspect.convert(acpinspect.from_records([]), "v2")
    assert made.events.columns.tolist() == acpinspect.from_records([]).columns.tolist()
    assert (len(made.events), len(made.losses), len(made.origins)) == (0, 0, 0)


def test_the_origin_of_each_event_is_told() -> None:
    made = converted([prompt(1), chunk("A", "m1"), stop(1)], "v2")
    assert made.origins.tolist() == [0, 0, 0, 1, 2]


def test_stderr_and_markers_are_left_out() -> None:
    records = [chunk("A", "m1"), {"type": "marker", "name": "restart"}]
    assert losses_of(records, "v2") == []
    assert len(converted(records, "v2").events) == 1


def test_a_response_whose_request_was_filtered_away_stands_alone() -> None:
    events = acpinspect.from_records([prompt(1), chunk("A", "m1"), stop(1)], protocol="v1")
    made = frames_of(acpinspect.convert(events.loc[1:], "v2"))
    assert [f.get("method", f.get("result")) for f in made] == ["session/update", {}, "session/update"]
    assert update_of(made[-1])["stopReason"] == "end_turn"


def test_a_log_in_two_versions_becomes_one() -> None:
    frames = [*initialize(0, 1), chunk("A"), *initialize(1, 2), update("user_message", messageId="u", content=[])]
    made = acpinspect.convert(acpinspect.from_records(frames), "v2").events
    assert made["protocol"].tolist() == ["v2"] * 6
    assert made["message_id"].dropna().tolist() == ["acpinspect-message-1", "u"]


def test_a_message_without_its_version_of_json_rpc_gets_it() -> None:
    bare = {"id": 7, "method": "session/cancel", "params": {"sessionId": "s1"}}
    assert convert_frames([bare], "v2") == [{"jsonrpc": "2.0", **bare}]
