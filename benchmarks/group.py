"""What grouping costs an event, in ns and as a share of the load: ``python benchmarks/group.py [EVENTS ...]``."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from generate import generate

import acpinspect

REPEATS = 5


def median(action: Callable[[], object]) -> float:
    """Median seconds of an action."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def report(count: int) -> None:
    """Measure one size."""
    path = generate(count)
    start = time.perf_counter()
    events = acpinspect.load(path, progress=False)
    load = time.perf_counter() - start
    print(f"\n{count:,} events, load {load / count * 1e9:.0f} ns an event")
    print(f"{'':24}{'ns/event':>10}{'of the load':>13}")
    for policy in ("spec", "ids", "heuristic", "rfd-literal", "spec-v2"):
        for name, action in (("group", acpinspect.group), ("messages", acpinspect.messages)):
            seconds = median(lambda action=action, policy=policy: action(events, policy))
            print(f"{name} {policy:15}{seconds / count * 1e9:13.0f}{seconds / load:13.2f}")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[10_000, 100_000])
    for count in parser.parse_args().events:
        report(count)


if __name__ == "__main__":
    main()
