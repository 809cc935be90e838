"""``acpinspect compare``: two groupings of a log, or one session in two logs, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from acpinspect.cli.options import Form, form_options, read, reading_options
from acpinspect.cli.screen import console
from acpinspect.cli.tables import print_json_value, print_table

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.comparison import Comparison

__all__ = ["command"]

_GAPS = ("event", "verdict", "after", "text_before", "text_after")
_CHANGED = ("message", "role", "kind", "also", "first_event", "text")


@click.command(name="compare")
@click.option("--a", metavar="NAME", default="ids", show_default=True, help="The policy taken as the reference.")
@click.option("--b", metavar="NAME", default="heuristic", show_default=True, help="The policy held against it.")
@click.option("--with", "other", metavar="LOG", help="Another log, held against PATH, in the place of a policy.")
@click.option("--policy", metavar="NAME", help="What groups both logs, beside --with.  [default: spec]")
@form_options
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 for all.")
@reading_options
@click.pass_context
def command(
    ctx: click.Context,
    events: pd.DataFrame,
    a: str,
    b: str,
    other: str | None,
    policy: str | None,
    form: Form | None,
    limit: int | None,
) -> None:
    """Compare two ways to make messages of a log, or one session in two logs.

    Several PATHs are read as one log. --with LOG takes the messages of PATH as the reference and tells what became
    of each in LOG, such as the replay of a live session; the words that both have are set side by side. LOG is
    read by the same options.

    Both groupings side by side where they differ, then each gap in which only one of them has a boundary; of two
    logs each message that is not the same. --json prints one object: messages by kind, the measures and that
    table; --csv prints the table. Exit status 1 says that they differ.
    """
    import acpinspect

    given = [f"--{name}" for name in ("a", "b") if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if other is None and policy is not None:
        raise click.UsageError("--policy goes with --with; of one log, --a and --b name the policies.")
    if other is None:
        comparison = acpinspect.compare(events, a, b)
        _show(comparison, "disagreements", comparison.disagreements.set_index("event"), _GAPS, form, limit)
    elif given:
        raise click.UsageError(
            f"--with holds two logs against each other under one --policy; leave out {given[0]}."
        )
    else:
        same_way = {name: ctx.params[name] for name in ("format", "protocol", "sender", "tz")}
        comparison = acpinspect.compare_logs(events, read((other,), **same_way), policy or "spec")
        changed = comparison.kinds[comparison.kinds["kind"] != "same"]
        _show(comparison, "messages", changed, _CHANGED, form, limit)
    ctx.exit(0 if comparison.same else 1)


def _show(
    comparison: Comparison,
    name: str,
    table: pd.DataFrame,
    columns: tuple[str, ...],
    form: Form | None,
    limit: int | None,
) -> None:
    if form == "json":
        print_json_value({**comparison.to_dict(), name: table.reset_index()})
        return
    if form is None:
        console().print(repr(comparison), soft_wrap=True)
    if form == "csv" or len(table):
        print_table(table, form, limit=limit, columns=columns, numbers=(columns[0],))
