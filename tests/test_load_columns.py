"""`load(columns=..., text=False)`: only what is asked for, and texts that stay in their file."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.events import COLUMNS
from acpinspect.file_texts import FileTexts
from tests.logs import LOGS, ndjson
from tests.wire import chunk, initialize, prompt, state, stop, tool_call, whole

LOG = [*initialize(), prompt(1), chunk("naïve ☕", "m"), tool_call(), state("idle"), whole("m", "b"), stop(1)]
ODD = b'{"jsonrpc": \n\xff\xfe\n{"jsonrpc":"2.0","method":"x","params":{"t":"\\ud800"}}\n'
NAMES = [column.name for column in COLUMNS]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson(LOG) + ODD)
    return path


def test_only_the_columns_that_are_asked_for_come_in_their_order(path: Path) -> None:
    events = acpinspect.load(path, columns=["turn", "update"])
    assert events.columns.tolist() == ["turn", "update"]
    assert events.index.name == "event"


@given(LOGS, st.lists(st.sampled_from(NAMES), unique=True, min_size=1), st.sampled_from([None, "v1", "v2"]))
@settings(max_examples=200, deadline=None)
def test_a_column_is_the_same_with_and_without_the_others(
    log: list[dict[str, Any]], columns: list[str], protocol: Any
) -> None:
    data = ndjson(log) + ODD
    whole_table = acpinspect.load(data, format="raw-ndjson", protocol=protocol)
    events = acpinspect.load(data, format="raw-ndjson", protocol=protocol, columns=columns)
    pd.testing.assert_frame_equal(events, whole_table[columns])


@given(LOGS, st.booleans())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_raw_left_in_the_file_is_what_it_would_be_in_memory(
    tmp_path: Path, log: list[dict[str, Any]], crlf: bool
) -> None:
    data = ndjson(log) + ODD
    path = tmp_path / "log.ndjson"
    path.write_bytes(data.replace(b"\n", b"\r\n") if crlf else data)
    lean, full = (acpinspect.load(path, format="raw-ndjson", text=text) for text in (False, True))
    assert isinstance(lean["raw"].array, FileTexts)
    assert lean["raw"].tolist() == full["raw"].tolist()
    assert lean["text"].isna().all()
    rest = [name for name in NAMES if name not in ("raw", "text")]
    pd.testing.assert_frame_equal(lean[rest], full[rest])


@given(LOGS, st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_raw_of_wrapped_frames_is_left_in_the_file_as_well(
    tmp_path: Path, log: list[dict[str, Any]], crlf: bool, prefixed: bool
) -> None:
    wrapped = [{"ts": i, "dir": "in", "msg": frame} for i, frame in enumerate([*LOG, *log])]
    lines = ndjson(wrapped).splitlines()
    if prefixed:
        lines[1::2] = [b"12:00:01 INFO -> " + json.dumps(one["msg"]).encode() for one in wrapped[1::2]]
    data = b"\n".join(lines) + b"\n" + ODD
    path = tmp_path / "log.jsonl"
    path.write_bytes(data.replace(b"\n", b"\r\n") if crlf else data)
    lean, full = (acpinspect.load(path, text=text) for text in (False, True))
    assert lean["raw"].tolist() == full["raw"].tolist()
    assert lean["raw"].array.nbytes < 30 * len(lean) + len(ODD)


def test_of_a_recording_of_ours_no_frame_is_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with acpinspect.Recorder(path) as recorder:
        for frame in LOG:
            recorder.write("agent", json.dumps(frame).encode() + b"\n")
    lean = acpinspect.load(path, text=False)
    frames = lean[lean["kind"] != "other"]["raw"]
    assert [json.loads(raw) for raw in frames] == LOG
    path.write_bytes(b"")
    with pytest.raises(acpinspect.SourceError, match="has changed"):
        frames.tolist()


def test_a_table_without_its_texts_is_still_an_events_table(path: Path) -> None:
    lean, full = acpinspect.load(path, text=False), acpinspect.load(path)
    assert acpinspect.group(lean).equals(acpinspect.group(full))
    assert acpinspect.payload(lean, 3) == acpinspect.payload(full, 3)
    assert acpinspect.timeline(lean, "s1")[-1].to_dict() == acpinspect.timeline(full, "s1")[-1].to_dict()


@pytest.mark.parametrize(
    "question",
    [
        lambda raw: raw == raw.iloc[1],
        lambda raw: raw != "{}",
        lambda raw: raw.str.contains("session/prompt", regex=False),
        lambda raw: raw.str.len(),
        lambda raw: raw.str.replace("jsonrpc", "rpc").str[:20],
        lambda raw: raw.isin(raw.iloc[:2].tolist()),
        lambda raw: raw.groupby(raw).size().astype("int64").reset_index(drop=True),
    ],
    ids=["is", "is not", "contains", "length", "replaced", "among", "grouped"],
)
def test_texts_left_in_the_file_answer_as_strings_do(
    path: Path, question: Callable[[pd.Series], pd.Series]
) -> None:
    lean, full = acpinspect.load(path, text=False), acpinspect.load(path)
    pd.testing.assert_series_equal(question(lean["raw"]), question(full["raw"]))


def test_texts_left_in_the_file_are_compared_row_by_row(path: Path) -> None:
    lean, full = acpinspect.load(path, text=False)["raw"], acpinspect.load(path)["raw"]
    assert (lean == full).all()
    assert (full == lean).all()
    assert (lean == acpinspect.load(path, text=False)["raw"]).all()


def test_rows_and_pickles_of_the_table_read_from_the_file_as_well(path: Path) -> None:
    lean, full = acpinspect.load(path, text=False), acpinspect.load(path)
    some = lean[lean["kind"] == "notification"]
    assert some["raw"].tolist() == full.loc[some.index, "raw"].tolist()
    assert pd.concat([some, lean.iloc[:2]])["raw"].tolist() == [
        *full.loc[some.index, "raw"], *full["raw"].iloc[:2]
    ]  # fmt: skip
    assert pickle.loads(pickle.dumps(lean))["raw"].iloc[-1] == full["raw"].iloc[-1]
    assert lean["raw"].reindex([0, 99]).isna().tolist() == [False, True]


def test_a_file_that_has_changed_says_so(path: Path) -> None:
    lean = acpinspect.load(path, text=False)
    with path.open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(acpinspect.SourceError, match="has changed since it was loaded"):
        lean["raw"].iloc[0]


def test_a_file_that_is_gone_says_so(path: Path) -> None:
    lean = acpinspect.load(path, text=False)
    path.unlink()
    with pytest.raises(acpinspect.SourceError, match="can't be read any more"):
        lean["raw"].tolist()


def test_json_that_stands_in_no_file_as_it_is_is_held(tmp_path: Path) -> None:
    packed, wrapped = tmp_path / "a.ndjson.gz", tmp_path / "b.jsonl"
    packed.write_bytes(gzip.compress(ndjson(LOG)))
    wrapped.write_bytes(ndjson([{"ts": i, "dir": "in", "msg": json.dumps(frame)} for i, frame in enumerate(LOG)]))
    for path in (packed, wrapped):
        lean, full = acpinspect.load(path, text=False), acpinspect.load(path)
        path.write_bytes(b"")
        assert lean["raw"].tolist() == full["raw"].tolist()


def test_two_processes_leave_the_texts_in_the_file_too(path: Path) -> None:
    lean = acpinspect.load(path, text=False, workers=2)
    assert lean["raw"].tolist() == acpinspect.load(path)["raw"].tolist()


def test_a_table_stored_as_parquet_gives_the_columns_that_are_asked_for(path: Path, tmp_path: Path) -> None:
    acpinspect.write(acpinspect.load(path, text=False), tmp_path / "log.parquet")
    events = acpinspect.load(tmp_path / "log.parquet", columns=["raw"])
    pd.testing.assert_frame_equal(events, acpinspect.load(path)[["raw"]])


def test_a_table_stored_as_parquet_leaves_its_texts_out_where_that_is_asked(path: Path, tmp_path: Path) -> None:
    acpinspect.write(acpinspect.load(path), tmp_path / "log.parquet")
    lean = acpinspect.load(tmp_path / "log.parquet", text=False)
    assert lean["text"].isna().all()
    assert str(lean["text"].dtype) == "string"
    assert lean["raw"].tolist() == acpinspect.load(path)["raw"].tolist()


@pytest.mark.parametrize(("columns", "why"), [(["trun"], "unknown: 'trun'"), (["turn", "turn"], "named twice")])
def test_columns_that_are_none_are_refused(columns: list[str], why: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=why):
        acpinspect.load(ndjson(LOG), columns=columns)
