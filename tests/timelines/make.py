"""Logs of one session, made at random or by hand, and what a timeline of them must be equal to."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import pandas as pd
from hypothesis import strategies as st

import acpinspect
from acpinspect.protocol import Version
from acpinspect.reducer import SessionState, Step, empty_state
from acpinspect.timelines.keys import keys_of
from acpinspect.timelines.logs import session_log
from acpinspect.timelines.reference import fold_steps
from tests.wire import error, notification, prompt, request, result, stop, text, update

Frame = dict[str, Any]
Values = st.SearchStrategy[Any]

IDS = st.sampled_from(["a", "b", "", "__proto__", "\ud83c", "é\n"])
TEXTS = st.sampled_from(["", "A", "B ", "café", "\ud83c", "\udf3b"])
BLOCKS = TEXTS.map(text) | st.sampled_from(
    [
        {"type": "image", "data": "QQ==", "mimeType": "image/png"},
        {"type": "text", "text": "x", "annotations": {"audience": ["user"]}},
        {"type": "text", "text": "y", "_meta": {"n": [1, {"m": None}]}},
        {"type": "text"},
        "no block",
    ]
)
META = st.sampled_from([None, {}, {"k": 1}])
ROLES = st.sampled_from(["user_message", "agent_message", "agent_thought"])
RPC = st.integers(1, 3)


def named(name: str, required: dict[str, Values] | None = None, /, **optional: Values) -> Values:
    """Updates of one name; each optional field is there or not."""
    own = {"_meta" if key == "meta" else key: values for key, values in optional.items()}
    return st.fixed_dictionaries({"sessionUpdate": st.just(name), **(required or {})}, optional=own)


def chunks(ids: Values) -> Values:
    """Chunks of all roles."""
    return ROLES.flatmap(lambda role: named(f"{role}_chunk", {"content": BLOCKS}, messageId=ids, meta=META))


ITEM = {"type": "content", "content": text("c")}
STATUS = st.sampled_from([None, "pending", "in_progress", "completed", "odd"])
ITEMS = st.lists(
    st.sampled_from(
        [
            {"type": "content", "content": text("out")},
            {"type": "content", "content": {"type": "text"}},
            {"type": "diff", "path": "/a", "newText": "n"},
            7,
        ]
    ),
    max_size=2,
)
TOOL_FIELDS: dict[str, Values] = {
    "title": st.sampled_from(["T", None, 3]),
    "kind": st.sampled_from(["read", None, "odd"]),
    "status": STATUS,
    "content": st.none() | ITEMS,
    "locations": st.sampled_from([None, [], [{"path": "/a"}], [{}]]),
    "rawInput": st.sampled_from([None, 1, {"q": [1]}, 2**70, 1e300]),
    "rawOutput": st.sampled_from([None, "done", {"q": [1]}]),
    "meta": META,
}
ENTRIES = st.lists(
    st.sampled_from(
        [
            {"content": "dig", "priority": "low", "status": "pending"},
            {"content": "rest", "priority": "high", "status": "completed"},
            {"content": "bad"},
        ]
    ),
    max_size=2,
)
BYTES = st.sampled_from([b"", b"ab", "é".encode()[:1], "é".encode()[1:], b"\x1b[3"]).map(
    lambda data: base64.b64encode(data).decode()
) | st.sampled_from(["no base64!", "QQ"])

COMMON: list[Values] = [
    named("usage_update", {"used": st.integers(0, 3), "size": st.just(9)}, cost=st.none()),
    named(
        "session_info_update",
        title=st.sampled_from([None, "t", "u"]),
        updatedAt=st.sampled_from([None, "now"]),
        meta=META,
    ),
    named("available_commands_update",
          {"availableCommands": st.sampled_from([[], [{"name": "n", "description": "d"}]])}),
    named("notice", {"severity": st.just("info"), "title": TEXTS}),
    named("plan_update", {"plan": IDS.flatmap(lambda name: st.fixed_dictionaries(
        {"type": st.just("items"), "planId": st.just(name), "entries": ENTRIES}))}),
    named("plan_removed", {"planId": IDS}),
    named("compaction_update", {"compactionId": IDS, "status": st.sampled_from(["in_progress", "completed"])},
          summary=st.none() | st.lists(BLOCKS, max_size=2)),
    named("compaction_summary_chunk", {"compactionId": IDS, "content": BLOCKS}),
    named("_vendor/x"),
    named("of_the_future"),
    st.sampled_from([None, [], {"content": text("no name")}]),
]  # fmt: skip
V1: list[Values] = [
    chunks(st.sampled_from([None, 3, "a", "b", "\ud83c"])),
    named("tool_call", {"toolCallId": IDS, "title": st.sampled_from(["T", "U"])},
          **{k: v for k, v in TOOL_FIELDS.items() if k != "title"}),
    named("tool_call_update", {"toolCallId": IDS}, **TOOL_FIELDS),
    named("plan", {"entries": ENTRIES}),
    named("current_mode_update", {"currentModeId": st.sampled_from(["ask", "code"])}),
    named("agent_message", {"messageId": IDS}),
]  # fmt: skip
V2: list[Values] = [
    chunks(IDS | st.none()),
    ROLES.flatmap(lambda role: named(role, {"messageId": IDS}, content=st.none() | st.lists(BLOCKS, max_size=2),
                                     meta=META)),
    named("tool_call_update", {"toolCallId": IDS}, **TOOL_FIELDS),
    named("tool_call_content_chunk", {"toolCallId": IDS, "content": st.just(ITEM)}),
    named("terminal_update", {"terminalId": IDS}, command=st.sampled_from([None, "ls"]),
          output=st.none() | BYTES.map(lambda data: {"data": data}),
          exitStatus=st.sampled_from([None, {"exitCode": 0}])),
    named("terminal_output_chunk", {"terminalId": IDS, "data": BYTES}),
    named("state_update", {"state": st.sampled_from(["running", "idle", "requires_action", "_own"])},
          stopReason=st.sampled_from([None, "end_turn"])),
]  # fmt: skip


def sent(values: Values) -> Values:
    """The updates of a session as frames."""
    return values.map(lambda one: notification("session/update", sessionId="s1", update=one))


def controls(version: Version) -> Values:
    """Prompts, answers, loads, permissions and the like."""
    tool = {"toolCallId": "a", "title": "asked"}
    subject = (
        {"toolCall": tool}
        if version == "v1"
        else {"title": "?", "subject": {"type": "tool_call", "toolCall": tool}}
    )
    config = {
        "id" if version == "v1" else "configId": "c",
        "name": "C",
        "type": "select",
        "currentValue": "x",
        "options": [],
    }
    return RPC.flatmap(
        lambda rpc: st.sampled_from(
            [
                prompt(rpc),
                prompt(rpc),
                stop(rpc),
                stop(rpc, "cancelled"),
                result(rpc),
                error(rpc),
                notification("session/cancel", sessionId="s1"),
                request(rpc, "session/request_permission", sessionId="s1", options=[], **subject),
                request(rpc, "session/request_permission", sessionId="s1"),
                request(rpc, "session/load", sessionId="s1", cwd="/", mcpServers=[]),
                request(rpc, "session/resume", sessionId="s1", cwd="/"),
                request(rpc, "session/set_mode", sessionId="s1", modeId="plan"),
                request(rpc, "session/set_config_option", sessionId="s1", configId="c", value="x"),
                result(rpc, configOptions=[config]),
                result(rpc, modes={"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}),
                request(rpc, "initialize", protocolVersion=int(version[1])),
                request(rpc, "session/set_model", sessionId="s1", modelId="m"),
            ]
        )
    )


def logs(version: Version, size: int = 16) -> Values:
    """Logs of one session, well-formed and odd."""
    updates = st.one_of(*(V1 if version == "v1" else V2), *COMMON)
    return st.lists(st.one_of(sent(updates), sent(updates), controls(version)), min_size=1, max_size=size)


def events_of(frames: Iterable[object], version: Version) -> pd.DataFrame:
    """The events table of some frames, all of one version."""
    return acpinspect.from_records(frames, protocol=version)


def folded(events: pd.DataFrame, policy: str = "spec", session_id: str | None = None) -> list[SessionState]:
    """The states of a session by the plain fold: the empty one, and one after each event."""
    log = session_log(events, session_id, policy)
    return [empty_state(log.protocol, log.session_id), *(step.state for step in fold_steps(log, keys_of(log)))]


def steps_of(events: pd.DataFrame, policy: str = "spec", session_id: str | None = None) -> list[Step]:
    """What the plain fold says of each event."""
    log = session_log(events, session_id, policy)
    return list(fold_steps(log, keys_of(log)))


def ABC() -> list[Frame]:  # noqa: N802  (the sequence of the design document)
    """Chunks A and B, then the whole [C]."""
    a, b = (update("agent_message_chunk", messageId="m1", content=text(value)) for value in "AB")
    return [a, b, update("agent_message", messageId="m1", content=[text("C")])]
