"""``acpinspect report``: a log as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import policy_option, reading_options

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]


@click.command(name="report")
@click.option(
    "-o", "--output", metavar="FILE", default="report.html", show_default=True, help="Where to write it."
)
@click.option("--title", metavar="TEXT", help="The heading; else the names of the logs.")
@click.option("--redact", is_flag=True, help="Replace the content and keep the shape: to show it to others.")
@click.option("--open", "is_opened", is_flag=True, help="Open it in the browser.")
@policy_option
@reading_options
def command(
    events: pd.DataFrame, output: str, title: str | None, redact: bool, is_opened: bool, policy: str
) -> None:
    """Write a log as one HTML file that anyone can open.

    It holds findings, an explorer that steps through the state, the messages, and what clients would show. It
    needs no network and loads nothing. Without --redact it holds the whole log.
    """
    import acpinspect

    shown = acpinspect.redact(events) if redact else events
    path = acpinspect.report(shown, output, title=title, policy=policy)
    click.echo(f"{path}: {len(events):,} events, {path.stat().st_size / 1e6:,.1f} MB")
    if is_opened:
        click.launch(Path(path).resolve().as_uri())
