"""The report as one page: its parts put together, and the policy that keeps it from fetching anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import acpinspect
from acpinspect.html_report.assets import page_head, script, style, template
from acpinspect.html_report.eventlog import event_log, source_names
from acpinspect.html_report.packing import data_element
from acpinspect.html_report.sections import (
    Section,
    clients_section,
    findings_section,
    messages_section,
    summary_section,
    verdict,
)
from acpinspect.html_report.texts import escape

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.grouping import Policy

__all__ = ["page"]

_TEXTS: Final = (20_000, 4_000, 1_000, 250)
"""Characters of one text in an event's JSON: the first of these is taken with which the page fits."""
_BYTES_AN_EVENT: Final = 500
"""A log of more than 10,000 events may take so many more."""


def page(events: pd.DataFrame, policy: Policy | str, title: str | None, size: int) -> str:
    """The whole page.

    Args:
        events: An events table.
        policy: The grouping.
        title: The heading; else the names of the sources.
        size: Bytes that it should take at most.
    """
    from acpinspect.diagnostics import diagnose
    from acpinspect.message_table import messages
    from acpinspect.summary import summarize

    name = policy if isinstance(policy, str) else policy.name
    table, findings = messages(events, policy), diagnose(events)
    summary = summarize(events, policy)  # type: ignore[arg-type]  # it groups, and takes what group takes
    sections = [summary_section(events, summary), messages_section(events, table, name), *_clients(events)]
    first = findings_section(findings)
    css, js = style(), script()
    heading = escape(title or _title(events), 200)
    filled = {
        "head": page_head(heading, css, js),
        "title": heading,
        "verdict": verdict(events, summary, findings, name),
        "nav": _navigation([first, Section("explorer-section", "Step through it", ""), *sections]),
        "findings": first.html(),
        "sections": "\n".join(section.html() for section in sections),
        "shown_by": escape(name, 60),
        "footer": f"Made by acpinspect {acpinspect.__version__}. It holds the log, and loads and sends nothing.",
        "script": js,
    }
    bound = max(size, _BYTES_AN_EVENT * len(events)) - sum(len(part.encode()) for part in filled.values())
    return template().substitute(filled, data=_data(events, findings, table, policy, bound))


def _data(
    events: pd.DataFrame, findings: pd.DataFrame, table: pd.DataFrame, policy: Policy | str, bound: int
) -> str:
    """The log for the explorer, with its texts cut as far as it takes to fit."""
    data = ""
    for longest in _TEXTS:
        data = data_element(event_log(events, findings, table, policy, longest))
        if len(data) <= bound:
            break
    return data


def _title(events: pd.DataFrame) -> str:
    names = [name for name in source_names(events).values() if name]
    if not names:
        return "An empty log"
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _navigation(sections: list[Section]) -> str:
    return " ".join(f'<a href="#{section.name}">{escape(section.heading)}</a>' for section in sections)


def _clients(events: pd.DataFrame) -> list[Section]:
    try:
        from acpinspect.comparison import compare_clients
    except ImportError:
        return []
    return [clients_section(compare_clients(events))]
