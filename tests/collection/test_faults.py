"""What is wrong with one file, one process or one disk stays with it."""

from __future__ import annotations

import errno
import os
import shutil
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

_LIMIT = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, resource.RLIM_INFINITY))
"""
_SMALL_DISK = 'mount -t tmpfs -o size=32k tmpfs "$0" && exec "$@"'
_OWN_MOUNTS = ["unshare", "--map-root-user", "--mount", "sh", "-c", _SMALL_DISK]
"""What a command is run by that has a disk of its own, which is gone with it."""


def small_disks_are_possible(folder: Path) -> bool:
    return (
        shutil.which("unshare") is not None and not subprocess.run([*_OWN_MOUNTS, str(folder), "true"]).returncode
    )


@pytest.fixture(params=["limit", "disk"])
def on_a_full_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., str]:
    """Runs lines where the folder `sys.argv[1]` has room for next to nothing, and gives what they print."""
    disk = tmp_path / "disk"
    disk.mkdir()
    by_limit = request.param == "limit"
    if not by_limit and not small_disks_are_possible(disk):
        pytest.skip("no disk can be made here; the limit of file sizes stands for it")

    def run(body: str, *arguments: str) -> str:
        code = (_LIMIT if by_limit else "import sys\n") + f"import os, warnings, acpinspect\n{body}"
        command = [sys.executable, "-c", code, str(disk), *arguments]
        before = [] if by_limit else [*_OWN_MOUNTS, str(disk)]
        done = subprocess.run([*before, *command], capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def logs_in(folder: Path) -> Path:
    """Some logs with more to say than fits on a full disk."""
    folder.mkdir()
    for number in range(3):
        texts = [chunk(f"{number * i} " * 9, f"m{i}") for i in range(400)]
        (folder / f"{number}.jsonl").write_bytes(ndjson([*WITH_IDS, *texts]))
    return folder


def test_a_cache_on_a_full_disk_is_told_of_and_changes_nothing(
    tmp_path: Path, on_a_full_disk: Callable[..., str]
) -> None:
    body = """
cache = sys.argv[1] + "/cache"
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    table = acpinspect.corpus(sys.argv[2], cache=cache, workers=1).sessions
left = [name for _, _, names in os.walk(cache) for name in names if name.startswith(".partial")]
print(table["messages"].tolist(), len(said), left, said[0].message)
"""
    said = on_a_full_disk(body, str(logs_in(tmp_path / "logs")))
    assert said.startswith("[402, 402, 402] 1 [] ")
    assert "can't keep all tables: File too large" in said or "can't keep all tables: No space left" in said


def test_output_on_a_full_disk_is_an_error_that_leaves_nothing_behind(
    tmp_path: Path, on_a_full_disk: Callable[..., str]
) -> None:
    body = """
try:
    acpinspect.corpus(sys.argv[2], workers=1).write(sys.argv[1] + "/out", policies=[], examples=0)
except acpinspect.SourceError as error:
    print(os.listdir(sys.argv[1]), error)
"""
    said = on_a_full_disk(body, str(logs_in(tmp_path / "logs")))
    assert said.startswith("[] ")
    assert "File too large. Nothing was left behind." in said or "No space left on device. Nothing" in said


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
