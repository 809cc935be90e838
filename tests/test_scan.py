"""`scan`: a log piece by piece is the log that `load` reads whole."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect import batching, scanning
from acpinspect.diagnostics import windows
from acpinspect.grouping.labels import COLUMN_POLICIES
from acpinspect.pieces import Left, joined, next_piece
from acpinspect.reading.batches import Columns
from tests.conftest import CORPUS, needs_corpus
from tests.logs import LOGS, ndjson
from tests.wire import chunk, initialize, prompt, request, result, state, stop, tool_call, tool_update

LOAD = request(9, "session/load", sessionId="s1", cwd="/w", mcpServers=[])
RESUME = request(9, "session/resume", sessionId="s1", cwd="/w")


def scanned(source: object, size: int, **options: Any) -> pd.DataFrame:
    return joined(list(acpinspect.scan(source, size=size, **options)))  # type: ignore[arg-type]


def assert_same(log: list[dict[str, Any]], size: int, **options: Any) -> None:
    data = ndjson(log)
    pd.testing.assert_frame_equal(scanned(data, size, **options), acpinspect.load(data, **options))


def column(events: pd.DataFrame, name: str) -> list[object]:
    return [None if pd.isna(value) else value for value in events[name]]


def test_events_are_numbered_on_from_piece_to_piece() -> None:
    pieces = list(acpinspect.scan(ndjson([chunk("a"), chunk("b"), chunk("c")]), size=2))
    assert [piece.index.tolist() for piece in pieces] == [[0, 1], [2]]
    assert pieces[1].index.name == "event"


def test_a_turn_goes_on_in_the_next_piece() -> None:
    assert_same([*initialize(), prompt(1), chunk("a"), chunk("b"), stop(1), prompt(2), chunk("c")], 1)


def test_a_reply_names_the_event_of_a_request_in_an_earlier_piece() -> None:
    *_, last = acpinspect.scan(ndjson([*initialize(), prompt(1), chunk("a"), stop(1)]), size=1)
    assert column(last, "reply_to") == [2]
    assert column(last, "method") == ["session/prompt"]


def test_a_load_goes_on_until_its_response() -> None:
    assert_same([*initialize(), prompt(1), stop(1), LOAD, chunk("a"), chunk("b"), result(9), chunk("c")], 2)


def test_frames_after_a_resume_wait_for_its_answer() -> None:
    log = [*initialize(), RESUME, chunk("a"), chunk("b"), result(9), chunk("c")]
    assert_same(log, 1)
    pieces = [len(piece) for piece in acpinspect.scan(ndjson(log), size=1)]
    assert pieces == [1, 1, 4, 1]


def test_frames_after_a_resume_that_is_never_answered_come_at_the_end() -> None:
    assert_same([*initialize(), RESUME, chunk("a"), chunk("b")], 1)


def test_a_v2_turn_goes_on_in_the_next_piece() -> None:
    assert_same([*initialize(0, 2), state("running"), chunk("a", "m"), state("idle"), state("running")], 1)


def test_a_version_once_told_holds_to_the_end() -> None:
    log = [*initialize(0, 2), chunk("a"), chunk("b", "m")]
    assert column(scanned(ndjson(log), 1), "protocol") == ["v2"] * 4


def test_a_new_connection_forgets_the_version_of_the_old() -> None:
    assert_same([*initialize(0, 2), chunk("a", "m"), *initialize(0, 1), chunk("b")], 1)


def test_elapsed_counts_from_the_first_piece() -> None:
    log = [{"ts": 1767610800 + i, "msg": frame} for i, frame in enumerate([*initialize(), chunk("a"), chunk("b")])]
    assert column(scanned(ndjson(log), 2), "elapsed") == [0.0, 1.0, 2.0, 3.0]


def test_labels_keep_the_side_that_earlier_pieces_showed() -> None:
    frames = [*initialize(), prompt(1), request(7, "_vendor/ask"), stop(1)]
    labels = ["out", "in", "out", "in", "in"]
    log = [
        {"ts": i, "dir": label, "msg": frame} for i, (label, frame) in enumerate(zip(labels, frames, strict=True))
    ]
    assert_same(log, 1)


def test_two_recordings_do_not_mix(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(ndjson([*initialize(), prompt(1), chunk("a")]))
    (tmp_path / "b.ndjson").write_bytes(ndjson([*initialize(0, 2), chunk("b", "m"), result(1)]))
    pd.testing.assert_frame_equal(scanned(tmp_path, 2), acpinspect.load(tmp_path))


@given(LOGS, st.integers(1, 8), st.sampled_from(["v1", "v2"]))
@settings(max_examples=120, deadline=None)
def test_any_cut_gives_the_rows_of_the_whole(log: list[dict[str, Any]], size: int, protocol: str) -> None:
    begun = [*initialize(), *log]
    data = ndjson(begun)
    # The first piece shows both sides; what follows is cut anywhere.
    events = acpinspect.load(data, protocol=protocol, format="raw-ndjson")
    pd.testing.assert_frame_equal(scanned(data, size, protocol=protocol, format="raw-ndjson"), events)


@needs_corpus
@pytest.mark.parametrize("path", sorted((CORPUS / "formats").glob("*")), ids=lambda path: path.name)
def test_every_format_can_be_scanned(path: Path) -> None:
    try:
        events = acpinspect.load(path)
    except acpinspect.NotACPError:
        with pytest.raises(acpinspect.NotACPError):
            list(acpinspect.scan(path, size=10_000))
        return
    pd.testing.assert_frame_equal(scanned(path, 10_000), events)


def test_no_more_is_read_before_a_table_comes_than_it_takes_to_tell_whether_it_is_the_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(ndjson([*initialize(), *(chunk("a" * 1000) for _ in range(5_000))]))
    read = []

    def counted(*arguments: Any) -> Iterator[Columns]:
        for batch in batching.batches_of(*arguments):
            read.append(len(batch["kind"]))
            yield batch

    monkeypatch.setattr(scanning, "batches_of", counted)
    first = next(acpinspect.scan(path, size=read_in_one_batch(path)))
    assert read[0] == len(first)
    assert len(read) == 2


def read_in_one_batch(path: Path) -> int:
    """The rows of the first block of lines."""
    return path.read_bytes()[: 1 << 20].count(b"\n")


def test_a_table_that_its_user_let_go_of_is_gone_before_the_next_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[weakref.ref[pd.DataFrame]] = []
    held = []

    def watched(*arguments: Any, **options: Any) -> tuple[pd.DataFrame, Left]:
        gc.collect()
        held.append(sum(table() is not None for table in tables))
        return next_piece(*arguments, **options)

    monkeypatch.setattr(scanning, "next_piece", watched)
    scan = acpinspect.scan(ndjson([*initialize(), chunk("a"), chunk("b")]), size=2)
    tables.append(weakref.ref(next(scan)))
    tables.append(weakref.ref(next(scan)))
    assert held == [0, 0]


def test_what_holds_no_traffic_is_refused() -> None:
    with pytest.raises(acpinspect.NotACPError, match="no ACP traffic"):
        list(acpinspect.scan(b'{"a": 1}\n'))


def test_a_bad_size_is_refused_before_anything_is_read() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="size=0"):
        acpinspect.scan(b"", size=0)


def test_the_first_unreadable_record_raises_where_that_is_asked_for() -> None:
    data = ndjson([*initialize(), chunk("a")]) + b'{"jsonrpc": \n'
    with pytest.raises(acpinspect.ReadError, match="line 4"):
        list(acpinspect.scan(data, size=1, on_error="raise"))


@given(LOGS, st.integers(1, 8), st.sampled_from(["v1", "v2"]), st.sampled_from(sorted(COLUMN_POLICIES)))
@settings(max_examples=120, deadline=None)
def test_the_messages_of_a_scan_are_those_of_the_whole(
    log: list[dict[str, Any]], size: int, protocol: Any, policy: str
) -> None:
    data = ndjson([{"ts": 1767610800 + i, "msg": frame} for i, frame in enumerate([*initialize(), *log])])
    events = acpinspect.load(data, protocol=protocol)
    pieces = acpinspect.scan(data, protocol=protocol, size=size)
    found, expected = acpinspect.messages(pieces, policy), acpinspect.messages(events, policy)
    assert found.dtypes.astype(str).tolist() == expected.dtypes.astype(str).tolist()
    # Which values a column could have is that of the events, which are gone.
    words = ["role", "phase", "boundary"]
    as_words = [table.astype(dict.fromkeys(words, "string")) for table in (found, expected)]
    pd.testing.assert_frame_equal(*as_words)


def test_a_message_that_goes_on_in_the_next_file_of_a_rotated_recording_is_contiguous(tmp_path: Path) -> None:
    (tmp_path / "s.ndjson.1").write_bytes(ndjson([*initialize(), prompt(1), chunk("a", "m1"), chunk("b", "m1")]))
    (tmp_path / "s.ndjson").write_bytes(ndjson([chunk("c", "m1"), stop(1)]))
    [whole] = acpinspect.messages(acpinspect.load(tmp_path))[["text", "contiguous"]].values.tolist()
    [pieced] = acpinspect.messages(acpinspect.scan(tmp_path, size=2))[["text", "contiguous"]].values.tolist()
    assert whole == pieced == ["abc", True]


def test_sessions_of_one_id_in_two_recordings_are_counted_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        log = [*initialize(), chunk("one", "m1"), chunk("two", "m2"), chunk("three", "m1")]
        (tmp_path / f"{name}.ndjson").write_bytes(ndjson(log))
    expected = acpinspect.messages(acpinspect.load(tmp_path))["contiguous"].tolist()
    assert acpinspect.messages(acpinspect.scan(tmp_path, size=2))["contiguous"].tolist() == expected


def test_a_policy_that_keeps_a_state_is_refused_for_a_scan() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="state spans the pieces"):
        acpinspect.messages(acpinspect.scan(ndjson([chunk("a")])), "toad")


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_an_empty_log_gives_one_empty_table(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.ndjson").write_bytes(data)
    path = tmp_path / "log.ndjson"
    pd.testing.assert_frame_equal(scanned(path, 1), acpinspect.load(path))
    assert acpinspect.messages(acpinspect.scan(path)).empty
    assert acpinspect.diagnose(acpinspect.scan(path)).empty


@needs_corpus
@pytest.mark.parametrize("path", sorted((CORPUS / "real").glob("*.jsonl")), ids=lambda path: path.name)
def test_the_findings_of_a_scan_are_those_of_the_whole(path: Path) -> None:
    once_a_log = ["unknown-field"]  # counts over what it sees
    findings = acpinspect.diagnose(acpinspect.load(path))
    pieces = acpinspect.diagnose(acpinspect.scan(path, size=100))
    for table in (findings, pieces):
        assert [str(dtype) for dtype in table.dtypes] == [str(dtype) for dtype in findings.dtypes]
    columns = ["code", "severity", "session_id", "event", "related", "message"]
    expected, found = (table.loc[~table["code"].isin(once_a_log), columns] for table in (findings, pieces))
    assert found.values.tolist() == expected.values.tolist()


def test_a_call_is_known_to_the_findings_of_a_scan_long_after_it_began() -> None:
    log = [*initialize(), prompt(1), tool_call("t1"), *(chunk(str(i)) for i in range(50))]
    log += [tool_update("t1", status="completed"), stop(1)]
    codes = acpinspect.diagnose(acpinspect.scan(ndjson(log), size=5))["code"].tolist()
    assert codes == acpinspect.diagnose(acpinspect.from_records(log))["code"].tolist()


def test_what_the_findings_of_a_scan_remember_does_not_grow_with_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "_REMEMBERED", 3)
    turn = [chunk("a", "m{}"), tool_call("t{}"), tool_update("t{}", status="completed")]
    texts = [json.dumps(frame).replace("{}", str(number)) for number in range(50) for frame in turn]
    looked_at = windows.windows(acpinspect.scan("\n".join(texts).encode(), size=10))
    assert max(len(window) for window, _ in looked_at) <= 3 * 10 + 3 + 3 + 2


def test_a_scan_that_is_used_up_is_refused() -> None:
    scan = acpinspect.scan(ndjson([chunk("a")]))
    assert len(acpinspect.messages(scan)) == 1
    with pytest.raises(acpinspect.ArgumentError, match="walked through once"):
        acpinspect.messages(scan)
    with pytest.raises(acpinspect.ArgumentError, match="walked through once"):
        acpinspect.diagnose(scan)
