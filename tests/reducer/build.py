"""Short ways to write updates, and strategies that make them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from acpinspect.protocol import Version
from acpinspect.reducer import SessionState, empty_state, v1, v2

REDUCERS = {"v1": v1, "v2": v2}
Update = dict[str, Any]


def text(value: str) -> Update:
    """A text block."""
    return {"type": "text", "text": value}


def chunk(value: str, message_id: str | None = "m1", role: str = "agent_message") -> Update:
    """A chunk of a message; without an id where that is None."""
    update = {"sessionUpdate": f"{role}_chunk", "content": text(value)}
    return update if message_id is None else {**update, "messageId": message_id}


def whole(message_id: str = "m1", role: str = "agent_message", **fields: Any) -> Update:
    """A whole-message update; `meta` stands for `_meta`."""
    return {"sessionUpdate": role, "messageId": message_id, **wire(fields)}


def update(name: str, /, **fields: Any) -> Update:
    """Any update; `meta` stands for `_meta`."""
    return {"sessionUpdate": name, **wire(fields)}


def wire(fields: Update) -> Update:
    return {"_meta" if key == "meta" else key: value for key, value in fields.items()}


def b64(data: bytes) -> str:
    """Bytes as the wire has them."""
    return base64.b64encode(data).decode("ascii")


def folded(version: Version, updates: Iterable[object]) -> SessionState:
    """The state after updates, from the empty one."""
    state = empty_state(version)
    for one in updates:
        state = REDUCERS[version].reduce(state, one)
    return state


def texts(state: SessionState) -> list[str]:
    """The text of each message, in order."""
    return [message.text for message in state.messages.values()]


def plain(state: SessionState) -> str:
    """A state as JSON text: what is compared to see that it hasn't changed."""
    return json.dumps(state.to_dict())


ids = st.sampled_from(["", "a", "b", "__proto__", "constructor", "\x00", "1", "é"])
blocks = st.one_of(
    st.text(max_size=4).map(text),
    st.sampled_from(["\ud83c", "\udf3b", "x\ud83c"]).map(text),
    st.just({"type": "image", "data": "QQ==", "mimeType": "image/png"}),
)
metas = st.one_of(st.none(), st.dictionaries(st.sampled_from(["a", "b"]), st.integers(0, 3), max_size=2))
statuses = st.sampled_from(["pending", "in_progress", "completed", "failed"])
tool_items = blocks.map(lambda block: {"type": "content", "content": block})


def _fields(
    required: dict[str, st.SearchStrategy[Any]], optional: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[Update]:
    return st.fixed_dictionaries(required, optional=optional)


def _named(name: str) -> dict[str, st.SearchStrategy[Any]]:
    return {"sessionUpdate": st.just(name)}


def _chunks(message_ids: st.SearchStrategy[Any], required: bool) -> st.SearchStrategy[Update]:
    name = st.sampled_from(["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"])
    fields = {"sessionUpdate": name, "content": blocks}
    with_id = {"messageId": message_ids}
    return _fields(fields | with_id, {"_meta": metas}) if required else _fields(fields, with_id | {"_meta": metas})


_tool_patch = {
    "title": st.one_of(st.none(), st.text(max_size=3)),
    "kind": st.one_of(st.none(), st.sampled_from(["read", "edit", "other"])),
    "status": st.one_of(st.none(), statuses),
    "content": st.one_of(st.none(), st.lists(tool_items, max_size=2)),
    "locations": st.one_of(st.none(), st.lists(st.just({"path": "/a"}), max_size=2)),
    "rawInput": st.one_of(st.none(), st.just({"x": [1]})),
    "_meta": metas,
}
_tool_update = _fields(_named("tool_call_update") | {"toolCallId": ids}, _tool_patch)
_session_level = st.one_of(
    _fields(_named("session_info_update"), {"title": st.one_of(st.none(), st.text(max_size=3)), "_meta": metas}),
    _fields(_named("usage_update") | {"used": st.integers(0, 9), "size": st.integers(0, 9)}, {}),
    _fields(_named("notice") | {"severity": st.just("info"), "title": st.just("n")}, {}),
    _fields(
        _named("compaction_update") | {"compactionId": ids, "status": st.just("in_progress")},
        {"summary": st.one_of(st.none(), st.lists(blocks, max_size=2)), "_meta": metas},
    ),
    _fields(_named("compaction_summary_chunk") | {"compactionId": ids, "content": blocks}, {}),
    _fields(_named("plan_removed") | {"planId": ids}, {}),
)
_entry = st.just({"content": "Sow", "priority": "low", "status": "pending"})
_malformed = st.sampled_from(
    [
        None,
        7,
        {},
        {"sessionUpdate": 7},
        {"sessionUpdate": "_acme/x", "a": [1]},
        {"sessionUpdate": "new_thing"},
        {"sessionUpdate": "agent_message_chunk"},
        {"sessionUpdate": "tool_call_update", "toolCallId": None},
    ]
)

v1_updates: st.SearchStrategy[Any] = st.one_of(
    _chunks(st.one_of(ids, st.none(), st.just(7)), required=False),
    _fields(
        _named("tool_call") | {"toolCallId": ids, "title": st.text(max_size=3)},
        {"status": statuses, "content": st.lists(tool_items, max_size=2), "_meta": metas},
    ),
    _tool_update,
    _fields(_named("plan") | {"entries": st.lists(_entry, max_size=2)}, {"_meta": metas}),
    _fields(_named("current_mode_update") | {"currentModeId": st.text(max_size=2)}, {}),
    _session_level,
    _malformed,
)
v2_updates: st.SearchStrategy[Any] = st.one_of(
    _chunks(ids, required=True),
    _fields(
        {"sessionUpdate": st.sampled_from(["user_message", "agent_message", "agent_thought"]), "messageId": ids},
        {"content": st.one_of(st.none(), st.lists(blocks, max_size=3)), "_meta": metas},
    ),
    _tool_update,
    _fields(_named("tool_call_content_chunk") | {"toolCallId": ids, "content": tool_items}, {}),
    _fields(
        _named("terminal_update") | {"terminalId": ids},
        {
            "command": st.one_of(st.none(), st.just("ls")),
            "output": st.one_of(st.none(), st.binary(max_size=4).map(lambda data: {"data": b64(data)})),
            "exitStatus": st.one_of(st.none(), st.just({"exitCode": 0})),
            "_meta": metas,
        },
    ),
    _fields(_named("terminal_output_chunk") | {"terminalId": ids, "data": st.binary(max_size=4).map(b64)}, {}),
    _fields(
        _named("plan_update")
        | {"plan": st.builds(lambda i, e: {"type": "items", "planId": i, "entries": [e]}, ids, _entry)},
        {},
    ),
    _fields(_named("state_update") | {"state": st.sampled_from(["running", "idle", "requires_action", "_x"])}, {}),
    _session_level,
    _malformed,
)
UPDATES: dict[Version, st.SearchStrategy[Any]] = {"v1": v1_updates, "v2": v2_updates}
