"""What Python, Rust and Node print into logs becomes the messages that were printed."""

from __future__ import annotations

import pytest

from tests.reading.frame_counts import frames_of, messages_of, recognised, uncovered, updates_of

CHUNK = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
BLOCK = "TextContentBlock(text='Hi', type='text')"
MESSAGE = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": CHUNK}}
SNAKE = {"session_id": "s", "update": {"session_update": "agent_message_chunk", "content": CHUNK["content"]}}
PYTHON_PRINTS = {
    "repr": (
        f"SessionNotification(session_id='s', update=AgentMessageChunk(content={BLOCK}, "
        "session_update='agent_message_chunk'))"
    ),
    "str": f"session_id='s' update=AgentMessageChunk(content={BLOCK}, session_update='agent_message_chunk')",
    "older classes": (
        "SessionNotification(field_meta=None, sessionId='s', update=SessionUpdate2("
        "content=ContentBlock1(text='Hi', type='text'), sessionUpdate='agent_message_chunk'))"
    ),
    "no tag": f"SessionNotification(session_id='s', update=AgentMessageChunk(content={BLOCK}))",
    "dict": repr(SNAKE),
    "envelope": repr({"ts": 1767610802.48, "dir": "a2c", "msg": MESSAGE}),
}
RUST_PRINTS = {
    "newer": (
        'AgentMessageChunk(ContentChunk { content: Text(TextContent { annotations: None, text: "Hi" }), '
        "message_id: None })"
    ),
    "older": 'AgentMessageChunk { content: Text(TextContent { text: "Hi", meta: None }) }',
    "pretty": (
        "AgentMessageChunk(\n    ContentChunk {\n        content: Text(\n            TextContent {\n"
        '                text: "Hi",\n            },\n        ),\n    },\n)'
    ),
}
RUST_TOOL_CALL = (
    'ToolCall(ToolCall { tool_call_id: ToolCallId("c"), title: "T", kind: Read, status: InProgress, content: ['
    'Content(Content { content: Text(TextContent { text: "x" }) }), '
    'Diff(Diff { path: "/a", old_text: None, new_text: "n" }), '
    'Terminal(Terminal { terminal_id: TerminalId("t") })], '
    'raw_input: Some(Object {"path_name": String("t"), "l": Array [Null, Bool(true), Number(1.5)]}) })'
)


def one_update(name: str, text: str) -> dict[str, object]:
    [update] = updates_of(frames_of(name, text))
    return update


@pytest.mark.parametrize("text", PYTHON_PRINTS.values(), ids=PYTHON_PRINTS)
def test_all_that_the_python_sdk_prints_of_a_chunk_is_that_chunk(text: str) -> None:
    [frame] = frames_of("python-repr", f"2026-01-05 11:00:02,480 DEBUG got {text}\n")
    [message] = messages_of([frame])
    assert message["params"]["sessionId"] == "s"
    assert message["params"]["update"] == CHUNK


def test_a_bare_update_in_python_has_no_session() -> None:
    text = (
        "AgentMessageChunk(content=TextContentBlock(text='Hi', type='text'), session_update='agent_message_chunk')"
    )
    [message] = messages_of(frames_of("python-repr", text))
    assert message["params"] == {"update": CHUNK}


def test_python_keys_inside_a_tools_input_stay_as_they_are() -> None:
    text = (
        "{'session_id': 's', 'update': {'session_update': 'tool_call', 'tool_call_id': 'c', 'title': 'T', "
        "'raw_input': {'session_id': 1, 'old_text': 2}, 'field_meta': {'tool_call_id': 3}}}"
    )
    update = one_update("python-repr", text)
    assert update["rawInput"] == {"session_id": 1, "old_text": 2}
    assert update["_meta"] == {"tool_call_id": 3}


def test_a_message_that_is_json_rpc_in_python_keeps_all_its_keys() -> None:
    text = "{'jsonrpc': '2.0', 'id': 1, 'method': '_x/do', 'params': {'session_id': 's'}}"
    assert messages_of(frames_of("python-repr", text)) == [
        {"jsonrpc": "2.0", "id": 1, "method": "_x/do", "params": {"session_id": "s"}}
    ]


def test_requests_in_python_get_ids_that_their_answers_share() -> None:
    text = (
        "sent PromptRequest(session_id='s', prompt=[TextContentBlock(text='Hi', type='text')])\n"
        "sent SetSessionModeRequest(session_id='s', mode_id='m')\n"
        "got PromptResponse(stop_reason='end_turn')\n"
    )
    frames = frames_of("python-repr", text)
    assert [(m["id"], m.get("method")) for m in messages_of(frames)] == [
        ("lost-1", "session/prompt"),
        ("lost-2", "session/set_mode"),
        ("lost-1", None),
    ]
    assert {frame.problem for frame in frames} == {"request id lost"}


def test_a_value_that_pprint_broke_over_lines_is_one_record() -> None:
    text = "before\n{'id': 1,\n 'result': {'stopReason': 'end_'\n 'turn'}}\nafter\n"
    [frame] = frames_of("python-repr", text)
    assert messages_of([frame])[0]["result"] == {"stopReason": "end_turn"}
    assert uncovered(text.encode(), [frame]).split() == [b"before", b"after"]
    assert (frame.line, frame.offset) == (2, 7)


def test_what_is_printed_in_python_and_is_no_message_gives_no_frame() -> None:
    assert frames_of("python-repr", "loaded Settings(path='a', debug=True) and {'a': 1}\n") == []


def test_a_value_cut_off_at_the_end_is_one_unreadable_row() -> None:
    whole = "{'jsonrpc': '2.0', 'id': 1, 'result': {'stopReason': 'end_turn'}}\n"
    frames = frames_of("python-repr", whole + whole[:40])
    assert [frame.kind for frame in frames] == [None, "unreadable"]
    assert frames[1].raw == whole[:40]


def test_a_toad_line_with_a_list_is_a_batch() -> None:
    text = (
        "[client] [{'jsonrpc': '2.0', 'id': 1, 'method': 'session/list', 'params': {}}, "
        "{'jsonrpc': '2.0', 'id': 2, 'method': 'initialize', 'params': {'protocolVersion': 1}}]\n"
    )
    frames = frames_of("toad-log", text)
    assert [message["id"] for message in messages_of(frames)] == [1, 2]
    assert {(frame.sender, frame.label) for frame in frames} == {("client", "client")}


def test_toads_json_is_the_very_text() -> None:
    raw = '{"jsonrpc": "2.0", "id":1 ,"result":{"n":1.50}}'
    [frame] = frames_of("toad-log", f"[agent] {raw}\n")
    assert frame.raw == raw


@pytest.mark.parametrize("update", RUST_PRINTS.values(), ids=RUST_PRINTS)
def test_all_that_rust_prints_of_a_chunk_is_that_chunk(update: str) -> None:
    text = f'DEBUG x: got SessionNotification {{ session_id: SessionId("s"), update: {update}, meta: None }} ok\n'
    assert one_update("rust-debug", text) == CHUNK


def test_a_tool_call_in_rust_has_its_tags_and_its_input() -> None:
    text = f'SessionNotification {{ session_id: SessionId("s"), update: {RUST_TOOL_CALL} }}'
    assert one_update("rust-debug", text) == {
        "sessionUpdate": "tool_call",
        "toolCallId": "c",
        "title": "T",
        "kind": "read",
        "status": "in_progress",
        "content": [
            {"type": "content", "content": {"type": "text", "text": "x"}},
            {"type": "diff", "path": "/a", "newText": "n"},
            {"type": "terminal", "terminalId": "t"},
        ],
        "rawInput": {"path_name": "t", "l": [None, True, 1.5]},
    }


def test_a_field_in_rust_that_is_null_is_kept_and_one_that_is_undefined_is_not() -> None:
    text = (
        'SessionNotification { session_id: SessionId("s"), update: SessionInfoUpdate(SessionInfoUpdate '
        "{ title: Null, updated_at: Undefined }) }"
    )
    assert one_update("rust-debug", text) == {"sessionUpdate": "session_info_update", "title": None}


def test_the_fields_of_a_tool_update_in_rust_stand_beside_its_id() -> None:
    text = (
        'SessionNotification { session_id: SessionId("s"), update: ToolCallUpdate(ToolCallUpdate { tool_call_id: '
        'ToolCallId("c"), fields: ToolCallUpdateFields { status: Some(Completed), title: None }, meta: None }) }'
    )
    assert one_update("rust-debug", text) == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "c",
        "status": "completed",
    }


def test_a_permission_outcome_in_rust_has_its_tag() -> None:
    text = (
        'RequestPermissionResponse { outcome: Selected(SelectedPermissionOutcome { option_id: OptionId("ok") }) }'
    )
    [message] = messages_of(frames_of("rust-debug", text))
    assert message["result"] == {"outcome": {"outcome": "selected", "optionId": "ok"}}


@pytest.mark.parametrize("wrapper", ["ClientRequest::PromptRequest({})", "PromptRequest({})", "{}"])
def test_wrappers_around_a_request_in_rust_are_opened(wrapper: str) -> None:
    inner = 'PromptRequest { session_id: SessionId("s"), prompt: [Text(TextContent { text: "Hi" })] }'
    [message] = messages_of(frames_of("rust-debug", wrapper.format(inner)))
    assert message["method"] == "session/prompt"
    assert message["params"] == {"sessionId": "s", "prompt": [{"type": "text", "text": "Hi"}]}


NODE = """2026-01-05T11:00:02.480Z recv {
  jsonrpc: '2.0',
  method: 'session/update',
  params: {
    sessionId: 'sess-1',
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: [Object],
      messageId: 'm-1'
    }
  }
}
Error handling notification { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } } { code: -1 }
"""


def test_a_message_in_nodes_print_keeps_what_was_printed() -> None:
    frames = frames_of("node-inspect", NODE)
    assert updates_of(frames) == [{"sessionUpdate": "agent_message_chunk", "messageId": "m-1"}]
    assert [frame.problem for frame in frames] == ["truncated: 1 values were not printed", None]


def test_a_record_in_nodes_print_goes_over_its_lines() -> None:
    frames = frames_of("node-inspect", NODE)
    assert uncovered(NODE.encode(), frames) == b""
    assert [frame.line for frame in frames] == [1, 13]
    assert frames[0].clock == "ISO 8601"


def test_a_list_in_nodes_print_keeps_its_length_but_for_the_rest() -> None:
    entries = "[ [Object], { content: 'A' }, ... 7 more items ]"
    text = f"{{ sessionId: 's', update: {{ sessionUpdate: 'plan', entries: {entries} }} }}"
    [frame] = frames_of("node-inspect", text)
    assert updates_of([frame]) == [{"sessionUpdate": "plan", "entries": [None, {"content": "A"}]}]
    assert frame.problem == "truncated: 2 values were not printed"


@pytest.mark.parametrize(("text", "name"), [
    (NODE, "node-inspect"),
    ("x PromptResponse { stop_reason: EndTurn, meta: None }\n", "rust-debug"),
    ("x PromptResponse(stop_reason='end_turn')\n", "python-repr"),
    ("[client] {'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {}}\n", "toad-log"),
])  # fmt: skip
def test_a_log_is_recognised_by_what_is_printed_in_it(text: str, name: str) -> None:
    found = recognised(text)
    assert found is not None
    assert found.name == name


def test_a_log_of_json_with_one_python_line_is_no_python_log() -> None:
    line = '{"jsonrpc":"2.0","id":1,"result":{}}\n'
    found = recognised(line * 3 + "{'jsonrpc': '2.0', 'id': 1, 'result': {}}\n")
    assert found is None or found.name != "python-repr"


COLOURED = [
    ("rust-debug", "\x1b[2mupdate\x1b[0m\x1b[2m=\x1b[0mPromptResponse { stop_reason: EndTurn }\x1b[0m\n"),
    ("python-repr", "\x1b[32mgot\x1b[0m \x1b[1mPromptResponse(stop_reason='end_turn')\x1b[0m\n"),
    ("node-inspect", "{ id: \x1b[33m1\x1b[39m, result: { stopReason: \x1b[32m'end_turn'\x1b[39m } }\n"),
    ("toad-log", "[client]\x1b[0m {'id': 1, 'result': {'stopReason': 'end_turn'}}\n"),
    ("gptme-acp-protocol", '\x1b[1m<-- response (id=1) result={"stopReason": "end_turn"}\x1b[0m\n'),
]


@pytest.mark.parametrize(("name", "text"), COLOURED, ids=[name for name, _ in COLOURED])
def test_colours_hide_nothing(name: str, text: str) -> None:
    [message] = messages_of(frames_of(name, text))
    assert message["result"] == {"stopReason": "end_turn"}
