"""A disk that is full, slow or gone never holds up the conversation; what is missing is told."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from acpinspect.recording import arrears
from acpinspect.recording.patience import LONGEST_WAIT, Patience
from acpinspect.recording.recorder import Recorder
from acpinspect.recording.watchdog import Watchdog
from tests.recording.running import (
    ECHO,
    PATIENCE,
    Conversation,
    environment,
    events,
    message,
    needs_linux,
    needs_posix,
    python,
    recorder,
    records,
    until,
)

pytestmark = needs_posix
LINES = [message(number, "y" * 1_000) for number in range(200)]


def exchange(conversation: Conversation, lines: list[bytes]) -> float:
    """Send lines one by one, each after the answer to the last; the longest time that one took."""
    slowest = 0.0
    for line in lines:
        begun = time.monotonic()
        size = len(conversation.received) + len(line)
        conversation.send(line)
        assert conversation.receive(size).endswith(line)
        slowest = max(slowest, time.monotonic() - begun)
    return slowest


@needs_linux
def test_a_full_disk_leaves_a_gap_that_the_log_tells_of(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Conversation(recorder(log, ECHO), tmp_path / "errors") as conversation:
        exchange(conversation, LINES[:1])
        limit = resource.prlimit(conversation.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(conversation.process.pid, resource.RLIMIT_FSIZE, (50_000, limit[1]))
        exchange(conversation, LINES)
        assert log.stat().st_size == 50_000
        resource.prlimit(conversation.process.pid, resource.RLIMIT_FSIZE, limit)
        until(lambda: any(event["event"] == "late" for event in events(log)))
        exchange(conversation, LINES[:3])
        assert conversation.end() == 0
    said = conversation.stderr().decode().splitlines()
    assert len(said) == 2
    assert said[0].startswith(f"acpinspect record: {log}: File too large. The conversation goes on")
    assert said[1].endswith("it is written again; 0 records are missing.")
    assert [record["seq"] for record in records(log)] == list(range(len(records(log))))


def mounted(folder: Path) -> bool:
    """Whether a small file system could be mounted there."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    if not mounted(folder):
        pytest.skip("a file system can't be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_small_disk_that_is_full_and_has_room_again(small_disk: Path, tmp_path: Path) -> None:
    log, ballast = small_disk / "log.jsonl", small_disk / "ballast"
    ballast.write_bytes(b"b" * 900_000)
    with Conversation(recorder(log, ECHO), tmp_path / "errors") as conversation:
        exchange(conversation, LINES)
        until(lambda: b"No space left on device" in conversation.stderr())
        ballast.unlink()
        until(lambda: any(event["event"] == "late" for event in events(log)))
        assert conversation.end() == 0
    assert [record["seq"] for record in records(log)] == list(range(len(records(log))))
    assert sum("msg" in record for record in records(log)) == 2 * len(LINES)
    assert conversation.stderr().endswith(b"it is written again; 0 records are missing.\n")


@needs_linux
def test_a_log_that_can_not_be_written_at_all_breaks_nothing(tmp_path: Path) -> None:
    with Conversation(recorder("/dev/full", ECHO), tmp_path / "errors") as conversation:
        assert exchange(conversation, LINES) < 5
        begun = time.monotonic()
        assert conversation.end() == 0
        assert time.monotonic() - begun < 10
    said = conversation.stderr().decode().splitlines()
    assert said[0].startswith("acpinspect record: /dev/full: No space left on device.")
    assert said[-1].endswith(" records are not in it.")


def test_a_log_that_nobody_takes_holds_nothing_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with Conversation(recorder(pipe, ECHO), tmp_path / "errors") as conversation:
        many = LINES * 2  # more than a pipe holds
        assert exchange(conversation, many) < 10
        time.sleep(1.1)
        exchange(conversation, LINES[:1])
        assert b"the disk is slow. The conversation goes on" in conversation.stderr()
        written = b""
        os.set_blocking(reader, False)
        while b'"event":"late"' not in written:
            try:
                written += os.read(reader, 1 << 16)
            except BlockingIOError:
                time.sleep(0.005)
        assert conversation.end() == 0
        written += os.read(reader, 1 << 16)
    os.close(reader)
    (tmp_path / "log.jsonl").write_bytes(written)
    found = records(tmp_path / "log.jsonl")
    assert [record["seq"] for record in found] == list(range(len(found)))
    assert [record["msg"]["id"] for record in found if record["sender"] == "agent"] == [
        *range(200),
        *range(200),
        0,
    ]
    # A busy machine may be late again, with what is written at the end.
    late, *_ = [event for event in events(tmp_path / "log.jsonl") if event["event"] == "late"]
    assert 0 < late["records"] <= 2 * len(many) + 2
    assert late["seconds"] > 1


def test_a_log_that_nobody_takes_does_not_keep_the_recorder_from_ending(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    agent = python("import os, sys; os.write(1, b'y' * 200_000 + b'\\n'); sys.exit(4)")
    with Conversation(recorder(pipe, agent), tmp_path / "errors") as conversation:
        assert conversation.rest() == b"y" * 200_000 + b"\n"
        assert conversation.process.wait(PATIENCE) == 4
    os.close(reader)
    assert conversation.stderr().endswith(b" not in it.\n")


def test_a_pipe_whose_reader_goes_away_breaks_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with Conversation(recorder(pipe, ECHO), tmp_path / "errors") as conversation:
        exchange(conversation, LINES[:2])
        os.close(reader)
        exchange(conversation, LINES[:5])
        assert conversation.end() == 0
    assert b"Broken pipe. The conversation goes on" in conversation.stderr()


def test_a_standard_error_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(writing, b"z" * 4096):
            pass
    os.set_blocking(writing, True)
    process = subprocess.Popen(
        recorder("/dev/full" if Path("/dev/full").exists() else tmp_path / "log", ECHO),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=writing,
        env=environment(),
    )
    shown, _ = process.communicate(b"".join(LINES), PATIENCE)
    assert shown == b"".join(LINES)
    assert process.returncode == 0
    os.close(reading)
    os.close(writing)


@needs_linux
@pytest.mark.parametrize(("busy", "barks"), [(True, 0), (False, 1)])
def test_a_thread_that_works_is_not_taken_for_stuck(busy: bool, barks: int) -> None:
    barked: list[int] = []
    work = bytes(1 << 24)
    watchdog = Watchdog(barked.append)
    watchdog.begin()
    end = time.monotonic() + 5 * LONGEST_WAIT
    while time.monotonic() < end:
        if busy:
            hashlib.sha256(work)
        else:
            time.sleep(4 * LONGEST_WAIT)
    watchdog.end()
    watchdog.close()
    assert barked == [threading.get_ident()] * barks


def test_a_disk_that_is_always_a_little_slow_holds_up_a_second_at_once_at_most() -> None:
    patience = Patience()
    waited = 0.0
    while (allowed := min(patience.allowance(), 0.04)) > 0.01:
        patience.spend(allowed)
        waited += allowed
    assert 0.9 < waited < 1.1


def test_a_full_queue_drops_and_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrears, "MOST_WAITING", 20_000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    said: list[str] = []
    recording = Recorder(pipe, say=said.append)
    for line in LINES[:170]:
        recording.write("agent", line)
    lost = recording.dropped
    assert lost > 0
    written = drained(reader)
    while b'"late"' not in written:
        written += drained(reader)
    for line in LINES[170:]:
        recording.write("agent", line)
    recording.close()
    written += drained(reader)
    os.close(reader)
    (tmp_path / "log.jsonl").write_bytes(written)
    [gap] = [event for event in events(tmp_path / "log.jsonl") if event["event"] == "dropped"]
    assert (gap["records"], gap["reason"]) == (lost, "the disk is too slow")
    assert gap["bytes"] > lost * 1_000
    numbers = [record["seq"] for record in records(tmp_path / "log.jsonl")]
    assert len(numbers) == len(LINES) + 3 - lost
    assert numbers[-1] == len(LINES) + 2
    assert said[-1].endswith(f"{lost} records are not in it.")


def drained(pipe: int) -> bytes:
    """What is in a pipe at this moment."""
    data = b""
    try:
        while piece := os.read(pipe, 1 << 16):
            data += piece
    except BlockingIOError:
        time.sleep(0.005)
    return data
