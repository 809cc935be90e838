"""Formats of which the corpus has no sample: small ones of our own, written after the writers' sources."""

from __future__ import annotations

import base64
import json

import pytest

import acpinspect
from acpinspect.reading.detection import choose, is_acp
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.reader import read_document

UPDATE = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
PARAMS = {"sessionId": "s-1", "update": UPDATE}
NOTE = {"jsonrpc": "2.0", "method": "session/update", "params": PARAMS}
ISO = "2026-01-05T11:00:00Z"
TEXT = json.dumps(NOTE)
TS = 1_767_610_800_000


def document(*lines: object) -> Document:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return Document.of_bytes("<bytes>", text.encode())


def read(*lines: object) -> list[Frame]:
    return list(read_document(document(*lines)))


def only(*lines: object) -> Frame:
    [frame] = [frame for frame in read(*lines) if frame.kind is None]
    return frame


def params_of(frame: Frame) -> dict[str, object]:
    message = json.loads(frame.raw)
    assert message["method"] == "session/update"
    return message["params"]


@pytest.mark.parametrize(
    ("format_name", "line", "label", "clock"),
    [
        ("kiro-record", {"dir": "in", "ts": TS, "msg": NOTE}, "in", "epoch ms"),
        ("kiro-record", {"dir": "in", "ts": TS, "msg": TEXT}, "in", "epoch ms"),
        ("c2a-a2c", {"ts": TS / 1000, "dir": "a2c", "msg": NOTE}, "a2c", "epoch s"),
        ("venikman-acp-trace", {"ts": TS, "direction": "fromAgent", "json": TEXT}, "fromAgent", "epoch ms"),
        ("posthog-code", {"type": "notification", "timestamp": ISO, "notification": NOTE}, None, "ISO 8601"),
        ("rust-rpc-trace", f"{ISO} TRACE [agent_client_protocol::rpc] recv: {TEXT}", "recv", "ISO 8601"),
        ("structured-json-log", {"time": ISO, "level": "DEBUG", "msg": f"<-- {TEXT}"}, "<--", "ISO 8601"),
        (
            "sacp-tee-json",
            {"timestamp": "2026-01-05T11:00:00+01:00", "direction": "downstream", "message": NOTE},
            "downstream",
            "ISO 8601",
        ),
        ("envelope", {"ts": ISO, "direction": "recv", "session_id": "x", "line": TEXT}, "recv", "ISO 8601"),
        ("envelope", {"ts": ISO, "direction": "agent", "payload": NOTE}, "agent", "ISO 8601"),
        ("envelope", {"@timestamp": ISO, "fields": {"rpc": NOTE}}, None, "ISO 8601"),
        ("prefixed-json", f"11:00:00.250 client→agent {TEXT}", "client→agent", "time of day"),
        ("prefixed-json", f"1767610800.25 < {TEXT}", "<", "epoch s"),
        ("prefixed-json", f"2026/01/05 11:00:00 [stdout] {TEXT}", "stdout", "local"),
    ],
)
def test_a_recorders_line_gives_its_message_its_time_and_its_label(
    format_name: str, line: object, label: str | None, clock: str
) -> None:
    frame = only(line)
    assert json.loads(frame.raw) == NOTE
    assert (frame.label, frame.clock) == (label, clock)
    assert choose(document(line))[0].name == format_name


def test_harbor_has_snake_case_outside_and_camel_case_inside_and_may_lack_the_session() -> None:
    line = {"event_type": "session_update", "payload": {"session_id": "s-1", "update": UPDATE}}
    assert params_of(only(line)) == PARAMS
    assert params_of(only({"event_type": "session_update", "payload": {"update": UPDATE}})) == {"update": UPDATE}
    assert choose(document(line))[0].name == "harbor-acp-events"


def test_onyx_packets_are_updates_without_their_packet_keys() -> None:
    packet = {
        "content": {"type": "text", "text": "Hi"},
        "session_update": "agent_message_chunk",
        "type": "agent_message_chunk",
        "timestamp": "2026-01-05T11:00:00+00:00",
    }
    frame = only(packet)
    assert params_of(frame) == {"update": UPDATE}
    assert frame.clock == "ISO 8601"


def test_an_update_in_the_place_of_the_params_is_put_where_the_protocol_has_it() -> None:
    frame = only({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s-1", **UPDATE}})
    assert json.loads(frame.raw) == NOTE
    assert "flat params" in (frame.problem or "")
    assert params_of(only({"jsonrpc": "2.0", "method": "session/update", "params": UPDATE})) == {"update": UPDATE}


def test_a_frame_on_the_wire_keeps_its_snake_case_and_a_dump_loses_it() -> None:
    snake = {
        "session_id": "s-1",
        "update": {"session_update": "plan", "entries": [], "field_meta": {"raw_input": 1}},
    }
    wire = {"jsonrpc": "2.0", "method": "session/update", "params": snake}
    assert json.loads(only(wire).raw) == wire
    assert params_of(only(snake)) == {
        "sessionId": "s-1",
        "update": {"sessionUpdate": "plan", "entries": [], "_meta": {"raw_input": 1}},
    }


def test_raw_input_and_output_of_a_dump_are_left_alone_and_nulls_stay() -> None:
    update = {
        "session_update": "tool_call",
        "tool_call_id": "c",
        "raw_input": {"tool_call_id": 1},
        "raw_output": None,
    }
    assert params_of(only({"session_id": "s", "update": update}))["update"] == {
        "sessionUpdate": "tool_call",
        "toolCallId": "c",
        "rawInput": {"tool_call_id": 1},
        "rawOutput": None,
    }


def test_qwen_serve_has_its_updates_in_the_data_of_an_event() -> None:
    lines = (
        "id: 7",
        "event: session_update",
        "data: " + json.dumps({"id": 7, "v": 1, "type": "session_update", "data": UPDATE}),
        "",
    )
    assert params_of(only(*lines)) == {"update": UPDATE}
    assert choose(document(*lines))[0].name == "qwen-serve-sse"


def test_an_event_stream_after_its_headers_knows_session_and_connection() -> None:
    lines = (
        "HTTP/1.1 200 OK",
        "Content-Type: text/event-stream",
        "Acp-Connection-Id: c-1",
        "Acp-Session-Id: s-9",
        "",
        ": ping",
        "",
        "data: " + json.dumps(UPDATE),
        "",
        "data: [DONE]",
        "",
    )
    frame = only(*lines)
    assert params_of(frame) == {"sessionId": "s-9", "update": UPDATE}
    assert frame.connection == "c-1"
    assert [f.problem for f in read(*lines) if f.raw == "[DONE]"] == ["end of stream"]


def test_acp_els_log_buffer_counts_each_message_once() -> None:
    text = json.dumps(NOTE)
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {}})
    lines = (
        "OUTGOING OBJECT >",
        "",
        '((:method . "session/new"))',
        "",
        "OUTGOING TEXT >",
        "",
        ask,
        "",
        "INCOMING TEXT >",
        "",
        text[:20],
        "",
        "INCOMING TEXT >",
        "",
        text,
        "",
        "INCOMING LINE >",
        "",
        text,
        "",
    )
    frames = [f for f in read(*lines) if f.kind is None]
    assert [(f.label, json.loads(f.raw)["method"]) for f in frames] == [
        ("OUTGOING TEXT", "session/new"),
        ("INCOMING LINE", "session/update"),
    ]
    assert choose(document(*lines))[0].name == "acp.el-log"


def test_sacp_tees_errors_that_were_recorded_as_results_say_so() -> None:
    line = {
        "timestamp": ISO,
        "direction": "upstream",
        "message": {"id": 3, "result": {"error": "no"}},
    }
    frame = only(line)
    assert json.loads(frame.raw) == {"id": 3, "result": {"error": "no"}}
    assert frame.problem == "an error recorded as a result (sacp-tee)"


def test_messages_without_the_version_key_are_messages() -> None:
    frames = read(
        {"id": 1, "method": "session/new", "params": {}},
        {"id": 1, "result": {"sessionId": "s"}},
        {"id": 2, "error": {"code": 1, "message": "x"}},
    )
    assert [f.kind for f in frames] == [None, None, None]


def test_pretty_printed_messages_after_a_prefix_are_found() -> None:
    lines = ("2026-01-05T11:00:00Z recv: " + json.dumps(NOTE, indent=2), "2026-01-05T11:00:01Z done")
    frame = only(*lines)
    assert json.loads(frame.raw) == NOTE
    assert (frame.label, frame.clock, frame.line) == ("recv", "ISO 8601", 1)


def test_an_export_of_bare_updates_gives_its_session_to_each() -> None:
    export = json.dumps({"sessionId": "s-1", "exported": "x", "updates": [UPDATE, UPDATE]}, indent=1)
    assert [params_of(f) for f in read(export) if f.kind is None] == [PARAMS, PARAMS]


def test_openclaw_gives_only_what_belongs_to_the_params() -> None:
    event = {"seq": 1, "at": TS, "sessionId": "s-1", "sessionKey": "k", "runId": "r", "update": UPDATE}
    ledger = json.dumps({"version": 1, "sessions": {"s-1": {"sessionId": "s-1", "events": [event]}}}, indent=2)
    frame = only(ledger)
    assert params_of(frame) == PARAMS
    assert (frame.time, frame.clock) == (TS * 1_000_000, "epoch ms")


def test_zed_puts_errors_and_results_under_params() -> None:
    entries = [
        {
            "_direction": "incoming",
            "_type": "response",
            "id": "a",
            "method": "session/prompt",
            "params": {"stopReason": "end_turn"},
        },
        {
            "_direction": "incoming",
            "_type": "response",
            "id": "b",
            "method": "[unrecognized response]",
            "params": {"code": -1, "message": "x"},
        },
        {
            "_direction": "incoming",
            "_type": "notification",
            "id": None,
            "method": "session/update",
            "params": PARAMS,
        },
    ]
    assert [json.loads(f.raw) for f in read(json.dumps(entries, indent=2))] == [
        {"jsonrpc": "2.0", "id": "a", "result": {"stopReason": "end_turn"}},
        {"jsonrpc": "2.0", "id": "b", "error": {"code": -1, "message": "x"}},
        NOTE,
    ]


def test_the_old_conductor_trace_writes_its_parts_in_small_letters() -> None:
    line = {
        "type": "notification",
        "ts": 1.5,
        "protocol": "acp",
        "from": "proxy:0",
        "to": "client",
        "method": "session/update",
        "session": None,
        "params": PARAMS,
    }
    frame = only(line, {**line, "from": "agent", "to": "proxy:0"})
    assert (frame.sender, frame.label, frame.elapsed) == ("agent", "proxy:0 -> client", 1.5)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("mcp", {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
        ("mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        ("lsp", {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {}}),
        (
            "claude-code-transcript",
            {"parentUuid": None, "sessionId": "x", "uuid": "u", "type": "user", "message": {"role": "user"}},
        ),
        ("acpx-checkpoint", '{"schema":"acpx.session.v1","messages":[{"role":"user"}]}'),
        ("kimi-wire", {"timestamp": 1.0, "message": {"type": "TurnBegin", "payload": {}}}),
    ],
)
def test_what_is_not_acp_is_named(name: str, line: object) -> None:
    assert choose(document(line))[0].name == name
    assert is_acp(read(line)) is False


def test_a_json_document_without_messages_is_one_row() -> None:
    [frame] = read(json.dumps({"format": "x", "events": [1, {"a": 2}], "directions": {}}, indent=2))
    assert frame.kind == "other"
    assert is_acp([frame]) is False


def test_headers_above_messages_of_one_line_give_their_time_and_label() -> None:
    frames = [f for f in read("11:00:00 SEND", NOTE, "11:00:01 RECV", NOTE) if f.kind is None]
    assert [(f.label, f.clock, f.line) for f in frames] == [("SEND", "time of day", 1), ("RECV", "time of day", 3)]


def test_noise_between_raw_messages_is_no_header() -> None:
    lines = ("2026-01-05T11:00:00Z INFO ready", NOTE, NOTE, NOTE, "2026-01-05T11:00:09Z INFO idle", NOTE)
    assert [f.clock for f in read(*lines) if f.kind is None] == [None] * 4


@pytest.mark.parametrize("broken", [False, True])
def test_a_body_in_base64_of_an_archive_of_requests_is_decoded(broken: bool) -> None:
    frame = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    text = base64.b64encode(frame).decode() + ("!" if broken else "")
    post = {"method": "POST", "url": "http://h/acp", "headers": [], "postData": {"text": frame.decode()}}
    entry = {"startedDateTime": "2026-01-05T11:00:02Z", "request": post, "response": {"headers": []}}
    entry["response"]["content"] = {"encoding": "base64", "text": text}  # type: ignore[index]
    archive = json.dumps({"log": {"version": "1.2", "entries": [entry]}}).encode()
    events = acpinspect.load(archive, format="har")
    messages = events[events["kind"] == "response"]
    assert messages["raw"].tolist() == [frame.decode()] * (1 if broken else 2)
