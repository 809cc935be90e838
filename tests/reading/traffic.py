"""A short conversation, and every wrapper that we know to put it in."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

MESSAGES: list[dict[str, object]] = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}},
    {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1, "agentCapabilities": {}}},
    {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/p", "mcpServers": []}},
    {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "s-1"}},
    {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "session/prompt",
        "params": {"sessionId": "s-1", "prompt": [{"type": "text", "text": 'Say {"jsonrpc": 1} -> IN: „x“'}]},
    },
    {
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {
            "sessionId": "s-1",
            "update": {
                "sessionUpdate": "agent_message_chunk",
                "messageId": "m-1",
                "content": {"type": "text", "text": 'A "quoted" line\nand \\ – 🌊'},
            },
        },
    },
    {"jsonrpc": "2.0", "id": 0, "method": "fs/read_text_file", "params": {"sessionId": "s-1", "path": "/p/a"}},
    {"jsonrpc": "2.0", "id": 0, "result": {"content": "data: [1]"}},
    {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_turn"}},
    {"jsonrpc": "2.0", "id": 3, "error": {"code": -32601, "message": "Method not found"}},
]
SENDERS = ("client", "agent", "client", "agent", "client", "agent", "agent", "client", "agent", "agent")
RAWS = [json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in MESSAGES]

START = 1_767_610_800
TIMES = [START * 1_000_000_000 + 40_000_000 * position for position in range(len(RAWS))]


def _iso(position: int) -> str:
    return f"2026-01-05T11:00:00.{40 * position:03d}Z"


def _lines(line: Callable[[int, str], str]) -> bytes:
    return "".join(line(position, raw) + "\n" for position, raw in enumerate(RAWS)).encode()


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _pretty(raw: str) -> str:
    return json.dumps(json.loads(raw), indent=2, ensure_ascii=False)


def _label(position: int, client: str, agent: str) -> str:
    return client if SENDERS[position] == "client" else agent


def _sse() -> bytes:
    return _lines(lambda _, raw: f"event: message\ndata: {raw}\n")


def _content_length() -> bytes:
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(raw.encode()), raw.encode()) for raw in RAWS)


def _har() -> bytes:
    messages = [
        {"type": _label(i, "send", "receive"), "time": START + 0.04 * i, "opcode": 1, "data": raw}
        for i, raw in enumerate(RAWS)
    ]
    request = {"method": "GET", "url": "ws://localhost/acp", "headers": []}
    entry = {"startedDateTime": _iso(0), "request": request, "_webSocketMessages": messages}
    return json.dumps({"log": {"version": "1.2", "entries": [entry]}}, indent=1).encode()


WRAPPED: dict[str, bytes] = {
    "raw": _lines(lambda _, raw: raw),
    "crlf": _lines(lambda _, raw: raw + "\r"),
    "byte order mark": b"\xef\xbb\xbf" + _lines(lambda _, raw: raw),
    "blank lines": _lines(lambda _, raw: f"  {raw}\t\n"),
    "escapes before": _lines(lambda _, raw: f"\x1b[1 q{raw}"),
    "one array": ("[" + ",".join(RAWS) + "]").encode(),
    "array over lines": ("[\n" + ",\n".join(RAWS) + "\n]\n").encode(),
    "batches": f"[{RAWS[0]},{RAWS[1]}]\n[{','.join(RAWS[2:])}]\n".encode(),
    "no line ends": "".join(RAWS).encode(),
    "export": f'{{"version":1,"tool":{{"name":"x"}},"history":[{",".join(RAWS)}]}}'.encode(),
    "exports by session": f'{{"sessions":{{"a":{{"events":[{",".join(RAWS)}]}},"b":{{"events":[]}}}}}}'.encode(),
    "object inside": _lines(lambda i, raw: f'{{"ts":{START * 1000 + 40 * i},"dir":"in","msg":{raw}}}'),
    "string inside": _lines(lambda i, raw: _dumps({"ts": START * 1000 + 40 * i, "frame": raw, "dir": "out"})),
    "string in string": _lines(lambda i, raw: _dumps({"time": _iso(i), "data": _dumps({"msg": raw})})),
    "unknown key": _lines(lambda i, raw: f'{{"when":"{_iso(i)}","rpc_blob":{raw}}}'),
    "base64": _lines(
        lambda i, raw: _dumps(
            {"at": START * 1000 + 40 * i, "encoding": "base64", "frame": base64.b64encode(raw.encode()).decode()}
        )
    ),
    "three deep": _lines(
        lambda i, raw: f'{{"log":{{"level":"info","record":{{"message":{raw}}}}},"ts":"{_iso(i)}"}}'
    ),
    "message text": _lines(lambda i, raw: _dumps({"time": _iso(i), "level": "DEBUG", "msg": f"--> {raw}"})),
    "strings": _lines(lambda _, raw: _dumps(raw)),
    "array of strings": json.dumps(RAWS).encode(),
    "quoted value": _lines(lambda i, raw: f'time={_iso(i)} level=debug msg="acp frame" frame={_dumps(raw)}'),
    "quoted reply": _lines(lambda _, raw: f"> {raw}"),
    "commas after": ",\n".join(RAWS).encode(),
    "iso prefix": _lines(lambda i, raw: f"{_iso(i)} DEBUG acp {_label(i, '->', '<-')} {raw}"),
    "local prefix": _lines(
        lambda i, raw: (
            f"2026-01-05 11:00:00,{40 * i:03d} [ 75] FINE - AcpTransport - {_label(i, 'OUT', 'IN')}: {raw}"
        )
    ),
    "colours": _lines(lambda i, raw: f"\x1b[90m[{_iso(i)}]\x1b[0m {_label(i, 'sent:', 'recv:')} {raw}"),
    "text after": _lines(lambda i, raw: f"{_iso(i)} {_label(i, '→', '←')} {raw} (3 ms)"),
    "headers": _lines(lambda i, raw: f"[{_iso(i)}] {_label(i, '>>>', '<<<')} X\n{_pretty(raw)}\n"),
    "headers of two lines": _lines(
        lambda i, raw: f"2026-01-05 11:00:00.{40 * i:03d}\n{_label(i, 'Sent', 'Received')}:\n{raw}"
    ),
    "event stream": _sse(),
    "content length": _content_length(),
    "archive": _har(),
}
"""The conversation in each wrapper; the raw texts inside are those of `RAWS`, but for their layout."""
