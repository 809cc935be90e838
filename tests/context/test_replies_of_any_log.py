"""Pairing in columns tells of any log what reading it frame by frame tells."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.pieces import joined
from tests.context.reference_replies import Sent, fixed_side, sessions_of, told_of
from tests.logs import ndjson
from tests.wire import chunk, error, initialize, notification, permission, prompt, request, result, stop

IDS = st.sampled_from([0, 0, 0, 1, "1"])
SESSIONS = st.sampled_from(["s1", "s2", ""])
LABEL = {"client": "out", "agent": "in"}
OPENING = [Sent(prompt(7), "client", "a"), Sent(chunk("Hi"), "agent", "a")]
"""What tells what the labels mean."""


@st.composite
def frames(draw: st.DrawFn) -> dict[str, Any]:
    rpc_id, session = draw(IDS), draw(SESSIONS)
    asked = [
        prompt(rpc_id, session=session),
        permission(rpc_id, session=session),
        request(rpc_id, "session/set_mode", sessionId=session, modeId="m"),
        request(rpc_id, "fs/write_text_file", sessionId=session, path="/a", content=""),
        request(rpc_id, "session/new", cwd="/w"),
        request(rpc_id, "_vendor/ask", sessionId=session),
    ]
    answers = [
        stop(rpc_id),
        result(rpc_id, outcome={"outcome": "cancelled"}),
        result(rpc_id),
        result(rpc_id, anything=1),
        result(rpc_id, sessionId=session),
        error(rpc_id),
    ]
    others = [chunk("a", session=session), notification("_vendor/status"), *initialize(rpc_id)]
    frame: dict[str, Any] = draw(st.sampled_from(draw(st.sampled_from([asked, asked, answers, answers, others]))))
    return frame


BARE = st.lists(frames().map(Sent), min_size=1, max_size=20)


@st.composite
def _in_envelopes(draw: st.DrawFn) -> Sent:
    frame = draw(frames())
    side = fixed_side(frame.get("method")) or draw(st.sampled_from(["client", "agent"]))
    return Sent(frame, side if draw(st.booleans()) else None, draw(st.sampled_from(["a", "b"])))


LABELLED = st.lists(_in_envelopes(), max_size=20).map(lambda log: OPENING + log)


def written(log: list[Sent]) -> bytes:
    if log[0].connection is None:
        return ndjson([sent.frame for sent in log])
    envelopes = [{"dir": LABEL.get(one.side or ""), "connection": one.connection, "msg": one.frame} for one in log]
    return ndjson([{key: value for key, value in one.items() if value is not None} for one in envelopes])


def column(events: pd.DataFrame, name: str) -> list[object]:
    return [None if pd.isna(value) else value for value in events[name]]


@given(st.one_of(st.lists(BARE, min_size=1, max_size=2), st.lists(LABELLED, min_size=1, max_size=2)))
@settings(max_examples=200, deadline=None)
def test_every_response_is_told_what_the_frames_before_tell(
    tmp_path_factory: pytest.TempPathFactory, logs: list[list[Sent]]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    paths = [folder / f"{number}.jsonl" for number in range(len(logs))]
    for path, log in zip(paths, logs, strict=True):
        path.write_bytes(written(log))
    name = "raw-ndjson" if logs[0][0].connection is None else "envelope"
    events = acpinspect.load(paths, format=name)
    told = [told_of(log) for log in logs]
    before = accumulate([0, *map(len, logs)])
    assert column(events, "reply_to") == [
        None if one.reply_to is None else one.reply_to + start
        for start, each in zip(before, told, strict=False)
        for one in each
    ]
    assert column(events, "method") == [one.method for each in told for one in each]
    assert column(events, "sender") == [one.sender for each in told for one in each]
    sessions = [sessions_of(log, each) for log, each in zip(logs, told, strict=True)]
    assert column(events, "session_id") == [one for each in sessions for one in each]


@given(LABELLED, st.integers(2, 5))
@settings(max_examples=60, deadline=None)
def test_pieces_are_told_the_same(log: list[Sent], size: int) -> None:
    data = written(log)
    events = acpinspect.load(data, format="envelope", protocol="v1")
    pieces = joined(list(acpinspect.scan(data, format="envelope", protocol="v1", size=size)))
    pd.testing.assert_frame_equal(pieces, events)
