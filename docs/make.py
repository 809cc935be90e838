"""Write the reference pages from the code: ``python docs/make.py``. A test holds them current."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import click

import acpinspect.collection.comparing
import acpinspect.collection.corpus_tables
import acpinspect.collection.problem_table
import acpinspect.collection.session_table
import acpinspect.comparison.boundaries
import acpinspect.comparison.clients
import acpinspect.comparison.kinds
import acpinspect.conversion
import acpinspect.diagnostics
import acpinspect.events
import acpinspect.grouping.meta_ids
import acpinspect.grouping.registry
import acpinspect.message_table
import acpinspect.summary
import acpinspect.timelines.blame
import acpinspect.timelines.finding
import acpinspect.timelines.history
import acpinspect.timelines.steps
from acpinspect.cli import main as command_line
from acpinspect.events import Column

HERE = Path(__file__).resolve().parent
TABLES = (
    (
        "The events table",
        "`acpinspect.load(source)`: one row for each frame, in the order of the log.",
        acpinspect.events,
    ),
    (
        "The messages table",
        "`acpinspect.messages(events, policy)`: one row for each message.",
        acpinspect.message_table,
    ),
    (
        "The losses of a conversion",
        "`acpinspect.convert(events, to).losses`: one row for each thing that the other version can't hold.",
        acpinspect.conversion,
    ),
    ("The findings", "`acpinspect.diagnose(events)`: one row for each finding.", acpinspect.diagnostics),
    (
        "The steps of a timeline",
        "`acpinspect.timeline(events).steps`: one row for each event of the session.",
        acpinspect.timelines.steps,
    ),
    (
        "The history of an entity",
        "`acpinspect.timeline(events).history(entity)`: one row for each change.",
        acpinspect.timelines.history,
    ),
    (
        "The blame of an entity",
        "`acpinspect.timeline(events).blame(entity).table`: one row for each piece that stands there.",
        acpinspect.timelines.blame,
    ),
    (
        "The places of a text",
        "`acpinspect.timeline(events).find(text)`: one row for each stretch of steps at which an entity shows it.",
        acpinspect.timelines.finding,
    ),
    ("The policies", "`acpinspect.policies()`: one row for each policy.", acpinspect.grouping.registry),
    (
        "Ids under _meta",
        "`acpinspect.discover_meta_ids(events)`: one row for each path.",
        acpinspect.grouping.meta_ids,
    ),
    (
        "The gaps of a comparison",
        "`acpinspect.compare(events, a, b).boundaries`: one row for each gap between neighbouring message events.",
        acpinspect.comparison.boundaries,
    ),
    (
        "The kinds of a comparison",
        "`acpinspect.compare(events, a, b).kinds`: one row for each message of a.",
        acpinspect.comparison.kinds,
    ),
    (
        "The clients",
        "`acpinspect.compare_clients(events)`: one row for each client.",
        acpinspect.comparison.clients,
    ),
    (
        "The recordings of a corpus",
        "`acpinspect.corpus(paths).recordings`: one row for each recording; the index is its `number`.",
        acpinspect.collection.corpus_tables,
    ),
    (
        "The sessions of a corpus",
        "`acpinspect.corpus(paths).sessions`: one row for each session, after `recording`.",
        acpinspect.collection.session_table,
    ),
    (
        "The comparison of a corpus",
        "`acpinspect.corpus(paths).compare(a, b)`: one row for each recording, after `recording`.",
        acpinspect.collection.comparing,
    ),
    (
        "The problems of a corpus",
        "`acpinspect.corpus(paths).problems`: one row for what could not be opened, read or made.",
        acpinspect.collection.problem_table,
    ),
    ("The summary", "`acpinspect.summarize(events, policy)`: one row for each source.", acpinspect.summary),
)


def pages() -> dict[str, str]:
    """Every generated page: its name and its text."""
    written = {"cli.md": cli(), "columns.md": columns()}
    for name in ("clients", "diagnostics", "formats", "policies", "semantics"):
        written[f"{name}.md"] = _module(name)["page"]()
    return written | _module("api")["pages"]()


def _module(name: str) -> dict[str, Any]:
    """What the module that writes a page, or several, has."""
    return runpy.run_path(str(HERE / f"{name}_page.py"))


def cli() -> str:
    """The command line: what `--help` says of each command."""
    text = [
        "# The command line\n",
        "What `acpinspect --help` says, and each command's own help.\n",
        _help(command_line),
    ]
    context = click.Context(command_line, info_name="acpinspect")
    for name in command_line.list_commands(context):
        if command := command_line.get_command(context, name):
            text += [f"## acpinspect {name}\n", _help(command, context, name)]
    return "\n".join(text)


def _help(command: click.Command, parent: click.Context | None = None, name: str = "acpinspect") -> str:
    context = click.Context(command, parent=parent, info_name=name, terminal_width=100)
    return f"```text\n{command.get_help(context)}\n```\n"


def columns() -> str:
    """The tables: each column, its type and its meaning."""
    text = [
        "# The tables, column by column\n",
        "The columns and their types are the same for every log, an empty one too.\n",
    ]
    for title, what, module in TABLES:
        text += [f"## {title}\n", f"{what}\n", _table(module.COLUMNS)]
    return "\n".join(text)


def _table(rows: tuple[Column, ...]) -> str:
    head = "| column | type | meaning |\n|---|---|---|\n"
    return head + "".join(
        f"| `{row.name}` | {row.dtype} | {row.meaning.replace('|', '&#124;')} |\n" for row in rows
    )


if __name__ == "__main__":
    for name, text in pages().items():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")
