"""Records of our own recorder, read together with all else in a block: as if each line had been read alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.reading import block_lines
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import columns_of_lines
from acpinspect.reading.own_records import own_records
from acpinspect.recording.records import Moment, event_record, records_of
from tests.logs import FRAMES
from tests.reading.blocks import assert_places_hold, assert_same_as_alone
from tests.wire import chunk, result

FRAME = json.dumps(chunk("naïve ☕", "m"), ensure_ascii=False).encode()

HEAD = b'{"seq":7,"time":"2026-01-05T11:00:02.480000000Z","mono":5.25,"sender":"agent","msg":'
HEADS = [
    HEAD,
    HEAD.replace(b":02.480000000Z", b":59.999999999Z"),
    HEAD.replace(b":02.480000000Z", b":60.000000000Z"),
    HEAD.replace(b"2026-01-05", b"2026-02-30"),
    HEAD.replace(b"2026-01-05", b"1969-12-31"),
    HEAD.replace(b"2026-01-05", b"9999-12-31"),
    HEAD.replace(b"T11", b" 11"),
    HEAD.replace(b".480000000Z", b",480000000Z"),
    HEAD.replace(b".480000000Z", b".4800000000"),
    HEAD.replace(b"480000000", "48000000\u0661".encode()),
    HEAD.replace(b'"2026-01-05T11:00:02.480000000Z"', b"null"),
    HEAD.replace(b"5.25", b"5"),
    HEAD.replace(b"5.25", b"05.25"),
    HEAD.replace(b"5.25", b"-5.25"),
    HEAD.replace(b"5.25", b"5.25e3"),
    HEAD.replace(b"5.25", b"null"),
    HEAD.replace(b"5.25", b"123456789012345.123456789"),
    HEAD.replace(b":7,", b":00,"),
    HEAD.replace(b":7,", b":null,"),
    HEAD.replace(b'"agent"', b'"client"'),
    HEAD.replace(b'"agent"', b'"stderr"'),
    HEAD.replace(b'"agent"', b'"ag\\u0065nt"'),
    HEAD.replace(b'"agent"', b"null"),
    HEAD.replace(b'"msg"', b'"newline":"\\r\\n","msg"'),
    HEAD.replace(b'"msg"', b'"sender":"client","msg"'),
    HEAD.replace(b'"msg"', b'"msg":1,"msg"'),
    HEAD.replace(b'"msg"', b'"m\\u0073g"'),
    HEAD.replace(b":", b": "),
]
ODD_MESSAGES = [
    b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","sessionUpdate":"plan"}}',
    b'{"jsonrpc":"2.0","method":"_x/session/update","params":{"sessionId":"s","sessionUpdate":"plan"}}',
    b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":null}}',
    b'{"jsonrpc":"2.0","id":1}',
    b'{"jsonrpc":"2.0","method":null,"id":3}',
    b'{"jsonrpc":"2.0","id":1,"error":null}',
    b'{"jsonrpc":"2.0","id":1,"result":null}',
    b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}',
    b'{"jsonrpc":"2.0","id":1,"id":2,"result":{}}',
    b'{"jsonrpc":"2.0","\\u0069d":1,"result":{}}',
    b'{"jsonrpc":"2.0","id":1,"result":{},"_meta":{}}',
    b'{"jsonrpc":"2.0","id":1,"result":{}},"more":{"a":1}',
    b'{"jsonrpc":"2.0","id":1,"result":{}} ',
    b'{"jsonrpc":"2.0","id":1,"result":NaN}',
    b'{"jsonrpc":"2.0","id":1,"result":"\\ud800"}',
    b'{"jsonrpc":"2.0","id":1,"result":"\xff"}',
    b'{"jsonrpc":"2.0","id":1,"result":' + b"9" * 400 + b"}",
    b'{"id":1,"result":{}}',
    b'{"sessionUpdate":"plan"}',
    b'[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]',
    *(b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * d + b"]" * d + b"}" for d in (997, 998, 999, 1_000, 1_500)),
    b"null",
    b"",
]
MESSAGES = st.one_of(
    FRAMES.map(lambda frame: json.dumps(frame, ensure_ascii=False).encode()), st.sampled_from(ODD_MESSAGES)
)


@st.composite
def written_by_the_recorder(draw: st.DrawFn) -> bytes:
    moment = Moment(draw(st.integers(0, 2**62)), draw(st.integers(0, 2**62)))
    line = draw(st.one_of(MESSAGES, st.sampled_from([b"noise", b"\xff\xfe", b'{"torn'])))
    sender: Any = draw(st.sampled_from(["client", "agent", "stderr"]))
    number = draw(st.integers(0, 10**9))
    records = draw(
        st.sampled_from(
            [records_of(number, moment, sender, [], line), event_record(number, moment, "late", {"records": 3})]
        )
    )
    return b"".join(records.buffers).removesuffix(b"\n")


FOREIGN = st.sampled_from(
    [
        b"",
        b"noise",
        b'{"torn',
        b"\xff\xfe",
        b' {"a":1} ',
        b"[]",
        b'{"ts":1767610800,"dir":"in","msg":' + FRAME + b"}",
    ]
)
WHOLE = st.one_of(
    written_by_the_recorder(),
    st.builds(lambda head, message: head + message + b"}", st.sampled_from(HEADS), MESSAGES),
    FRAMES.map(lambda frame: json.dumps(frame).encode()),
    FOREIGN,
)
LINES = st.one_of(
    WHOLE,
    WHOLE,
    st.builds(lambda line, cut: line[: cut % (len(line) + 1)], WHOLE, st.integers(0, 10_000)),
    st.builds(bytes.__add__, WHOLE, st.sampled_from([b"\r", b"\r\r", b" ", b"}"])),
)


@given(st.lists(LINES, min_size=1, max_size=12))
@settings(max_examples=400, deadline=None)
def test_lines_read_together_give_what_each_gives_alone(lines: list[bytes]) -> None:
    assert_same_as_alone(lines)


@pytest.mark.parametrize("message", ODD_MESSAGES, ids=range(len(ODD_MESSAGES)))
def test_an_odd_message_in_a_usual_record_is_what_it_is_alone(message: bytes) -> None:
    assert_same_as_alone([HEAD + FRAME + b"}", HEAD + message + b"}", HEAD + FRAME + b"}"])


@pytest.mark.parametrize("head", HEADS, ids=range(len(HEADS)))
def test_an_odd_record_of_a_usual_message_is_what_it_is_alone(head: bytes) -> None:
    assert_same_as_alone([HEAD + FRAME + b"}", head + FRAME + b"}", HEAD + FRAME + b"}"])


@given(st.lists(LINES, min_size=1, max_size=12))
@settings(max_examples=200, deadline=None)
def test_the_place_of_a_text_is_where_it_stands(lines: list[bytes]) -> None:
    assert_places_hold(lines)


def test_usual_records_are_read_without_the_line_reader() -> None:
    lines = [line for sender in ("client", "agent") for line in recorded(sender)]

    def no_line(*place: object) -> Any:
        pytest.fail(f"read alone: {place}")

    block = b"\n".join(lines)
    columns = columns_of_lines(block, lines, "a", 1, 0, no_line, TextStore())
    assert columns["_sender"].to_pylist() == ["client"] * 2 + ["agent"] * 2
    assert columns["raw"].to_pylist() == [FRAME.decode(), FRAME.decode()] * 2
    assert columns["time"].to_pylist() == [1_767_610_802_480_000_001] * 4
    assert columns["elapsed"].to_pylist() == [5.25] * 4
    assert columns["_raw_at"].is_valid().to_pylist() == [True] * 4


def recorded(sender: Any) -> list[bytes]:
    moment = Moment(1_767_610_802_480_000_001, 5_250_000_000)
    return b"".join(records_of(7, moment, sender, [], FRAME + b"\n" + FRAME).buffers).splitlines()


@pytest.mark.parametrize(
    "line",
    [
        HEAD.replace(b"T11", b" 11") + FRAME + b"}",
        HEAD.replace(b"5.25", b"05.25") + FRAME + b"}",
        HEAD.replace(b'"agent"', b'"stderr"') + FRAME + b"}",
        HEAD.replace(b'"msg"', b'"newline":"\\r\\n","msg"') + FRAME + b"}",
        HEAD + FRAME + b"} ",
        HEAD + FRAME[:-3],
    ],
    ids=["time", "number", "stderr", "newline", "blank", "torn"],
)
def test_a_record_of_any_other_form_is_left_alone(line: bytes) -> None:
    assert own_records([line], np.array([True])).texts == ()


def test_a_record_that_is_too_large_is_left_to_the_line_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    line = HEAD + FRAME + b"}"
    found = block_lines.block_lines(line, [line])
    assert found.records.tolist() == [0]
    monkeypatch.setattr(block_lines, "MAX_VALUE", len(line) - 1)
    found = block_lines.block_lines(line, [line])
    assert found.records.tolist() == []
    assert found.plain.tolist() == [False]


def test_texts_left_in_their_file_are_read_back_from_the_records_around_them(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        *recorded("client"),
        b"noise",
        json.dumps(result(1)).encode(),
        *recorded("agent"),
        HEAD + b'{"id":1}}',
    ]
    path.write_bytes(b"\r\n".join(lines) + b"\n")
    whole, left = acpinspect.load(path), acpinspect.load(path, text=False)
    assert whole["raw"].iloc[:2].tolist() == [FRAME.decode()] * 2
    assert left["raw"].tolist() == whole["raw"].tolist()
