"""``acpinspect diff``: what is different between two steps of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import Form, policy_option, reading_options, session_option
from acpinspect.cli.screen import console, printable
from acpinspect.cli.tables import print_json_value

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["command"]


class _StepsLast(click.Command):
    """A command whose last words are numbers of steps; the words before them are paths."""

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "I [J]"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        words = list(ctx.params["paths"])
        steps: list[int] = []
        while len(words) > 1 and len(steps) < 2 and words[-1].isdecimal():
            steps.insert(0, int(words.pop()))
        ctx.params |= {"paths": tuple(words), "steps": tuple(steps)}
        return rest


@click.command(name="diff", cls=_StepsLast)
@session_option
@policy_option
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@reading_options
def command(
    events: pd.DataFrame, steps: tuple[int, ...], session: str | None, policy: str, form: Form | None
) -> None:
    """Compare a session after its first I events with the same session after its first J.

    Says what came (+), went (-) and changed (~), down to content blocks and words. Without J: what step I changed.
    """
    import acpinspect

    if not steps:
        raise CannotDo("Say which steps are meant: acpinspect diff PATH I J.")
    difference = acpinspect.timeline(events, session, policy).diff(*steps)
    if form == "json":
        print_json_value(difference.to_dict())
        return
    for line in repr(difference).splitlines():
        console().print(printable(line), soft_wrap=True)
