"""The short way of reading a usual record gives what the long way gives, or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.reading import framing
from acpinspect.reading.frames import Place
from acpinspect.reading.framing import line_frames
from acpinspect.reading.plain_records import plain_record
from tests.logs import FRAMES
from tests.wire import chunk, request, result

FRAME = chunk("naïve ☕", "m")
OWN = {"seq": 7, "time": "2026-01-05T11:00:02.480000000Z", "mono": 5.25, "sender": "agent"}

TIMES = st.sampled_from(
    [
        1767610800,
        1767610800041,
        1767610800.25,
        12.5,
        "2026-01-05T11:00:02.480Z",
        "2026-01-05 11:00:02",
        "soon",
        None,
    ]
)
LABELS = st.sampled_from(["in", "out", "agent", "client", "upstream", "stderr", "->", "", None, 5])
OTHERS = st.sampled_from(
    [
        1,
        True,
        None,
        "a word",
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        "eyJqc29ucnBjIjoiMi4wIn0=",
        [1],
        {"a": 1},
        "base64",
    ]
)
MESSAGES = st.one_of(
    FRAMES,
    st.sampled_from(
        [
            {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "sessionUpdate": "plan"}},
            {"jsonrpc": "2.0", "id": 1, "result": {"error": {"code": 1}}},
            {"jsonrpc": "2.0", "id": 1},
            {"jsonrpc": "2.0", "id": 1, "result": None},
            {"jsonrpc": "2.0", "id": 1, "result": {}, "_meta": {}},
            {"id": 1, "result": {}},
            {"jsonrpc": "2.0", "method": None, "id": 3},
            {"jsonrpc": "2.0", "method": "x", "params": {"agentTimestampMs": 1767610800041}},
            {"sessionUpdate": "plan"},
            [FRAME],
            json.dumps(FRAME),
            "noise",
        ]
    ),
)
RECORDS = st.one_of(
    st.fixed_dictionaries(
        {"msg": MESSAGES},
        optional={
            **dict.fromkeys(("ts", "time", "elapsed_ms"), TIMES),
            **dict.fromkeys(("dir", "sender", "type", "event"), LABELS),
            **dict.fromkeys(
                ("connection", "sessionId", "id", "method", "data", "level", "encoding", "mono"), OTHERS
            ),
        },
    ),
    st.fixed_dictionaries(
        {"seq": st.integers(0, 9), "time": TIMES, "mono": st.floats(), "sender": LABELS, "msg": MESSAGES},
        optional={"newline": st.sampled_from(["", "\r\n"]), "event": LABELS, "part": st.just(1)},
    ),
    st.fixed_dictionaries({"payload": MESSAGES, "at": TIMES}, optional={"note": OTHERS, "message": OTHERS}),
)


@given(RECORDS, st.permutations(range(6)), st.sampled_from(["", " "]))
@settings(max_examples=600, deadline=None)
def test_a_record_read_the_short_way_is_what_the_long_way_gives(
    record: dict[str, Any], order: list[int], blank: str
) -> None:
    keys = sorted(record, key=lambda key: order[hash_of(key) % 6])
    line = json.dumps({key: record[key] for key in keys}, separators=(",", ":" + blank)).encode()
    place = Place("a.log", 3, 70, len(line))
    short = plain_record(line, place)
    if short is not None:
        assert [short] == framing.frames_of_value(line, place)


def hash_of(key: str) -> int:
    """A number of a key that is the same in every run."""
    return sum(key.encode())


@pytest.mark.parametrize(
    "record",
    [
        {"ts": 1767610800041, "dir": "in", "msg": FRAME},
        {"seq": 4, "connection": "c1", "at": 12.5, "payload": FRAME, "note": "sent"},
    ],
)
def test_usual_records_are_read_the_short_way(record: dict[str, Any]) -> None:
    line = json.dumps(record).encode()
    place = Place("a.log", 3, 70, len(line))
    short = plain_record(line, place)
    assert short is not None
    assert [short] == framing.frames_of_value(line, place) == line_frames(line, "a.log", 3, 70)


@pytest.mark.parametrize(
    "line",
    [
        b'{"ts":1,"msg":{"jsonrpc":"2.0","id":1,"result":"\xff"}}',
        b'{"ts":1,"msg":{"jsonrpc":"2.0","id":1,"result":NaN}}',
        b'{"ts":1,"msg":{"jsonrpc":"2.0","id":1,"result":{}}',
        b'{"ts":1,"msg":' + b'{"a":' * 1_500 + b"1" + b"}" * 1_501,
        json.dumps({**OWN, "msg": FRAME}).encode(),
        json.dumps({"dir": "upstream", "msg": result(1)}).encode(),
        json.dumps({"ts": 1767610800, "msg": request(1, "x", agentTimestampMs=1767610800041)}).encode(),
    ],
    ids=["bytes", "NaN", "torn", "deep", "ours", "upstream", "a time inside"],
)
def test_any_doubt_leaves_a_record_to_the_long_way(line: bytes) -> None:
    assert plain_record(line, Place("a.log", 1, 0, len(line))) is None
