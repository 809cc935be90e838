"""Keys that a serialiser forgot to rename are recognised."""

from __future__ import annotations

import pytest

from acpinspect.protocol import params_keys, snake_case, snake_spellings, update_keys


@pytest.mark.parametrize(
    ("name", "spelling"),
    [("sessionId", "session_id"), ("toolCallId", "tool_call_id"), ("title", "title"), ("_meta", "_meta")],
)
def test_each_capital_becomes_an_underscore_and_a_small_letter(name: str, spelling: str) -> None:
    assert snake_case(name) == spelling


def test_only_names_with_a_spelling_of_their_own_are_listed() -> None:
    keys = update_keys("agent_message_chunk", "v1")
    assert snake_spellings(keys) == {"message_id": "messageId", "session_update": "sessionUpdate"}


def test_a_key_that_is_the_schemas_own_is_no_spelling_of_another() -> None:
    assert snake_spellings(frozenset({"aB", "a_b"})) == {}


def test_params_are_recognised_too() -> None:
    keys = params_keys("session/prompt", "v1")
    assert keys is not None
    assert snake_spellings(keys) == {"session_id": "sessionId"}
