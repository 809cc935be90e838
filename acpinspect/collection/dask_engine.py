"""The work as a plan for Dask: a partition holds whole recordings; large ones are read in stretches by all.

Nothing but names of files goes to the workers, and nothing but tables comes back. No task depends on what a worker
has done before, so that what a lost worker did is done again by another.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

import acpinspect
from acpinspect.collection.arrow_tables import put_together
from acpinspect.collection.engines import Job, Made
from acpinspect.collection.entries import Entry, Problem
from acpinspect.collection.kinds import CATEGORIES, Ask
from acpinspect.collection.portions import portions
from acpinspect.collection.problem_table import problem_table
from acpinspect.collection.stretches import read_stretch, stretch_events, stretches_of
from acpinspect.collection.work import Outcome, Task, done, outcome_of
from acpinspect.errors import AcpInspectError, ArgumentError, WorkerError

if TYPE_CHECKING:
    import dask.dataframe as dd
    from dask.delayed import Delayed
    from distributed import Client

__all__ = ["DaskEngine"]

_PARTS: Final = 32
_LARGEST: Final = 32 << 20
"""Partitions that there should be at least, and bytes of one that holds several recordings."""


class DaskEngine:
    """Plans tables; Dask makes them when they are computed.

    Args:
        task: The recordings, and how they are read.
        client: Whose workers are to do it; None for what Dask takes by itself.

    Raises:
        ArgumentError: If Dask is not installed.
        WorkerError: If the workers of the client have no acpinspect, or another version.
    """

    def __init__(self, task: Task, client: Client | None = None) -> None:
        try:
            import dask.dataframe  # noqa: F401  (told of now, not in the middle of the work)
        except ImportError as error:
            raise ArgumentError("engine='dask' needs Dask: pip install 'acpinspect[dask]'.") from error
        self._task, self._client = task, client
        self._portions = portions(task.entries, _PARTS, _LARGEST) or [()]
        if client is not None:
            _check_workers(client)

    def table(self, ask: Ask) -> dd.DataFrame:
        """A table of all recordings: a partition for each portion of them, divided by the recordings' numbers."""
        from dask import delayed

        parts = [delayed(_partition)(node, ask.table) for node in self._nodes([ask])]
        return self._lazy(parts, put_together(ask.table, []), ask.table)

    def problems(self, asks: Sequence[Ask]) -> dd.DataFrame:
        """What went wrong with these tables."""
        from dask import delayed

        nodes = zip(*(self._nodes([ask]) for ask in asks), strict=True)
        return self._lazy(
            [delayed(_problems)(list(of_portion)) for of_portion in nodes], problem_table([]), "problems"
        )

    def outcomes(self, asks: Sequence[Ask]) -> Iterator[Outcome]:
        """What comes of each recording, in order; as many portions are under way as keep the workers busy."""
        for found in self._computed(self._nodes(asks)):
            yield from found

    def each(self, function: Callable[[Job], Made], jobs: Sequence[Job]) -> Iterator[Made]:
        """What a function makes of each job, in order."""
        from dask import delayed

        return self._computed([delayed(function)(job) for job in jobs])

    def _computed(self, nodes: Sequence[Delayed]) -> Iterator[Any]:
        """The results of some tasks, in order, without holding all of them."""
        client = self._client or _client_of_this_process()
        if client is None:
            import dask

            at_once = os.cpu_count() or 1
            for start in range(0, len(nodes), at_once):
                yield from dask.compute(*nodes[start : start + at_once])
            return
        at_once = 2 * max(sum(client.nthreads().values()), 1)
        waiting = deque(nodes)
        running = deque(client.compute(waiting.popleft()) for _ in range(min(at_once, len(nodes))))
        while running:
            yield running.popleft().result()  # and the workers may forget it
            if waiting:
                running.append(client.compute(waiting.popleft()))

    def _lazy(self, parts: list[Delayed], meta: pd.DataFrame, title: str) -> dd.DataFrame:
        import dask
        import dask.dataframe as dd

        meta = _of_unknown_categories(meta)
        with dask.config.set({"dataframe.convert-string": False}):  # what are lists would become their text
            return dd.from_delayed(parts, meta=meta, divisions=self._divisions, prefix=title, verify_meta=False)

    @property
    def _divisions(self) -> tuple[int, ...]:
        """The first recording of each partition, and the last one of all."""
        first = [portion[0].number for portion in self._portions if portion]
        return (*first, self._task.entries[-1].number) if first else (0, 0)

    def _nodes(self, asks: Sequence[Ask]) -> list[Delayed]:
        """A task for each portion, whose result is what comes of its recordings."""
        task = self._task.wanting(asks)
        return [self._node(task.of(portion)) for portion in self._portions]

    def _node(self, task: Task) -> Delayed:
        from dask import delayed
        from dask.base import tokenize

        name = f"acpinspect-{tokenize(acpinspect.__version__, task)}"
        if len(task.entries) == 1 and not task.is_kept:
            try:
                stretches = stretches_of(task.entries[0], task.reading)
            except (AcpInspectError, OSError):
                stretches = []  # the worker will say what is wrong with it
            if stretches:
                read = [delayed(read_stretch, pure=True)(stretch) for stretch in stretches]
                return delayed(_read_by_all)(task, read, dask_key_name=name)
        return delayed(done)(task, dask_key_name=name)


def _read_by_all(task: Task, read: list[Any]) -> list[Outcome]:
    [entry] = task.entries
    return [outcome_of(entry, task, lambda own: stretch_events(own, task.reading, read))]


def _partition(found: Sequence[Outcome], table: str) -> pd.DataFrame:
    made = [(one.entry, arrow) for one in found for arrow in one.tables if arrow is not None]
    return put_together(table, made)


def _problems(found: Sequence[Sequence[Outcome]]) -> pd.DataFrame:
    met: dict[tuple[Entry, Problem], None] = {}
    for of_ask in found:
        met |= dict.fromkeys((one.entry, problem) for one in of_ask for problem in one.problems)
    return problem_table(sorted(met, key=lambda pair: pair[0].number))


def _of_unknown_categories(meta: pd.DataFrame) -> pd.DataFrame:
    """The empty table, without a promise of which categories there will be, but for those that never change."""
    from dask.dataframe.utils import clear_known_categories

    open_ones = [name for name in meta if meta[name].dtype == "category" and name not in CATEGORIES]
    cleared: pd.DataFrame = clear_known_categories(meta, cols=open_ones)
    return cleared


def _client_of_this_process() -> Client | None:
    try:
        from distributed import default_client
    except ImportError:
        return None
    try:
        return default_client()
    except ValueError:
        return None


def _check_workers(client: Client) -> None:
    """Refuse workers that would make other tables, or none.

    Raises:
        WorkerError: If a worker has no acpinspect, or another version.
    """

    def version() -> (
        str
    ):  # inside, so that it is sent as a whole: a worker without acpinspect could not look it up
        import importlib

        return str(importlib.import_module("acpinspect").__version__)

    for worker, found in client.run(version, on_error="return").items():
        if found != acpinspect.__version__:
            raise WorkerError(
                f"The worker {worker} has not acpinspect {acpinspect.__version__} but {found!r}. Install the "
                "same version wherever workers run."
            )
