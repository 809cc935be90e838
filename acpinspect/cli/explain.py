"""``acpinspect explain``: why a policy put a boundary before an event, or none."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import Form, policy_option, reading_options
from acpinspect.cli.screen import console, printable
from acpinspect.cli.tables import print_json_value

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]


@click.command(name="explain")
@click.option("--event", type=int, metavar="N", help="The event, as `acpinspect events` numbers it.")
@policy_option
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@reading_options
def command(events: pd.DataFrame, event: int | None, policy: str, form: Form | None) -> None:
    """Say why an event begins a message, continues one, or isn't shown.

    The rule, the events that made it so, and what other clients do at the same place.
    """
    import acpinspect

    if event is None:
        raise CannotDo("Say which event is meant: --event N. `acpinspect events` lists them.")
    explanation = acpinspect.explain(events, policy, event)
    if form == "json":
        print_json_value(dataclasses.asdict(explanation))
        return
    for line in str(explanation).splitlines():
        console().print(printable(line), soft_wrap=True)
