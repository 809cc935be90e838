"""``acpinspect blame``: which event wrote each piece of a message, a tool call or anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import Form, form_options, policy_option, reading_options, session_option
from acpinspect.cli.tables import print_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

SHOWN = ("event", "field", "action", "text", "overwrote")


@click.command(name="blame")
@click.option("--message", "name", metavar="ID", help="The message (or tool call, plan, terminal), by its id.")
@click.option("--entity", "entity", metavar="NAME", help="Anything, by its name as `acpinspect state` shows it.")
@click.option("--at", "event", type=int, metavar="N", help="After event N; else at the end.")
@form_options
@session_option
@policy_option
@reading_options
def command(
    events: pd.DataFrame,
    name: str | None,
    entity: str | None,
    event: int | None,
    session: str | None,
    policy: str,
    form: Form | None,
) -> None:
    """Say which event wrote each piece, and what it overwrote.

    One row for each piece of text or field that stands there; --json and --csv print every column
    (docs/timeline.md).
    """
    import acpinspect

    wanted = entity if name is None else name
    if wanted is None:
        raise CannotDo("Say what is meant: --message ID, or --entity NAME. `acpinspect state` lists all of them.")
    timeline = acpinspect.timeline(events, session, policy)
    step = None if event is None else timeline.step_of(event)
    table = timeline.blame(wanted, step).table
    print_table(table.rename_axis("piece"), form, limit=0, columns=SHOWN, numbers=("event",))
