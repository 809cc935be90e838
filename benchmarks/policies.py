"""What the policies cost, as ratios to one pass of `orjson.loads` over the log: ``python benchmarks/policies.py``.

CPU seconds of one process. All policies over one log share what they look at, so it is counted once. The
comparison of two groupings is told as a ratio to the load.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import orjson
from generate import generate

import acpinspect
from acpinspect.grouping.applying import Shared, apply

ALLOWED = 25.0  # times the pass, for all policies together
REPEATS = 3


def cpu(action: Callable[[], object]) -> float:
    """The least CPU seconds of some runs of an action."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        action()
        seconds.append(time.process_time() - start)
    return min(seconds)


def report(count: int) -> None:
    """Measure one size."""
    path = generate(count)
    lines = path.read_bytes().splitlines()
    parse = cpu(lambda: _parse(lines))
    start = time.process_time()
    events = acpinspect.load(path, progress=False)
    load = time.process_time() - start
    names = acpinspect.policies().index.tolist()

    def every() -> None:
        shared = Shared(events)
        for name in names:
            apply(name, shared)

    shared = Shared(events)
    apply("toad", shared)
    each = {name: cpu(lambda name=name: apply(name, shared)) for name in names}
    total = cpu(every)
    print(f"\n{count:,} events; orjson.loads {parse:.3f} s, load {load:.3f} s of CPU")
    print(f"{len(names)} policies: {total / parse:.1f} times the pass (allowed: {ALLOWED:.0f})")
    dearest = sorted(each, key=lambda name: -each[name])[:5]
    print("  dearest, shared part apart: " + ", ".join(f"{name} {each[name] / parse:.2f}" for name in dearest))
    compared = cpu(lambda: _compared(events))
    print(f"compare ids and heuristic: {compared:.2f} s, {compared / load:.2f} times the load")


def _parse(lines: list[bytes]) -> None:
    for line in lines:
        orjson.loads(line)


def _compared(events: object) -> None:
    comparison = acpinspect.compare(events, "ids", "heuristic")
    _ = comparison.boundaries, comparison.kinds, comparison.measures


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[10_000, 100_000])
    for count in parser.parse_args().events:
        report(count)


if __name__ == "__main__":
    main()
