"""``acpinspect summary``: what is in the logs, and what is odd in them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import Form, form_options, policy_option, reading_options
from acpinspect.cli.screen import console
from acpinspect.cli.tables import as_json, print_table, records

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]

SHOWN = ("source", "protocol", "sessions", "turns", "events", "messages", "by_ids", "no_ids", "odd")
ODD = ("source", "line", "count", "kind", "problem")


@click.command(name="summary")
@form_options
@policy_option
@reading_options
def command(events: pd.DataFrame, form: Form | None, policy: str) -> None:
    """Say what is in the logs, and what is odd in them.

    One row for each log: its protocol, sessions, turns, events and messages; by_ids is their number if ids
    alone count, and a chunk without id is a message by itself; no_ids if nobody looks at ids. Where messages
    and no_ids differ, clients that don't look at ids show it otherwise; where messages and by_ids do, chunks
    have no ids. Odd is what isn't as the protocol wants it, record by record: what is wrong with the whole
    `acpinspect lint` says. The exit status is 1 if anything is odd.

    --json prints one document, {"sources": [...], "odd": [...]}; --csv prints the sources.
    """
    import acpinspect
    from acpinspect.summary import summarize

    sources = summarize(events, policy).set_index("source")
    odd = acpinspect.load_report(events)
    if form == "json":
        document = {"sources": list(records(sources.reset_index())), "odd": list(records(odd))}
        sys.stdout.write(as_json(document) + "\n")
    else:
        print_table(sources, form, limit=0, columns=SHOWN, numbers=SHOWN[2:], elastic="source")
        if form is None:
            _print_odd(odd)
    if sources["odd"].any():
        click.get_current_context().exit(1)


def _print_odd(odd: pd.DataFrame) -> None:
    console().print()
    if len(odd):
        console().print("What is odd or no ACP message, and where it is first seen:", style="bold")
        print_table(odd.set_index("source"), None, limit=0, columns=ODD, numbers=("line", "count"))
    else:
        console().print("Nothing is odd.")
