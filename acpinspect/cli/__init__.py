"""The ``acpinspect`` command. Each command is one small module and a thin call of the library.

A new command is a module here that holds a click command named ``command``, and a line in `COMMANDS`.
"""

from __future__ import annotations

from typing import Final

import click

import acpinspect
from acpinspect.cli.group import CommandGroup

__all__ = ["COMMANDS", "main"]

COMMANDS: Final = {
    "record": "record",
    "summary": "summarize",
    "events": "load",
    "messages": "messages",
    "state": "timeline",
    "diff": "Timeline.diff",
    "blame": "Timeline.blame",
    "follow": "follow",
    "lint": "diagnose",
    "convert": "convert",
    "redact": "redact",
    "minimize": "minimize",
    "explore": "explore",
    "report": "report",
    "corpus": "Corpus.write",
    "compare": "compare",
    "clients": "compare_clients",
    "explain": "explain",
    "policies": "policies",
    "vectors": "vectors.write_vectors",
    "formats": "formats",
}
"""The commands, in the order in which the help lists them, and what does the same in Python.

Each stands in the module of its name.
"""


@click.group(cls=CommandGroup, commands_in=__name__, twins=COMMANDS)
@click.version_option(acpinspect.__version__, prog_name="acpinspect")
def main() -> None:
    """Find out what really happened in an Agent Client Protocol log.

    PATH is a log, a folder of logs, a glob in quotes, or - for standard input.

    \b
    Exit status:
      0  all is well
      1  summary or lint found something; compare or clients found a difference
      2  the command can't be carried out: usage, no such file, no ACP traffic
    """  # noqa: D301  (click wants it: what follows keeps its lines)
