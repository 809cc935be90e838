"""What frames a conversation: prompts, loads, states, cancels and closings, paired with their answers."""

from __future__ import annotations

from typing import Any

import pytest

import acpinspect
from acpinspect.diagnostics import DiagnoseOptions, Log
from acpinspect.diagnostics.control import ABSENT, Closing, Control, Load, Prompt, State, read_control
from acpinspect.diagnostics.sketch import sketched

CONNECTION = """
    frame {"id": 90, "method": "initialize", "params": {"protocolVersion": 1}}
    frame {"id": 90, "result": {"protocolVersion": 1}}
"""


def control_of(sketch: str, version: Any = "v1") -> Control:
    events = acpinspect.from_records(sketched(sketch, version), protocol=version)
    return read_control(Log(events, "spec", DiagnoseOptions()))


def test_a_prompt_has_its_response_and_its_stop_reason() -> None:
    control = control_of("prompt Go\nagent m1 Hm\nend refusal\n@s2 prompt Go\nok")
    assert control.prompts == [
        Prompt(0, request=0, response=2, end=2, ok=True, stop="refusal", v2=False),
        Prompt(1, request=3, response=4, end=4, ok=True, stop=ABSENT, v2=False),
    ]
    assert control.brought == {0: [0], 1: [3]}
    assert control.known == {}


def test_a_prompt_of_v2_is_one_of_v2() -> None:
    (prompt,) = control_of("prompt Go\nok", "v2").prompts
    assert prompt == Prompt(0, request=0, response=1, end=1, ok=True, stop=ABSENT, v2=True)


def test_a_prompt_that_fails_has_no_stop_reason_and_an_open_one_lasts_to_the_end_of_the_log() -> None:
    control = control_of("prompt Go\nfail\nprompt Go\nagent m1 Hm")
    assert control.prompts == [
        Prompt(0, request=0, response=1, end=1, ok=False, stop=ABSENT, v2=False),
        Prompt(0, request=2, response=-1, end=4, ok=False, stop=ABSENT, v2=False),
    ]


def test_an_open_prompt_lasts_to_the_next_connection() -> None:
    control = control_of(f"{CONNECTION}\nprompt Go\n{CONNECTION}\nprompt Go\nagent m1 Hm\n{CONNECTION}")
    assert [(prompt.request, prompt.end) for prompt in control.prompts] == [(2, 3), (5, 7)]


def test_cancels_are_kept_by_session() -> None:
    control = control_of("prompt Go\n@s2 prompt Go\ncancel\n@s2 cancel\ncancel")
    assert control.cancels == {0: [2, 4], 1: [3]}
    assert control.cancelled_between(0, 0, 3)
    assert control.cancelled_between(0, 2, 3)
    assert not control.cancelled_between(0, 3, 4)
    assert not control.cancelled_between(0, 0, 2)
    assert not control.cancelled_between(7, 0, 9)


@pytest.mark.parametrize(
    ("version", "sketch", "load"),
    [
        ("v1", "load\nagent m1 Hm\nloaded", Load(0, 0, 2, 2, ok=True, asked=True, resume=False)),
        ("v1", "load\nfail", Load(0, 0, 1, 1, ok=False, asked=True, resume=False)),
        ("v1", "load\nagent m1 Hm", Load(0, 0, -1, 2, ok=False, asked=True, resume=False)),
        ("v1", "resume\nloaded", Load(0, 0, 1, 1, ok=True, asked=False, resume=True)),
        ("v1", "resume from\nloaded", Load(0, 0, 1, 1, ok=True, asked=False, resume=True)),
        ("v2", "resume\nloaded", Load(0, 0, 1, 1, ok=True, asked=False, resume=True)),
        ("v2", "resume from\nloaded", Load(0, 0, 1, 1, ok=True, asked=True, resume=True)),
    ],
)
def test_a_load_says_whether_it_asks_for_a_replay(version: str, sketch: str, load: Load) -> None:
    control = control_of(sketch, version)
    assert control.loads == [load]
    assert (control.brought, control.known) == ({0: [0]}, {0: 0})


def test_a_new_session_is_brought_by_the_response_to_it() -> None:
    control = control_of("new\nis s1\nagent m1 Hm\nprompt Go\nend end_turn\nload\nloaded")
    assert control.brought == {0: [1, 3, 5]}
    assert control.known == {0: 1}


def test_a_new_session_that_no_event_names_is_none() -> None:
    control = control_of('new\nframe {"id": 1, "result": {"sessionId": 3}}\nagent m1 Hm')
    assert (control.brought, control.known) == ({}, {})


def test_a_session_is_closed_until_it_is_brought_again() -> None:
    sketch = "new\nis s1\nclose\nok\nagent m1 Hm\nload\nloaded\ndelete\nok\nagent m2 Hm"
    assert control_of(sketch).closings == [
        Closing(0, begin=3, end=5, deleted=False),
        Closing(0, begin=8, end=10, deleted=True),
    ]


def test_a_second_closing_ends_the_first() -> None:
    assert control_of("new\nis s1\nclose\nok\ndelete\nok").closings == [
        Closing(0, begin=3, end=5, deleted=False),
        Closing(0, begin=5, end=6, deleted=True),
    ]


def test_a_closing_that_fails_closes_nothing() -> None:
    assert control_of("new\nis s1\nclose\nfail").closings == []


def test_states_of_a_turn_are_kept_by_session_with_their_reason() -> None:
    control = control_of(
        "state running\n@s2 state _own\nstate idle end_turn\nresume from\nstate idle\nloaded", "v2"
    )
    assert control.states == {
        0: [State(0, "running", None), State(2, "idle", "end_turn")],
        1: [State(1, "_own", None)],
    }


def test_a_response_without_its_request_comes_last_in_a_session_without_a_name() -> None:
    frames = [
        {"jsonrpc": "2.0", "id": 7, "result": {"stopReason": "end_turn"}},
        *sketched("prompt Go\nend refusal"),
    ]
    events = acpinspect.from_records(frames, protocol="v1")
    prompts = read_control(Log(events, "spec", DiagnoseOptions())).prompts
    assert prompts == [
        Prompt(0, request=1, response=2, end=2, ok=True, stop="refusal", v2=False),
        Prompt(1, request=-1, response=0, end=0, ok=True, stop="end_turn", v2=False),
    ]
