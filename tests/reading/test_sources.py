"""Anything that a user names becomes recordings with their documents in the right order."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import sys
import zipfile
from pathlib import Path

import pytest
import zstandard

from acpinspect.errors import SourceError
from acpinspect.reading import archives, decompress
from acpinspect.reading.document import Document
from acpinspect.reading.reader import read_recording
from acpinspect.reading.sources import Recording, open_recordings, recording_of
from tests.reading.traffic import RAWS, WRAPPED

LOG = WRAPPED["raw"]
COMPRESSIONS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "gz twice": lambda data: gzip.compress(gzip.compress(data)),
    "two gz members": lambda data: gzip.compress(data[:300]) + gzip.compress(data[300:]),
    "two zst frames": lambda data: b"".join(
        zstandard.ZstdCompressor().compress(p) for p in (data[:300], data[300:])
    ),
}


def raws(recordings: list[Recording]) -> list[str]:
    return [f.raw for recording in recordings for f in read_recording(recording) if f.kind is None]


def names(recordings: list[Recording]) -> list[str]:
    return [document.name for recording in recordings for document in recording.documents]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "a log.jsonl"
    path.write_bytes(LOG)
    return path


def test_a_path_names_its_file_as_a_string_and_as_a_path(log: Path) -> None:
    for source in (log, str(log)):
        assert raws(open_recordings(source)) == RAWS
        assert names(open_recordings(source)) == [str(log)]


def test_a_relative_path_stays_as_it_was_written(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(log.parent)
    assert names(open_recordings("a log.jsonl")) == ["a log.jsonl"]


def test_bytes_text_and_open_files_are_content(log: Path) -> None:
    for source in (LOG, bytearray(LOG), memoryview(LOG), LOG.decode(), io.BytesIO(LOG), io.StringIO(LOG.decode())):
        assert raws(open_recordings(source)) == RAWS
    with log.open("rb") as binary, log.open(encoding="utf-8") as text:
        assert raws(open_recordings(binary)) == RAWS
        assert raws(open_recordings(text)) == RAWS
        assert names(open_recordings([LOG, LOG, text])) == ["<bytes>", "<bytes 2>", str(log)]


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    recordings = open_recordings("-")
    assert (raws(recordings), names(recordings)) == (RAWS, ["<stdin>"])


@pytest.mark.parametrize(
    "text", [RAWS[0], "\ufeff " + RAWS[0], f"[{RAWS[0]}]", f"data: {RAWS[0]}", f"-> {RAWS[0]}", "noise\n"]
)
def test_a_string_that_is_unmistakably_a_log_is_content(text: str) -> None:
    assert names(open_recordings(text)) == ["<text>"]


@pytest.mark.parametrize(
    "text", ["no.jsonl", "logs/no", "", "x", "{run}.json", "(1).log", "[1]", "no such file", "session"]
)
def test_a_short_path_like_string_is_never_content(text: str) -> None:
    with pytest.raises(SourceError, match=r"no such file|No file matches"):
        open_recordings(text)


def test_a_file_whose_name_looks_like_json_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path('{"a":1}').write_bytes(LOG)
    assert raws(open_recordings('{"a":1}')) == RAWS


@pytest.mark.parametrize("source", [5, None, {"jsonrpc": "2.0"}, [{"jsonrpc": "2.0"}]])
def test_other_objects_are_no_sources(source: object) -> None:
    with pytest.raises(SourceError, match="is no source"):
        open_recordings(source)


def test_a_pattern_gives_its_files_sorted_with_numbers_by_size(tmp_path: Path) -> None:
    for name in ("s10.jsonl", "s9.jsonl", "deep/s1.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    assert [Path(n).name for n in names(open_recordings(f"{tmp_path}/*.jsonl"))] == ["s9.jsonl", "s10.jsonl"]
    assert len(open_recordings(f"{tmp_path}/**/*.jsonl")) == 3
    with pytest.raises(SourceError, match="No file matches"):
        open_recordings(f"{tmp_path}/*.nothing")


def test_a_folder_gives_what_may_be_logs_in_it(tmp_path: Path) -> None:
    files = (
        "b.log",
        "a.jsonl",
        "sub/c.ndjson",
        "plain",
        "x.py",
        "y.png",
        ".hidden.log",
        ".git/d.log",
        "package.json",
    )
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(LOG)
    (tmp_path / "empty.log").touch()
    (tmp_path / "binary.log").write_bytes(bytes(1_000))
    recordings = open_recordings(tmp_path)
    assert [os.path.relpath(name, tmp_path) for name in names(recordings)] == [
        "a.jsonl",
        "b.log",
        "plain",
        "sub/c.ndjson",
    ]
    assert not any(recording.named for recording in recordings)


def test_a_file_named_twice_is_read_once(log: Path) -> None:
    assert len(open_recordings([log, str(log)])) == 1


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_compressed_data_is_recognised_by_its_first_bytes(compression: str, tmp_path: Path) -> None:
    packed = COMPRESSIONS[compression](LOG)
    path = tmp_path / "misnamed.txt"
    path.write_bytes(packed)
    for source in (path, packed):
        assert raws(open_recordings(source)) == RAWS
    assert b"".join(open_recordings(path)[0].documents[0].blocks(100)) == LOG


@pytest.mark.parametrize("compression", ["gz", "xz", "zst"])
def test_cut_off_compressed_data_gives_what_can_be_had_and_says_so(compression: str) -> None:
    data = b"".join(
        b"%d %s\n" % (number, random.Random(number).randbytes(9).hex().encode()) for number in range(20_000)
    )
    packed = COMPRESSIONS[compression](data)
    document = Document.of_bytes("<bytes>", packed[: len(packed) * 2 // 3])
    got = document.data
    assert data.startswith(got)
    assert len(got) > len(data) // 3
    assert "cut off" in (document.problem or "")


def test_cut_off_compressed_data_that_gives_nothing_is_refused() -> None:
    with pytest.raises(SourceError, match="can't be expanded"):
        open_recordings(bz2.compress(LOG)[:40])


def test_a_decompression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompress, "_RATIO_FROM", 1 << 20)
    bomb = lzma.compress(bytes(4 << 20))
    with pytest.raises(SourceError, match="fold when expanded"):
        open_recordings(bomb)[0].documents[0].data  # noqa: B018 - reading it is the test
    monkeypatch.setattr(decompress, "MAX_EXPANDED", 1 << 20)
    with pytest.raises(SourceError, match="expands to more than"):
        open_recordings(gzip.compress(os.urandom(2 << 20)))[0].documents[0].data  # noqa: B018


def zipped(**members: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return target.getvalue()


def test_the_members_of_an_archive_are_documents(tmp_path: Path) -> None:
    inner = zipped(deep_log=LOG)
    path = tmp_path / "logs.dat"
    path.write_bytes(zipped(b_log=LOG, acp__a_jsonl_gz=gzip.compress(LOG), icon_png=b"x", inner_zip=inner))
    recordings = open_recordings(path)
    assert [name.partition("!")[2] for name in names(recordings)] == [
        "acp/a.jsonl.gz",
        "b.log",
        "inner.zip!deep.log",
    ]
    assert raws(recordings) == RAWS * 3
    assert raws(open_recordings(path.read_bytes())) == RAWS * 3
    assert not any(recording.named for recording in recordings)


def test_a_damaged_or_bloated_archive_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="can't be opened"):
        open_recordings(zipped(a_log=LOG)[:60])
    monkeypatch.setattr(archives, "_RATIO_FROM", 1 << 10)
    with pytest.raises(SourceError, match="would grow"):
        open_recordings(zipped(a_log=bytes(4 << 20)))


def test_rotated_segments_are_one_recording_oldest_first(tmp_path: Path) -> None:
    parts = [LOG[:300], LOG[300:800], LOG[800:]]
    for name, part in zip(("m.jsonl.2", "m.jsonl.1", "m.jsonl"), parts, strict=True):
        (tmp_path / name).write_bytes(part)
    for number in range(1, 12):
        (tmp_path / f"s.stream.{number}.ndjson").write_bytes(LOG)
    first, second = open_recordings(tmp_path)
    assert [Path(d.name).name for d in first.documents] == ["m.jsonl.2", "m.jsonl.1", "m.jsonl"]
    assert Path(second.documents[0].name).name == "s.stream.11.ndjson"


@pytest.mark.parametrize(
    ("source", "recording"),
    [
        ("a/x.stream.3.ndjson", "a/x.stream.ndjson"),
        ("messages.jsonl.12", "messages.jsonl"),
        ("messages.jsonl.2.gz", "messages.jsonl"),
        ("acp-transport.1.log", "acp-transport.log"),
        ("bundle.zip!acp/acp.log.1", "bundle.zip!acp/acp.log"),
        ("codex-acp-2.6.0.jsonl", "codex-acp-2.6.0.jsonl"),
        ("kimi-cli-1.5.log", "kimi-cli-1.5.log"),
        ("a.jsonl.gz", "a.jsonl.gz"),
        ("<stdin>", "<stdin>"),
    ],
)
def test_the_name_of_a_source_tells_its_recording(source: str, recording: str) -> None:
    assert recording_of(source) == recording


def test_the_files_of_one_process_are_a_recording() -> None:
    assert len({recording_of(f"d/run.{half}.jsonl") for half in ("stdin", "stdout", "stderr")}) == 1
    assert len({recording_of(name) for name in ("d/acp-in.jsonl", "d/acp-out.jsonl")}) == 1
    assert recording_of("d/stdin.log") != recording_of("e/stdin.log")
    assert recording_of("d/login.jsonl") == "d/login.jsonl"


def test_an_encrypted_archive_is_refused() -> None:
    data = bytearray(zipped(a_log=LOG))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    with pytest.raises(SourceError, match="is encrypted: unpack it"):
        open_recordings(bytes(data))


def test_an_archive_of_too_many_members_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_MAX_MEMBERS", 2)
    with pytest.raises(SourceError, match="has more than 2 members; load a part of them"):
        open_recordings(zipped(a_log=LOG, b_log=LOG, c_log=LOG))


def test_a_stream_that_can_not_be_read_is_refused() -> None:
    closed = io.BytesIO(b"")
    closed.close()
    with pytest.raises(SourceError, match="<stream> can't be read: "):
        open_recordings(closed)


def test_half_a_surrogate_pair_in_a_text_is_kept_as_an_escape() -> None:
    [recording] = open_recordings(io.StringIO('{"text":"\ud83d"}\n'))
    assert recording.documents[0].data == rb'{"text":"\ud83d"}' + b"\n"
