"""The group of commands: imports a command only when it is wanted, and turns our errors into one sentence."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import click

from acpinspect.errors import AcpInspectError

__all__ = ["CannotDo", "CommandGroup"]


class CannotDo(click.ClickException):
    """What was asked for can't be done: one sentence on standard error, exit status 2."""

    exit_code = 2


class CommandGroup(click.Group):
    """A group whose commands stand in modules of their own.

    Args:
        commands_in: The package that holds the modules.
        names: The modules' names, in the order of the help. Each holds a click command named ``command``.
        **settings: What `click.Group` takes.
    """

    def __init__(self, *, commands_in: str, names: Sequence[str], **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**settings)
        self._package = commands_in
        self._names = list(names)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order given."""
        return self._names

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command's module, if there is one of this name."""
        if cmd_name not in self._names:
            return None
        command: click.Command = importlib.import_module(f"{self._package}.{cmd_name}").command
        return command

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
