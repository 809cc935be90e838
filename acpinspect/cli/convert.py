"""``acpinspect convert``: a log in the other version of the protocol."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import Form, form_options, policy_option, reading_options
from acpinspect.cli.screen import printable
from acpinspect.cli.tables import print_table, records

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command", "print_frames", "tell_what_frames_lack"]

SHOWN = ("event", "session_id", "variant", "field", "reason")
OTHER: dict[str, Literal["v1", "v2"]] = {"v1": "v2", "v2": "v1"}


@click.command(name="convert")
@click.option("--to", type=click.Choice(["v1", "v2"]), help="The version to write; else the one it doesn't speak.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The file to write: .ndjson or .jsonl (also with .gz or .zst behind), or .parquet; else standard output.",
)
@click.option(
    "--on-loss",
    type=click.Choice(["raise", "report"]),
    default="raise",
    show_default=True,
    help="What to do about what the version can't hold: stop, or go on and list it.",
)
@form_options
@policy_option
@reading_options
def command(
    events: pd.DataFrame,
    to: Literal["v1", "v2"] | None,
    output: Path | None,
    on_loss: Literal["raise", "report"],
    form: Form | None,
    policy: str,
) -> None:
    """Write a log in the other version of the protocol.

    What that version can't hold stops it, with exit status 2 and nothing written. With --on-loss report the rest
    is written, and every loss is listed: event, variant, field and reason (docs/conversion.md). With -o they are
    the output, as a table, --json or --csv; else the output is the log, and they go to standard error.
    """
    import acpinspect

    conversion = acpinspect.convert(events, to or _other(events), on_loss=on_loss, policy=policy)
    losses = conversion.losses
    if output is None:
        print_frames(conversion.events)
        for loss in records(losses):
            click.echo(printable("event {event}: {variant}: {field}: {reason}".format(**loss)), err=True)
        return
    acpinspect.write(conversion.events, output)
    if form is not None or len(losses):
        several = losses["session_id"].nunique() > 1
        columns = [name for name in SHOWN if several or name != "session_id"]
        print_table(losses, form, limit=0, columns=columns, numbers=("event",), elastic="reason", wraps=True)
    said = f"{_count(len(conversion.events), 'event')} in {output}, {_count(len(losses), 'loss', 'losses')}."
    click.echo(said, err=True)
    tell_what_frames_lack(conversion.events, output)


def _other(events: pd.DataFrame) -> Literal["v1", "v2"]:
    """The version that the log doesn't speak."""
    spoken = events["protocol"].dropna().unique().tolist()
    if len(spoken) != 1:
        raise CannotDo("It speaks both versions: say with --to which one to write.")
    return OTHER[spoken[0]]


def print_frames(events: pd.DataFrame) -> None:
    """One frame a line; a line feed in a frame stands between its values."""
    for raw in events["raw"]:
        sys.stdout.write(re.sub("[\r\n]+", " ", raw) + "\n")


def tell_what_frames_lack(events: pd.DataFrame, output: Path) -> None:
    """Lines of frames hold no times: say so, where there were any."""
    if output.suffix != ".parquet" and events["time"].notna().any():
        click.echo(
            f"{output} holds the frames alone, without their times. To keep them, write .parquet.", err=True
        )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
