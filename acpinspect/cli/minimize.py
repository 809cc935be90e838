"""``acpinspect minimize``: the smallest log that still shows a fault, written up for a bug report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import reading_options
from acpinspect.cli.redact import salt_of, salt_option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]


@click.command(name="minimize")
@click.option("--code", metavar="CODE", help="Keep a finding of this code; `acpinspect lint` lists what there is.")
@click.option("--event", metavar="N", type=int, help="Keep the finding at this event.")
@click.option(
    "--policies",
    metavar="NAME,NAME",
    callback=lambda _, __, value: _two(value),
    help="Keep a difference between these two policies, such as spec,zed-v1.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the small log to this file: .ndjson, .jsonl (also .gz, .zst) or .parquet.",
)
@click.option("--redact", "redacts", is_flag=True, help="Take the content out of it (docs/privacy.md).")
@click.option("--keep", metavar="KIND", multiple=True, help="With --redact: leave strings of this kind.")
@salt_option
@click.option(
    "--max-trials",
    type=click.IntRange(min=1),
    metavar="N",
    default=3_000,
    show_default=True,
    help="Look at N smaller logs at most.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Take the best one after that time; by default the search ends by itself.",
)
@reading_options
def command(
    events: pd.DataFrame,
    code: str | None,
    event: int | None,
    policies: tuple[str, str] | None,
    output: Path | None,
    redacts: bool,
    keep: tuple[str, ...],
    salt_file: Path | None,
    max_trials: int,
    max_seconds: float | None,
) -> None:
    """Find the smallest log that still shows a fault, and write it up.

    Give what it has to show: --code, --event, or --policies. Prints Markdown for a bug report: the finding, the
    versions, the frames, what a reader sees (docs/minimize.md). The log has the same finding after --redact.
    """
    import acpinspect

    small = acpinspect.minimize(
        events, code=code, event=event, policies=policies, max_trials=max_trials, max_seconds=max_seconds
    )
    origin = events
    if redacts:
        salt = salt_of(salt_file) or os.urandom(32)
        small = acpinspect.redact(small, salt=salt, keep=keep)
        origin = acpinspect.redact(events, salt=salt, keep=keep)
    if output is not None:
        acpinspect.write(small, output)
    click.echo(acpinspect.bug_report(small, code=code, policies=policies, origin=origin), nl=False)


def _two(value: str | None) -> tuple[str, str] | None:
    """The two names of `--policies`."""
    if value is None:
        return None
    names = [name.strip() for name in value.split(",")]
    if len(names) != 2 or not all(names):
        raise CannotDo(f"--policies wants two names with a comma between, such as spec,zed-v1; not {value!r}.")
    return names[0], names[1]
