"""``acpinspect redact``: a log without its content, to show to others."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from acpinspect.cli.convert import print_frames, tell_what_frames_lack
from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import Form, form_options, reading_options
from acpinspect.cli.screen import printable
from acpinspect.cli.tables import print_table, records

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command", "salt_of", "salt_option"]

SHOWN = ("kind", "strings", "replaced", "distinct", "characters", "events")
SALT = "ACPINSPECT_SALT"

salt_option = click.option(
    "--salt-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help=f"A file with a secret (or the variable {SALT}): it gives the same result again. Else a random one.",
)


@click.command(name="redact")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The file to write: .ndjson or .jsonl (also with .gz or .zst behind), or .parquet; else standard output.",
)
@click.option("--keep", metavar="KIND", multiple=True, help="Leave strings of this kind; may be repeated.")
@salt_option
@form_options
@reading_options
@click.pass_context
def command(
    ctx: click.Context,
    events: pd.DataFrame,
    output: Path | None,
    keep: tuple[str, ...],
    salt_file: Path | None,
    form: Form | None,
) -> None:
    """Write a log without its content, to show it to others.

    Texts, ids, paths, names, commands, images become others of the same shape; messages and findings stay
    (docs/privacy.md). With -o a table says what was replaced, also as --json or --csv; else the log is the
    output. What is left and looks as if it told something is listed on standard error, and the exit status is
    then 1. KIND is text, id, path, url, name, command, data, terminal, value, key, method, record or source.
    """
    import acpinspect

    redacted = acpinspect.redact(events, salt=salt_of(salt_file), keep=keep)
    left = acpinspect.leftovers(events, redacted)
    if output is None:
        print_frames(redacted)
    else:
        acpinspect.write(redacted, output)
        report = acpinspect.redaction_report(events, redacted)
        print_table(report, form, limit=0, columns=SHOWN, numbers=SHOWN[1:])
        tell_what_frames_lack(redacted, output)
    for row in records(left[left["kind"] != "number"]):
        click.echo(printable("left in event {event}: {place}: {text}".format(**row)), err=True)
    _tell_numbers(left[left["kind"] == "number"])
    if not keep and (left["kind"] != "number").any():
        ctx.exit(1)


def _tell_numbers(left: pd.DataFrame) -> None:
    """Numbers stay; where a tool or vendor put large ones is worth a look."""
    for place, count in left["place"].value_counts(sort=False).items():
        click.echo(printable(f"{count:,} large numbers stay: {place}"), err=True)


def salt_of(path: Path | None) -> str | bytes | None:
    """The secret of a file, or of the environment; never of the command line, which others can read."""
    given = path.read_bytes().strip() if path is not None else os.environ.get(SALT)
    if given is not None and not given:
        raise CannotDo("The salt is empty. Put a secret into it, or leave it out for a random one.")
    return given
