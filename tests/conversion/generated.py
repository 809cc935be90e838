"""Strategies for whole logs of both versions: turns, messages, tools, plans and replays, in any order."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests import wire

Json = dict[str, Any]

IDS = st.sampled_from(["m1", "m2", "", "acpinspect-message-1", "__proto__", "\x00", "é"])
TEXTS = st.text("ab \n😀", max_size=4)
TOOLS = st.sampled_from(["t1", "t2", ""])
SESSIONS = st.sampled_from(["s1", "s2"])
ROLES = st.sampled_from(["user_message", "agent_message", "agent_thought"])
META = st.sampled_from([{}, {"a": 1}])
STOPS = st.sampled_from(["end_turn", "cancelled", "refusal"])

BLOCKS = st.one_of(
    TEXTS.map(wire.text),
    st.just({"type": "image", "data": "aGk=", "mimeType": "image/png"}),
    st.just({"type": "resource_link", "name": "n", "uri": "file:///n"}),
)
ITEMS = BLOCKS.map(lambda block: {"type": "content", "content": block})
ENTRIES = st.lists(
    st.builds(
        lambda content, status: {"content": content, "priority": "low", "status": status},
        TEXTS,
        st.sampled_from(["pending", "in_progress", "completed"]),
    ),
    max_size=2,
)


def _some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    """An object with any of these fields."""
    return st.fixed_dictionaries({}, optional=fields)


_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "kind": st.sampled_from(["read", "edit", "other"]),
    "status": st.sampled_from(["pending", "in_progress", "completed", "failed"]),
    "content": st.lists(ITEMS, max_size=2),
    "locations": st.lists(st.just({"path": "/a"}), max_size=1),
    "rawInput": st.sampled_from([0, "x", {"a": None}]),
    "rawOutput": st.sampled_from([False, [1]]),
    "_meta": META,
}
_TITLED = {"title": TEXTS, **_VALUES}
_NULLABLE = {name: values | st.none() for name, values in _TITLED.items()}

V1_FIELDS = _some(**_VALUES)
V1_PATCH = _some(**_NULLABLE)
V2_PATCH = _some(**_NULLABLE)


def _update(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return st.builds(
        lambda session, rest: wire.update(name, session, **rest), SESSIONS, st.fixed_dictionaries(fields)
    )


def _tool(name: str, patch: st.SearchStrategy[Json], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    fields = st.fixed_dictionaries({"toolCallId": TOOLS, **more})
    return st.builds(lambda session, own, rest: wire.update(name, session, **own, **rest), SESSIONS, fields, patch)


V1_CHUNKS = st.builds(
    lambda session, role, block, message_id, meta: wire.update(
        f"{role}_chunk", session, **{"content": block, **message_id, **meta}
    ),
    SESSIONS,
    ROLES,
    BLOCKS,
    _some(messageId=IDS | st.none()),
    _some(_meta=META),
)
V2_CHUNKS = st.builds(
    lambda session, role, block, message_id: wire.update(
        f"{role}_chunk", session, messageId=message_id, content=block
    ),
    SESSIONS,
    ROLES,
    BLOCKS,
    IDS,
)
WHOLES = st.builds(
    lambda session, role, message_id, rest: wire.update(role, session, messageId=message_id, **rest),
    SESSIONS,
    ROLES,
    IDS,
    _some(content=st.lists(BLOCKS, max_size=3) | st.none(), _meta=META | st.none()),
)
COMMON = st.one_of(
    _update("usage_update", used=st.integers(0, 5), size=st.just(9)),
    st.builds(
        lambda session, rest: wire.update("session_info_update", session, **rest),
        SESSIONS,
        _some(title=TEXTS | st.none(), updatedAt=st.none()),
    ),
)
V1_UPDATES = st.one_of(
    V1_CHUNKS,
    V1_CHUNKS,
    _tool("tool_call", V1_FIELDS, title=TEXTS),
    _tool("tool_call_update", V1_PATCH),
    _update("plan", entries=ENTRIES),
    COMMON,
)
V2_UPDATES = st.one_of(
    V2_CHUNKS,
    WHOLES,
    _tool("tool_call_update", V2_PATCH),
    _tool("tool_call_content_chunk", st.just({}), content=ITEMS),
    _update("plan_update", plan=ENTRIES.map(lambda e: {"type": "items", "planId": "p1", "entries": e})),
    COMMON,
)


@st.composite
def v1_logs(draw: st.DrawFn) -> list[Json]:
    """A log of v1: turns that end or fail or don't end, and replays."""
    log: list[Json] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        session, inner = draw(SESSIONS), draw(st.lists(V1_UPDATES, max_size=5))
        kind = draw(st.sampled_from(["turn", "failure", "open", "load", "none"]))
        if kind == "none":
            log += inner
            continue
        if kind == "load":
            params = {"sessionId": session, "cwd": "/", "mcpServers": []}
            log += [wire.request(number, "session/load", **params), *inner, wire.result(number)]
            continue
        answers = {"turn": [wire.stop(number, draw(STOPS))], "failure": [wire.error(number)], "open": []}
        log += [wire.prompt(number, session=session), *inner, *answers[kind]]
    return log


@st.composite
def v2_logs(draw: st.DrawFn) -> list[Json]:
    """A log of v2: turns with acknowledgement, running and idle, and replays."""
    log: list[Json] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        session, inner = draw(SESSIONS), draw(st.lists(V2_UPDATES, max_size=5))
        kind = draw(st.sampled_from(["turn", "load", "none"]))
        if kind == "load":
            params = {"sessionId": session, "cwd": "/", "replayFrom": {"type": "start"}}
            log += [wire.request(number, "session/resume", **params), *inner, wire.result(number)]
        elif kind == "turn":
            begin = [wire.prompt(number, session=session), wire.result(number), wire.state("running", session)]
            log += [*begin, *inner, wire.state("idle", session, stopReason=draw(STOPS))]
        else:
            log += inner
    return log
