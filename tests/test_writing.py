"""Events tables as files: what is written comes back, byte for byte and type for type."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.writing import read_parquet
from tests.conftest import corpus_files, needs_corpus, read_case

SAMPLES = sorted((Path(__file__).resolve().parents[1] / "sample_logs").glob("*.ndjson"))
ODD = (
    b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s",  "update":{"sessionUpdate":'
    b'"agent_message_chunk","content":{"type":"text","text":"\\ud83c \\u0041 1e400"},"n":1e400,'
    b'"big":123456789012345678901}}}\n'
)


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(one, other, check_exact=True, check_categorical=True)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_frames_of_a_log_come_back_byte_for_byte(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "again.ndjson"
    acpinspect.write(acpinspect.load(path, progress=False), target)
    assert target.read_bytes() == path.read_bytes()


def test_spelling_numbers_and_escapes_stay_as_they_were(tmp_path: Path) -> None:
    target = tmp_path / "odd.jsonl"
    acpinspect.write(acpinspect.load(ODD), target)
    assert target.read_bytes() == ODD


def test_a_frame_that_stood_on_several_lines_stands_on_one(tmp_path: Path) -> None:
    frame = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
    events = acpinspect.load(json.dumps([frame, frame], indent=2).encode())
    acpinspect.write(events, tmp_path / "flat.ndjson")
    lines = (tmp_path / "flat.ndjson").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [frame, frame]


@pytest.mark.parametrize("ending", ["ndjson.gz", "jsonl.zst"])
def test_packed_frames_load_again(ending: str, tmp_path: Path) -> None:
    acpinspect.write(acpinspect.load(ODD), tmp_path / f"log.{ending}")
    assert acpinspect.load(tmp_path / f"log.{ending}")["raw"].tolist() == [ODD.decode().rstrip("\n")]


def test_the_same_events_give_the_same_packed_bytes(tmp_path: Path) -> None:
    for name in ("a.ndjson.gz", "b.ndjson.gz"):
        acpinspect.write(acpinspect.load(ODD), tmp_path / name)
    assert (tmp_path / "a.ndjson.gz").read_bytes() == (tmp_path / "b.ndjson.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.ndjson.gz").read_bytes()) == ODD


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_table_comes_back_from_parquet_exactly(path: Path, tmp_path: Path) -> None:
    events = acpinspect.load(path, progress=False)
    acpinspect.write(events, tmp_path / "table.parquet")
    same(read_parquet(tmp_path / "table.parquet"), events)


@needs_corpus
@pytest.mark.parametrize("path", corpus_files("bugs/*.json")[::6], ids=lambda path: path.stem)
def test_tables_of_the_corpus_come_back_from_parquet_exactly(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    events = acpinspect.from_records(case["log"], protocol=case["protocol"])
    acpinspect.write(events, tmp_path / "table.parquet")
    same(read_parquet(tmp_path / "table.parquet"), events)


def test_an_empty_table_keeps_its_types(tmp_path: Path) -> None:
    events = acpinspect.from_records([])
    acpinspect.write(events, tmp_path / "empty.parquet")
    same(read_parquet(tmp_path / "empty.parquet"), events)


def test_a_filtered_table_keeps_its_numbers_and_unused_categories(tmp_path: Path) -> None:
    events = acpinspect.load(SAMPLES[0], progress=False)
    part = events[events["kind"] == "notification"].iloc[::2]
    acpinspect.write(part, tmp_path / "part.parquet")
    same(read_parquet(tmp_path / "part.parquet"), part)


def test_a_column_of_one_s_own_is_kept(tmp_path: Path) -> None:
    events = acpinspect.load(SAMPLES[0], progress=False).assign(mine=1.5)
    acpinspect.write(events, tmp_path / "mine.parquet")
    same(read_parquet(tmp_path / "mine.parquet"), events)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=20), max_size=6))
def test_any_text_comes_back_from_both_forms(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    folder = tmp_path_factory.mktemp("any")
    updates = [
        ("s", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})
        for text in texts
    ]
    events = acpinspect.from_records(updates)
    acpinspect.write(events, folder / "any.parquet")
    same(read_parquet(folder / "any.parquet"), events)
    acpinspect.write(events, folder / "any.ndjson")
    lines = (folder / "any.ndjson").read_bytes().split(b"\n")[:-1]
    assert [line.decode() for line in lines] == events["raw"].tolist()


def test_an_ending_that_says_no_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=r"\.ndjson"):
        acpinspect.write(acpinspect.from_records([]), tmp_path / "log.csv")


def test_a_folder_that_isn_t_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(acpinspect.SourceError, match="nowhere"):
        acpinspect.write(acpinspect.from_records([]), tmp_path / "nowhere" / "log.ndjson")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "log.parquet"
    acpinspect.write(acpinspect.from_records([]), target)
    before = target.read_bytes()
    with pytest.raises(acpinspect.EventsError):
        acpinspect.write(pd.DataFrame({"raw": ["{}"]}), target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["log.parquet"]


def test_another_parquet_file_is_no_events_table(tmp_path: Path) -> None:
    pd.DataFrame({"raw": ["{}"]}).to_parquet(tmp_path / "other.parquet")
    with pytest.raises(acpinspect.EventsError, match="another table"):
        read_parquet(tmp_path / "other.parquet")


def test_what_is_no_parquet_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "no.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(acpinspect.SourceError, match="Parquet"):
        read_parquet(tmp_path / "no.parquet")


def test_load_reads_a_stored_table_as_it_is(tmp_path: Path) -> None:
    events = acpinspect.load(Path(__file__).resolve().parents[1] / "sample_logs" / "v1_with_ids.ndjson")
    acpinspect.write(events, tmp_path / "events.parquet")
    pd.testing.assert_frame_equal(acpinspect.load(tmp_path / "events.parquet"), events)
