"""A Dask cluster for the tests: a scheduler and two workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from distributed import Client

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Cluster:
    """The processes, and a client of them."""

    client: Client
    workers: list[subprocess.Popen[bytes]]
    folder: Path

    def add_worker(self) -> None:
        """Start one more."""
        self.workers.append(_started(self.folder, "worker", "--nthreads", "1", "--no-nanny"))
        self.client.wait_for_workers(sum(worker.poll() is None for worker in self.workers))

    def kill_worker(self) -> None:
        """Kill one as the system would, without a word."""
        worker = next(worker for worker in self.workers if worker.poll() is None)
        worker.send_signal(signal.SIGKILL)
        worker.wait()


def _started(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(folder / "scheduler.json")]
    command += ["--no-dashboard"] if arguments[0] == "worker" else ["--no-dashboard", "--port", "0"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(folder)}
    with (folder / f"{arguments[0]}.log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, env=environment, cwd=folder)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    from distributed import Client

    folder = tmp_path_factory.mktemp("dask")
    scheduler = _started(folder, "scheduler")
    workers: list[subprocess.Popen[bytes]] = []
    try:
        with Client(scheduler_file=str(folder / "scheduler.json"), set_as_default=False, timeout=60) as client:
            found = Cluster(client, workers, folder)
            found.add_worker()
            found.add_worker()
            yield found
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
