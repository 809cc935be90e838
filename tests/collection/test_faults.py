"""What is wrong with one file, one process or one disk stays with it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import acpinspect
from acpinspect.collection import local_engine, work
from acpinspect.collection.entries import Entry
from acpinspect.collection.work import Outcome, Task, done
from tests.collection.folders import WITH_IDS, assert_same
from tests.logs import ndjson
from tests.test_parallel_reading import _in_session
from tests.wire import chunk


def written(folder: Path, count: int) -> Path:
    """A folder of some logs."""
    for number in range(count):
        (folder / f"{number}.jsonl").write_bytes(ndjson(WITH_IDS))
    return folder


def problems(corpus: acpinspect.Corpus) -> list[tuple[str, str]]:
    table = corpus.problems
    return [(Path(name).name, stage) for name, stage in zip(table["recording"], table["stage"], strict=True)]


def test_a_file_removed_in_the_middle_is_a_row(tmp_path: Path) -> None:
    corpus = acpinspect.corpus(written(tmp_path, 3), workers=1)
    (tmp_path / "1.jsonl").unlink()
    assert corpus.sessions.index.tolist() == [0, 2]
    assert problems(corpus) == [("1.jsonl", "read")]
    assert "No such file" in corpus.problems["message"].iloc[0]


def test_an_archive_that_lost_a_member_is_a_row(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.jsonl", ndjson(WITH_IDS))
        archive.writestr("two.jsonl", ndjson(WITH_IDS))
    corpus = acpinspect.corpus(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.jsonl", ndjson(WITH_IDS))
    assert corpus.sessions.index.tolist() == [0]
    assert problems(corpus) == [("a.zip!two.jsonl", "read")]


def test_a_folder_in_the_place_of_a_file_is_a_row(tmp_path: Path) -> None:
    corpus = acpinspect.corpus(written(tmp_path, 2))
    (tmp_path / "1.jsonl").unlink()
    (tmp_path / "1.jsonl").mkdir()
    assert corpus.sessions.index.tolist() == [0]
    assert problems(corpus) == [("1.jsonl", "read")]


def test_a_file_that_may_not_be_read_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, 2)
    actual = Path.open

    def refused(path: Path, *given: Any, **named: Any) -> Any:
        if path.name == "1.jsonl":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return actual(path, *given, **named)

    monkeypatch.setattr(Path, "open", refused)
    corpus = acpinspect.corpus(tmp_path)
    assert corpus.sessions.index.tolist() == [0]
    assert problems(corpus) == [("1.jsonl", "open")]
    assert "Permission denied" in corpus.problems["message"].iloc[0]


def test_packed_data_that_is_damaged_is_a_row_and_damaged_at_its_end_it_keeps_what_is_whole(
    tmp_path: Path,
) -> None:
    import gzip

    packed = gzip.compress(ndjson(WITH_IDS * 50), mtime=0)
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[: len(packed) * 2 // 3])
    (tmp_path / "head.jsonl.gz").write_bytes(packed[:8] + b"\xff" * 40)
    corpus = acpinspect.corpus(tmp_path)
    events = corpus.events()
    assert set(events.index) == {0}
    assert events["kind"].iloc[-1] == "unreadable"
    assert problems(corpus) == [("head.jsonl.gz", "open")]


def test_a_line_of_200_megabytes_is_one_event(tmp_path: Path) -> None:
    text = "x" * (200 << 20)
    (tmp_path / "a.jsonl").write_bytes(ndjson([*WITH_IDS, chunk(text, "m9"), chunk("!", "m9")]))
    events = acpinspect.corpus(tmp_path, workers=1).events()
    assert len(events) == len(WITH_IDS) + 2
    assert events["text"].str.len().iloc[-2:].tolist() == [200 << 20, 1]


def test_ten_thousand_files_are_one_table(tmp_path: Path) -> None:
    line = ndjson([chunk("x", "m1")])
    for number in range(10_000):
        (tmp_path / f"{number}.jsonl").write_bytes(line)
    (tmp_path / "5000.jsonl").write_bytes(b"")
    events = acpinspect.corpus(tmp_path, workers=2).events()
    assert len(events) == 9_999
    assert events.index.is_monotonic_increasing
    assert events.index.nunique() == 9_999
    assert Path(str(events["recording"].iloc[5000])).name == "5001.jsonl"


def test_a_table_that_can_not_be_made_is_a_row_and_the_others_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actual = work.made

    def fails(ask: Any, subject: Any) -> Any:
        if ask.table == "messages" and len(subject.events) > len(WITH_IDS):
            raise RuntimeError("what a rule did not expect")
        return actual(ask, subject)

    monkeypatch.setattr(work, "made", fails)
    written(tmp_path, 2)
    (tmp_path / "1.jsonl").write_bytes(ndjson([*WITH_IDS, chunk("More.")]))
    corpus = acpinspect.corpus(tmp_path)
    assert set(corpus.messages().index) == {0}
    assert corpus.findings().index.is_monotonic_increasing
    assert problems(corpus) == [("1.jsonl", "messages")]
    assert corpus.problems["message"].tolist() == ["RuntimeError: what a rule did not expect"]


# --- processes --------------------------------------------------------------------------------------------------


def dies_once(task: Task) -> list[Outcome]:
    """The work, but the first process that comes to the recording 5 is killed."""
    for entry in task.entries:
        died = Path(entry.files[0]).with_name("died")
        if entry.number == 5 and not died.exists():
            died.write_text("once")
            os.kill(os.getpid(), signal.SIGKILL)
    return done(task)


def dies_always(task: Task) -> list[Outcome]:
    """The work, but the recording 5 kills each process that reads it."""
    if any(entry.number == 5 for entry in task.entries):
        os.kill(os.getpid(), signal.SIGKILL)
    return done(task)


def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, 12)
    monkeypatch.setattr(local_engine, "done", dies_once)
    corpus = acpinspect.corpus(tmp_path, workers=2)
    assert_same(corpus.sessions, acpinspect.corpus(tmp_path / "*.jsonl", workers=1).sessions)
    assert corpus.problems.empty


def test_a_file_that_kills_its_worker_each_time_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, 8)
    monkeypatch.setattr(local_engine, "done", dies_always)
    corpus = acpinspect.corpus(tmp_path, workers=2)
    assert corpus.sessions.index.tolist() == [0, 1, 2, 3, 4, 6, 7]
    assert problems(corpus) == [("5.jsonl", "read")]
    assert "killed, each time" in corpus.problems["message"].iloc[0]


_UNGUARDED = """
import sys, acpinspect
print(len(acpinspect.corpus(sys.argv[1], workers=2).sessions))
"""


def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_UNGUARDED)
    logs = tmp_path / "logs"
    logs.mkdir()
    run = subprocess.run(
        [sys.executable, str(script), str(written(logs, 3))], capture_output=True, text=True, timeout=100
    )
    assert run.returncode == 1
    assert "WorkerError: No worker process can begin" in run.stderr
    assert "__main__" in run.stderr


_RUN = """
import sys, acpinspect, slow_work
from acpinspect.collection import local_engine

if __name__ == "__main__":
    local_engine.done = slow_work.done
    acpinspect.corpus(sys.argv[1], workers=2).sessions
"""

_SLOW = """
import time

def done(task):
    print("working", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are counted under /proc")
def test_an_interrupt_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(_RUN)
    (tmp_path / "slow_work.py").write_text(_SLOW)
    logs = tmp_path / "logs"
    logs.mkdir()
    command = [sys.executable, str(tmp_path / "run.py"), str(written(logs, 9))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"working\n"
        run.send_signal(signal.SIGINT)
        run.wait(timeout=30)
        until = time.monotonic() + 20
        while _in_session(run.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert _in_session(run.pid) == []


# --- disks ------------------------------------------------------------------------------------------------------

_LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
import warnings
import acpinspect
{body}
"""


def on_a_full_disk(body: str, largest: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run some lines in a process that can write no file larger than so many bytes, as if the disk were full."""
    code = _LIMITED.format(body=body)
    return subprocess.run(
        [sys.executable, "-c", code, str(largest), *arguments], capture_output=True, text=True, timeout=100
    )


def test_a_cache_on_a_full_disk_is_told_of_and_changes_nothing(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    written(logs, 3)
    body = """
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    table = acpinspect.corpus(sys.argv[2], cache=sys.argv[3], workers=1).sessions
print(len(table), len(said), said[0].message)
"""
    run = on_a_full_disk(body, 2_000, str(logs), str(tmp_path / "cache"))
    assert run.stdout.startswith("3 1 "), run.stderr
    assert "can't keep all tables: File too large" in run.stdout
    assert list((tmp_path / "cache").rglob(".partial-*")) == []


def test_output_on_a_full_disk_is_an_error_that_leaves_nothing_behind(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    written(logs, 3)
    body = "acpinspect.corpus(sys.argv[2], workers=1).write(sys.argv[3], policies=[], examples=0)"
    run = on_a_full_disk(body, 4_000, str(logs), str(tmp_path / "out"))
    assert run.returncode == 1
    assert "can't be written: File too large. Nothing was left behind." in run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs"]


def test_a_cache_that_can_not_be_made_is_told_of(tmp_path: Path) -> None:
    written(tmp_path, 1)
    (tmp_path / "file").write_text("no folder")
    corpus = acpinspect.corpus(tmp_path / "0.jsonl", cache=tmp_path / "file" / "cache")
    with pytest.warns(UserWarning, match="can't keep all tables: Not a directory"):
        assert len(corpus.sessions) == 1


@pytest.mark.parametrize("fault", [b"", b"PAR1 and then nothing", None])
def test_a_damaged_entry_of_the_cache_is_made_again(tmp_path: Path, fault: bytes | None) -> None:
    written(tmp_path, 1)
    corpus = acpinspect.corpus(tmp_path / "0.jsonl", cache=tmp_path / "cache")
    tables: list[Callable[[], Any]] = [corpus.events, corpus.messages]
    made = [table() for table in tables]
    entries = sorted((tmp_path / "cache" / "tables").rglob("*.parquet"))
    whole = [path.read_bytes() for path in entries]
    assert len(entries) == 2
    for path, data in zip(entries, whole, strict=True):
        middle = len(data) // 3
        path.write_bytes(data[:middle] + b"\xff\xff\xff" + data[middle + 3 :] if fault is None else fault)
    for table, first in zip(tables, made, strict=True):
        assert_same(table(), first)
    assert [path.read_bytes() for path in entries] == whole


def test_an_outcome_names_what_it_is_of() -> None:
    entry = Entry(0, "lost.jsonl", ("lost.jsonl",))
    [outcome] = done(Task((entry,)).wanting([]))
    assert (outcome.tables, outcome.problems[0].stage) == ((), "read")
