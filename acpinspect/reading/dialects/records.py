"""Recorders that write one JSON object a line around each message, and raw traffic.

All are read line by line by the same reader; what is said here is how to tell them apart. Facts on the
writers: the recorders' own sources and the logs that users showed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from acpinspect.reading.dialects.line_formats import line_format
from acpinspect.reading.recorded import RECORD_KEYS
from acpinspect.reading.registry import register
from acpinspect.reading.sniffing import Sniff

__all__: list[str] = []

Keys = Mapping[str, object]
_ACP_HINTS: Final = ('"jsonrpc"', '\\"jsonrpc\\"', "session/", "sessionUpdate", "session_update")


def _objects_where(said: str, test: Callable[[Keys], bool]) -> Callable[[Sniff], str | None]:
    """A sniff that holds where one of the first JSON lines passes a test."""

    def sniff(head: Sniff) -> str | None:
        return said if any(test(one) for one in head.objects) else None

    return sniff


def _direction_in(*labels: str, clock: type | tuple[type, ...] = object) -> Callable[[Keys], bool]:
    return lambda one: one.get("dir") in labels and isinstance(one.get("ts"), clock) and "msg" in one


def _has(*keys: str) -> Callable[[Keys], bool]:
    return lambda one: all(key in one for key in keys)


def _is_grok(one: Keys) -> bool:
    return {"timestamp", "method", "params"} <= one.keys() and "jsonrpc" not in one


def _is_kandev(one: Keys) -> bool:
    return one.get("direction") in ("sent", "received", "stderr", "meta") and not one.keys().isdisjoint(
        ("frame", "line", "event")
    )


def _is_bare_params(one: Keys, session: str, name: str) -> bool:
    update = one.get("update")
    return session in one and isinstance(update, dict) and name in update


def _is_bare_update(one: Keys) -> bool:
    return "sessionUpdate" in one or "session_update" in one


def _is_onyx(one: Keys) -> bool:
    return _is_bare_update(one) and {"type", "timestamp"} <= one.keys()


def _is_message(one: Keys) -> bool:
    return "jsonrpc" in one and not one.keys().isdisjoint(("method", "result", "error"))


def _is_loose_message(one: Keys) -> bool:
    return ("method" in one and "params" in one) or ("id" in one and ("result" in one or "error" in one))


def _is_envelope(one: Keys) -> bool:
    return not _is_message(one) and any(hint in repr(one) for hint in _ACP_HINTS)


def _has_json_in_text(one: Keys) -> bool:
    return any(
        isinstance(value, str) and not value.startswith("{") and '{"jsonrpc"' in value for value in one.values()
    )


def _batch_lines(head: Sniff) -> str | None:
    batches = sum(line.startswith("[{") and '"jsonrpc"' in line for line in head.lines)
    if batches:
        return f"lines of JSON-RPC messages, {batches} of the first ones arrays of messages"
    return None


def _raw(head: Sniff) -> str | None:
    count = sum(_is_message(one) for one in head.objects)
    return f"{count} of the first lines are JSON-RPC messages by themselves" if count else None


register(
    line_format(
        "acpinspect-recording",
        "each line of both sides and of standard error, with time, sender and number",
        "acpinspect record",
        5,
        _objects_where(
            "a header with the format acpinspect-recording, or its records {seq, time, mono, sender}",
            lambda one: one.get("format") == "acpinspect-recording" or one.keys() >= RECORD_KEYS,
        ),
    ),
    line_format(
        "acpx-stream",
        "raw traffic with journal marks",
        "acpx",
        30,
        _objects_where(
            "lines with the schema acpx.session.journal.v1",
            lambda one: str(one.get("schema", "")).startswith("acpx.session.journal"),
        ),
    ),
    line_format(
        "acp-inspector-trace",
        "frames as strings, in utf8 or base64",
        "sagikazarmark/acp-inspector",
        30,
        _objects_where(
            "a header with the format acp-inspector-trace, or its frame records",
            lambda one: (
                one.get("format") == "acp-inspector-trace" or _has("at", "direction", "encoding", "frame")(one)
            ),
        ),
    ),
    line_format(
        "rust-conductor-trace",
        "one record per hop",
        "the Rust conductor, trace",
        30,
        _objects_where("records with type, ts, from and to", _has("type", "ts", "from", "to")),
    ),
    line_format(
        "kandev-acpdbg",
        "sent and received frames, stderr and meta lines",
        "kandev acpdbg",
        31,
        _objects_where("records with a direction sent, received, stderr or meta and a frame", _is_kandev),
    ),
    line_format(
        "vibe-acp-messages",
        "{ts, dir, msg}: in is client to agent",
        "Mistral Vibe",
        32,
        _objects_where(
            "records {ts, dir, msg} with dir in/out and ISO times", _direction_in("in", "out", clock=str)
        ),
    ),
    line_format(
        "kiro-record",
        "{ts, dir, msg}: out is client to agent",
        "Kiro",
        32,
        _objects_where("records {ts, dir, msg} with dir in/out and epoch times", _direction_in("in", "out")),
    ),
    line_format(
        "openhands-acp-debug",
        "{ts, dir, msg} with arrows",
        "OpenHands CLI",
        32,
        _objects_where("records {ts, dir, msg} with dir >>> or <<<", _direction_in(">>>", "<<<")),
    ),
    line_format(
        "c2a-a2c",
        "{ts, dir, msg} with c2a and a2c",
        "recorder scripts",
        32,
        _objects_where("records {ts, dir, msg} with dir c2a or a2c", _direction_in("c2a", "a2c")),
    ),
    line_format(
        "posthog-code",
        "{type, timestamp, notification}",
        "PostHog Code",
        32,
        _objects_where("records with timestamp and notification", _has("type", "timestamp", "notification")),
    ),
    line_format(
        "harbor-acp-events",
        "{event_type, payload}",
        "Harbor",
        32,
        _objects_where(
            "records with event_type session_update and a payload",
            lambda one: one.get("event_type") == "session_update" and "payload" in one,
        ),
    ),
    line_format(
        "venikman-acp-trace",
        "{ts, direction, json}",
        "venikman/ACP-inspector",
        32,
        _objects_where(
            "records with direction fromClient or fromAgent and json",
            lambda one: one.get("direction") in ("fromClient", "fromAgent") and "json" in one,
        ),
    ),
    line_format(
        "sacp-tee-json",
        "{timestamp, direction, message} with downstream and upstream",
        "sacp-tee --json",
        32,
        _objects_where(
            "records with direction downstream or upstream and a message",
            lambda one: one.get("direction") in ("downstream", "upstream") and "message" in one,
        ),
    ),
    line_format(
        "grok-updates",
        "updates with whole seconds and milliseconds in _meta",
        "Grok Build",
        33,
        _objects_where("records with timestamp, method and params, and no jsonrpc key", _is_grok),
    ),
    line_format(
        "onyx-packets",
        "flat updates with type and timestamp",
        "Onyx Craft",
        34,
        _objects_where("updates with a type and a timestamp beside their own keys", _is_onyx),
    ),
    line_format(
        "python-sdk-json",
        "bare params in snake case",
        "model_dump_json of the Python SDK",
        35,
        _objects_where(
            "bare params with session_id and session_update",
            lambda one: _is_bare_params(one, "session_id", "session_update"),
        ),
    ),
    line_format(
        "bare-params",
        "params of session/update without their envelope",
        "user code",
        36,
        _objects_where(
            "bare params with sessionId and update",
            lambda one: (
                _is_bare_params(one, "sessionId", "sessionUpdate")
                or _is_bare_params(one, "session_id", "sessionUpdate")
            ),
        ),
    ),
    line_format(
        "bare-updates",
        "updates without session and envelope",
        "user code",
        37,
        _objects_where("updates by themselves", _is_bare_update),
    ),
    line_format(
        "raw-ndjson-batches", "raw traffic with JSON-RPC batches", "tee, wrappers, acpx", 60, _batch_lines
    ),
    line_format("raw-ndjson", "one JSON-RPC message a line", "tee, wrappers, acpx", 61, _raw),
    line_format(
        "raw-ndjson-loose",
        "messages without the jsonrpc key",
        "user code",
        62,
        _objects_where("messages without a jsonrpc key", _is_loose_message),
    ),
    line_format(
        "structured-json-log",
        "JSON log records with a message in their text",
        "structured loggers",
        63,
        _objects_where("JSON records whose text holds a JSON-RPC message after a prefix", _has_json_in_text),
    ),
    line_format(
        "envelope",
        "JSON records around messages",
        "recorders of other kinds",
        64,
        _objects_where("JSON records that hold JSON-RPC messages or updates", _is_envelope),
    ),
)
