"""Which request a response answers."""

from __future__ import annotations

import pandas as pd
import pytest

import acpinspect
from tests.wire import chunk, error, initialize, notification, permission, prompt, request, result, stop


def reply_to(events: pd.DataFrame) -> list[int | None]:
    return [None if pd.isna(value) else int(value) for value in events["reply_to"]]


def test_a_response_answers_the_open_request_of_its_id() -> None:
    events = acpinspect.from_records([prompt(1), prompt("1", session="s2"), stop("1"), stop(1)])
    assert reply_to(events) == [None, None, 1, 0]


def test_a_response_has_method_and_session_of_its_request() -> None:
    events = acpinspect.from_records([prompt(7, session="s9"), stop(7)])
    assert events.loc[1, ["method", "session_id", "sender"]].tolist() == ["session/prompt", "s9", "agent"]


def test_the_shape_decides_where_one_id_is_open_in_both_directions() -> None:
    log = [prompt(3), permission(3), result(3, outcome={"outcome": "cancelled"}), stop(3)]
    assert reply_to(acpinspect.from_records(log)) == [None, None, 1, 0]


def test_a_shapeless_answer_goes_to_the_request_that_was_sent_last() -> None:
    log = [
        request(4, "session/set_mode", sessionId="s1", modeId="m"),
        request(4, "fs/write_text_file", sessionId="s1", path="/a", content=""),
        result(4),
        result(4),
    ]
    assert reply_to(acpinspect.from_records(log)) == [None, None, 1, 0]


def test_an_error_goes_to_the_request_that_was_sent_last() -> None:
    log = [prompt(4), request(4, "fs/read_text_file", sessionId="s1", path="/a"), error(4), error(4)]
    assert reply_to(acpinspect.from_records(log)) == [None, None, 1, 0]


@pytest.mark.parametrize("directions", [True, False])
def test_directions_change_nothing_but_the_label(directions: bool) -> None:
    sent = [
        ("out", prompt(0)),
        ("in", permission(0)),
        ("in", notification("_vendor/status", ready=True)),
        ("out", result(0, outcome={"outcome": "selected", "optionId": "ok"})),
        ("in", chunk("Hi")),
        ("in", stop(0)),
    ]
    with_labels = acpinspect.from_records([{"dir": side, "msg": frame} for side, frame in sent])
    log = [{"dir": side, "msg": frame} if directions else frame for side, frame in sent]
    events = acpinspect.from_records(log)
    pd.testing.assert_frame_equal(events.drop(columns="sender_label"), with_labels.drop(columns="sender_label"))
    assert events["sender"].tolist() == ["client", "agent", "agent", "client", "agent", "agent"]


def test_a_prompt_response_without_its_request_belongs_to_the_session_of_the_last_update() -> None:
    events = acpinspect.from_records([chunk("a", session="s1"), chunk("b", session="s2"), stop(5)])
    assert events.loc[2, ["method", "session_id"]].tolist() == ["session/prompt", "s2"]
    assert pd.isna(events.loc[2, "reply_to"])


def test_the_agents_own_request_is_not_answered_by_the_agents_response() -> None:
    """In a recording of the agent's output alone the client's requests are missing, the agent's are there."""
    events = acpinspect.from_records([permission(1), stop(1)])
    assert reply_to(events) == [None, None]
    assert events.loc[1, ["method", "sender"]].tolist() == ["session/prompt", "agent"]


def test_initialize_forgets_unanswered_requests() -> None:
    events = acpinspect.from_records([prompt(1), *initialize(0), stop(1)])
    assert reply_to(events) == [None, None, 1, None]


def test_a_new_sessions_id_stands_in_its_response() -> None:
    events = acpinspect.from_records([request(1, "session/new", cwd="/w"), result(1, sessionId="s7")])
    assert events["session_id"].isna().tolist() == [True, False]
    assert events.loc[1, "session_id"] == "s7"


def test_an_answer_of_an_extension_request_is_paired_too() -> None:
    events = acpinspect.from_records([request("x", "_vendor/ask"), result("x", anything=1)])
    assert reply_to(events) == [None, 0]
    assert events.loc[1, "method"] == "_vendor/ask"


def test_a_session_id_with_half_a_surrogate_pair_is_kept_as_an_escape() -> None:
    log = b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}\n'
    log += b'{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s\\ud800"}}\n'
    assert acpinspect.load(log)["session_id"].iloc[1] == "s\\ud800"
