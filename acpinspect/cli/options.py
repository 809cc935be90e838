"""What the commands have in common: which logs to read and how, and in which form to print a table."""

from __future__ import annotations

import functools
import glob
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeVar, cast

import click

from acpinspect.cli.group import CannotDo

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.protocol import Version
    from acpinspect.reading.frames import Sender

__all__ = [
    "Form",
    "form_options",
    "only_sessions",
    "policy_option",
    "read",
    "reading_options",
    "row_options",
    "session_option",
]

Form = Literal["table", "json", "csv"]
Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

_READING = (
    click.argument("paths", metavar="PATH...", nargs=-1, required=True),
    click.option("--format", metavar="NAME", help="Read it as this format; `acpinspect formats` lists them."),
    click.option("--protocol", type=click.Choice(["v1", "v2"]), help="The version, where the log doesn't say."),
    click.option("--sender", type=click.Choice(["agent", "client"]), help="Who sent it, if the log has one side."),
    click.option("--tz", metavar="ZONE", help="Time zone of local times, such as Europe/Paris."),
)

_FORM = (
    click.option("--json", "form", flag_value="json", help="Print JSON."),
    click.option("--csv", "form", flag_value="csv", help="Print CSV with a header line."),
)

_ROWS = (
    click.option("--session", "sessions", metavar="ID", multiple=True, help="Only this session; may be repeated."),
    click.option("--limit", type=click.IntRange(min=0), metavar="N", help="At most N rows; 0 for all."),
)


def reading_options(command: Command) -> Command:
    """Give a command PATH... and the options of `acpinspect.load`; it is called with the events instead."""

    @functools.wraps(command)
    def with_events(
        *args: object,
        paths: tuple[str, ...],
        format: str | None,  # noqa: A002
        protocol: Version | None,
        sender: Sender | None,
        tz: str | None,
        **others: object,
    ) -> object:
        events = read(paths, format=format, protocol=protocol, sender=sender, tz=tz)
        return command(*args, events=events, **others)

    return _all(_READING, cast("Command", with_events))


def form_options(command: Command) -> Command:
    """Give a command ``--json`` and ``--csv``, as the argument `form`."""
    return _all(_FORM, command)


def row_options(command: Command) -> Command:
    """Give a command ``--session`` and ``--limit``."""
    return _all(_ROWS, command)


def session_option(command: Command) -> Command:
    """Give a command ``--session`` for one session, as the argument `session`."""
    option = click.option("--session", metavar="ID", help="The session, where there are several.")
    return option(command)


def policy_option(command: Command) -> Command:
    """Give a command ``--policy``."""
    option = click.option(
        "--policy",
        metavar="NAME",
        default="spec",
        show_default=True,
        help="The rule that makes messages of events.",
    )
    return option(command)


def read(
    paths: tuple[str, ...],
    *,
    format: str | None,  # noqa: A002
    protocol: Version | None,
    sender: Sender | None,
    tz: str | None,
) -> pd.DataFrame:
    """Load the logs, with a progress bar on a terminal."""
    import acpinspect

    progress = None if sys.stderr.isatty() else False
    sources = [source(path) for path in paths]
    events = acpinspect.load(sources, format=format, protocol=protocol, sender=sender, tz=tz, progress=progress)
    folders = [path for path in paths if Path(path).is_dir()]
    if events.empty and folders:
        raise CannotDo(f"There is no log in the folder {', '.join(map(repr, folders))}.")
    return events


def source(path: str) -> str | Path | BinaryIO:
    """What a PATH on the command line means: standard input, a glob, or a file or folder."""
    if path == "-":
        return sys.stdin.buffer
    if glob.has_magic(path) and not Path(path).exists():
        return path
    return Path(path)


def only_sessions(table: pd.DataFrame, sessions: tuple[str, ...]) -> pd.DataFrame:
    """Keep the rows of these sessions; of all, if none is named."""
    if not sessions:
        return table
    known = table["session_id"].dropna().unique().tolist()
    if unknown := [name for name in sessions if name not in known]:
        raise CannotDo(f"No session {unknown[0]!r} in it. There is: {', '.join(map(repr, known)) or 'none'}.")
    return table[table["session_id"].isin(sessions)]


def _all(options: tuple[Decorator[Any], ...], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
