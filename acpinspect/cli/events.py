"""``acpinspect events``: one row for each frame of the logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.event_rows import for_people
from acpinspect.cli.options import Form, form_options, only_sessions, reading_options, row_options
from acpinspect.cli.tables import print_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

SHOWN = ("event", "line", "sender", "kind", "what", "id", "text")


@click.command(name="events")
@form_options
@row_options
@reading_options
def command(events: pd.DataFrame, form: Form | None, sessions: tuple[str, ...], limit: int | None) -> None:
    """List the events, in the order of the log.

    One row for each frame. --json and --csv print every column of the events table (docs/columns.md); the JSON is
    one array.
    """
    events = only_sessions(events, sessions)
    table = events if form else for_people(events)
    print_table(table, form, limit=limit, columns=_columns(events), numbers=("event", "line"))


def _columns(events: pd.DataFrame) -> tuple[str, ...]:
    """The source is worth a column only if there are several."""
    return ("source", *SHOWN) if events["source"].nunique() > 1 else SHOWN
