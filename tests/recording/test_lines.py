"""From pieces of bytes to records and back: nothing is lost, whatever the bytes and wherever they are cut."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.recording import lines, records, wire_bytes
from acpinspect.recording.recorder import Recorder
from acpinspect.recording.records import SENDERS, Moment, bodies_of, records_of
from tests.recording.running import records as records_in

AGAIN = settings(derandomize=True, deadline=None, max_examples=150)
WIRE = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from(
            (
                *(
                    b"\n",
                    b"\n",
                    b"\r\n",
                    b"\r",
                    b'{"a":',
                    b"1}",
                    b'{"a":1}\n',
                    b'{"b":"\xc3\xa9"}\n',
                    b"[1]",
                    b" ",
                ),
                *(b'{"b":"\xe9"}\n', b'"msg":', b"\0", b"\xef\xbb\xbf", b'{"long":"' + b"x" * 75 + b'"}\n'),
                *(b"y" * 150, b'{"a":', b'{"a":1}{"b":2}\n', b'{"a":{}\n', b"}\n", b"NaN\n"),
                b'{"seq":0,"time":"","mono":1,"sender":"agent","msg":{}}\n',
            )
        ),
    ),
    max_size=12,
).map(b"".join)


@pytest.fixture(autouse=True, scope="module")
def short_lines() -> Iterator[None]:
    """What is long is short here."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (lines, records):
            patch.setattr(module, "LONGEST_LINE", 80)
            patch.setattr(module, "PART", 48)
        yield


def in_pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


@AGAIN
@given(st.lists(st.tuples(st.sampled_from(SENDERS), WIRE, st.lists(st.integers(0, 200), max_size=4)), max_size=4))
def test_what_was_written_is_what_is_read_back(said: list[tuple[str, bytes, list[int]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with Recorder(f"{folder}/log.jsonl") as recorder:
            for sender, data, cuts in said:
                for piece in in_pieces(data, cuts):
                    recorder.write(sender, piece)  # type: ignore[arg-type]
        for sender in SENDERS:
            wire = b"".join(data for by, data, _ in said if by == sender)
            assert b"".join(wire_bytes(recorder.path, sender)) == wire
        numbers = [record["seq"] for record in records_in(recorder.path)]
        assert numbers == list(range(len(numbers)))
        assert recorder.path.read_text(encoding="utf-8").count("\n") == len(numbers)


@AGAIN
@given(WIRE, st.lists(st.integers(0, 200), max_size=4), st.lists(st.integers(0, 200), max_size=4))
def test_where_the_pieces_are_cut_makes_no_difference_to_short_lines(
    data: bytes, cuts: list[int], others: list[int]
) -> None:
    def taken(cuts: list[int]) -> list[bytes]:
        stream = lines.Lines()
        bodies = []
        for piece in in_pieces(data, cuts):
            parts, block = stream.feed(piece)
            found = (
                records_of(0, Moment(0, 0), "agent", parts, block).buffers if parts or block is not None else []
            )
            bodies += [record.split(b',"sender"', 1)[1] for record in b"".join(found).splitlines(keepends=True)]
        return bodies + list(stream.end().parts)

    if max(map(len, data.split(b"\n"))) <= 48:
        assert taken(cuts) == taken(others)


def body(line: bytes, **settings: bool) -> dict[str, object]:
    [found] = bodies_of(line, **settings)
    return json.loads(b"{" + found + b"}")


@pytest.mark.parametrize("line", [b'{"a": 1.0, "b":[]}', b" [1] ", b"null", b'{"a":"\xc3\xa9"}', b'{"a":1,"a":2}'])
def test_a_line_of_json_stands_there_as_it_is(line: bytes) -> None:
    assert bodies_of(line) == [b'"msg":' + line]


@pytest.mark.parametrize(
    "line",
    [
        b'{"a":1},"sender":"client","msg":{}',
        b"{} {}",
        b"{",
        b"oh",
        b"",
        b'{"a":NaN}',
        b'{"a":"\x01"}',
        b'{"a":\r1}',
    ],
)
def test_a_line_that_is_no_json_is_a_string(line: bytes) -> None:
    assert body(line) == {"text": line.decode()}


def test_a_line_that_is_no_text_is_in_base64() -> None:
    assert body(b'{"a":"\xff"}') == {"base64": "eyJhIjoi/yJ9"}


def test_what_ended_a_line_is_told_where_it_is_no_line_feed() -> None:
    assert body(b'{"a":1}\r') == {"newline": "\r\n", "msg": {"a": 1}}
    assert body(b"oh\r") == {"newline": "\r\n", "text": "oh"}
    assert body(b'{"a":1}', ended=False) == {"newline": "", "msg": {"a": 1}}


def test_a_line_can_not_pretend_to_be_another_record() -> None:
    block = b'{"a":\n1}{"b":2}\n{"c":3},"sender":"client","msg":{"d":4}'
    made = b"".join(records_of(0, Moment(0, 0), "agent", [], block).buffers)
    assert [json.loads(record)["sender"] for record in made.splitlines()] == ["agent"] * 3
    assert [json.loads(record)["text"] for record in made.splitlines()] == block.decode().split("\n")


def test_a_line_that_is_too_long_is_given_away_in_parts() -> None:
    stream = lines.Lines()
    assert stream.feed(b'{"a":"' + b"x" * 50) == ([], None)
    parts, block = stream.feed(b"y" * 50)
    assert [json.loads(b"{" + part + b"}")["part"] for part in parts] == [1, 2, 3]
    assert block is None
    parts, block = stream.feed(b'z"}\n{"b":1}\n')
    assert [json.loads(b"{" + part + b"}") for part in parts] == [{"part": 4, "text": 'z"}'}]
    assert block == b'{"b":1}'


def test_a_long_line_that_is_no_json_is_in_parts_too() -> None:
    assert [json.loads(b"{" + part + b"}") for part in bodies_of(b"a" * 50 + b"\r")] == [
        {"part": 1, "newline": "", "text": "a" * 48},
        {"part": 2, "text": "aa\r"},
    ]
