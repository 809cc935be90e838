"""The rules of the policy `spec`, one by one, as the plan of the house numbers them."""

from __future__ import annotations

import pandas as pd
import pytest

import acpinspect
from tests.wire import (
    Json,
    chunk,
    error,
    initialize,
    permission,
    prompt,
    request,
    result,
    state,
    stop,
    text,
    tool_call,
    tool_update,
    update,
    whole,
)

LOAD = request(9, "session/load", sessionId="s1", cwd="/w", mcpServers=[])


def labels(log: list[Json], protocol: str = "v1", policy: str = "spec") -> list[int | None]:
    """The labels of the message events alone."""
    events = acpinspect.from_records(log, protocol=protocol)  # type: ignore[arg-type]
    grouped = acpinspect.group(events, policy)
    return [None if pd.isna(label) else int(label) for label in grouped[events["role"].notna()]]


# 1: the key of a message with an id


def test_the_same_id_is_the_same_message_adjacent_or_not() -> None:
    assert labels([chunk("a", "m1"), chunk("b", "m2"), chunk("c", "m1")]) == [0, 1, 0]


def test_the_same_id_is_the_same_message_over_a_tool_call() -> None:
    assert labels([chunk("a", "m1"), tool_call(), chunk("b", "m1")]) == [0, 0]


def test_the_role_is_part_of_the_key() -> None:
    assert labels([chunk("a", "m1"), chunk("b", "m1", role="agent_thought"), chunk("c", "m1")]) == [0, 1, 0]


def test_the_session_is_part_of_the_key() -> None:
    assert labels([chunk("a", "m1"), chunk("b", "m1", session="s2"), chunk("c", "m1")]) == [0, 1, 0]


def test_the_epoch_is_part_of_the_key() -> None:
    assert labels([chunk("a", "m1"), LOAD, chunk("a", "m1"), result(9), chunk("b", "m1")]) == [0, 1, 1]


# 2 and 3: the one open message


def test_an_idless_chunk_continues_the_open_message_of_its_role() -> None:
    assert labels([chunk("a"), chunk("b"), chunk("c")]) == [0, 0, 0]


def test_an_idless_chunk_continues_a_message_with_an_id() -> None:
    assert labels([chunk("a", "m1"), chunk("b")]) == [0, 0]


def test_an_idless_chunk_continues_an_id_that_came_back() -> None:
    assert labels([chunk("a", "m1"), chunk("b", "m2"), chunk("c", "m1"), chunk("d")]) == [0, 1, 0, 0]


def test_an_idless_chunk_after_idless_text_and_an_id_continues_the_id() -> None:
    assert labels([chunk("a"), chunk("b", "m2"), chunk("c")]) == [0, 1, 1]


def test_a_new_id_never_joins_a_message_without_one() -> None:
    assert labels([chunk("a"), chunk("b", "m1")]) == [0, 1]


def test_a_chunk_of_another_role_closes_the_open_message() -> None:
    assert labels([chunk("a"), chunk("b", role="agent_thought"), chunk("c")]) == [0, 1, 2]


def test_sessions_have_an_open_message_each() -> None:
    assert labels([chunk("a"), chunk("b", session="s2"), chunk("c"), chunk("d", session="s2")]) == [0, 1, 0, 1]


# 4: what closes the open message

CLOSERS = {
    "a tool call": [tool_call()],
    "a tool call of a known id": [tool_call()],
    "the first sight of a tool, by an update": [tool_update("new")],
    "the first sight of a tool, by a permission request": [permission(5, "new")],
    "a plan": [update("plan", entries=[])],
    "a plan update": [update("plan_update", plan={"type": "items", "planId": "p", "entries": []})],
    "a removed plan": [update("plan_removed", planId="p")],
    "the first compaction update of an id": [update("compaction_update", compactionId="c", status="in_progress")],
    "a prompt": [prompt(7)],
    "a prompt's result": [stop(3)],
    "a prompt's error": [error(3)],
    "a load request": [LOAD],
    "a load response": [result(4)],
    "a resume request": [request(8, "session/resume", sessionId="s1", cwd="/w")],
    "a new connection": initialize(0),
    "a prompt's result whose request is not in the log": [stop("unseen")],
}

KEEPERS = {
    "usage": [update("usage_update", used=1, size=2)],
    "mode": [update("current_mode_update", currentModeId="m")],
    "commands": [update("available_commands_update", availableCommands=[])],
    "config": [update("config_option_update", configOptions=[])],
    "info": [update("session_info_update", title="T")],
    "a notice": [update("notice", noticeId="n", severity="info", text="x")],
    "an extension": [update("_vendor/x", y=1)],
    "an unknown update": [update("something_new")],
    "an update of a known tool": [tool_update("t0", status="completed")],
    "a permission request for a known tool": [permission(5, "t0")],
    "a refused tool call": [update("tool_call", toolCallId="t9")],
    "a tool call of another session": [tool_call("t9", session="s2")],
    "a response without stopReason whose request is not in the log": [result("unseen")],
    "a file request": [request(6, "fs/read_text_file", sessionId="s1", path="/a")],
}

OPENING = [prompt(3), request(4, "session/load", sessionId="s1"), tool_call("t0"), tool_call("t1")]


@pytest.mark.parametrize("between", CLOSERS.values(), ids=CLOSERS)
def test_closes(between: list[Json]) -> None:
    assert labels([*OPENING, chunk("a"), *between, chunk("b")]) == [0, 1]


@pytest.mark.parametrize("between", KEEPERS.values(), ids=KEEPERS)
def test_does_not_close(between: list[Json]) -> None:
    assert labels([*OPENING, chunk("a"), *between, chunk("b")]) == [0, 0]


def test_a_later_update_of_a_compaction_does_not_close() -> None:
    compaction = update("compaction_update", compactionId="c", status="in_progress")
    assert labels([compaction, chunk("a"), compaction, chunk("b")]) == [0, 0]


def test_a_tool_is_new_again_in_a_new_epoch() -> None:
    assert labels([tool_call("t"), LOAD, chunk("a"), tool_update("t"), chunk("b")]) == [0, 1]


# 6: refused updates


def test_an_id_of_a_wrong_type_counts_as_absent_in_v1() -> None:
    odd = update("agent_message_chunk", messageId=5, content=text("b"))
    assert labels([chunk("a"), odd, chunk("c", "m1")]) == [0, 0, 1]


def test_the_empty_string_is_an_id() -> None:
    assert labels([chunk("a"), chunk("b", ""), chunk("c", "")]) == [0, 1, 1]


def test_a_v2_chunk_without_an_id_is_no_part_of_a_message() -> None:
    assert labels([chunk("a", "m1"), chunk("b"), chunk("c", "m1")], "v2") == [0, None, 0]


def test_a_refused_update_closes_nothing() -> None:
    assert labels([chunk("a"), update("agent_thought_chunk", content="x"), chunk("b")]) == [0, None, 0]


# 7: empty and blank chunks


@pytest.mark.parametrize("value", ["", " ", "\n\n"])
def test_an_empty_chunk_is_a_chunk(value: str) -> None:
    assert labels([chunk("a"), chunk(value, role="agent_thought"), chunk("b")]) == [0, 1, 2]


def test_labels_do_not_change_when_the_log_is_extended() -> None:
    log = [prompt(1), chunk("a"), chunk("b", "m1"), tool_call(), chunk("c"), stop(1), chunk("d", "m1"), chunk("e")]
    whole_log = acpinspect.group(acpinspect.from_records(log, protocol="v1"))
    for length in range(1, len(log)):
        part = acpinspect.group(acpinspect.from_records(log[:length], protocol="v1"))
        assert part.equals(whole_log.iloc[:length])


def story(session: str, shift: int) -> list[Json]:
    """Twenty events of one session: text with and without ids, thoughts, tools, plans, prompts."""
    log: list[Json] = []
    for number in range(shift, shift + 20):
        kinds: list[Json] = [
            chunk("a", session=session),
            chunk("b", f"m{number % 3}", session=session),
            chunk("c", role="agent_thought", session=session),
            tool_call(f"t{number % 4}", session=session),
            chunk("d", session=session),
            update("plan", session, entries=[]),
            chunk("e", role="user_message", session=session),
            prompt(f"{session}{number}", session=session),
            update("usage_update", session, used=1, size=2),
        ]
        log.append(kinds[number * 5 % 9])
    return log


@pytest.mark.parametrize("policy", ["spec", "ids", "heuristic", "rfd-literal", "spec-v2"])
def test_sessions_side_by_side_are_grouped_as_if_each_were_alone(policy: str) -> None:
    stories = {session: story(session, shift) for session, shift in [("s1", 0), ("s2", 3), ("s3", 7)]}
    together = acpinspect.from_records([one for step in zip(*stories.values(), strict=True) for one in step])
    labels, boundaries = acpinspect.group(together, policy), acpinspect.messages(together, policy)["boundary"]
    for session, log in stories.items():
        alone = acpinspect.from_records(log)
        own = labels[together["session_id"] == session]
        expected = acpinspect.group(alone, policy)
        assert own.isna().tolist() == expected.isna().tolist()
        assert pd.factorize(own.dropna())[0].tolist() == expected.dropna().tolist()
        opened = boundaries[own.dropna().unique()]
        assert opened.tolist() == acpinspect.messages(alone, policy)["boundary"].tolist()


@pytest.mark.parametrize("policy", ["spec", "toad", "zed-v1"])
def test_sessions_of_two_recordings_are_two_whatever_their_ids(policy: str) -> None:
    log = [chunk(value, "m1", session=session) for value, session in ("a1", "b2", "c1", "d2")]
    events = acpinspect.from_records(log)
    events["source"] = pd.Categorical(["x.ndjson", "x.ndjson", "y.ndjson", "y.ndjson"])
    assert acpinspect.group(events, policy).tolist() == [0, 1, 2, 3]


def test_what_names_no_session_is_of_one_of_its_own() -> None:
    nameless = [chunk("a"), chunk("b"), prompt(1), chunk("c")]
    for one in nameless:
        del one["params"]["sessionId"]
    log = [chunk("x"), nameless[0], chunk("y"), *nameless[1:], chunk("z")]
    assert labels(log) == [0, 1, 0, 1, 2, 0]


# the relatives


def test_ids_leaves_chunks_without_an_id_alone() -> None:
    assert labels([chunk("a"), chunk("b"), chunk("c", "m1"), chunk("d", "m1")], policy="ids") == [0, 1, 2, 2]


def test_heuristic_does_not_look_at_ids() -> None:
    assert labels([chunk("a", "m1"), chunk("b", "m2"), tool_call(), chunk("c", "m2")], policy="heuristic") == [
        0,
        0,
        1,
    ]


def test_heuristic_takes_each_whole_message_for_one() -> None:
    assert labels([whole("m1", "a"), whole("m2", "b"), chunk("c", "m3")], "v2", "heuristic") == [0, 1, 1]


def test_rfd_literal_cuts_an_idless_run_at_any_other_update() -> None:
    log = [chunk("a"), chunk("b"), update("usage_update", used=1, size=2), chunk("c")]
    assert labels(log, policy="rfd-literal") == [0, 0, 1]


def test_rfd_literal_runs_over_chunks_with_ids_of_the_same_type() -> None:
    assert labels([chunk("a"), chunk("b", "m1"), chunk("c")], policy="rfd-literal") == [0, 1, 0]


def test_rfd_literal_shows_the_prompt_that_was_sent() -> None:
    events = acpinspect.from_records([prompt(1, "Say hi"), chunk("Hi", "m1"), stop(1)])
    table = acpinspect.messages(events, "rfd-literal")
    assert table[["role", "text"]].values.tolist() == [["user", "Say hi"], ["agent", "Hi"]]


def test_spec_v2_drops_what_has_no_id() -> None:
    assert labels([chunk("a"), chunk("b", "m1"), chunk("c", "m1", role="agent_thought")], policy="spec-v2") == [
        None,
        0,
        1,
    ]


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    events = acpinspect.from_records([chunk("a")])
    with pytest.raises(acpinspect.ArgumentError, match="spec"):
        acpinspect.group(events, "no such policy")


def test_what_is_no_events_table_is_refused() -> None:
    with pytest.raises(acpinspect.EventsError, match="Load the log first"):
        acpinspect.group([1, 2, 3])  # type: ignore[arg-type]
    with pytest.raises(acpinspect.EventsError, match="it lacks"):
        acpinspect.group(pd.DataFrame({"text": ["a"]}))


def test_a_filtered_table_can_still_be_grouped() -> None:
    events = acpinspect.from_records([prompt(1), chunk("a"), state("x"), chunk("b"), stop(1)])
    assert acpinspect.group(events[events["role"].notna()]).tolist() == [0, 0]
