"""Emacs traffic, avante's log, gptme's log: what is ambiguous, cut or lost in them."""

from __future__ import annotations

import pytest

from tests.reading.frame_counts import frames_of, messages_of, updates_of

BAR = "=" * 80 + "\n"
LONG_BAR = "=" * 100 + "\n"


def lisp(*records: str) -> str:
    return "(" + "\n ".join(f"((:direction . incoming) (:kind . x) (:object {one}))" for one in records) + ")\n"


def test_nil_in_emacs_is_what_its_key_wants() -> None:
    [message] = messages_of(
        frames_of(
            "acp-el",
            lisp(
                "(id . 0) (result (protocolVersion . 1) (authMethods . []) (agentInfo) (agentCapabilities "
                "(loadSession) (promptCapabilities (image)) (sessionCapabilities (list))))"
            ),
        )
    )
    assert message["result"] == {
        "protocolVersion": 1,
        "agentCapabilities": {
            "loadSession": False,
            "promptCapabilities": {"image": False},
            "sessionCapabilities": {"list": {}},
        },
        "authMethods": [],
        "agentInfo": None,
    }


def test_nil_in_emacs_inside_a_tools_input_is_null() -> None:
    [update] = updates_of(
        frames_of(
            "acp-el",
            lisp(
                '(method . "session/update") (params (sessionId . "s") (update (sessionUpdate . "tool_call") '
                '(toolCallId . "c") (title . "T") (rawInput (image) (fs)) (content)))'
            ),
        )
    )
    assert update["rawInput"] == {"image": None, "fs": None}
    assert update["content"] is None


def test_an_emacs_record_that_is_broken_loses_no_other() -> None:
    text = lisp("(id . 1) (result . #9#)", '(id . 2) (result (stopReason . "end_turn"))')
    frames = frames_of("acp-el", text)
    assert [frame.kind for frame in frames] == ["unreadable", None]
    assert messages_of(frames)[0]["id"] == 2


def test_labels_of_emacs_reach_over_records() -> None:
    frames = frames_of("acp-el", lisp("(id . 1) (result (modes . #1=[]))", "(id . 2) (result (modes . #1#))"))
    assert [message["result"] for message in messages_of(frames)] == [{"modes": []}, {"modes": []}]


def test_emacs_is_the_client() -> None:
    text = '(((:direction . outgoing) (:kind . request) (:object (id . 1) (method . "initialize") (params))))'
    [frame] = frames_of("acp-el", text)
    assert (frame.label, frame.sender) == ("outgoing", "client")


def test_a_torn_emacs_list_ends_in_one_unreadable_row() -> None:
    text = lisp('(id . 1) (result (stopReason . "end_turn"))', '(id . 2)\n  (result (stopReason . "end_turn"))')
    frames = frames_of("acp-el", text[:-20])
    assert [frame.kind for frame in frames] == [None, "unreadable"]


def test_an_id_that_avante_lost_is_taken_from_the_answer_of_the_right_shape() -> None:
    text = (
        f'method: session/request_permission\n{{\n  sessionId = "s",\n  options = {{}}\n}}\n{LONG_BAR}'
        f'method: fs/read_text_file\n{{\n  sessionId = "s",\n  path = "/a"\n}}\n{LONG_BAR}'
        f'request: {{"jsonrpc":"2.0","id":8,"result":{{"content":"text"}}}}\n{LONG_BAR}'
        f'request: {{"jsonrpc":"2.0","id":7,"result":{{"outcome":{{"outcome":"cancelled"}}}}}}\n{LONG_BAR}'
    )
    assert [message["id"] for message in messages_of(frames_of("avante-acp-session", text))] == [7, 8, 8, 7]


def test_an_id_that_avante_lost_for_good_is_made_up_and_said() -> None:
    [frame] = frames_of("avante-acp-session", f'method: terminal/create\n{{\n  sessionId = "s"\n}}\n{LONG_BAR}')
    assert messages_of([frame])[0]["id"] == "lost-1"
    assert frame.problem == "request id lost"


def test_a_second_run_of_avante_answers_nothing_of_the_first() -> None:
    text = (
        f'method: session/request_permission\n{{\n  sessionId = "s"\n}}\n{LONG_BAR}'
        f'request: {{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":1}}}}\n{BAR}'
        f'method: session/request_permission\n{{\n  sessionId = "t"\n}}\n{LONG_BAR}'
        f'request: {{"jsonrpc":"2.0","id":5,"result":{{"outcome":{{"outcome":"cancelled"}}}}}}\n{LONG_BAR}'
    )
    assert [message["id"] for message in messages_of(frames_of("avante-acp-session", text))] == ["lost-1", 1, 5, 5]


EMPTY_TABLES = """response: {
  id = 0,
  jsonrpc = "2.0",
  result = {
    agentCapabilities = {
      sessionCapabilities = {
        list = {}
      }
    },
    authMethods = {},
    modes = vim.NIL,
    _meta = vim.empty_dict()
  }
}
"""


def test_an_empty_table_of_avante_is_what_its_key_wants() -> None:
    text = EMPTY_TABLES + LONG_BAR
    [message] = messages_of(frames_of("avante-acp-session", text))
    assert message["result"] == {
        "agentCapabilities": {"sessionCapabilities": {"list": {}}},
        "authMethods": [],
        "modes": None,
        "_meta": {},
    }


def test_a_bar_inside_a_text_of_avante_ends_no_record() -> None:
    text = (
        f'method: session/update\n{{\n  sessionId = "s",\n  update = {{ text = "{"=" * 120}\\n" }}\n}}\n{LONG_BAR}'
        f'notification: {{"jsonrpc":"2.0","method":"session/cancel","params":{{"sessionId":"s"}}}}{LONG_BAR}'
    )
    assert len(messages_of(frames_of("avante-acp-session", text))) == 2


def test_a_torn_record_of_avante_is_one_unreadable_row() -> None:
    text = f'notification: {{"jsonrpc":"2.0","method":"session/cancel"}}{LONG_BAR}' + EMPTY_TABLES[:60]
    assert [frame.kind for frame in frames_of("avante-acp-session", text)] == [None, "unreadable"]


def gptme(*lines: str) -> str:
    return "".join(
        f"2026-01-05 11:00:00,{n:03d} - gptme.acp.protocol - DEBUG - {line}\n" for n, line in enumerate(lines)
    )


def test_newer_lines_of_gptme_have_their_ids() -> None:
    text = gptme(
        '--> initialize (id=0) params={"protocolVersion": 1}',
        '<-- response (id=0) result={"protocolVersion": 1}',
        '<-- session/request_permission (id=perm-1) params={"sessionId": "s"}',
        '--> response (id=perm-1) error={"code": -32603, "message": "no"}',
        '<-- notification session/update params={"update": {"sessionUpdate": "plan", "entries": []}}',
    )
    frames = frames_of("gptme-acp-protocol", text)
    assert [(m.get("id", "none"), m.get("method")) for m in messages_of(frames)] == [
        (0, "initialize"),
        (0, None),
        ("perm-1", "session/request_permission"),
        ("perm-1", None),
        ("none", "session/update"),
    ]
    assert [frame.problem for frame in frames] == [None] * 5


def test_answers_of_gptme_without_ids_find_their_requests_by_shape() -> None:
    text = gptme(
        '--> request session/prompt params={"sessionId": "s", "prompt": []}',
        '<-- request fs/read_text_file params={"sessionId": "s", "path": "/a"}',
        "--> request session/list params={}",
        '<-- response  result={"sessions": []}',
        '--> response  result={"content": "x"}',
        '<-- response  result={"stopReason": "end_turn"}',
    )
    ids = [message["id"] for message in messages_of(frames_of("gptme-acp-protocol", text))]
    assert ids == ["lost-1", "lost-2", "lost-3", "lost-3", "lost-2", "lost-1"]


def test_a_body_that_gptme_cut_keeps_what_is_there() -> None:
    [frame] = frames_of(
        "gptme-acp-protocol",
        gptme(
            '<-- notification session/update params={"sessionId": "s", "update": {"sessionUpdate": '
            '"agent_message_chunk", "content": {"type": "text", "text": "High wat... (512 chars)'
        ),
    )
    assert updates_of([frame])[0]["content"] == {"type": "text", "text": "High wat"}
    assert frame.problem == "truncated: 512 characters in the original"


def test_an_answer_of_gptme_without_its_request_has_a_null_id() -> None:
    [frame] = frames_of("gptme-acp-protocol", gptme('<-- response  result={"stopReason": "end_turn"}'))
    assert messages_of([frame]) == [{"jsonrpc": "2.0", "id": None, "result": {"stopReason": "end_turn"}}]
    assert frame.problem == "request id lost"


@pytest.mark.parametrize(
    "line", ['<-- response  result={"stopRea', "--> request x params={]", "--> x (id=1) raw=5"]
)
def test_a_body_of_gptme_that_is_no_json_is_unreadable(line: str) -> None:
    [frame] = frames_of("gptme-acp-protocol", gptme(line))
    assert (frame.kind, frame.problem) == ("unreadable", "no JSON in the body")


def test_other_lines_of_gptmes_log_are_left_out() -> None:
    assert frames_of("gptme-acp-protocol", "x - INFO - ready --> go\n") == []
