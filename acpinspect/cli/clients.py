"""``acpinspect clients``: which clients show a log wrongly, and where it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import Form, form_options, reading_options
from acpinspect.cli.tables import print_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

NUMBERS = ("messages", "right", "split", "merged", "lost", "duplicated", "first_event")
SHOWN = ("policy", *NUMBERS, "kind", "after", "text_after")


@click.command(name="clients")
@click.option(
    "--truth", metavar="NAME", default="spec", show_default=True, help="The policy that is taken as right."
)
@click.option("--policy", "policies", metavar="NAME", multiple=True, help="Only this client; may be repeated.")
@form_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 for all.")
@reading_options
@click.pass_context
def command(
    ctx: click.Context,
    events: pd.DataFrame,
    truth: str,
    policies: tuple[str, ...],
    form: Form | None,
    limit: int | None,
) -> None:
    """Say which clients show a log wrongly, and where it begins.

    One row for each client: how many messages it shows right, splits, merges, loses or doubles; the first event at
    which it goes wrong, what happens there, after which update, and the text. --json and --csv print every column.
    Exit status 1 says that at least one client shows it otherwise than --truth.
    """
    import acpinspect

    table = acpinspect.compare_clients(events, policies or None, truth)
    print_table(table, form, limit=limit, columns=SHOWN, numbers=NUMBERS)
    ctx.exit(0 if (table["right"] == table["messages"]).all() else 1)
