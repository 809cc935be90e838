"""The page about a corpus: agents and their ids, agents by clients, findings with their smallest examples."""

from __future__ import annotations

import math
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Final

import pandas as pd

import acpinspect
from acpinspect.collection.bars import bar, legend, shares
from acpinspect.collection.overview import Overview
from acpinspect.collection.session_table import IDS
from acpinspect.diagnostics.catalogue import CODES
from acpinspect.html_report.assets import page_head, page_style
from acpinspect.html_report.eventlog import without_shared_folders
from acpinspect.html_report.sections import Section
from acpinspect.html_report.tables import cell, table
from acpinspect.html_report.texts import element, escape

if TYPE_CHECKING:
    from acpinspect.collection.examples import Example

__all__ = ["page"]

_TITLE: Final = "A corpus of ACP recordings"
_MOST_AGENTS: Final = 60
_MOST_PROBLEMS: Final = 100
_MEANINGS: Final = (
    ("always", "every piece has an id"),
    ("sometimes", "some have one"),
    ("never", "none has one"),
    ("none", "no messages"),
)
_STEPS: Final = (0.0, 0.1, 0.3, 0.6)
"""Shares of wrong messages from which on a cell of the matrix is darker."""


def page(overview: Overview) -> str:
    """The whole page."""
    css = page_style() + _read("corpus.css")
    sections = [_agents(overview), _matrix(overview), _findings(overview), _problems(overview), _files(overview)]
    filled = {
        "head": page_head(_TITLE, css, None),
        "title": _TITLE,
        "verdict": escape(overview.sentence),
        "nav": " ".join(f'<a href="#{one.name}">{escape(one.heading)}</a>' for one in sections),
        "sections": "\n".join(one.html() for one in sections),
        "footer": f"Made by acpinspect {acpinspect.__version__}. It loads and sends nothing.",
    }
    return Template(_read("corpus.html")).substitute(filled)


def _read(name: str) -> str:
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def _agents(overview: Overview) -> Section:
    agents = overview.agents
    if agents.empty:
        return Section("agents", "Which agents send ids", "<p>There are no sessions.</p>")
    head: list[tuple[str, str | None]] = [("agent", None), ("messages with ids, by session", None)]
    head += [(name, "number") for name in ("sessions", *IDS, "recordings", "events", "messages", "turns")]
    head += [("errors", "number"), ("warnings", "number")]
    rows = []
    for agent, row in list(agents.iterrows())[:_MOST_AGENTS]:
        parts = [(name, int(row[name])) for name in IDS]
        parts.append(("none", int(row["sessions"]) - sum(size for _, size in parts)))
        numbers = [cell(int(row[name]), "number") for name, kind in head if kind == "number"]
        rows.append([cell(agent, "agent"), element("td", shares(parts)), *numbers])
    note = _more(len(agents), _MOST_AGENTS, "agents")
    return Section("agents", "Which agents send ids", legend(_MEANINGS) + table(head, rows) + note)


def _matrix(overview: Overview) -> Section:
    title = "Which clients would break which agents"
    shown = overview.matrix.head(_MOST_AGENTS)
    if shown.empty or not len(shown.columns):
        return Section("clients", title, "<p>There are no messages to compare.</p>")
    names = "".join(f'<th scope="col"><span>{escape(str(name), 60)}</span></th>' for name in shown.columns)
    body = "".join(_shares(agent, row) for agent, row in shown.iterrows())
    grid = (
        f'<div class="scroll"><table class="matrix"><thead><tr><td></td>{names}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )
    note = (
        "<p>In per cent: how many of an agent's messages a client would show otherwise than the default policy: "
        "split, merged, lost, or in the wrong place.</p>"
    )
    return Section("clients", title, note + grid + _more(len(overview.matrix), _MOST_AGENTS, "agents"))


def _shares(agent: object, row: pd.Series) -> str:
    cells = "".join(_share(agent, client, float(wrong)) for client, wrong in row.items())
    return f'<tr><th scope="row">{escape(str(agent), 120)}</th>{cells}</tr>\n'


def _share(agent: object, client: object, wrong: float) -> str:
    if math.isnan(wrong):
        return "<td></td>"
    step = sum(wrong > bound for bound in _STEPS)
    title = f"{client} shows {wrong:.1%} of the messages of {agent} wrongly"
    percent = f"{100 * wrong:.0f}" if wrong == 0 or wrong >= 0.005 else "<1"
    return element("td", escape(percent), class_=f"h{step}", title=title[:300])


def _names(overview: Overview) -> dict[str, str]:
    """The recordings that are named in the page, without the folders that they share."""
    named = [*overview.codes["recording"], *overview.problems["recording"]]
    return without_shared_folders(list(dict.fromkeys(map(str, named))))


def _findings(overview: Overview) -> Section:
    codes, names = overview.codes, _names(overview)
    if codes.empty:
        return Section("findings", "The most frequent findings", "<p>Nothing was found to be wrong.</p>")
    head = [("code", None), ("severity", None), ("findings", "number"), ("", None), ("sessions", "number")]
    head += [("recordings", "number"), ("agents", "number"), ("what it means", None), ("smallest example", None)]
    longest = int(codes["findings"].max())
    rows = [_code(row, longest, overview.examples.get(str(code)), names) for code, row in codes.iterrows()]
    return Section("findings", "The most frequent findings", table(head, rows))


def _code(row: pd.Series, longest: int, example: Example | None, names: dict[str, str]) -> list[str]:
    code = str(row.name)
    entry = CODES.get(code)
    numbers = [cell(int(row[one]), "number") for one in ("sessions", "recordings", "agents")]
    count = int(row["findings"])
    return [
        element("td", element("b", escape(code))),
        element("td", element("span", escape(str(row["severity"])), class_=f"severity {row['severity']}")),
        cell(count, "number"),
        element("td", bar(count, longest)),
        *numbers,
        cell(entry.means if entry else "", "text", 400),
        element("td", _example(row, example, names[str(row["recording"])])),
    ]


def _example(row: pd.Series, example: Example | None, name: str) -> str:
    origin = f"event {int(row['event'])} of {escape(name, 200)}"
    if example is None or not example.events:
        return f'<span class="dim">{origin}</span>'
    events = f"{example.events} event{'' if example.events == 1 else 's'}"
    return (
        f'<a href="examples/{escape(example.code)}.jsonl">{events}</a><br><span class="dim">from {origin}</span>'
    )


def _problems(overview: Overview) -> Section:
    problems, names = overview.problems, _names(overview)
    if problems.empty:
        return Section("problems", "What could not be read", "<p>Everything was read.</p>")
    head = [("recording", None), ("stage", None), ("error", None), ("what was wrong", None)]
    rows = [
        [cell(names[str(row.recording)], "text"), cell(row.stage), cell(row.error), cell(row.message, "text", 600)]
        for row in problems.head(_MOST_PROBLEMS).itertuples()
    ]
    note = _more(len(problems), _MOST_PROBLEMS, "problems")
    return Section("problems", "What could not be read", table(head, rows) + note)


def _files(overview: Overview) -> Section:
    rows = [[cell(name), cell(count, "number")] for name, count in overview.rows.items()]
    example = (
        "SELECT agent, count(*) FROM read_parquet('sessions/**/*.parquet', hive_partitioning = true) GROUP BY ALL"
    )
    note = (
        "<p>Beside this page, as Parquet. The folders <code>agent=…/date=…</code> are columns for DuckDB, Polars, "
        f"Spark and PyArrow:</p><pre>{escape(example)}</pre>"
    )
    return Section("tables", "The tables", table([("table", None), ("rows", "number")], rows) + note)


def _more(number: int, most: int, what: str) -> str:
    return (
        f'<p class="dim">The first {most} of {number:,} {what}; the tables have all.</p>' if number > most else ""
    )
