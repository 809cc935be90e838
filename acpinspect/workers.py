"""Work in several processes: results in the order of the tasks, and no process left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Final, TypeVar

from acpinspect.errors import ArgumentError, WorkerError

__all__ = ["check_workers", "done_beside", "done_in_order"]

_LIBRARIES: Final = ("pandas", "pyarrow.compute")
"""What takes a second to import: the fork server does so once, for all workers that come of it."""

Task = TypeVar("Task")
Result = TypeVar("Result")

_AHEAD: Final = 2
"""Tasks a worker that may be under way or done before their turn; more would pile up results."""


def check_workers(workers: int | None) -> int:
    """How many processes are meant: None is one, the caller's own.

    Raises:
        ArgumentError: If it is no number of processes.
    """
    if workers is None:
        return 1
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise ArgumentError(f"workers={workers!r} is no number of processes; give 1 or more, or leave it out.")
    return workers


def done_in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Generator[Result, None, None]:
    """What a function makes of each task, in the order of the tasks.

    Args:
        function: A function of a module; it, the tasks and the results are sent between processes.
        tasks: The tasks.
        workers: How many processes; with 1 the function is called here.

    Raises:
        WorkerError: If a process was killed, by the system for want of memory, say.

    However the iteration ends, by an error or an interrupt too, the processes are gone then.
    """
    if workers == 1:
        yield from map(function, tasks)
        return
    with _processes(workers, _context()) as pool:
        pending: deque[Future[Result]] = deque()
        for task in tasks:
            pending.append(pool.submit(function, task))
            if len(pending) >= _AHEAD * workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def done_beside(
    function: Callable[[Task], Result], here: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Generator[Result, None, None]:
    """What is made of each task, in the order of the tasks, where the caller is one of the workers.

    Nothing that the caller makes has to be sent, and it begins at once, while the other processes start. For
    tasks of which none can end its process: the caller would end with it.

    Args:
        function: What the other processes call; sent to them, as the tasks and the results are.
        here: What is called here.
        tasks: The tasks.
        workers: How many processes, this one included.

    Raises:
        WorkerError: If a process was killed, by the system for want of memory, say.
    """
    if workers == 1:
        yield from map(here, tasks)
        return
    waiting = iter(tasks)
    # They begin sooner without a fork server in between, and import only what the function needs.
    with _processes(workers - 1, multiprocessing.get_context("spawn"), wait=False) as pool:
        pending: deque[Future[Result]] = deque()
        while True:
            free = _AHEAD * (workers - 1) - sum(not one.done() for one in pending)
            pending.extend(pool.submit(function, task) for task in islice(waiting, free))
            while pending and pending[0].done():
                yield pending.popleft().result()
            own = list(islice(waiting, 1))
            if not own:
                break
            pending.append(_known(here(own[0])))
        while pending:
            yield pending.popleft().result()


def _known(result: Result) -> Future[Result]:
    future: Future[Result] = Future()
    future.set_result(result)
    return future


@contextmanager
def _processes(
    workers: int, context: multiprocessing.context.BaseContext, *, wait: bool = True
) -> Iterator[ProcessPoolExecutor]:
    """Processes that end when the work is done, or at once if it ends with an error.

    Args:
        workers: How many.
        context: How they begin.
        wait: Go on only when they are gone; else they end beside what comes then.
    """
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(os.getpid(),))
    finished = False
    try:
        yield pool
        finished = True
    except BrokenProcessPool as error:
        raise WorkerError(
            "A worker process ended before its work was done. If the system killed it for want of memory, try "
            "fewer workers. If it never began: "
            'a script has its own work under `if __name__ == "__main__":`, and is a file.'
        ) from error
    finally:
        if finished:
            pool.shutdown(wait=wait)
        else:
            _stop(pool)


def _context() -> multiprocessing.context.BaseContext:
    """Processes that begin without the threads and locks of this one, and with what all of them need."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", *_LIBRARIES])
    return context


def _begin(parent: int) -> None:
    """A worker leaves interrupts to its parent, and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    # Between the two stands a fork server, so the worker's own parent says nothing.
    while _is_alive(parent):
        time.sleep(0.5)
    os._exit(1)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers in the middle of their work."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
