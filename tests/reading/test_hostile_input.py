"""Torn, damaged and hostile recordings: no crash, no hang, no lost byte."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.reading import framing
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.framing import line_frames
from acpinspect.reading.jsontext import MAX_DEPTH
from acpinspect.reading.reader import read_document
from tests.reading.traffic import RAWS, WRAPPED

PUNCTUATION = b" \t\r\n\x0b\x0c\0[]{},:;\xef\xbb\xbf"
NAMES = sorted(WRAPPED)


def frames_of(data: bytes) -> list[Frame]:
    return list(read_document(Document.of_bytes("<bytes>", data)))


def uncovered(data: bytes, frames: list[Frame]) -> bytes:
    left = bytearray(data)
    for frame in frames:
        assert frame.offset is not None
        assert frame.length is not None
        assert 0 <= frame.offset <= frame.offset + frame.length <= len(data)
        left[frame.offset : frame.offset + frame.length] = b" " * frame.length
    return bytes(left).strip(PUNCTUATION)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(NAMES), st.floats(0, 1))
def test_a_chopped_log_loses_at_most_its_last_record_and_gains_one_unreadable_row(name: str, part: float) -> None:
    data = WRAPPED[name]
    whole = frames_of(data)
    cut = round(part * len(data))
    chopped = frames_of(data[:cut])
    kept = [f.raw for f in whole if f.kind is None and f.offset + f.length <= cut]
    found = [f.raw for f in chopped if f.kind is None]
    assert found[: len(kept)] == kept
    assert len(found) <= len(kept) + 1
    assert sum(f.kind == "unreadable" for f in chopped) <= 1
    assert uncovered(data[:cut], chopped) == b""


def mutated(data: bytes, seed: int) -> bytes:
    rng = random.Random(seed)
    out = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(9):
            case 0 if at < len(out):
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                del out[at : at + rng.randint(1, 60)]
            case 2:
                out[at:at] = rng.randbytes(rng.randint(1, 30))
            case 3:
                out[at:at] = rng.choice(
                    [b"\\ud83d", b"NaN", b"\xed\xa0\xbd", b"\xff\xfe", b"\0", b"\x1b[31m", b"\r", b"\n"]
                )
            case 4:
                out[at:at] = rng.choice([b"{", b"[", b'"', b"}", b"]", b'{"']) * rng.randint(1, 400)
            case 5:
                out[at:at] = out[: rng.randint(0, 300)]
            case 6:
                del out[at:]
            case 7:
                out[at:at] = b"9" * rng.choice([20, 400, 5000])
            case _:
                out[at:at] = b"x" * rng.randint(1, 3000)
        out = out or bytearray(b"x")
    return bytes(out)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", NAMES)
def test_mutated_logs_are_read_without_a_crash_and_without_a_lost_byte(name: str) -> None:
    for seed in range(75):
        data = mutated(WRAPPED[name], seed)
        document = Document.of_bytes("<bytes>", data)
        frames = list(read_document(document))
        assert frames or not data.strip(PUNCTUATION)
        if document.encoding[0] == "utf-8":
            assert uncovered(data, frames) == b"", (name, seed)


@pytest.mark.parametrize(
    "line",
    [
        b"{" * 100_000,
        b"[" * 100_000,
        b'{"' * 50_000,
        b'{"a":' * 50_000,
        b'[{"a":' * 20_000,
        b'"' * 100_000,
        b"\\" * 100_000,
        b'{"a":"' + b"\\" * 100_001,
        b'-> {"a":"' + b'\\"' * 50_000,
        b"\x1b[" * 50_000,
        b"\x1b]" * 50_000,
        b"2026-01-05 " * 10_000,
        b'{"msg":' * 20_000 + b"1" + b"}" * 20_000,
        b"[[" * 20_000 + b"]]" * 20_000,
        b'{"method":"x","params":' + b"[" * 60_000 + b"]" * 60_000 + b"}",
        b'{"jsonrpc":"2.0","id":' + b"9" * 50_000 + b',"result":{}}',
        b"data: {" * 10_000,
        b"Content-Length: 9\r\n" * 5_000,
        b"(" * 100_000,
        b"<<< " * 20_000,
        b"-" * 100_000 + b">",
        b"client " * 20_000,
    ],
    ids=lambda line: line[:24].decode("ascii", "replace"),
)
@pytest.mark.parametrize("ending", [b"", b"\n" + RAWS[3].encode()])
def test_hostile_lines_are_rows_too(line: bytes, ending: bytes) -> None:
    frames = frames_of(line + ending)
    assert frames
    assert uncovered(line + ending, frames) == b""
    if ending:
        assert frames[-1].raw == RAWS[3]


def test_a_value_that_nests_too_deep_is_unreadable_and_says_so() -> None:
    deep = b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 5_000 + b"]" * 5_000 + b"}"
    [frame] = line_frames(deep, "a", 1, 0)
    assert (frame.kind, frame.problem) == ("unreadable", f"nested deeper than {MAX_DEPTH} levels")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (rb'{"jsonrpc":"2.0","id":1,"result":{"t":"\ud83d"}}', "lone surrogates"),
        (b'{"jsonrpc":"2.0","id":1,"result":{"t":NaN}}', "NaN or Infinity, which JSON does not have"),
        (b'{"jsonrpc":"2.0","id":1,"result":{"t":-Infinity}}', "NaN or Infinity, which JSON does not have"),
        (b'{"jsonrpc":"2.0","id":1,"result":{"t":"\xff"}}', "invalid UTF-8 (replaced)"),
    ],
)
@pytest.mark.parametrize("wrap", [b"%s", b'{"ts":1,"msg":%s}', b"12:00:00 -> %s"])
def test_what_a_strict_parser_refuses_stays_a_message_with_a_problem(
    text: bytes, problem: str, wrap: bytes
) -> None:
    [frame] = line_frames(wrap % text, "a", 1, 0)
    assert (frame.kind, frame.problem) == (None, problem)
    assert json.loads(frame.raw)["id"] == 1


def test_lone_surrogates_in_a_string_inside_stay_escapes() -> None:
    inner = r'{"jsonrpc":"2.0","id":1,"result":{"t":"\ud83d"}}'
    for text in (
        json.dumps({"msg": inner}),
        json.dumps({"msg": json.loads('"' + inner.replace('"', '\\"') + '"')}),
    ):
        [frame] = line_frames(text.encode(), "a", 1, 0)
        assert frame.raw == inner


def test_two_records_on_one_line_are_two_rows_and_a_torn_one_before_them_a_third() -> None:
    line = b'{"jsonrpc":"2.0","id":7,"' + RAWS[3].encode() + RAWS[8].encode()
    torn, first, second = line_frames(line, "a", 4, 100)
    assert (torn.kind, torn.raw) == ("unreadable", '{"jsonrpc":"2.0","id":7,"')
    assert [first.raw, second.raw] == [RAWS[3], RAWS[8]]
    assert [(f.offset, f.line) for f in (torn, first, second)] == [(100, 4), (125, 4), (125 + len(RAWS[3]), 4)]


@pytest.mark.parametrize(
    "line", [b"ready", b"warn: slow disk {not json}", b"[INFO] started", b"100%", b"{}", b"[1,2]", b"5"]
)
def test_noise_is_a_row_of_the_kind_other(line: bytes) -> None:
    [frame] = line_frames(line, "a", 1, 0)
    assert (frame.kind, frame.raw) == ("other", line.decode())


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"',
        b'{"jsonrpc":"2.0","id":4,"',
        b'[{"jsonrpc"',
        b'{"jsonrpc":"2.0",}',
        b'te":{"sessionUpdate":"plan"}}}',
        b'12:00:00 <- {"jsonrpc":"2.0","method":"sess',
    ],
)
def test_what_begins_or_ends_like_a_record_is_unreadable(line: bytes) -> None:
    [frame] = line_frames(line, "a", 1, 0)
    assert (frame.kind, frame.raw) == ("unreadable", line.decode())


@pytest.mark.parametrize("wrap", [b"%s\n", b"-> %s\n", b"[\n%s\n]\n", b"12:00:00 sent\n%s\n"])
def test_a_record_beyond_the_bound_is_one_unreadable_row(wrap: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(framing, "MAX_VALUE", 5 << 20)
    data = wrap % (b'{"jsonrpc":"2.0","id":1,"result":{"t":"' + b"x" * (5 << 20) + b'"}}')
    [frame] = [f for f in frames_of(data) if f.kind != "other"]
    assert (frame.kind, frame.problem) == ("unreadable", "larger than 5 MiB; only its beginning is kept")
    assert frame.length is not None
    assert frame.length > 5 << 20 > len(frame.raw)
