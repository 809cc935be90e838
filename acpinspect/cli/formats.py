"""``acpinspect formats``: which formats there are, or in which format a log is and how that is known."""

from __future__ import annotations

from dataclasses import asdict

import click

from acpinspect.cli.options import Form, form_options, source
from acpinspect.cli.tables import print_table

__all__ = ["command"]


@click.command(name="formats")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@form_options
def command(paths: tuple[str, ...], form: Form | None) -> None:
    """List the formats, or say which one a log is in.

    Without PATH, the formats that can be read; with it, the format of each log, and why it was taken for that.
    --json prints one array.
    """
    import pandas as pd

    import acpinspect

    if paths:
        table = pd.DataFrame(map(asdict, acpinspect.detect([source(path) for path in paths])))
        columns = ("source", "format", "evidence")
    else:
        table = acpinspect.formats()
        columns = ("format", "title", "writer")
    table = table.set_index(columns[0])
    print_table(table, form, limit=0, columns=columns, elastic="title" if "title" in columns else None)
