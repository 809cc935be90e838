"""What a corpus costs, by one process, by two, and by Dask on two: ``python benchmarks/corpus.py [EVENTS ...]``.

Two corpora of each size: one large file, and twenty files. The events of the file are read and brought here; for
the sessions all is read, grouped and diagnosed, and little comes back. Each way runs in a process of its own,
after a warm-up; the ratios compare medians of this one run. The two processes begin within the time that is
measured; Dask's workers are there before, have made such a table, and keep memory for the next task. At the first
look the cache is empty.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from generate import DATA, generate

REPEATS = 3
KEPT_MEMORY = {"MALLOC_TRIM_THRESHOLD_": 128 << 20, "MALLOC_MMAP_THRESHOLD_": 32 << 20}
"""What docs/many_logs.md recommends: by default Dask's workers give all memory back at once."""
FILES = 20


def one_file(events: int) -> Path:
    """A single recording of so many events."""
    return generate(events)


def folder(events: int) -> Path:
    """The same number of events in twenty recordings."""
    target = DATA / f"corpus-{events}"
    for number in range(FILES):
        path = target / f"{number}.ndjson"
        if not path.exists():
            generate(events // FILES, seed=number, path=path)
    return target


def timed(work: Callable[[], object], repeats: int) -> list[float]:
    """Seconds of each run."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def by_processes(path: Path, table: str, workers: int, repeats: int) -> list[float]:
    """Make a table with some processes of this machine."""
    import acpinspect

    return timed(lambda: made(acpinspect.corpus(path, workers=workers, progress=False), table), repeats)


def by_dask(path: Path, table: str, workers: int, repeats: int) -> list[float]:
    """Make a table with as many workers of Dask."""
    import dask
    from distributed import Client

    import acpinspect

    dask.config.set({f"distributed.nanny.pre-spawn-environ.{name}": size for name, size in KEPT_MEMORY.items()})
    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with Client(**options, direct_to_workers=True) as client:
        client.run(by_processes, generate(1_000), table, 1, 1)
        corpus = acpinspect.corpus(path, engine="dask", client=client)
        seconds = []
        for _ in range(repeats):
            while any(client.has_what().values()):
                time.sleep(0.05)  # what the workers still know they would not make again
            seconds += timed(lambda: client.compute(made(corpus, table)).result(), 1)
        return seconds


def by_cache(path: Path, table: str, workers: int, repeats: int) -> list[float]:
    """Make a table with a cache that is empty, and then look again: the second look, as often as wanted."""
    import acpinspect

    with tempfile.TemporaryDirectory(dir=DATA) as kept:
        corpus = lambda: acpinspect.corpus(path, workers=workers, cache=kept, progress=False)  # noqa: E731
        first = timed(lambda: made(corpus(), table), 1)
        return [*first, *timed(lambda: made(corpus(), table), repeats)]


def made(corpus: object, table: str) -> object:
    """A table: of pandas, or of Dask."""
    found = getattr(corpus, table)
    return found() if callable(found) else found


WAYS: dict[str, tuple[Callable[[Path, str, int, int], list[float]], int]] = {
    "one process": (by_processes, 1),
    "two processes": (by_processes, 2),
    "Dask, two workers": (by_dask, 2),
    "with a cache": (by_cache, 1),
}


def measured(way: str, path: Path, table: str, repeats: int) -> list[float]:
    """Measure one way in a process of its own."""
    command = [sys.executable, __file__, "--measure", way, str(path), table, str(repeats)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: list[float] = json.loads(output.splitlines()[-1])
    return found


def measure(way: str, path: Path, table: str, repeats: int) -> None:
    """Measure one way in this process, after a warm-up, and print seconds as JSON."""
    function, workers = WAYS[way]
    by_processes(generate(1_000), table, 1, 1)
    print(json.dumps(function(path, table, workers, repeats)))


def report(counts: list[int], repeats: int) -> None:
    """Measure every way at every size and print the ratios."""
    base: dict[tuple[str, str], list[float]] = {}
    for count in counts:
        for title, path, table in (
            ("one file, its events", one_file(count), "events"),
            ("one file, its sessions", one_file(count), "sessions"),
            (f"{FILES} files, their sessions", folder(count), "sessions"),
        ):
            print(f"\n{count:,} events, {title}")
            seconds = {way: measured(way, path, table, repeats) for way in WAYS}
            first, *again = seconds.pop("with a cache")
            rows = {way: statistics.median(taken) for way, taken in seconds.items()}
            rows |= {"cache, first look": first, "cache, second look": statistics.median(again)}
            for way, taken in rows.items():
                micro = taken / count * 1e6
                ratio = taken / rows["one process"]
                print(f"  {way:22}{taken:9.2f} s {micro:9.2f} us/event {ratio:8.2f} of one process")
                base.setdefault((title, way), []).append(taken)
            print(f"  {'Dask to two processes':22}{rows['Dask, two workers'] / rows['two processes']:9.2f}")
    if len(counts) > 1:
        print("\ngrowth exponent from the smallest to the largest")
        span = math.log(counts[-1] / counts[0])
        for (title, way), taken in base.items():
            print(f"  {title + ', ' + way:50}{math.log(taken[-1] / taken[0]) / span:8.2f}")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--clean", action="store_true", help="remove the folders of logs afterwards")
    parser.add_argument("--measure", nargs=4, metavar=("WAY", "PATH", "TABLE", "REPEATS"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        way, path, table, repeats = arguments.measure
        measure(way, Path(path), table, int(repeats))
        return
    DATA.mkdir(exist_ok=True)
    report(arguments.events, arguments.repeats)
    if arguments.clean:
        for count in arguments.events:
            shutil.rmtree(DATA / f"corpus-{count}")


if __name__ == "__main__":
    main()
