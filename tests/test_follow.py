"""`follow`: a log while it is written, by whatever portions, through rotation and truncation."""

from __future__ import annotations

import gzip
import os
import threading
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect import following
from acpinspect.following import Following
from acpinspect.pieces import joined
from tests.logs import LOGS, ndjson
from tests.wire import chunk, initialize, prompt, stop

LOG = [*initialize(), prompt(1), chunk("a"), chunk("b"), stop(1)]


def texts(events: pd.DataFrame) -> list[str]:
    return events["text"].dropna().tolist()


def write(path: Path, data: bytes, mode: str = "ab") -> None:
    with path.open(mode) as file:
        file.write(data)


@given(LOGS, st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_log_written_in_any_portions_is_the_log_that_is_loaded(
    tmp_path: Path, log: list[dict[str, Any]], data: st.DataObject
) -> None:
    # Of frames after a resume, only the whole log can tell whether they were a replay.
    frames = [*initialize(), *(frame for frame in log if frame.get("method") != "session/resume")]
    content = ndjson(frames)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=5)))
    path = tmp_path / "log.ndjson"
    path.write_bytes(b"")
    followed, tables = Following(path, format="raw-ndjson", protocol="v1"), []
    for start, end in zip([0, *cuts], [*cuts, len(content)], strict=True):
        write(path, content[start:end])
        tables.append(followed.read())
    tables.append(followed.read(final=True))
    followed.close()
    pd.testing.assert_frame_equal(joined(tables), acpinspect.load(path, format="raw-ndjson", protocol="v1"))


def test_a_line_counts_when_its_end_is_there(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    line = ndjson([chunk("a")])
    write(path, line[:20])
    log = Following(path)
    assert len(log.read()) == 0
    write(path, line[20:])
    assert texts(log.read()) == ["a"]


def test_a_torn_last_line_becomes_a_row_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    write(path, ndjson([chunk("a")]) + b'{"jsonrpc": "2')
    [first, last] = acpinspect.follow(path, until=lambda: True)
    assert texts(first) == ["a"]
    assert last["kind"].tolist() == ["unreadable"]
    assert last.index.tolist() == [1]


def test_a_long_log_comes_in_several_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "_MOST", 100)
    path = tmp_path / "log.ndjson"
    write(path, ndjson(LOG)[:-1])
    tables = list(acpinspect.follow(path, until=lambda: True))
    assert len(tables) > 3
    pd.testing.assert_frame_equal(joined(tables), acpinspect.load(path))


def test_a_file_that_does_not_exist_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    log = Following(path)
    assert len(log.read()) == 0
    write(path, ndjson(LOG))
    assert len(log.read()) == len(LOG)


def test_a_file_that_is_replaced_is_read_to_its_end_before_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    write(path, ndjson(LOG[:4]))
    log = Following(path)
    assert len(log.read()) == 4
    write(path, ndjson(LOG[4:5]))
    path.rename(tmp_path / "log.ndjson.1")
    write(path, ndjson(LOG[5:]))
    old, new = log.read(), log.read()
    assert texts(old) == ["b"]
    assert new.index.tolist() == [5]
    assert (new["reply_to"].tolist(), new["line"].tolist()) == ([2], [1])


def test_a_file_that_is_emptied_is_read_anew_and_said_so(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    write(path, ndjson(LOG))
    log = Following(path)
    log.read()
    write(path, ndjson([chunk("c")]), "wb")
    with pytest.warns(UserWarning, match="it is read anew"):
        assert len(log.read()) == 0
    assert texts(log.read()) == ["c"]


def test_the_events_come_while_another_thread_writes(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    done = threading.Event()

    def writer() -> None:
        for i in range(20):
            write(path, ndjson([chunk(f"{i}")]))
            time.sleep(0.002)
        done.set()

    thread = threading.Thread(target=writer)
    thread.start()
    events = joined(list(acpinspect.follow(path, until=done.is_set, interval=0.001)))
    thread.join()
    assert texts(events) == [f"{i}" for i in range(20)]


def test_what_can_not_be_read_by_lines_is_refused(tmp_path: Path) -> None:
    packed, array = tmp_path / "a.gz", tmp_path / "b.json"
    packed.write_bytes(gzip.compress(ndjson(LOG)))
    array.write_text(
        '[{"_direction": "incoming", "_type": "request", "id": 1, "method": "initialize", "params": {}}]\n'
    )
    for path in (packed, array):
        with pytest.raises(acpinspect.ArgumentError, match="can't be read line by line"):
            list(acpinspect.follow(path, until=lambda: True))


def test_a_folder_or_a_path_into_nowhere_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "log.ndjson"):
        with pytest.raises(acpinspect.SourceError, match="no file that could be followed"):
            acpinspect.follow(path)


def test_a_wait_of_no_time_is_refused(tmp_path: Path) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="interval=0"):
        acpinspect.follow(tmp_path / "log", interval=0)


@pytest.mark.skipif(os.name != "posix", reason="an open file can't be removed elsewhere")
def test_a_file_that_is_removed_is_waited_for_again(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    write(path, ndjson(LOG[:2]))
    log = Following(path)
    log.read()
    path.unlink()
    assert len(log.read()) == 0
    write(path, ndjson(LOG[2:]))
    log.read()
    assert len(log.read()) == 4
