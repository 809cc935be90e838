"""``acpinspect policies``: the rules that make messages of events, or one of them in words."""

from __future__ import annotations

import click

from acpinspect.cli.options import Form, form_options
from acpinspect.cli.screen import console
from acpinspect.cli.tables import print_json_value, print_table

__all__ = ["command"]

SHOWN = ("policy", "evidence", "date", "load", "description")


@click.command(name="policies")
@click.argument("name", required=False)
@form_options
def command(name: str | None, form: Form | None) -> None:
    """List the policies, or tell one of them in plain words.

    A policy is the rule by which messages are made of events: the protocol's, acpinspect's own, or a real
    client's, with the evidence for it. With NAME, what it does and what it is known to get wrong; with --json its
    parameters.
    """
    import acpinspect

    if name is None:
        print_table(acpinspect.policies(), form, limit=0, columns=SHOWN)
        return
    policy = acpinspect.get_policy(name)
    if form == "json":
        print_json_value(policy.to_dict())
    else:
        console().print(policy.describe(), soft_wrap=True)
