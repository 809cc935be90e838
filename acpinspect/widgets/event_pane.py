"""One event as HTML: what it is, when and from whom, its JSON as a tree and as text, what is wrong in it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from acpinspect.events import parse
from acpinspect.widgets.jsontree import tree_html
from acpinspect.widgets.markup import chip, go_to, short, visible
from acpinspect.widgets.spine import Spine

__all__ = ["Found", "codes_by_slot", "event_html", "event_title", "findings_html", "found_chip"]

_LONGEST_RAW: Final = 1_500
_LARGEST: Final = 4_000_000
_MOST_FINDINGS: Final = 4
_ARROWS: Final = {"agent": "agent → client", "client": "client → agent"}


def event_title(spine: Spine, position: int) -> str:
    """What an event is, in one line."""
    update, sender = spine.fact("update", position), spine.fact("sender", position)
    kind = spine.fact("kind", position)
    words = [str(spine.fact("method", position) or kind)]
    if kind in ("response", "error"):
        words[0] += f" ({kind})"
    words += [] if update is None else [str(update)]
    words += [] if sender is None else [_ARROWS.get(str(sender), str(sender))]
    return short(f"event {int(spine.numbers[position]):,}: {', '.join(words)}", 160)


def event_html(spine: Spine, position: int) -> str:
    """The facts, the tree and the raw text of an event."""
    raw = spine.raw(position)
    shown = raw[:_LONGEST_RAW]
    more = f"\n… {len(raw) - len(shown):,} more characters" if len(raw) > len(shown) else ""
    return (
        f'<div class="facts">{_facts(spine, position)}</div><div class="tree">{_tree(raw)}</div>'
        f'<details class="raw"><summary>raw text, {len(raw):,} characters</summary>'
        f"<pre>{visible(shown)}{more}</pre></details>"
    )


def _tree(raw: str) -> str:
    if len(raw) > _LARGEST:
        return '<p class="empty">Too large for a tree.</p>'
    try:
        return tree_html(parse(raw))
    except (ValueError, RecursionError):
        return '<p class="empty">It is no JSON that can be read.</p>'


def _facts(spine: Spine, position: int) -> str:
    facts = [f"step {position + 1:,}", *_places(spine, position), *_times(spine, position)]
    for name in ("turn", "phase", "epoch"):
        value = spine.fact(name, position)
        if value is not None and not (name == "epoch" and value == 0):
            facts.append(str(value) if name == "phase" else f"{name} {value}")
    text = " · ".join(short(fact, 90) for fact in facts)
    asked, problem = spine.fact("reply_to", position), spine.fact("problem", position)
    if isinstance(asked, int | np.integer):
        text += f" · {_answers(spine, int(asked), position)}"
    if (answer := spine.answers.get(int(spine.numbers[position]))) is not None:
        text += f" · {go_to(answer + 1, f'answered by event {int(spine.numbers[answer]):,}')}"
        text += _took(spine, position, answer)
    if problem is not None:
        text += f' · <span class="bad">⚠ {short(str(problem), 160)}</span>'
    return text


def _places(spine: Spine, position: int) -> list[str]:
    line = spine.fact("line", position)
    return [] if line is None else [f"line {line}"]


def _times(spine: Spine, position: int) -> list[str]:
    now = spine.seconds(position)
    before = spine.seconds(position - 1) if position else None
    if now is None:
        return []
    return [f"+{now:.3f} s" + ("" if before is None else f" ({now - before:+.3f} s after the event before)")]


def _answers(spine: Spine, asked: int, position: int) -> str:
    """The request that a response answers, and how long that took."""
    at = spine.position_of(asked)
    if at is None:
        return f"answers event {asked:,}"
    return go_to(at + 1, f"answers event {asked:,}") + _took(spine, at, position)


def _took(spine: Spine, asked: int, answered: int) -> str:
    """How long a reply took, where the log has times."""
    began, ended = spine.seconds(asked), spine.seconds(answered)
    return "" if began is None or ended is None else f" after {ended - began:.3f} s"


class Found(NamedTuple):
    """What was found at an event.

    Attributes:
        position: Where the event stands in the session.
        code: The code.
        severity: How grave it is there.
    """

    position: int
    code: str
    severity: str


def codes_by_slot(spine: Spine, findings: pd.DataFrame | None) -> dict[int, list[Found]]:
    """What was found in the events of each entity."""
    codes: dict[int, list[Found]] = {}
    if findings is not None:
        columns = (findings[name].tolist() for name in ("event", "code", "severity"))
        for event, code, severity in zip(*columns, strict=True):
            position = spine.position_of(event)
            if position is not None:
                found = Found(position, str(code), str(severity))
                codes.setdefault(int(spine.slots[position]), []).append(found)
    return codes


def found_chip(found: Found) -> str:
    """What was found, as a label: a fault stands out, a note doesn't."""
    sign = _SEVERITY_SIGNS.get(found.severity, "")
    return chip(f"{sign} {found.code}", "" if found.severity == "info" else "bad", found.severity)


def findings_html(findings: pd.DataFrame, spine: Spine) -> str:
    """What was found at an event, each with its remedy."""
    return "".join(_finding(row, spine) for row in findings.head(_MOST_FINDINGS).itertuples()) + (
        f'<p class="more">{len(findings) - _MOST_FINDINGS:,} more findings at this event</p>'
        if len(findings) > _MOST_FINDINGS
        else ""
    )


_SEVERITY_SIGNS: Final = {"error": "✕", "warning": "⚠", "info": "ℹ"}


def _finding(row: object, spine: Spine) -> str:
    severity = str(getattr(row, "severity", "info"))
    related = [spine.position_of(event) for event in list(getattr(row, "related", []))[:6]]
    leads = " ".join(go_to(at + 1, f"event {int(spine.numbers[at])}") for at in related if at is not None)
    return (
        f'<div class="finding {severity if severity in _SEVERITY_SIGNS else "info"}">'
        f"<b>{_SEVERITY_SIGNS.get(severity, '')} {short(str(getattr(row, 'code', '')))}</b>, {short(severity)}"
        f"<div>{short(str(getattr(row, 'message', '')), 500)} {leads}</div>"
        f'<div class="remedy">Remedy: {short(str(getattr(row, "remedy", "")), 400)}</div></div>'
    )
