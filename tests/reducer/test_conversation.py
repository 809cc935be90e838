"""Which session and which request each message of a log belongs to."""

from __future__ import annotations

from typing import Any

import pytest

from acpinspect.reducer import fold, place_messages

from .build import Update, chunk, texts


def request(method: str, request_id: Any = 1, session: Any = "s", **params: Any) -> Update:
    return {"id": request_id, "method": method, "params": {"sessionId": session, **params}}


def answer(request_id: Any = 1, **result: Any) -> Update:
    return {"id": request_id, "result": result}


def failure(request_id: Any = 1) -> Update:
    return {"id": request_id, "error": {"code": 1, "message": "no"}}


def updated(session: str) -> Update:
    return {"method": "session/update", "params": {"sessionId": session, "update": chunk("A")}}


def sessions(*messages: Update) -> list[str | None]:
    return [placed.session for placed in place_messages(messages)]


def answered(*messages: Update) -> int | None:
    """The index of the request that the last message answers."""
    *_, last = place_messages(messages)
    return next((i for i, one in enumerate(messages) if one is last.request), None)


def test_a_message_says_its_session_itself() -> None:
    assert sessions(request("session/prompt"), updated("o"), {"method": "session/cancel"}) == ["s", "o", None]


def test_a_session_id_that_is_no_text_is_none() -> None:
    assert sessions(request("session/prompt", session=7)) == [None]


def test_a_response_belongs_to_the_session_of_its_request() -> None:
    assert sessions(request("session/set_mode", 3), updated("o"), answer(3)) == ["s", "o", "s"]


@pytest.mark.parametrize("method", ["session/new", "session/fork"])
def test_the_response_that_makes_a_session_belongs_to_it(method: str) -> None:
    assert sessions(request(method), answer(sessionId="made")) == ["s", "made"]


def test_no_other_response_names_its_session() -> None:
    assert sessions(request("session/prompt"), answer(sessionId="other", stopReason="end_turn")) == ["s", "s"]


def test_a_response_without_its_request_belongs_to_the_last_update_if_it_has_a_stop_reason() -> None:
    stopped = answer(77, stopReason="end_turn")
    assert sessions(updated("o"), request("session/prompt"), stopped) == ["o", "s", "o"]
    assert sessions(updated("o"), answer(77)) == ["o", None]
    assert sessions(stopped) == [None]


@pytest.mark.parametrize("ids", [(1, "1"), (1, True), ([1], [2])])
def test_ids_of_other_types_or_values_are_other_ids(ids: tuple[Any, Any]) -> None:
    assert answered(request("session/prompt", ids[0]), failure(ids[1])) is None


@pytest.mark.parametrize("request_id", [1, "1", None, [1], {"a": 1}])
def test_an_id_of_any_type_finds_its_request(request_id: Any) -> None:
    assert answered(request("session/prompt", request_id), failure(request_id)) == 0


def test_a_request_is_answered_once() -> None:
    assert answered(request("session/prompt"), answer(stopReason="end_turn"), failure()) is None


def test_of_two_requests_with_one_id_an_error_answers_the_later_one() -> None:
    assert answered(request("session/prompt"), request("session/request_permission"), failure()) == 1
    assert answered(request("session/prompt"), request("session/prompt"), failure()) == 1


def test_of_two_requests_with_one_id_a_result_answers_the_one_that_it_fits() -> None:
    both = request("session/prompt"), request("session/request_permission")
    assert answered(*both, answer(stopReason="end_turn")) == 0
    assert answered(*both, answer(outcome={"outcome": "cancelled"})) == 1


def test_a_new_connection_leaves_the_requests_before_it_without_answer() -> None:
    assert answered(request("session/prompt"), {"id": 0, "method": "initialize"}, failure()) is None


def test_a_log_in_which_nothing_has_a_session_has_no_states() -> None:
    assert fold([{"method": "session/cancel"}, answer(77, stopReason="end_turn")], "v1") == {}


def test_a_session_that_is_made_without_updates_has_a_state() -> None:
    states = fold([{"id": 1, "method": "session/new", "params": {}}, answer(sessionId="made")], "v1")
    assert {session: texts(state) for session, state in states.items()} == {"made": []}
