"""Measure timelines: ``python benchmarks/timeline.py 10000 100000 1000000``.

Of each size: what building costs against loading, what it keeps beside the table, how long it takes to seek a
random step and read its last 50 entities, to compare neighbouring steps, and to read a whole state. Beside it, at
250, 500 and 1,000 events, the `SessionAccumulator` of the Python SDK, with the exponent with which each of the two
grows. All events are put into one session, so that the index is as large as it can be.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
import re
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generate import DATA, generate, messages

import acpinspect
from acpinspect.reducer import get_entity

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.timelines import Timeline

clock = time.perf_counter
_SESSION = re.compile(rb"sess-[0-9a-f-]{36}")
_ONE = b"sess-00000000-0000-0000-0000-000000000000"


def one_session(n_events: int) -> Path:
    """The generated log of a size, with all its sessions made one."""
    target = DATA / f"one-session-{n_events}.ndjson"
    if not target.exists():
        source = DATA / f"acp-{n_events}-0.ndjson"
        with (source if source.exists() else generate(n_events)).open("rb") as lines, target.open("wb") as out:
            out.writelines(_SESSION.sub(_ONE, line) for line in lines)
    return target


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and the result."""
    gc.collect()
    start = clock()
    result = work()
    return clock() - start, result


def percentile(seconds: list[float], percent: int) -> float:
    """A percentile, in milliseconds."""
    return statistics.quantiles(seconds, n=100)[percent - 1] * 1_000


def seek(timeline: Timeline, steps: list[int]) -> Iterator[float]:
    """Seconds to look up a step and to read its last 50 entities, texts included."""
    for step in steps:
        start = clock()
        state = timeline[step]
        for entity in state.order[-50:]:
            value = get_entity(state, entity)
            getattr(value, "text", None)
        yield clock() - start


def neighbours(timeline: Timeline, steps: list[int]) -> Iterator[float]:
    """Seconds to compare a step with the one before."""
    for step in steps:
        start = clock()
        timeline.diff(step)
        yield clock() - start


def whole_state(timeline: Timeline, step: int) -> list[object]:
    """Fold every entity of a state."""
    state = timeline[step]
    maps = (state.messages, state.tool_calls, state.plans, state.terminals, state.compactions)
    return [entity for entities in maps for entity in entities.values()]


def whole(events: pd.DataFrame) -> None:
    """Print what a whole state costs, what its texts cost then, and what it costs as plain JSON."""
    timeline = acpinspect.timeline(events)
    fold, entities = timed(lambda: whole_state(timeline, len(timeline) - 1))
    texts, _ = timed(lambda: [getattr(entity, "text", None) for entity in entities])
    plain, _ = timed(timeline[-1].to_dict)
    print(
        f"  whole state of {len(entities):,} entities: {fold * 1_000:.0f} ms (bound 200 at 100k), all texts then "
        f"{texts * 1_000:.0f} ms; as plain JSON {plain * 1_000:.0f} ms"
    )


def kept(events: pd.DataFrame) -> None:
    """Bytes an event that a timeline keeps beside the table, the map of ids of its first look-up included."""
    gc.collect()
    tracemalloc.start()
    timeline = acpinspect.timeline(events)
    gc.collect()
    built = tracemalloc.get_traced_memory()[0]
    get_entity(timeline[-1], timeline[-1].order[-1])
    looked = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    each, then = built / len(events), looked / len(events)
    print(f"  keeps {each:.0f} bytes an event, {then:.0f} after the first look-up by id (bound 100)")


def measure(n_events: int, looks: int) -> None:
    """Print what one size costs."""
    path = one_session(n_events)
    load, events = timed(lambda: acpinspect.load(path, progress=False))
    build, timeline = timed(lambda: acpinspect.timeline(events))
    print(
        f"{n_events:,} events: load {load:.2f} s, build {build:.2f} s = {build / load:.2f} of the load (bound 1.0)"
    )
    kept(events)
    rng = random.Random(1)
    steps = [rng.randrange(1, len(timeline)) for _ in range(looks)]
    get_entity(timeline[-1], timeline[-1].order[-1])
    for name, work, bound in (("seek and read 50", seek, 2), ("adjacent diff", neighbours, 1)):
        seconds = list(work(timeline, steps))
        print(
            f"  {name}: median {statistics.median(seconds) * 1_000:.2f} ms, p95 {percentile(seconds, 95):.2f} ms "
            f"(bound {bound})"
        )
    if n_events <= 100_000:
        whole(events)
    total, _ = timed(lambda: timeline.steps)
    print(f"  table of steps: {total:.2f} s")


def one_message(chunks: int) -> None:
    """Print what one message of many chunks costs."""
    update = '{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"%d "}}'
    line = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":' + update + "}}\n"
    log = "".join(line % n for n in range(chunks)).encode()
    load, events = timed(lambda: acpinspect.load(log, protocol="v1", progress=False))
    build, timeline = timed(lambda: acpinspect.timeline(events))
    fold, _ = timed(lambda: timeline[-1].message("m"))
    rng = random.Random(1)
    near = list(neighbours(timeline, [rng.randrange(chunks // 2, chunks) for _ in range(20)]))
    print(f"one message of {chunks:,} chunks: load {load:.2f} s, build {build:.2f} s, fold {fold:.2f} s")
    print(f"  adjacent diff at random, then: median {statistics.median(near) * 1_000:.0f} ms")


# --- beside the SDK ---------------------------------------------------------------------------------------------


def updates(count: int) -> list[dict[str, Any]]:
    """The first session updates of a generated log, all of one session."""
    found: list[dict[str, Any]] = []
    for message in messages(0):
        if message.get("method") == "session/update":
            found.append(json.loads(_SESSION.sub(_ONE, json.dumps(message).encode())))
            if len(found) == count:
                return found
    raise AssertionError


def of_sdk(log: list[dict[str, Any]]) -> float:
    """Seconds for a state after each update, by the SDK; the notifications are made beforehand."""
    from acp.contrib.session_state import SessionAccumulator
    from acp.schema import SessionNotification

    notifications = [SessionNotification.model_validate(message["params"]) for message in log]
    accumulator = SessionAccumulator()

    def run() -> None:
        for notification in notifications:
            accumulator.apply(notification)

    return timed(run)[0]


def of_ours(log: list[dict[str, Any]]) -> float:
    """Seconds for a state after each update and a look at the last entity of each, by a timeline."""
    events = acpinspect.from_records(log)

    def run() -> None:
        timeline = acpinspect.timeline(events)
        for step in range(1, len(timeline)):
            state = timeline[step]
            for entity in state.order[-1:]:
                get_entity(state, entity)

    return timed(run)[0]


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """How the time grows: with this power of the size."""
    xs, ys = [math.log(size) for size in sizes], [math.log(second) for second in seconds]
    return statistics.linear_regression(xs, ys).slope


def beside_the_sdk() -> None:
    """Print both, and how they grow."""
    sizes = [250, 500, 1_000]
    logs = [updates(size) for size in sizes]
    of_ours(logs[0])  # imports
    ours = [of_ours(log) for log in logs]
    sdk = [of_sdk(log) for log in logs]
    for size, own, theirs in zip(sizes, ours, sdk, strict=True):
        print(f"{size:>6} updates: timeline {own:.3f} s, SDK {theirs:.2f} s, {theirs / own:.0f} times as long")
    print(f"exponents of growth: timeline {exponent(sizes, ours):.2f}, SDK {exponent(sizes, sdk):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--looks", type=int, default=500, help="random steps to look at")
    parser.add_argument("--chunks", type=int, default=0, help="also one message of so many chunks")
    parser.add_argument("--no-sdk", action="store_true", help="without the SDK's accumulator")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="CPU time of this process, for a busy machine; what other processes load is not in it",
    )
    arguments = parser.parse_args()
    if arguments.cpu:
        global clock  # noqa: PLW0603 - all measurements of a run go by one clock
        clock = time.process_time
    for size in arguments.sizes:
        measure(size, arguments.looks)
    if arguments.chunks:
        one_message(arguments.chunks)
    if not arguments.no_sdk:
        beside_the_sdk()


if __name__ == "__main__":
    main()
