"""The short way of reading a usual record gives what the long way gives, or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.reading import framing
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import columns_of_lines
from acpinspect.reading.frames import Place
from acpinspect.reading.framing import line_frames
from acpinspect.reading.plain_records import plain_record
from tests.logs import FRAMES
from tests.reading.blocks import assert_places_hold, assert_same_as_alone
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


HEADS = [
    b'"ts":1767610800041,"dir":"in","msg":',
    b'"ts": 1767610800041, "dir": "in", "msg": ',
    b'"ts":"2026-01-05T11:00:02.480Z","level":"info","pid":7,"ok":true,"note":null,"frame":',
    b'"ts":-1.5e3,"message":"sent","payload":',
    b'"connection":"c1","ts":12.5,"raw":',
    b'"ts":1767610800041,"ts":1767610800042,"msg":',
    b'"ts":1767610800041,"msg":1,"msg":',
    b'"dir":"in","ts":1,"dir":',
    b'"ts":01,"msg":',
    b'"ts":1.,"msg":',
    b'"ts":NaN,"msg":',
    b'"ts":1, "dir":"\\u0069n","msg":',
    b'"ts":1,"d\\u0069r":"in","msg":',
    b'"ts":1,"dir":"\xff","msg":',
    b'"ts":1,"\xff":"in","msg":',
    b'"ts":1,"dir":"i\tn","msg":',
    b'"ts":1,"dir":"na\xc3\xafve","msg":',
    b'"ts":1,"data":"eyJqc29ucnBjIjoiMi4wIiwibWV0aG9kIjoieCJ9","value":',
    b'"ts":1,"data":"{\'a\':1}","msg":',
    b'"ts":1,"data":"[{} jsonrpc","value":',
    b'"ts":1,"data":[],"msg":',
    b'"ts":1,"dir":"stderr","msg":',
    b'"ts":1,"dir":"upstream","msg":',
    b'"ts":1,"encoding":"base64","msg":',
    b'"ts":1,"type":"request","from":"a","to":"b","msg":',
    b'"id":1,"ts":1,"msg":',
    b'"ts":1,"method":"session/update","msg":',
    b'"ts":1,"jsonrpc":"2.0","result":',
    b'"ts":1,"sessionId":"s","update":',
    b'"mono":1,"ts":1,"msg":',
    b'"ts":1,"":1,"msg":',
    b'"ts":1,"":',
]
OF_MESSAGES = [b'"jsonrpc":"2.0","id":1,"result":', b'"id":1,"jsonrpc":"2.0","result":']
IN_LINES = [
    json.dumps(FRAME, ensure_ascii=False).encode(),
    b'{"jsonrpc":"2.0","id":1,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"error":{"code":1}}}',
    b'{"jsonrpc":"2.0","id":1,"result":{"agentTimestampMs":1767610800041}}',
    b'{"jsonrpc":"2.0","id":1}',
    b'{"jsonrpc":"2.0","id":1,"result":"\xff"}',
    b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 998 + b"]" * 998 + b"}",
    b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 999 + b"]" * 999 + b"}",
    b'{"jsonrpc":"2.0","method":"x/session/update","params":{"sessionId":"s","sessionUpdate":"plan"}}',
    b'{"id":1,"result":{}}',
    b'{"a":1}',
    b"[1]",
]


@pytest.mark.parametrize("head", [*HEADS, *OF_MESSAGES], ids=range(len(HEADS) + 2))
def test_any_head_before_any_message_gives_in_a_block_what_it_gives_alone(head: bytes) -> None:
    lines = [b"{" + head + text + b"}" for text in IN_LINES]
    assert_same_as_alone(lines)
    assert_places_hold(lines)
    for line in lines:
        assert_same_as_alone([line])


LINES = st.one_of(
    st.builds(
        lambda record, separators: json.dumps(record, separators=separators).encode(),
        RECORDS,
        st.sampled_from([(",", ":"), (", ", ": "), (" , ", ":  ")]),
    ),
    FRAMES.map(lambda frame: json.dumps(frame).encode()),
    st.builds(lambda head, text: b"{" + head + text + b"}", st.sampled_from(HEADS), st.sampled_from(IN_LINES)),
    st.sampled_from([b"", b"noise", b'{"torn', b"\xff\xfe"]),
)


@given(
    st.lists(st.builds(lambda line, end: line + end, LINES, st.sampled_from([b"", b"", b"\r", b" "])), max_size=8)
)
@settings(max_examples=300, deadline=None)
def test_records_read_together_give_what_each_gives_alone(lines: list[bytes]) -> None:
    assert_same_as_alone(lines)
    assert_places_hold(lines)


def test_usual_records_of_a_block_are_read_without_the_line_reader() -> None:
    lines = [b"{" + head + text + b"}" for head in HEADS[:5] for text in IN_LINES[:2]]

    def no_line(*place: object) -> Any:
        pytest.fail(f"read alone: {place}")

    columns = columns_of_lines(b"\n".join(lines), lines, "a", 1, 0, no_line, TextStore())
    assert columns["raw"].to_pylist() == [text.decode() for text in IN_LINES[:2]] * 5
    assert columns["sender_label"].to_pylist() == ["in"] * 4 + [None] * 6
