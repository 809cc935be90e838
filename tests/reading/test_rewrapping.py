"""The same messages come out of every wrapper, with the wrapper's times, and nothing of it is lost."""

from __future__ import annotations

import json

import pytest

from acpinspect.reading.detection import choose
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.reader import read_document
from tests.reading.traffic import MESSAGES, RAWS, TIMES, WRAPPED

LAID_OUT = {"headers"}
TIMELESS = {
    "raw", "crlf", "byte order mark", "blank lines", "escapes before", "one array", "array over lines", "batches",
    "no line ends", "strings", "array of strings", "quoted reply", "commas after", "export", "exports by session",
    "event stream", "content length",
}  # fmt: skip
LOCAL = {"local prefix", "headers of two lines"}
PUNCTUATION = b" \t\r\n[]{},:\xef\xbb\xbf"

each_wrapper = pytest.mark.parametrize("wrapper", WRAPPED)


def frames_of(wrapper: str) -> list[Frame]:
    return list(read_document(Document.of_bytes("<bytes>", WRAPPED[wrapper])))


@each_wrapper
def test_the_messages_are_those_that_were_wrapped(wrapper: str) -> None:
    raws = [frame.raw for frame in frames_of(wrapper) if frame.kind is None]
    assert [json.loads(raw) for raw in raws] == MESSAGES
    assert wrapper in LAID_OUT or raws == RAWS


@each_wrapper
def test_the_times_are_the_wrappers(wrapper: str) -> None:
    frames = [frame for frame in frames_of(wrapper) if frame.kind is None]
    if wrapper in TIMELESS:
        assert {(frame.time, frame.elapsed, frame.clock) for frame in frames} == {(None, None, None)}
    elif wrapper in LOCAL:
        assert [round(frame.elapsed * 1000) for frame in frames] == [time // 1_000_000 for time in TIMES]
    else:
        assert [frame.time // 1000 for frame in frames] == pytest.approx([time // 1000 for time in TIMES], abs=1)


@each_wrapper
def test_every_byte_that_says_something_is_in_a_row(wrapper: str) -> None:
    left = bytearray(WRAPPED[wrapper])
    for frame in frames_of(wrapper):
        left[frame.offset : frame.offset + frame.length] = b" " * frame.length
    assert bytes(left).strip(PUNCTUATION) == b""


@each_wrapper
def test_lines_and_offsets_name_the_same_place(wrapper: str) -> None:
    data = WRAPPED[wrapper]
    assert [frame.line for frame in frames_of(wrapper)] == [
        data.count(b"\n", 0, frame.offset) + 1 for frame in frames_of(wrapper)
    ]


@pytest.mark.parametrize(
    "wrapper", ["raw", "one array", "batches", "object inside", "export", "iso prefix", "content length"]
)
def test_the_raw_text_is_a_slice_of_its_record(wrapper: str) -> None:
    data = WRAPPED[wrapper]
    for frame in frames_of(wrapper):
        if frame.kind is None:
            assert frame.raw.encode() in data[frame.offset : frame.offset + frame.length]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("wrapper", ["raw", "batches", "iso prefix", "one array", "headers"])
def test_utf_16_gives_the_same_messages_at_their_places(wrapper: str, codec: str) -> None:
    data = WRAPPED[wrapper].decode().encode(codec)
    frames = list(read_document(Document.of_bytes("<bytes>", data)))
    assert [json.loads(frame.raw) for frame in frames if frame.kind is None] == MESSAGES
    name = "utf-16-le" if codec == "utf-16" else codec
    for frame in frames:
        if frame.kind is None and wrapper != "headers":
            assert frame.raw in data[frame.offset : frame.offset + frame.length].decode(name)


@pytest.mark.parametrize(
    ("wrapper", "format_name"),
    {
        "raw": "raw-ndjson", "batches": "raw-ndjson-batches", "one array": "json-array", "export": "json-document",
        "object inside": "kiro-record", "message text": "structured-json-log", "unknown key": "envelope",
        "local prefix": "jetbrains-acp-transport", "iso prefix": "prefixed-json", "headers": "vscode-acp-traffic",
        "headers of two lines": "codecompanion-rpc", "event stream": "sse", "content length": "content-length",
        "archive": "har",
    }.items(),
)  # fmt: skip
def test_a_wrapper_is_recognised(wrapper: str, format_name: str) -> None:
    assert choose(Document.of_bytes("<bytes>", WRAPPED[wrapper]))[0].name == format_name
