"""Many recordings as one thing: on this machine, or on a cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from acpinspect.collection.caching import Cache
from acpinspect.collection.corpus_tables import Corpus
from acpinspect.collection.engines import Engine, LocalEngine
from acpinspect.collection.entries import Paths, entries_at
from acpinspect.collection.local_engine import processes_for
from acpinspect.collection.recording_events import Reading
from acpinspect.collection.work import Task
from acpinspect.errors import ArgumentError
from acpinspect.protocol import Version
from acpinspect.reading.frames import Sender
from acpinspect.workers import check_workers

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Corpus", "corpus"]


def corpus(
    paths: Paths,
    *,
    engine: Literal["local", "dask"] = "local",
    client: Client | None = None,
    cache: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    format: str | None = None,  # noqa: A002  (the word that users look for)
    protocol: Version | None = None,
    sender: Sender | None = None,
    tz: str | None = None,
) -> Corpus:
    """Many recordings as one thing: their sessions, events, messages, findings and comparisons in one table each.

    What is wrong with one recording is a row of `Corpus.problems` and stops nothing. The tables are the same, row
    for row, whatever the engine and the number of processes.

    Args:
        paths: A folder (searched with its subfolders), a glob pattern, a file, an archive, a url of fsspec; or a
            list of these. Formats may be mixed.
        engine: ``"local"`` works here, with several processes where that pays; ``"dask"`` gives lazy tables.
        client: With ``engine="dask"``: a `distributed.Client`. Without one, Dask's own choice is taken.
        cache: A folder that keeps the tables of each recording, by its content; a second look costs about a tenth.
            With a cluster, one that all workers reach.
        workers: With ``engine="local"``: how many processes. By default one for each core where that pays, and 1
            for a small corpus. A script has its own work under ``if __name__ == "__main__":`` then, as
            `multiprocessing` wants it.
        progress: With ``engine="local"``: show a progress bar; by default only for long work on a terminal or in a
            notebook.
        format: As `load` takes it, like all that follow.
        protocol: The version to take, instead of what the logs say.
        sender: For recordings of one side alone.
        tz: Zone of times that are written without one.

    Returns:
        The corpus. Recordings are found now, and read when a table is asked for: once for each, unless there is a
        cache. Cost: linear in the bytes, divided by the processes.

    Raises:
        SourceError: If no path leads to a file.
        ArgumentError: If an argument has no such value.
        WorkerError: If the workers of `client` have no acpinspect, or another version.

    Example:
        >>> import acpinspect, pathlib, tempfile
        >>> log = b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (pathlib.Path(folder) / "good.jsonl").write_bytes(log)
        ...     _ = (pathlib.Path(folder) / "other.jsonl").write_bytes(b'{"level": "info"}')
        ...     logs = acpinspect.corpus(folder)
        ...     tables = logs.sessions, logs.problems
        >>> tables[0]["session_id"].tolist(), tables[1]["error"].tolist()
        (['s1'], ['NotACPError'])
    """
    _check(engine, client, workers)
    reading = Reading(format, protocol, sender, tz)
    reading.check()
    kept = None if cache is None else Cache(os.fspath(cache))
    task = Task(tuple(entries_at(paths)), reading=reading, cache=kept)
    return Corpus(task.entries, reading, _engine(task, engine, client, workers, progress))


def _check(engine: str, client: object, workers: int | None) -> None:
    if engine not in ("local", "dask"):
        raise ArgumentError(f"engine={engine!r} is no engine; give 'local' or 'dask'.")
    if client is not None and engine != "dask":
        raise ArgumentError("client= belongs to engine='dask'.")
    if workers is not None and engine != "local":
        raise ArgumentError("workers= belongs to engine='local'; the workers of Dask are those of its scheduler.")
    check_workers(workers)


def _engine(task: Task, name: str, client: Client | None, workers: int | None, progress: bool | None) -> Engine:
    if name == "dask":
        from acpinspect.collection.dask_engine import DaskEngine

        return DaskEngine(task, client)
    return LocalEngine(task, processes_for(task.entries, workers), progress)
