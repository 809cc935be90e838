"""``acpinspect vectors``: the conformance suite for reducers, as files."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]


@click.command(name="vectors")
@click.option("--protocol", type=click.Choice(["v1", "v2"]), help="Only those of one version.")
@click.option(
    "-o",
    "--output",
    "directory",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder to write them to; it is made where it isn't there.",
)
def command(directory: Path, protocol: str | None) -> None:
    """Write the conformance vectors for client reducers.

    JSON files of logs with the state after each step, in no programming language, and a README that says how to
    run them against a reducer of your own.
    """
    from acpinspect.vectors import write_vectors

    for path in write_vectors(directory, protocol):
        click.echo(str(path))
