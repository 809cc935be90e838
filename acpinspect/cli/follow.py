"""``acpinspect follow``: the events of a log while it is written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from acpinspect.cli.event_rows import for_people
from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import policy_option
from acpinspect.cli.screen import console, cut
from acpinspect.cli.tables import as_json, records, shown

if TYPE_CHECKING:
    import pandas as pd
    from rich.text import Text

    from acpinspect.protocol import Version

__all__ = ["command"]

_STYLES: Final = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
_LAYOUT: Final = {"event": 6, "sender": 6, "kind": 12, "what": 26, "id": 12, "text": 400}
"""The columns that people see, and how wide they are: what comes later is not known."""


@click.command(name="follow")
@click.argument("path", metavar="LOG")
@click.option("--json", "as_lines", is_flag=True, help="Print each event as one line of JSON, with every column.")
@click.option("--findings", is_flag=True, help="Print what is wrong as well, as soon as it can be seen.")
@click.option("--session", "sessions", metavar="ID", multiple=True, help="Only this session; may be repeated.")
@click.option("--wait", is_flag=True, help="Wait for a file that doesn't exist yet.")
@click.option("--once", is_flag=True, help="Print what is there, and end.")
@policy_option
@click.option("--format", metavar="NAME", help="Read it as this format; `acpinspect formats` lists them.")
@click.option("--protocol", type=click.Choice(["v1", "v2"]), help="The version, where the log doesn't say.")
def command(
    path: str,
    as_lines: bool,
    findings: bool,
    sessions: tuple[str, ...],
    wait: bool,
    once: bool,
    policy: str,
    format: str | None,  # noqa: A002
    protocol: Version | None,
) -> None:
    """Print the events of a log as they are written, until Ctrl-C.

    LOG is a file of one record a line. A file that is replaced or emptied goes on with its successor. What was
    printed of an event stays true when later ones come.
    """
    import acpinspect
    from acpinspect.diagnostics.watching import Watch

    if not wait and not Path(path).exists():
        raise CannotDo(f"There is no such file: {path!r}. With --wait it is waited for.")
    watch = Watch(policy=policy) if findings else None
    show = _show_lines if as_lines else _show_for_people
    tables = acpinspect.follow(Path(path), format=format, protocol=protocol, until=_at_once if once else None)
    try:
        for events in tables:
            found = None if watch is None else _of_sessions(watch.see(events), sessions)
            show(_of_sessions(events, sessions), found)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return


def _at_once() -> bool:
    return True


def _of_sessions(table: pd.DataFrame, sessions: tuple[str, ...]) -> pd.DataFrame:
    return table[table["session_id"].isin(sessions)] if sessions else table


def _show_lines(events: pd.DataFrame, findings: pd.DataFrame | None) -> None:
    """Each event as a line of JSON, then each finding."""
    for row in records(events.reset_index()):
        click.echo(as_json(row))
    for row in records(findings) if findings is not None else ():
        click.echo(as_json({"finding": row}))


def _show_for_people(events: pd.DataFrame, findings: pd.DataFrame | None) -> None:
    """Each event on a line, then each finding on one."""
    from rich.text import Text

    out = console()
    rows = for_people(events).reset_index()[list(_LAYOUT)]
    for row in records(rows):
        cells = [_cell(shown(value), name) for name, value in row.items()]
        line = Text(" ".join(cells).rstrip())
        line.truncate(out.width, overflow="ellipsis")
        out.print(line, soft_wrap=True)
    for row in records(findings) if findings is not None else ():
        out.print(_finding(row), soft_wrap=True)


def _cell(text: str, name: str) -> str:
    width = _LAYOUT[name]
    text = cut(text, width - 1) if len(text) > width else cut(text)
    return text.rjust(width) if name == "event" else text.ljust(width)


def _finding(row: dict[str, Any]) -> Text:
    from rich.text import Text

    severity = str(row["severity"])
    text = Text(" " * (_LAYOUT["event"] + 1)).append(f"{severity}[{row['code']}]", _STYLES[severity])
    return text.append(f" at event {row['event']}: {cut(str(row['message']))}")
