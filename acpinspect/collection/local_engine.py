"""The work on this machine: a pool of processes over recordings, all of it for one that is very large."""

from __future__ import annotations

import os
import pickle
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Final

from acpinspect.collection.entries import Entry, Problem, Reopener
from acpinspect.collection.portions import LARGE, portions
from acpinspect.collection.recording_events import assembled, is_stored, recording_events
from acpinspect.collection.work import Outcome, Task, done, outcome_of
from acpinspect.errors import WorkerError
from acpinspect.parallel_reading import read_in_parallel
from acpinspect.progress import Progress
from acpinspect.workers import done_in_order

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["can_be_sent", "outcomes", "processes_for"]

_WORTH_IT: Final = 16 << 20
_MANY: Final = 200
"""Bytes, or recordings, from which on several processes pay: each takes a second or two to begin."""

_FOR_EACH: Final = 4
"""Portions for each process at least: then none of them waits long for the last one."""

_IN_FLIGHT: Final = 2
"""Tasks a process that may be under way when one of them kills it."""

_KILLED: Final = Problem(
    "read", "WorkerError", "The process that read it was killed, each time; the system may want its memory."
)


def processes_for(entries: Sequence[Entry], wanted: int | None) -> int:
    """How many processes are to work: as many as were wanted, else one for each core where that pays."""
    if wanted is not None:
        return wanted
    pays = len(entries) >= _MANY or sum(entry.size for entry in entries) >= _WORTH_IT
    return _cores() if pays else 1


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def outcomes(task: Task, workers: int) -> Generator[Outcome, None, None]:
    """What comes of each recording, in order.

    Args:
        task: All recordings, and what is wanted of each.
        workers: How many processes; with 1 all is done here. So is what can't be sent to another process, or what
            the cache has.

    Raises:
        WorkerError: If no process can begin.
    """
    if workers == 1 or task.is_kept or not can_be_sent(task):
        for portion in portions(task.entries, 1):
            yield from done(task.of(portion))
        return
    share = max(LARGE, task.size // (2 * workers))
    small: list[Entry] = []
    for entry in task.entries:
        if entry.size <= share:
            small.append(entry)
            continue
        yield from _by_pool(task.of(small), workers)
        small = []
        yield outcome_of(entry, task, partial(_read_by_all, task=task, workers=workers))
    yield from _by_pool(task.of(small), workers)


def can_be_sent(work: object) -> bool:
    """Whether other processes can do it: they know no function of a notebook or script, and no file in memory."""
    try:
        sent = pickle.dumps(work)
    except Exception:  # noqa: BLE001  (whatever an object's own methods raise)
        return False
    return b"__main__" not in sent and b"memory:" not in sent


def _read_by_all(entry: Entry, task: Task, workers: int) -> pd.DataFrame:
    """The events of a recording that is so large that one process would still read it when all else is done."""
    recording = Reopener()(entry)
    if is_stored(recording):
        return recording_events(recording, task.reading)
    try:
        [(_, batches)] = read_in_parallel([recording], task.reading.format, Progress(), workers)
    except WorkerError:
        [(_, batches)] = read_in_parallel([recording], task.reading.format, Progress(), workers)
    return assembled(recording, batches, task.reading)


def _by_pool(task: Task, workers: int) -> Iterator[Outcome]:
    tasks = [task.of(portion) for portion in portions(task.entries, _FOR_EACH * workers)]
    broken = False
    while tasks:
        arrived = 0
        try:
            with closing(done_in_order(done, tasks, workers)) as results:
                for found in results:
                    arrived += 1
                    yield from found
        except WorkerError as error:
            tasks = tasks[arrived:]
            if not broken:
                broken = True  # by chance, perhaps: once more
                continue
            _check_that_processes_begin(error)
            suspects, tasks, broken = tasks[: _IN_FLIGHT * workers], tasks[_IN_FLIGHT * workers :], False
            for suspect in suspects:
                yield from _alone(suspect)
        else:
            return


def _alone(task: Task) -> Iterator[Outcome]:
    """What comes of a task in a process of its own; a recording that kills it again is given up."""
    try:
        [found] = done_in_order(done, [task], 2)
    except WorkerError:
        if len(task.entries) == 1:
            yield Outcome(task.entries[0], (None,) * len(task.asks), (_KILLED,))
            return
        for entry in task.entries:
            yield from _alone(task.of([entry]))
    else:
        yield from found


def _check_that_processes_begin(error: WorkerError) -> None:
    try:
        list(done_in_order(_nothing, [0], 2))
    except WorkerError:
        raise WorkerError(
            "No worker process can begin. A script that works with several has its own work under "
            "`if __name__ == '__main__':`; or say workers=1."
        ) from error


def _nothing(task: int) -> int:
    return task
