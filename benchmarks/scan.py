"""Large logs: what `load`, its leaner ways and `scan` take: ``python benchmarks/scan.py [EVENTS ...]``.

Each way runs in a process of its own. Time is wall-clock and the CPU of that process, as multiples of `load`
with one process on the same file in the same run; memory is the peak of the process, as a multiple of the file and
in megabytes over a process that has read a small log.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from generate import generate


def load(path: Path) -> int:
    """The whole table."""
    import acpinspect

    return len(acpinspect.load(path, progress=False))


def load_two_workers(path: Path) -> int:
    """The whole table, read by two processes."""
    import acpinspect

    return len(acpinspect.load(path, progress=False, workers=2))


def load_without_texts(path: Path) -> int:
    """The table with its texts left in the file."""
    import acpinspect

    return len(acpinspect.load(path, progress=False, text=False))


def load_three_columns(path: Path) -> int:
    """Three columns."""
    import acpinspect

    return len(acpinspect.load(path, progress=False, columns=["session_id", "turn", "update"]))


def scan(path: Path) -> int:
    """All tables of a scan, each let go of."""
    import acpinspect

    return sum(map(len, acpinspect.scan(path, progress=False)))


def scan_messages(path: Path) -> int:
    """The messages of a scan."""
    import acpinspect

    return len(acpinspect.messages(acpinspect.scan(path, progress=False)))


def scan_diagnose(path: Path) -> int:
    """The findings of a scan."""
    import acpinspect

    return len(acpinspect.diagnose(acpinspect.scan(path, progress=False)))


WAYS: dict[str, Callable[[Path], int]] = {
    "load": load,
    "load, two workers": load_two_workers,
    "load, text=False": load_without_texts,
    "load, three columns": load_three_columns,
    "scan": scan,
    "messages of a scan": scan_messages,
    "diagnose a scan": scan_diagnose,
}


def measure(name: str, path: Path) -> None:
    """Measure one way in this process, and print what it took as JSON."""
    way = WAYS[name]
    WAYS["scan"](generate(1_000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, cpu = time.perf_counter(), _cpu()
    count = way(path)
    taken = {"wall": time.perf_counter() - wall, "cpu": _cpu() - cpu, "count": count}
    taken["peak"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(json.dumps(taken))


def _cpu() -> float:
    own, workers = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime


def measured(name: str, path: Path) -> dict[str, float]:
    """Measure one way in a process of its own."""
    command = [sys.executable, __file__, "--measure", name, str(path)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1])


def report(counts: list[int], names: list[str]) -> None:
    """Measure the ways at every size and print the ratios."""
    for count in counts:
        path = generate(count)
        size = path.stat().st_size
        print(f"\n{count:,} events, {size / 1e6:.0f} MB")
        print(f"{'':22}{'us/event':>10}{'wall':>7}{'CPU':>7}{'peak MB':>10}{'of file':>9}")
        base: dict[str, float] = {}
        for name in names:
            one = measured(name, path)
            base = base or one
            ratios = f"{one['wall'] / base['wall']:7.2f}{one['cpu'] / base['cpu']:7.2f}"
            memory = f"{one['peak']:10.0f}{one['peak'] * 2**20 / size:9.2f}"
            print(f"{name:22}{one['wall'] / count * 1e6:10.2f}{ratios}{memory}", flush=True)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[100_000, 1_000_000])
    parser.add_argument("--only", nargs="*", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--measure", nargs=2, metavar=("WAY", "PATH"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure[0], Path(arguments.measure[1]))
    else:
        report(arguments.events, arguments.only)


if __name__ == "__main__":
    main()
