"""What the recorder costs, beside nothing, `cat` and `tee`: ``python benchmarks/record.py``.

Latency: an agent writes a message every millisecond with the time in it, and we note how old each is when it
arrives. Throughput: an agent writes as fast as it can. Start: seconds until the first byte of an agent that writes
one at once. All ways take turns in one run, and the best or the median of the rounds counts; on a machine that
does other work as well, look at the ratios.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

SOURCE = """\
import os, sys, time
text = "x" * int(sys.argv[2])
due = time.monotonic() + 0.2
for number in range(int(sys.argv[1])):
    due += 0.001
    time.sleep(max(0, due - time.monotonic()))
    line = '{"jsonrpc":"2.0","method":"session/update","params":{"at":%d,"text":"%s"}}\\n'
    os.write(1, (line % (time.monotonic_ns(), text)).encode())
"""
RECORD = (sys.executable, "-m", "acpinspect", "record", "-o", "log.jsonl", "--")
LINE = b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_'
LINE += b'message_chunk","content":{"type":"text","text":"%b"}}}}\n'
PERCENTILES = (50, 99, 99.9)
MEGABYTES = 200

Way = Callable[[list[str]], list[str]]
Measured = TypeVar("Measured")


def through(*words: str) -> Way:
    """The agent's output through another program."""
    return lambda agent: ["sh", "-c", f"{shlex.join(agent)} | {shlex.join(words)}"]


WAYS: dict[str, Way] = {
    "nothing": lambda agent: agent,
    "cat": through("cat"),
    "tee": through("tee", "tee.log"),
    "acpinspect record": lambda agent: [*RECORD, *agent],
}


def run(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a way in an empty folder."""
    for old in folder.iterdir():
        old.unlink()
    paths = os.pathsep.join([str(Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": paths}
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, env=environment, bufsize=0
    )


def ages(way: Way, folder: Path, messages: int, size: int) -> list[float]:
    """How old each message is when it arrives, in microseconds, sorted."""
    process = run(way([sys.executable, "-c", SOURCE, str(messages), str(size)]), folder)
    assert process.stdout is not None
    found, rest = [], b""
    while data := os.read(process.stdout.fileno(), 1 << 16):
        now = time.monotonic_ns()
        *lines, rest = (rest + data).split(b"\n")
        found += [(now - int(line.split(b'"at":', 1)[1].split(b",", 1)[0])) / 1e3 for line in lines]
    process.communicate()
    return sorted(found[50:])


def speed(way: Way, folder: Path, source: Path) -> tuple[float, float]:
    """Megabytes a second from the first byte to the last, and megabytes in a second of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = run(way(["cat", str(source)]), folder)
    assert process.stdout is not None
    total = len(os.read(process.stdout.fileno(), 1 << 20))
    begun = time.perf_counter()
    while data := os.read(process.stdout.fileno(), 1 << 20):
        total += len(data)
    seconds = time.perf_counter() - begun
    process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert total == source.stat().st_size
    return total / 1e6 / seconds, total / 1e6 / used


def start(way: Way, folder: Path) -> float:
    """Milliseconds until the first byte."""
    begun = time.perf_counter()
    process = run(way(["echo", "up"]), folder)
    assert process.stdout is not None
    os.read(process.stdout.fileno(), 10)
    seconds = time.perf_counter() - begun
    process.communicate()
    return seconds * 1e3


def percentile(values: list[float], share: float) -> float:
    """The value below which so many per cent lie."""
    return values[min(len(values) - 1, int(len(values) * share / 100))]


def in_turns(rounds: int, measure: Callable[[Way], Measured]) -> dict[str, list[Measured]]:
    """What each way gives, round by round."""
    found: dict[str, list[Measured]] = {name: [] for name in WAYS}
    for _ in range(rounds):
        for name, way in WAYS.items():
            found[name].append(measure(way))
    return found


def report_latency(rounds: int, messages: int, size: int, folder: Path) -> None:
    """Age of messages on arrival: the median round of each percentile."""
    found = in_turns(rounds, lambda way: ages(way, folder, messages, size))
    print(f"\nage on arrival in µs, {messages:,} messages of {size + 80} bytes at 1,000 a second, {rounds} rounds")
    print(f"{'':>20}" + "".join(f"{f'p{share}':>9}" for share in PERCENTILES) + f"{'p99 of the best round':>24}")
    for name, runs in found.items():
        by_share = [[percentile(one, share) for one in runs] for share in PERCENTILES]
        medians = "".join(f"{statistics.median(values):9.0f}" for values in by_share)
        print(f"{name:>20}{medians}{min(by_share[1]):24.0f}")


def report_speed(rounds: int, size: int, folder: Path, source: Path) -> None:
    """Megabytes a second: the best round, and its ratio to `cat` and `tee`."""
    line = LINE % (b"y" * size)
    source.write_bytes(line * (MEGABYTES * 1_000_000 // len(line)))
    found = in_turns(rounds, lambda way: speed(way, folder, source))
    best = {name: [max(column) for column in zip(*values, strict=True)] for name, values in found.items()}
    print(f"\nMB/s, {MEGABYTES} MB in lines of {len(line):,} bytes, the best of {rounds} rounds")
    print(f"{'':>20}{'MB/s':>9}{'of cat':>9}{'of tee':>9}{'MB a second of CPU, all processes':>36}")
    for name, (value, work) in best.items():
        print(f"{name:>20}{value:9.0f}{value / best['cat'][0]:9.2f}{value / best['tee'][0]:9.2f}{work:36.0f}")


def report_start(rounds: int, folder: Path) -> None:
    """Milliseconds until the first byte."""
    found = in_turns(rounds, lambda way: start(way, folder))
    print(f"\nms until the first byte of an agent that writes at once, the best of {rounds} rounds")
    for name, values in found.items():
        print(f"{name:>20}{min(values):9.1f}")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description="What the recorder costs.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--messages", type=int, default=3_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as source:
        report_start(2 * options.rounds, Path(folder))
        report_latency(options.rounds, options.messages, 100, Path(folder))
        for size in (40, 400, 4_000, 100_000):
            report_speed(options.rounds, size, Path(folder), Path(source.name))


if __name__ == "__main__":
    main()
