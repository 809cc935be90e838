"""A byte order mark, and UTF-16: the same messages, and places that count the bytes of the source."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import acpinspect
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.places import Characters, as_utf8
from acpinspect.reading.reader import read_document
from tests.conftest import CORPUS, needs_corpus
from tests.reading.traffic import WRAPPED

CODECS = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-16-be": "utf-16-be"}
"""How a log is written, and how a piece of it is read."""
PLACES = ["offset", "length"]
TEXTS = (".jsonl", ".ndjson", ".json", ".log", ".txt")
SAMPLES = sorted(
    path
    for path in (CORPUS / "formats").rglob("*")
    if path.suffix in TEXTS and not path.name.endswith(".expected.json")
)

every_codec = pytest.mark.parametrize("codec", CODECS)


def written(data: bytes, codec: str) -> bytes:
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").encode(codec)


def frames_of(data: bytes) -> list[Frame]:
    return list(read_document(Document.of_bytes("<bytes>", data)))


def loaded(data: bytes) -> pd.DataFrame | str:
    try:
        return acpinspect.load(data).drop(columns=PLACES)
    except acpinspect.NotACPError:
        return "no ACP traffic"


@every_codec
@pytest.mark.parametrize("wrapper", WRAPPED)
def test_every_wrapper_gives_the_same_frames(wrapper: str, codec: str) -> None:
    plain = frames_of(WRAPPED[wrapper].removeprefix(b"\xef\xbb\xbf"))
    found = frames_of(written(WRAPPED[wrapper], codec))
    assert [(f.raw, f.line, f.kind, f.time, f.label) for f in found] == [
        (f.raw, f.line, f.kind, f.time, f.label) for f in plain
    ]


@every_codec
@pytest.mark.parametrize("wrapper", WRAPPED)
def test_the_places_span_what_stands_there_in_utf_8(wrapper: str, codec: str) -> None:
    plain = WRAPPED[wrapper].removeprefix(b"\xef\xbb\xbf")
    data = written(plain, codec)
    for one, frame in zip(frames_of(plain), frames_of(data), strict=True):
        spanned = data[frame.offset : frame.offset + frame.length].decode(CODECS[codec])
        assert spanned.strip("\ufeff ").encode() == plain[one.offset : one.offset + one.length].strip(b" ")


@needs_corpus
@every_codec
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_every_format_gives_the_same_events(sample: Path, codec: str) -> None:
    data = sample.read_bytes()
    plain, found = loaded(data), loaded(written(data, codec))
    if isinstance(plain, str) or isinstance(found, str):
        assert plain is found
    else:
        pd.testing.assert_frame_equal(found, plain)


@given(
    st.lists(st.text() | st.just("\ud800x" * 700) | st.just("äé" * 3000), max_size=4).map("".join),
    st.floats(0, 1),
)
def test_each_byte_of_utf_8_leads_to_its_character(text: str, part: float) -> None:
    character = round(part * len(text))
    assert Characters(text).at(len(as_utf8(text[:character]))) == character
