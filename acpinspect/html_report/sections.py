"""The parts of the report that need no script: what is wrong, what is in the log, its messages, its clients."""

from __future__ import annotations

from collections.abc import Callable
from itertools import starmap
from typing import TYPE_CHECKING, Final, NamedTuple

from acpinspect.diagnostics import CODES
from acpinspect.html_report.eventlog import source_names
from acpinspect.html_report.tables import cell, event_link, frame_table, table
from acpinspect.html_report.texts import element, escape

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Section", "clients_section", "findings_section", "messages_section", "summary_section", "verdict"]

_MOST_MESSAGES: Final = 1_000
_MOST_FINDINGS: Final = 50
_MOST_OPEN: Final = 4
_COLUMNS: Final = (
    "protocol", "sessions", "turns", "events", "messages", "by_ids", "no_ids", "tools", "unreadable", "odd",
    "duration",
)  # fmt: skip
_KINDS: Final = (
    "merged", "split", "shear", "reordered", "duplicated", "leaked", "absorbed", "lost",
)  # fmt: skip
_RANK: Final = {"error": 0, "warning": 1, "info": 2}


class Section(NamedTuple):
    """One part of the page.

    Attributes:
        name: Its anchor.
        heading: What it is called.
        body: Its HTML.
    """

    name: str
    heading: str
    body: str

    def html(self) -> str:
        """The part as HTML."""
        heading = element("h2", escape(self.heading), id=f"{self.name}-heading")
        return element("section", f"{heading}\n{self.body}", id=self.name, aria_labelledby=f"{self.name}-heading")


def verdict(events: pd.DataFrame, summary: pd.DataFrame, findings: pd.DataFrame, policy: str) -> str:
    """The log in one sentence of HTML."""
    messages = f"{_count(int(summary['messages'].sum()), 'message')} (policy {escape(policy, 60)})"
    sessions = _count(int(summary["sessions"].sum()), "session")
    counts = findings["severity"].astype(str).value_counts()
    wrong = [_count(int(counts[name]), name) for name in ("error", "warning") if name in counts]
    found = f"<b>{' and '.join(wrong)}</b>" if wrong else "no error and no warning"
    return f"{_count(len(events), 'event')}, {sessions}, {messages}: {found}."


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def findings_section(findings: pd.DataFrame) -> Section:
    """What is wrong: one block for each code, the gravest first, with what to do about it."""
    if not len(findings):
        return Section("findings", "Findings", "<p>Nothing was found to be wrong.</p>")
    ranks = findings["severity"].astype(str).map(_RANK)
    groups = [
        (int(ranks[part.index].min()), -len(part), str(code), part)
        for code, part in findings.groupby(findings["code"].astype(str), sort=True)
    ]
    groups.sort(key=lambda group: group[:3])
    several = findings["session_id"].nunique() > 1
    blocks = [
        _code(code, part, is_open=place < _MOST_OPEN and rank < _RANK["info"], several=several)
        for place, (rank, _, code, part) in enumerate(groups)
    ]
    return Section("findings", "Findings", "\n".join(blocks))


def _code(code: str, found: pd.DataFrame, *, is_open: bool, several: bool) -> str:
    worst = min(found["severity"].astype(str), key=lambda severity: _RANK.get(severity, 3))
    entry = CODES.get(code)
    means = f" {escape(entry.means, 400)}" if entry else ""
    times = f"{len(found):,} time{'' if len(found) == 1 else 's'}"
    summary = (
        f'<summary><span class="severity">{escape(worst)}</span> <b>{escape(code)}</b>, {times}.{means}</summary>'
    )
    shown = found.head(_MOST_FINDINGS)
    names = shown["session_id"] if several else [None] * len(shown)
    lines = starmap(_finding, zip(shown["event"], shown["message"], names, strict=True))
    rest = len(found) - len(shown)
    more = f"<li>and {rest:,} more: step through them in the explorer</li>" if rest else ""
    advice = f"<p><b>Remedy:</b> {escape(str(found['remedy'].iloc[0]), 1_000)}</p>"
    spec = str(found["spec"].iloc[0])
    place = f'<p class="dim">Specification: {escape(spec, 400)}</p>' if spec not in ("-", "<NA>", "") else ""
    body = f"{summary}{advice}{place}<ul>{''.join(lines)}{more}</ul>"
    return element("details", body, class_=f"code {worst}", open="" if is_open else None)


def _finding(event: int, message: object, session: object) -> str:
    where = f' <span class="dim">({escape(_short(session))})</span>' if isinstance(session, str) else ""
    return f"<li>event {event_link(event)}: {escape(str(message), 500)}{where}</li>"


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:9]}…{name[-6:]}"


def summary_section(events: pd.DataFrame, summary: pd.DataFrame) -> Section:
    """What is in each source, and whether clients agree on its messages."""
    names = source_names(events)
    shown = summary.assign(source=summary["source"].map(lambda name: names.get(str(name), str(name))))
    shown = shown.set_index("source")
    columns = list(_COLUMNS)
    body = frame_table(shown[columns], numbers=columns[1:])
    differ = bool(((summary["by_ids"] != summary["messages"]) | (summary["no_ids"] != summary["messages"])).any())
    note = (
        "By ids alone and without ids the numbers of messages differ: clients that follow different rules show "
        "different messages."
        if differ
        else "With ids, without ids and by both there are as many messages."
    )
    more = f"<p>The first 100 of {len(shown):,} sources.</p>" if len(shown) > 100 else ""
    return Section("summary", "What is in it", f"{body}{more}<p>{note}</p>")


def messages_section(events: pd.DataFrame, messages: pd.DataFrame, policy: str) -> Section:
    """One row for each message."""
    names = source_names(events)
    sources = events["source"].astype(str).reindex(messages["first_event"]).map(names)
    shown = messages.assign(source=sources.to_numpy()).head(_MOST_MESSAGES)
    where = [name for name in ("source", "session_id") if shown[name].nunique(dropna=False) > 1]
    head: list[tuple[str, str | None]] = [("event", "number"), ("turn", "number"), ("role", None), ("id", None)]
    head += [("opened by", None), ("chunks", "number"), ("text", None)]
    head[1:1] = [(name.removesuffix("_id"), None) for name in where]
    body = table(head, (_message(row, where) for row in shown.itertuples()))
    rest = len(messages) - len(shown)
    more = f"<p>The first {len(shown):,} of {len(messages):,}: the explorer has all.</p>" if rest else ""
    title = f"Messages, by policy {policy}"
    return Section("messages", title, body + more if len(messages) else "<p>There is none.</p>")


def _message(row: object, where: list[str]) -> list[str]:
    get: Callable[[str], object] = lambda name: getattr(row, name)  # noqa: E731 - a row is typed by its table
    cells = [f'<td class="number">{event_link(get("first_event"))}</td>']
    cells += [cell(get(name), "id") for name in where]
    cells += [cell(get("turn"), "number"), cell(get("role")), cell(get("message_id"), "id"), cell(get("boundary"))]
    return [*cells, cell(get("n_chunks"), "number"), cell(get("text"), "text")]


def clients_section(clients: pd.DataFrame) -> Section:
    """What each client would show: the table of `compare_clients`, clients that show the same in one row."""
    kinds = [name for name in _KINDS if name in clients and clients[name].any()]
    columns = ["messages", "right", *kinds, "boundary_f1", "first_event"]
    shown = clients[columns].astype(object).where(clients[columns].notna(), None)
    rows: dict[tuple[object, ...], list[str]] = {}
    for name, values in zip(clients.index.astype(str), shown.itertuples(index=False, name=None), strict=True):
        rows.setdefault(values, []).append(name)
    order = sorted(rows, key=lambda values: (-len(rows[values]), rows[values][0]))
    head = [("clients and rules", None), *((name.replace("_", " "), "number") for name in columns)]
    body = table(head, (_client(rows[values], values) for values in order))
    note = (
        "<p>Each client puts chunks together by a rule of its own; this is what each rule makes of this log, held "
        "against the default policy. Clients that show the same stand in one row.</p>"
    )
    return Section("clients", "What clients would show", note + body)


def _client(names: list[str], values: tuple[object, ...]) -> list[str]:
    *numbers, event = values
    link = "" if event is None else event_link(event)
    cells = [cell(number, "number") for number in numbers]
    return [cell(", ".join(names), "text", 2_000), *cells, f'<td class="number">{link}</td>']
