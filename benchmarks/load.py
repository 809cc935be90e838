"""How fast a log is read, beside what others do with the same lines: ``python benchmarks/load.py [EVENTS ...]``.

Each way runs in a process of its own, after a warm-up on a small log, and is measured three times; the ratios
compare medians of this one run. Speeds are given as multiples of `orjson.loads` on every line with the result
thrown away; memory is the peak over the process before reading, as a multiple of the file.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from generate import DATA, generate, recorded

REPEATS = 3


def orjson_loads(path: Path) -> int:
    """Parse every line, keep nothing: the yardstick."""
    import orjson

    count = 0
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)
            count += 1
    return count


def acpinspect_load(path: Path) -> int:
    """The whole events table, `raw` included."""
    import acpinspect

    return len(acpinspect.load(path, progress=False))


def acpinspect_load_recorded(path: Path) -> int:
    """The same of the same messages as our recorder writes them: with time and sender around each."""
    import acpinspect

    return len(acpinspect.load(path.with_suffix(".recorded.jsonl"), progress=False))


def pandas_read_json(path: Path) -> int:
    """The reader of JSON lines that pandas has: the top level only."""
    import pandas as pd

    return len(pd.read_json(path, lines=True))


def json_and_frame(path: Path) -> int:
    """The standard parser, and a frame of the usual columns by hand."""
    import pandas as pd

    rows = []
    with path.open("rb") as file:
        for line in file:
            message = json.loads(line)
            params = message.get("params") or {}
            update = params.get("update") or {}
            content = update.get("content")
            text = content.get("text") if isinstance(content, dict) else None
            name, message_id = update.get("sessionUpdate"), update.get("messageId")
            rows.append((message.get("method"), params.get("sessionId"), name, message_id, text))
    return len(pd.DataFrame(rows, columns=["method", "session_id", "update", "message_id", "text"]))


def sdk_validate(path: Path) -> int:
    """The Python SDK's models validate each notification; nothing is kept."""
    import orjson
    from acp.schema import SessionNotification

    count = 0
    with path.open("rb") as file:
        for line in file:
            message = orjson.loads(line)
            if message.get("method") == "session/update":
                SessionNotification.model_validate(message["params"])
            count += 1
    return count


WAYS: dict[str, Callable[[Path], int]] = {
    "orjson.loads, discarded": orjson_loads,
    "acpinspect.load": acpinspect_load,
    "the same, recorded by us": acpinspect_load_recorded,
    "json.loads and a frame": json_and_frame,
    "SDK pydantic, validate": sdk_validate,
    "pandas.read_json": pandas_read_json,
}


def measure(name: str, path: Path, repeats: int) -> None:
    """Measure one way in this process, and print seconds and peak memory as JSON."""
    way = WAYS[name]
    small = generate(1_000)
    recorded(small)
    way(small)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        way(path)
        seconds.append(time.perf_counter() - start)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(json.dumps({"seconds": statistics.median(seconds), "memory": peak}))


def measured(name: str, path: Path, repeats: int) -> dict[str, float]:
    """Measure one way in a process of its own."""
    command = [sys.executable, __file__, "--measure", name, str(path), str(repeats)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1])


def report(counts: list[int], repeats: int) -> None:
    """Measure every way at every size and print the ratios."""
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for count in counts:
        path = generate(count)
        recorded(path)
        size = path.stat().st_size
        print(f"\n{count:,} events, {size / 1e6:.0f} MB")
        print(f"{'':26}{'us/event':>10}{'speed':>8}{'memory/file':>13}")
        base = 0.0
        for name in WAYS:
            one = measured(name, path, repeats)
            base = base or one["seconds"]
            times[name].append(one["seconds"])
            micro = one["seconds"] / count * 1e6
            print(f"{name:26}{micro:10.2f}{base / one['seconds']:8.2f}{one['memory'] / size:13.2f}")
    if len(counts) > 1:
        print("\ngrowth exponent from the smallest to the largest")
        span = math.log(counts[-1] / counts[0])
        for name, seconds in times.items():
            print(f"{name:26}{math.log(seconds[-1] / seconds[0]) / span:10.2f}")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--measure", nargs=3, metavar=("WAY", "PATH", "REPEATS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        name, path, repeats = arguments.measure
        measure(name, Path(path), int(repeats))
    else:
        DATA.mkdir(exist_ok=True)
        report(arguments.events, arguments.repeats)


if __name__ == "__main__":
    main()
