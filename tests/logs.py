"""Random logs of well-formed and odd frames, for tests of properties."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.wire import (
    chunk,
    initialize,
    permission,
    prompt,
    request,
    result,
    state,
    stop,
    tool_call,
    tool_update,
    update,
    whole,
)

SESSIONS = st.sampled_from(["s1", "s2"])
IDS = st.sampled_from([None, None, "m1", "m2", "m3", ""])
ROLES = st.sampled_from(["user_message", "agent_message", "agent_thought"])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
RPC_IDS = st.integers(0, 3)


@st.composite
def _chunks(draw: st.DrawFn) -> dict[str, Any]:
    return chunk(draw(TEXTS), draw(IDS), draw(ROLES), draw(SESSIONS))


@st.composite
def _wholes(draw: st.DrawFn) -> dict[str, Any]:
    frame = whole(draw(st.sampled_from(["m1", "m2"])), *draw(st.lists(TEXTS, max_size=2)), role=draw(ROLES))
    if draw(st.booleans()):
        frame["params"]["update"]["content"] = draw(st.sampled_from([None, "odd"]))
    return frame


@st.composite
def _others(draw: st.DrawFn) -> dict[str, Any]:
    session, rpc_id = draw(SESSIONS), draw(RPC_IDS)
    return draw(
        st.sampled_from(
            [
                tool_call(draw(st.sampled_from(["t1", "t2"])), session),
                tool_update(draw(st.sampled_from(["t1", "t3"])), session, status="completed"),
                update("plan", session, entries=[]),
                update("usage_update", session, used=1, size=2),
                update("_vendor/x", session, y=1),
                update("something_new", session),
                state(draw(st.sampled_from(["running", "idle"])), session),
                prompt(rpc_id, "Go", session),
                stop(rpc_id),
                result(rpc_id),
                permission(rpc_id, "t1", session),
                result(rpc_id, outcome={"outcome": "cancelled"}),
                request(rpc_id, "session/load", sessionId=session),
                request(rpc_id, "session/resume", sessionId=session),
                *initialize(rpc_id, draw(st.sampled_from([1, 2]))),
            ]
        )
    )


FRAMES = st.one_of(_chunks(), _chunks(), _wholes(), _others())
LOGS = st.lists(FRAMES, min_size=1, max_size=12)
"""Logs of protocol 1 and 2 in one."""


def ndjson(log: list[dict[str, Any]], *, ascii_only: bool = False) -> bytes:
    """A log as a recording of bare messages."""
    return "".join(
        json.dumps(frame, ensure_ascii=ascii_only, separators=(",", ":")) + "\n" for frame in log
    ).encode()
