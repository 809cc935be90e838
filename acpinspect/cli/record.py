"""``acpinspect record``: an agent with a recorder around it, in the place where the agent stood."""

from __future__ import annotations

import os
import signal

import click

from acpinspect.errors import StartError

__all__ = ["command"]

_NOT_FOUND = 127  # as a shell has it, and `env`
_CANT_RUN = 126


@click.command(name="record", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    help="The log; a file that is there stays, and log-2.jsonl is taken. Or a folder: a new file in it.",
)
@click.argument("agent", metavar="-- AGENT [ARG]...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, output: str, agent: tuple[str, ...]) -> None:
    """Run an agent, and record what passes between it and the client.

    Put it where the agent's command stands in the settings of the editor (docs/recording.md). Bytes, signals and
    the exit status pass through unchanged; a slow or full disk never holds them up. The log holds all that is
    said, and only you can read it: `acpinspect redact` before you share it.

    \b
    Exit status: the agent's; 127 if there is no such agent, 126 if it can't be started.
    """  # noqa: D301  (click wants it: what follows keeps its lines)
    import acpinspect

    try:
        status = acpinspect.record(agent, output)
    except StartError as error:
        click.echo(f"Error: {error}", err=True)
        ctx.exit(_NOT_FOUND if isinstance(error.__cause__, FileNotFoundError) else _CANT_RUN)
    if status < 0:
        _die_of(-status)
    ctx.exit(status)


def _die_of(number: int) -> None:
    """End as the agent has ended, so that the client sees the same."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the core that matters is the agent's
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
