"""``acpinspect clients``: which clients show a log wrongly, and where it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import Form, form_options, reading_options
from acpinspect.cli.tables import print_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

NUMBERS = ("messages", "right", "split", "merged", "lost", "first_event")
SHOWN = ("policy", *NUMBERS, "kind")


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

    One row for each client: how many messages it shows right, splits, merges or loses; the first event at which it
    goes wrong, and what happens there. Right is what --truth makes of the log: where chunks have no ids it can't
    know either whether one answer ends and the next begins. --json and --csv print every column: further kinds,
    and the text at that place. `acpinspect explain --event` tells why. Exit status 1 says that at least one client
    shows it otherwise than --truth.
    """
    import acpinspect

    table = acpinspect.compare_clients(events, policies or None, truth)
    print_table(table, form, limit=limit, columns=SHOWN, numbers=NUMBERS, elastic="policy")
    ctx.exit(0 if (table["right"] == table["messages"]).all() else 1)
