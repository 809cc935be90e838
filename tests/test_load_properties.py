"""What holds for every log: nothing is lost, whatever the wrapping, the cut and the size of the pieces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect import batching
from acpinspect.events import COLUMNS
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import columns_of_frames, columns_of_lines
from acpinspect.reading.framing import line_frames
from tests.logs import LOGS, ndjson

PLACE = ["source", "line", "offset", "length"]
SURROUNDINGS = ["time", "elapsed", "time_source", "sender_label"]


def loaded(data: bytes) -> pd.DataFrame:
    return acpinspect.load(data, format="raw-ndjson")


@given(LOGS, st.data())
@settings(max_examples=150, deadline=None)
def test_a_cut_at_any_byte_loses_at_most_the_last_record(log: list[dict[str, Any]], data: st.DataObject) -> None:
    text = ndjson(log)
    cut = data.draw(st.integers(0, len(text)))
    complete = text[:cut].count(b"\n")
    events = loaded(text[:cut])
    whole = loaded(text)
    assert complete <= len(events) <= complete + 1
    assert (events["kind"] == "unreadable").sum() <= 1
    assert events["raw"].iloc[:complete].equals(whole["raw"].iloc[:complete])


@given(LOGS)
@settings(max_examples=100, deadline=None)
def test_a_wrapper_changes_nothing_but_the_surroundings(log: list[dict[str, Any]]) -> None:
    plain = loaded(ndjson(log))
    wrapped = ndjson([{"timestamp": "2026-01-05T11:00:00Z", "payload": frame} for frame in log])
    in_strings = ndjson([{"ts": 1767610800 + i, "frame": json.dumps(frame)} for i, frame in enumerate(log)])
    as_array = json.dumps(log, indent=1).encode()
    columns = [name for name in plain.columns if name not in [*PLACE, *SURROUNDINGS, "raw"]]
    for other in (wrapped, in_strings, as_array):
        events = acpinspect.load(other)
        pd.testing.assert_frame_equal(events[columns], plain[columns])
        assert [json.loads(raw) for raw in events["raw"]] == log


@given(LOGS, LOGS)
@settings(max_examples=50, deadline=None)
def test_two_logs_give_the_rows_of_each(tmp_path_factory: pytest.TempPathFactory, one: Any, other: Any) -> None:
    folder = tmp_path_factory.mktemp("logs")
    paths = [folder / "one.jsonl", folder / "other.jsonl"]
    for path, log in zip(paths, (one, other), strict=True):
        path.write_bytes(ndjson(log))
    first, second = (acpinspect.load(path, format="raw-ndjson") for path in paths)
    both = acpinspect.load(paths, format="raw-ndjson")
    second["reply_to"] += len(first)
    columns = [column.name for column in COLUMNS]
    for name in columns:
        expected = [*first[name].astype(object), *second[name].astype(object)]
        found = both[name].astype(object).tolist()
        assert [None if pd.isna(v) else v for v in found] == [None if pd.isna(v) else v for v in expected], name
    labels = acpinspect.group(both)
    shift = 0 if first["role"].isna().all() else int(acpinspect.group(first).max() or 0) + 1
    assert labels.iloc[: len(first)].tolist() == acpinspect.group(first).tolist() or labels.isna().all()
    assert shift >= 0


@given(LOGS, st.integers(1, 200))
@settings(max_examples=60, deadline=None)
def test_the_size_of_the_pieces_changes_nothing(log: list[dict[str, Any]], size: int) -> None:
    text = ndjson(log).replace(b"\n", b"\r\n", 1)
    whole = loaded(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batching, "_BLOCK", size)
        pieces = loaded(text)
    pd.testing.assert_frame_equal(pieces, whole)


@given(
    LOGS,
    st.lists(st.sampled_from([b"", b"noise", b'{"torn', b"\xff\xfe", b' {"a":1} ', b"[]"]), max_size=6),
    st.randoms(),
)
@settings(max_examples=80, deadline=None)
def test_the_fast_way_and_the_long_way_agree(log: list[dict[str, Any]], odd: list[bytes], random: Any) -> None:
    lines = [*ndjson(log).splitlines(), *odd]
    random.shuffle(lines)
    block = b"\n".join(lines)
    fast = columns_of_lines(block, block.split(b"\n"), "a", 1, 0, line_frames, TextStore())
    offsets = np.cumsum([0, *(len(line) + 1 for line in lines)])
    frames = [f for i, line in enumerate(lines) for f in line_frames(line, "a", i + 1, int(offsets[i]))]
    slow = columns_of_frames(frames)
    for name, column in fast.items():
        if name not in ("source", "_raw_at", "_raw_size"):  # only lines know where they stand
            assert column.to_pylist() == slow[name].to_pylist(), name


@given(LOGS)
@settings(max_examples=60, deadline=None)
def test_labels_do_not_change_when_the_log_is_extended(log: list[dict[str, Any]]) -> None:
    events = acpinspect.from_records(log, protocol="v1")
    for policy in ("spec", "ids", "heuristic", "rfd-literal", "spec-v2"):
        labels = acpinspect.group(events, policy)
        half = len(log) // 2
        part = acpinspect.group(acpinspect.from_records(log[:half], protocol="v1"), policy)
        assert part.equals(labels.iloc[:half])


@given(LOGS)
@settings(max_examples=60, deadline=None)
def test_the_table_survives_a_filter_and_parquet(tmp_path_factory: pytest.TempPathFactory, log: Any) -> None:
    events = acpinspect.from_records(log)
    path = tmp_path_factory.mktemp("tables") / "events.parquet"
    events.to_parquet(path)
    again = pd.read_parquet(path)
    assert acpinspect.group(again).tolist() == acpinspect.group(events).tolist()
    assert acpinspect.messages(again)["text"].tolist() == acpinspect.messages(events)["text"].tolist()


@pytest.mark.parametrize("rows", [0, 1, 50])
def test_columns_and_dtypes_are_the_contract_for_any_number_of_rows(rows: int) -> None:
    log = [
        {"jsonrpc": "2.0", "id": i, "method": "session/prompt", "params": {"sessionId": "s"}} for i in range(rows)
    ]
    events = acpinspect.load(ndjson(log))
    assert len(events) == rows
    assert events.columns.tolist() == [column.name for column in COLUMNS]
    assert {name: str(kind) for name, kind in events.dtypes.items()} == {c.name: c.dtype for c in COLUMNS}
    assert events.index.name == "event"


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    log = ndjson([{"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {}}}] * 3)
    for name in ("a", "b"):
        loaded(log).to_parquet(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
