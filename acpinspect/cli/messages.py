"""``acpinspect messages``: one row for each message, as a reader would see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import Form, form_options, only_sessions, policy_option, reading_options, row_options
from acpinspect.cli.tables import print_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

SHOWN = ("message", "turn", "role", "message_id", "boundary", "n_events", "text")
OF_MANY = ("role", "message_id", "boundary", "text")


@click.command(name="messages")
@form_options
@policy_option
@row_options
@reading_options
def command(
    events: pd.DataFrame, form: Form | None, policy: str, sessions: tuple[str, ...], limit: int | None
) -> None:
    """List the messages, as a reader would see them.

    One row for each message, with what opened it and its text. --json and --csv print every column of the messages
    table (docs/columns.md), and the source before them; the JSON is one array.
    """
    import acpinspect

    messages = acpinspect.messages(events, policy)
    source = events["source"].astype("string").reindex(messages["first_event"])
    messages = messages.assign(source=source.array)[["source", *messages.columns]]
    messages = only_sessions(messages, sessions)
    print_table(messages, form, limit=limit, columns=_columns(messages), numbers=("message", "turn", "n_events"))


def _columns(messages: pd.DataFrame) -> tuple[str, ...]:
    """Source and session are worth a column only if there are several."""
    several_sessions = messages[["source", "session_id"]].drop_duplicates()["source"].duplicated().any()
    session = ("session_id",) if several_sessions else ()
    if messages["source"].nunique() > 1:
        return ("source", *session, *OF_MANY)
    return (*session, *SHOWN)
