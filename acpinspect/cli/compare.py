"""``acpinspect compare``: two groupings of a log, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import Form, form_options, reading_options
from acpinspect.cli.screen import console
from acpinspect.cli.tables import print_json_value, print_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

SHOWN = ("event", "verdict", "after", "text_before", "text_after")


@click.command(name="compare")
@click.option("--a", metavar="NAME", default="ids", show_default=True, help="The policy taken as the reference.")
@click.option("--b", metavar="NAME", default="heuristic", show_default=True, help="The policy held against it.")
@form_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 for all.")
@reading_options
@click.pass_context
def command(
    ctx: click.Context, events: pd.DataFrame, a: str, b: str, form: Form | None, limit: int | None
) -> None:
    """Compare two ways to make messages of a log.

    Several PATHs are read as one log; two logs of one session are compared in Python (acpinspect.compare_logs).

    Both groupings side by side where they differ, then each gap in which only one of them has a boundary. --json
    prints one object: messages by kind, the measures and the disagreements; --csv prints the disagreements.
    Exit status 1 says that they differ.
    """
    import acpinspect

    comparison = acpinspect.compare(events, a, b)
    disagreements = comparison.disagreements.set_index("event")
    if form == "json":
        print_json_value({**comparison.to_dict(), "disagreements": disagreements.reset_index()})
    else:
        if form is None:
            console().print(repr(comparison), soft_wrap=True)
        if form == "csv" or len(disagreements):
            print_table(disagreements, form, limit=limit, columns=SHOWN, numbers=("event",))
    ctx.exit(0 if comparison.same else 1)
