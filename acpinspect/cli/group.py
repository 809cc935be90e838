"""The group of commands: imports a command only when it is wanted, and turns our errors into one sentence."""

from __future__ import annotations

import difflib
import glob
import importlib
import os
import shlex
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from acpinspect.cli.screen import printable
from acpinspect.errors import AcpInspectError

__all__ = ["CannotDo", "CommandGroup"]


class CannotDo(click.ClickException):
    """What was asked for can't be done: one sentence on standard error, exit status 2."""

    exit_code = 2


class CommandGroup(click.Group):
    """A group whose commands stand in modules of their own.

    Args:
        commands_in: The package that holds the modules.
        twins: The modules' names, in the order of the help, and what of `acpinspect` does the same in Python. Each
            module holds a click command named ``command``.
        **settings: What `click.Group` takes.
    """

    def __init__(self, *, commands_in: str, twins: Mapping[str, str], **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**settings)
        self._package = commands_in
        self._twins = dict(twins)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order given."""
        return list(self._twins)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's module, if there is one of this name."""
        if cmd_name not in self._twins:
            return None
        command: click.Command = importlib.import_module(f"{self._package}.{cmd_name}").command
        command.epilog = f"In Python: acpinspect.{self._twins[cmd_name]}"
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; say what may have been meant where there is none of this name."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f"There is no command {printable(name)!r}. {self._meant(name)}")
        return super().resolve_command(ctx, args)

    def _meant(self, name: str) -> str:
        if Path(name).exists() or glob.has_magic(name):
            return f"To look at a log, name a command: acpinspect summary {shlex.quote(printable(name))}"
        near = difflib.get_close_matches(name, self._twins, n=2, cutoff=0.6)
        return f"Did you mean {' or '.join(near)}?" if near else "acpinspect --help lists them."

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a failure is a sentence and a status, never a traceback."""
        try:
            with warnings.catch_warnings():
                _warn_in_a_sentence()
                result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _forget_stdout()  # who reads us, `head` for one, has had enough
            ctx.exit(0)
        except AcpInspectError as error:
            raise CannotDo(str(error)) from error
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise CannotDo(f"{where}{error.strerror or error}") from error
        return result


def _warn_in_a_sentence() -> None:
    """Show what the library warns of as one line on standard error, and nobody else's warnings."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        click.echo(f"Warning: {message}", err=True)

    warnings.simplefilter("ignore")
    warnings.filterwarnings("always", category=UserWarning)
    warnings.showwarning = show


def _forget_stdout() -> None:
    """Point standard output to nowhere, so that the interpreter's last flush is quiet as well."""
    try:
        stdout = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stdout)
    os.close(nowhere)
