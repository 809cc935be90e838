"""How a recording is put on disk: plain lines, a recorder's envelope, an editor's log, or half broken."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from wire import Json, Recording

from acpinspect.recording.records import Moment, event_record, records_of

SUNRISE = datetime(2026, 3, 1, 6, 42, tzinfo=UTC)


def compact(value: object) -> str:
    """JSON as it goes over the wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def ndjson(recording: Recording) -> bytes:
    """One message a line and nothing else: what `tee` would keep."""
    return "".join(compact(message) + "\n" for _, message in recording.messages).encode()


def recorder(recording: Recording) -> bytes:
    """A recorder's envelope: when, which way (it stood at the client, so `out` goes to the agent), what."""
    lines = []
    for now, (sender, message) in zip(clock(recording), recording.messages, strict=True):
        stamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        envelope = {"ts": stamp, "dir": "out" if sender == "client" else "in", "msg": message}
        lines.append(compact(envelope) + "\n")
    return "".join(lines).encode()


def recorded(recording: Recording) -> bytes:
    """What `acpinspect record` writes: both sides, the agent's standard error, and what it has to say itself."""
    header = {"format": "acpinspect-recording", "version": 1, "command": ["keeper", "acp"]}
    lines = event_record(0, _moment(SUNRISE), "start", header).buffers
    lines += records_of(1, _moment(SUNRISE), "stderr", [], b"\x1b[2mkeeper\x1b[0m is up").buffers
    now = SUNRISE
    for number, (now, (sender, message)) in enumerate(zip(clock(recording), recording.messages, strict=True), 2):
        lines += records_of(number, _moment(now), sender, [], compact(message).encode()).buffers
    last = len(recording.messages) + 2
    for number, (name, details) in enumerate(
        (("end", {"of": "client"}), ("end", {"of": "agent"}), ("exit", {"status": 0})), last
    ):
        lines += event_record(number, _moment(now + timedelta(seconds=1)), name, details).buffers
    return b"".join(lines)


def _moment(now: datetime) -> Moment:
    """A time on the wall clock, and on one that began at sunrise."""
    steady = (now - SUNRISE) // timedelta(microseconds=1)
    return Moment(int(now.timestamp()) * 10**9 + now.microsecond * 1_000, steady * 1_000)


def vscode(recording: Recording) -> bytes:
    """The traffic log of an editor's extension: a header line, then the message over many lines."""
    arrows = {"client": ">>> CLIENT → AGENT", "agent": "<<< AGENT → CLIENT"}
    blocks = []
    for now, (sender, message) in zip(clock(recording), recording.messages, strict=True):
        stamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        what = f"[{kind(message).upper()}] {message.get('method') or 'id={id}'.format(**message)}"
        body = json.dumps(message, ensure_ascii=False, indent=2)
        blocks.append(f"[{stamp}] {arrows[sender]} {what}\n{body}\n\n")
    return "".join(blocks).encode()


def zed(recording: Recording) -> bytes:
    """What Zed puts on the clipboard: one array, results under `params`, the agent's stderr among them."""
    methods = {(s, m["id"]): m["method"] for s, m in recording.messages if "method" in m and "id" in m}
    other = {"client": "agent", "agent": "client"}
    entries: list[Json] = [
        {
            "_direction": "stderr",
            "_type": "stderr",
            "id": None,
            "method": None,
            "params": "\x1b[2mkeeper\x1b[0m is up",
        }
    ]
    for sender, message in recording.messages:
        method = message.get("method") or methods[other[sender], message["id"]]
        entries.append(
            {
                "_direction": "outgoing" if sender == "client" else "incoming",
                "_type": kind(message),
                "id": message.get("id"),
                "method": method,
                "params": message.get("params", message.get("result")),
            }
        )
    return json.dumps(entries, ensure_ascii=False, indent=2).encode()


def broken(recording: Recording) -> bytes:
    """The same lines after a bad day: noise, colours, Windows line ends, half characters, a torn end."""
    lines = [compact(message).encode() for _, message in recording.messages]
    damage = {
        1: lambda line: b"\x1b[1 q" + line,  # a terminal's escape glued to the JSON
        5: lambda line: line.replace(b'"}}}}', b'\\ud83d"}}}}'),  # half of an emoji
        6: lambda line: line.replace(b'"}}}}', b'\xe9t\xe9"}}}}'),  # Latin-1, so no UTF-8
        -2: lambda line: line.replace(b"5120", b"NaN"),  # no JSON, but some writers do it
        -1: lambda line: line[:-15],  # the disk was full
    }
    for place, spoil in damage.items():
        lines[place] = spoil(lines[place])
    lines.insert(0, b"npm warn deprecated lampoil@2.0.1: use electricity")
    lines.insert(5, b"")
    lines.insert(8, b'{"level":"info","msg":"heartbeat","uptime":3600}')
    lines.insert(10, b"\x1b[33mwarning:\x1b[0m the [bold]wind[/bold] is rising")
    return b"\r\n".join(lines)


def kind(message: Json) -> str:
    """Request, notification or response."""
    if "method" not in message:
        return "response"
    return "request" if "id" in message else "notification"


def clock(recording: Recording) -> list[datetime]:
    """A time for each message, from a fixed morning on."""
    now, times = SUNRISE, []
    for _ in recording.messages:
        times.append(now)
        now += timedelta(milliseconds=recording.rng.randrange(8, 900))
    return times
