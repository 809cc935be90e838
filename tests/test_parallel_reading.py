"""Reading with several processes gives the rows of one, and leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect import parallel_reading
from acpinspect.assembly import Part, assemble
from acpinspect.batching import batches_of
from acpinspect.parallel_reading import one_batch, read_in_parallel
from acpinspect.progress import Progress
from acpinspect.reading.sources import open_recordings
from acpinspect.workers import done_beside, done_in_order
from tests.logs import LOGS, ndjson
from tests.wire import chunk, initialize, prompt, stop

LOG = [*initialize(), prompt(1), *(chunk(f"piece {i}") for i in range(400)), stop(1)]


@given(LOGS, st.integers(1, 2_000), st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_into_any_stretches_gives_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: list[dict[str, Any]], stretch: int, odd: bool
) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson(log) + (b"\n\xff torn {" if odd else b""))
    monkeypatch.setattr(parallel_reading, "_STRETCH", stretch)
    monkeypatch.setattr(parallel_reading, "done_beside", _by_turns)
    recordings = open_recordings(path)
    read = read_in_parallel(recordings, "raw-ndjson", Progress(), workers=1)
    events = assemble([Part(recording.name, batches) for recording, batches in read])
    pd.testing.assert_frame_equal(events, acpinspect.load(path, format="raw-ndjson"))


def _by_turns(
    away: Callable[[Any], object], here: Callable[[Any], object], tasks: list[Any], _: int
) -> Iterator[object]:
    """Every other task is read as another process would."""
    return ((away, here)[number % 2](task) for number, task in enumerate(tasks))


def test_nothing_stands_in_the_place_of_a_missing_name() -> None:
    batches = [*batches_of(open_recordings(ndjson(LOG))[0], None, Progress())]
    for column in one_batch([dict(batches[0]), dict(batches[0])]).columns:  # type: ignore[union-attr]
        if isinstance(column, pa.DictionaryArray):
            codes = np.frombuffer(column.indices.buffers()[1], np.int32)[: len(column)]
            assert set(codes[column.is_null().to_numpy(zero_copy_only=False)]) <= {0}


def test_two_processes_read_a_large_file_as_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson(LOG))
    monkeypatch.setattr(parallel_reading, "_STRETCH", 10_000)
    pd.testing.assert_frame_equal(acpinspect.load(path, workers=2), acpinspect.load(path))


def test_two_processes_read_a_folder_of_mixed_formats_as_one_does(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(ndjson(LOG[:9]))
    (tmp_path / "b.jsonl").write_bytes(ndjson([{"ts": i, "dir": "in", "msg": one} for i, one in enumerate(LOG)]))
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    (tmp_path / "c.ndjson.1").write_bytes(ndjson(LOG[:5]))
    (tmp_path / "c.ndjson").write_bytes(ndjson(LOG[5:]))
    pd.testing.assert_frame_equal(acpinspect.load(tmp_path, workers=2), acpinspect.load(tmp_path))


def test_what_is_in_memory_is_read_here() -> None:
    pd.testing.assert_frame_equal(acpinspect.load(ndjson(LOG), workers=2), acpinspect.load(ndjson(LOG)))


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "two"])
def test_a_number_of_processes_that_is_none_is_refused(workers: Any) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="workers="):
        acpinspect.load(ndjson(LOG), workers=workers)


def _die(task: int) -> int:
    if task == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_a_killed_worker_is_an_error_that_says_so() -> None:
    with pytest.raises(acpinspect.WorkerError, match="for want of memory"):
        list(done_in_order(_die, range(9), 2))


def _double(task: int) -> int:
    return 2 * task


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert list(done_in_order(_double, range(20), 2)) == list(range(0, 40, 2))


def test_with_a_caller_who_works_too_results_come_in_the_order_of_the_tasks() -> None:
    assert list(done_beside(_double, _double, range(20), 2)) == list(range(0, 40, 2))


def test_a_caller_who_works_too_begins_before_the_other_processes_run() -> None:
    made = list(done_beside(_process, _process, range(500), 2))
    assert made[2] == os.getpid()


def test_with_a_caller_who_works_too_a_killed_worker_is_an_error_that_says_so() -> None:
    with pytest.raises(acpinspect.WorkerError, match="for want of memory"):
        list(done_beside(_die_soon, _wait, range(100), 2))


def _process(_: int) -> int:
    return os.getpid()


def _die_soon(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _wait(_: int) -> None:
    time.sleep(0.05)


_SLEEPERS = """
import sys, time
from acpinspect.workers import done_beside, done_in_order

def nap(task):
    print("working", flush=True)
    time.sleep(60)

if __name__ == "__main__":
    list({call})
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are counted under /proc")
@pytest.mark.parametrize("call", ["done_in_order(nap, range(4), 2)", "done_beside(nap, nap, range(4), 2)"])
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupt_or_a_kill_leaves_no_process_behind(
    tmp_path: Path, ending: signal.Signals, call: str
) -> None:
    script = tmp_path / "sleepers.py"
    script.write_text(_SLEEPERS.replace("{call}", call))
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as run:
        assert run.stdout is not None
        assert [run.stdout.readline() for _ in range(2)] == [b"working\n"] * 2
        assert len(_in_session(run.pid)) > 2
        run.send_signal(ending)
        run.wait(timeout=20)
        until = time.monotonic() + 20
        while _in_session(run.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert _in_session(run.pid) == []


def _in_session(leader: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                _, _, fields = (entry / "stat").read_text().rpartition(") ")
            except OSError:
                continue
            state, _, _, session, *_ = fields.split()
            if int(session) == leader and state != "Z":
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("given", ["a file", "standard input"])
def test_a_script_whose_work_each_worker_would_do_again_is_told_so(tmp_path: Path, given: str) -> None:
    log, script = tmp_path / "log.ndjson", tmp_path / "script.py"
    log.write_bytes(ndjson(LOG))
    script.write_text(
        "import acpinspect, acpinspect.parallel_reading as reading\n"
        f"reading._STRETCH = 10_000\nacpinspect.load({str(log)!r}, workers=2)\n"
    )
    arguments = [str(script)] if given == "a file" else []
    ended = subprocess.run(
        [sys.executable, *arguments],
        input=script.read_bytes() if not arguments else None,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert b'a script has its own work under `if __name__ == "__main__":`, and is a file.' in ended.stderr
