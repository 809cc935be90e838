"""``acpinspect corpus``: many logs at once, as Parquet tables, a summary and a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.screen import printable

if TYPE_CHECKING:
    from distributed import Client

    from acpinspect.protocol import Version
    from acpinspect.reading.frames import Sender

__all__ = ["command"]

_PATIENCE: Final = 10
"""Seconds in which a scheduler has to answer."""


@click.command(name="corpus")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    default="corpus",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The folder to write; new or empty.",
)
@click.option("--overwrite", is_flag=True, help="Replace what an earlier run wrote there.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="How many processes; else one a core.")
@click.option("--cache", metavar="DIR", help="Keep the tables of each log here: a second run costs a tenth.")
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True)
@click.option(
    "--scheduler", metavar="ADDRESS", help="With --engine dask: such as tcp://host:8786; else one is made."
)
@click.option("--policy", "policies", metavar="NAME", multiple=True, help="Only this client; may be repeated.")
@click.option("--no-clients", is_flag=True, help="Leave the clients out: they take most of the time.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    metavar="N",
    default=10,
    show_default=True,
    help="Cut out the smallest example of the N most frequent findings.",
)
@click.option("--format", metavar="NAME", help="Read them as this format; `acpinspect formats` lists them.")
@click.option("--protocol", type=click.Choice(["v1", "v2"]), help="The version, where the logs don't say.")
@click.option("--sender", type=click.Choice(["agent", "client"]), help="Who sent it, if the logs have one side.")
@click.option("--tz", metavar="ZONE", help="Time zone of local times, such as Europe/Paris.")
def command(
    *,
    paths: tuple[str, ...],
    output: Path,
    overwrite: bool,
    workers: int | None,
    cache: str | None,
    engine: Literal["local", "dask"],
    scheduler: str | None,
    policies: tuple[str, ...],
    no_clients: bool,
    examples: int,
    format: str | None,  # noqa: A002
    protocol: Version | None,
    sender: Sender | None,
    tz: str | None,
) -> None:
    """Many logs at once: Parquet tables, a summary and a page.

    PATH is a log, a folder of logs, a glob in quotes, or a url such as s3://bucket/logs/*.jsonl. OUT gets the
    tables sessions, events, messages and findings in folders agent=.../date=..., which DuckDB, Polars and Spark
    read as they are, and clients; corpus.html shows which agents send ids, which clients would break which agents,
    and the most frequent findings, each with its smallest example (docs/many_logs.md).

    What can't be read is listed and stops nothing.
    """
    import acpinspect

    if scheduler is not None and engine != "dask":
        raise CannotDo("--scheduler belongs to --engine dask.")
    with _client(engine, scheduler, workers) as client:
        found = acpinspect.corpus(
            paths,
            engine=engine,
            client=client,
            cache=cache,
            workers=workers if engine == "local" else None,
            format=format,
            protocol=protocol,
            sender=sender,
            tz=tz,
        )
        clients = [] if no_clients else list(policies) or None
        overview = found.write(output, policies=clients, examples=examples, overwrite=overwrite)
    for line in overview.to_text().splitlines():
        click.echo(printable(line))
    click.echo(f"\n{printable(str(output / 'corpus.html'))}")


@contextmanager
def _client(engine: str, scheduler: str | None, workers: int | None) -> Iterator[Client | None]:
    """A client of the scheduler that was named, or of one that is made for this run."""
    if engine != "dask":
        yield None
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise CannotDo("--engine dask needs Dask: pip install 'acpinspect[dask]'.") from error
    try:
        if scheduler:
            client = Client(scheduler, timeout=_PATIENCE)
        else:
            client = Client(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    except (OSError, TimeoutError, ValueError) as error:
        raise CannotDo(f"No scheduler answers at {scheduler}: {error}") from error
    with client:
        yield client
