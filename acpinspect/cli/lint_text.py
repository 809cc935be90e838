"""Findings as a compiler shows them: the line, the place in it, the rule, the remedy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from acpinspect.cli.screen import console, printable

if TYPE_CHECKING:
    import pandas as pd
    from rich.text import Text

__all__ = ["print_findings"]

ROOM: Final = 96  # characters of a line of the log that are shown
SHOWN_RELATED: Final = 2
LEAD: Final = 24  # characters that are shown before the place
STYLES: Final = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}


def print_findings(findings: pd.DataFrame, events: pd.DataFrame, left_out: pd.DataFrame) -> None:
    """Print findings for people: each with its lines, and a count at the end, also of those that were left out."""
    out = console()
    for finding in findings.itertuples():
        out.print(_finding(finding, events), soft_wrap=True)
    said = _count(findings) or "No findings"
    if len(left_out):
        hidden = [name for name in STYLES if (left_out["severity"] == name).any()]
        said += f"; not shown: {_count(left_out)} (--severity {hidden[-1]})"
    out.print(said if len(findings) or len(left_out) else f"{said}.", soft_wrap=True)


def _finding(finding: object, events: pd.DataFrame) -> Text:
    """One finding."""
    from rich.text import Text

    severity, code, event = (getattr(finding, name) for name in ("severity", "code", "event"))
    style = STYLES[severity]
    related = [e for e in getattr(finding, "related") if e < event][-SHOWN_RELATED:]  # noqa: B009
    shown = [(e, *_line(events, e, code)) for e in related] + [(event, *_line(events, event, code))]
    width = max(len(_number(events, e)) for e, *_ in shown)
    gutter = " " * width
    text = Text()
    text.append(f"{severity}[{code}]", style).append(f": {printable(getattr(finding, 'message'))}\n")  # noqa: B009
    text.append(f"{gutter}--> {printable(_where(events, event))}\n{gutter} |\n")
    for e, line, _ in shown:
        text.append(f"{_number(events, e):>{width}} | ").append(f"{line}\n")
    before, marked = shown[-1][2]
    text.append(f"{gutter} | {' ' * before}").append("^" * marked + "\n", style)
    for name in ("remedy", "spec"):
        if (value := getattr(finding, name)) != "-":
            text.append(f"{gutter} = {name}: {value}\n")
    return text


def _where(events: pd.DataFrame, event: int) -> str:
    """Source, line, event and session."""
    row = events.loc[event]
    line = "" if row["line"] is None or str(row["line"]) == "<NA>" else f":{row['line']}"
    session = "" if str(row["session_id"]) == "<NA>" else f", session {row['session_id']}"
    return f"{row['source']}{line} (event {event}{session})"


def _number(events: pd.DataFrame, event: int) -> str:
    """What stands in the margin: the line, or the event where there are no lines."""
    line = str(events.at[event, "line"])
    return str(event) if line == "<NA>" else line


def _line(events: pd.DataFrame, event: int, code: str) -> tuple[str, tuple[int, int]]:
    """The part of a frame that is shown, and where the mark under it begins and how long it is."""
    from rich.cells import cell_len

    from acpinspect.diagnostics.places import place

    raw = str(events.at[event, "raw"])
    begin, end = place(raw, code)
    first = max(0, min(begin - LEAD, len(raw) - ROOM))
    last = min(len(raw), first + ROOM)
    end = min(max(end, begin + 1), last)
    dots = "…" if first else ""
    before = dots + printable(raw[first:begin])
    marked = printable(raw[begin:end])
    line = before + marked + printable(raw[end:last]) + ("…" if last < len(raw) else "")
    return line, (cell_len(before), max(1, cell_len(marked)))


def _count(findings: pd.DataFrame) -> str:
    """How many of each severity; nothing for none."""
    counts = Counter(findings["severity"].astype(str))
    parts = [
        f"{counts[name]} {name}{'s' * (counts[name] != 1)}"
        for name in ("error", "warning", "info")
        if counts[name]
    ]
    return ", ".join(parts).replace("infos", "info")
