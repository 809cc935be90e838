"""A line of 200 MB passes, stands in the log, and takes bounded memory."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import acpinspect
from acpinspect.recording import wire_bytes
from tests.recording.running import environment, needs_linux, python, recorder

pytestmark = needs_linux

WRITER = """\
import os
piece, left = b'%s' * 65536, {size}
os.write(1, b'{{"jsonrpc":"2.0","id":1,"result":{{"text":"')
while left > 0:
    left -= os.write(1, piece[:left])
os.write(1, b'"}}}}\\n')
"""
MEBIBYTE = 1 << 20
SMALL_PROCESS = 60 * MEBIBYTE


def recorded(log: Path, size: int) -> tuple[str, int, int]:
    """Record an agent that writes one line of this size: the output's digest and length, and the peak memory."""
    process = subprocess.Popen(
        recorder(log, python(WRITER.replace("%s", "x").format(size=size))),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    digest, length, peak = hashlib.blake2b(), 0, 0
    while data := process.stdout.read1(MEBIBYTE):  # type: ignore[attr-defined]
        digest.update(data)
        length += len(data)
        peak = max(peak, peak_of(process.pid))
    process.stdout.close()
    assert process.wait() == 0
    return digest.hexdigest(), length, peak


def peak_of(process: int) -> int:
    """The most memory that a process had so far; what `wait4` tells counts its parent's from before the start."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def test_a_line_of_200_mb_is_in_the_log_byte_for_byte_and_in_bounded_memory(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    digest, length, memory = recorded(log, 200_000_000)
    assert length > 200_000_000
    read = hashlib.blake2b()
    for piece in wire_bytes(log, "agent"):
        read.update(piece)
    assert read.hexdigest() == digest
    assert memory < 4 * 64 * MEBIBYTE + SMALL_PROCESS


def test_a_long_message_is_one_record_that_load_reads(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    recorded(log, 8 * MEBIBYTE)
    [event] = acpinspect.load(log).query("kind == 'response'").itertuples()
    assert len(event.raw) == 8 * MEBIBYTE + len('{"jsonrpc":"2.0","id":1,"result":{"text":""}}')


@pytest.mark.skipif(sys.maxsize < 1 << 33, reason="needs more than 32 bits")
def test_parts_of_a_line_are_rows_that_say_so(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with acpinspect.Recorder(log) as recording:
        recording.write(
            "client", b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n'
        )
        recording.write("agent", b"z" * (2 * MEBIBYTE + 3) + b"\n")
    rows = acpinspect.load(log).query("kind == 'unreadable'")
    assert rows["problem"].tolist() == [f"part {number} of a line that is too long" for number in (1, 2, 3)]
    assert "".join(rows["raw"]) == "z" * (2 * MEBIBYTE + 3)
