"""What all rules cost an event, and as a multiple of the load: ``python benchmarks/diagnose.py [EVENTS ...]``.

The goal: at most 1.5 times the load of 100,000 events, and as much an event for a million. Odd logs follow, which
rules with a square in them would not survive: one long message, many sessions, many tools, one text over and over.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator

from generate import generate

import acpinspect
from acpinspect.diagnostics import CODES, DiagnoseOptions, Log
from acpinspect.diagnostics.sketch import sketched

REPEATS = 3
SLOWEST = 8
ODD = 20_000


def seconds_of(action: Callable[[], object]) -> float:
    """Median seconds of an action."""
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def report(count: int) -> None:
    """Measure one size, and which rules cost most (what they share is charged to the first that asks)."""
    path = generate(count)
    load = seconds_of(lambda: acpinspect.load(path, progress=False))
    events = acpinspect.load(path, progress=False)
    seconds = seconds_of(lambda: acpinspect.diagnose(events))
    print(f"\n{count:,} events: load {load:.2f} s, all rules {seconds:.2f} s, {seconds / load:.2f} times the load")
    log, costs = Log(events, "spec", DiagnoseOptions()), {}
    for code in CODES:
        start = time.perf_counter()
        log.hits(code)
        costs[code] = time.perf_counter() - start
    for code in sorted(costs, key=lambda code: -costs[code])[:SLOWEST]:
        print(f"  {code:28}{costs[code] / count * 1e9:8.0f} ns an event")


def odd_logs(count: int) -> Iterator[tuple[str, str]]:
    """Sketches of logs that are large in one way only."""
    yield "one message", "prompt Go\n" + "agent m1 'One.'\n" * count + "end end_turn"
    yield "one text in blanks", "prompt Go\n" + "agent m1 ' a'\n" * count + "end end_turn"
    yield "code", "prompt Go\n" + "agent - 'A`.'\n" * count + "end end_turn"
    yield "ids", "prompt Go\n" + "".join(f"agent m{i} 'One '\n" for i in range(count)) + "end end_turn"
    yield "turns", "".join(f"prompt Go\nagent m{i} 'One '\nend end_turn\n" for i in range(count // 3))
    yield "sessions", "".join(f"@s{i} prompt Go\n@s{i} agent m1 'One '\nend end_turn\n" for i in range(count // 3))
    tools = "".join(f"tool t{i} Dig in_progress\nupdate t{i} completed x\n" for i in range(count // 2))
    yield "tools", f"prompt Go\n{tools}end end_turn"
    yield "one tool", "prompt Go\ntool t1 Dig pending\n" + "update t1 - aa\n" * count + "end end_turn"
    yield "plans", "prompt Go\n" + "plan Sow=pending Mow=pending\n" * count + "end end_turn"
    steered = "prompt Go\nok\nstate running\nagent m1 'One '\nstate idle cancelled\nagent m2 'Two '\n"
    yield "v2 turns", steered * (count // 6)
    yield "late words", "prompt Go\nend end_turn\nagent m1 'One '\n" * (count // 3)
    yield "loads", "load\nagent m1 'One and another'\nloaded\n" * (count // 3)
    replay = "".join(f"agent m{i} 'Message number {i} '\n" for i in range(count // 2))
    yield "a long replay", f"prompt Go\n{replay}end end_turn\nload\n{replay}loaded"


def report_odd(count: int) -> None:
    """Measure the odd logs at half and at full size; twice the size should cost twice as much."""
    print(f"\n{'odd logs':20}{count // 2:>10,}{count:>10,}  events, seconds")
    for (name, half), (_, full) in zip(odd_logs(count // 2), odd_logs(count), strict=True):
        tables = [
            acpinspect.from_records(sketched(sketch, "v2" if name == "v2 turns" else "v1"))
            for sketch in (half, full)
        ]
        taken = [seconds_of(lambda table=table: acpinspect.diagnose(table)) for table in tables]
        print(f"{name:20}{taken[0]:10.2f}{taken[1]:10.2f}  {taken[1] / taken[0]:.1f} times")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[100_000])
    arguments = parser.parse_args()
    for count in arguments.events:
        report(count)
    report_odd(ODD)


if __name__ == "__main__":
    main()
