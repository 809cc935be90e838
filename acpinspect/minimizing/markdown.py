"""A small log as Markdown, to be pasted into a bug report."""

from __future__ import annotations

import importlib
import platform
import re
from typing import Any

import pandas as pd

from acpinspect.comparison import explain
from acpinspect.diagnostics import diagnose
from acpinspect.diagnostics.options import OptionsLike
from acpinspect.events import check_events, payloads
from acpinspect.grouping.applying import AnyPolicy, name_of
from acpinspect.message_table import messages
from acpinspect.minimizing.differences import differences

__all__ = ["bug_report"]

_LONGEST_LOG = 60_000


def bug_report(
    events: pd.DataFrame,
    *,
    code: str | None = None,
    origin: pd.DataFrame | None = None,
    policy: str = "spec",
    policies: tuple[AnyPolicy, AnyPolicy] | None = None,
    options: OptionsLike = None,
) -> str:
    """Write a log up for a bug report: what is wrong, with which versions, the frames, what a reader sees.

    Args:
        events: An events table, best from `minimize`.
        code: Only findings of this code; by default all.
        origin: The log that it was made of: it names agent and client where the small one doesn't.
        policy: The policy whose messages are shown.
        policies: Two policies that make different messages of it. Then what differs stands in the place of the
            findings, with the reason of the second one, and the messages of both are shown.
        options: Thresholds of `diagnose`.

    Returns:
        Markdown. Redact the events first if they hold what others shouldn't read.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such code or policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> events = acpinspect.from_records([chunk("I am done."), chunk("Now I write.")])
        >>> print(acpinspect.bug_report(events, code="glued-boundary").splitlines()[0])
        ### glued-boundary (warning) at event 1
    """
    events = check_events(events)
    if policies is None:
        wrong = _findings(diagnose(events, codes=code, options=options))
        seen = _messages(events, policy)
    else:
        wrong = _differences(events, policies)
        seen = [part for each in policies for part in _messages(events, each)]
    return "\n\n".join([*wrong, _versions(events, origin), *_frames(events), *seen]) + "\n"


def _findings(found: pd.DataFrame) -> list[str]:
    if found.empty:
        return ["### A log without findings"]
    return [
        f"### {row.code} ({row.severity}) at event {row.event}\n\n{_escaped(str(row.message))}\n\n"
        f"Remedy: {_escaped(str(row.remedy))}  \nSpecification: {_escaped(str(row.spec))}"
        for row in found.itertuples()
    ]


def _differences(events: pd.DataFrame, policies: tuple[AnyPolicy, AnyPolicy]) -> list[str]:
    """What became of the messages of one policy under the other, and why."""
    names = " and ".join(f"`{name_of(policy)}`" for policy in policies)
    for one, other in (policies, policies[::-1]):
        wrong = differences(events, one, other)
        if wrong.empty:
            continue
        kinds = wrong["kind"].astype(str).value_counts(sort=False)
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        parts = [f"### {names} make different messages of this log"]
        parts.append(f"Of the messages of `{name_of(one)}`, `{name_of(other)}` has {told}.")
        event = wrong["wrong_event"].dropna().min()
        why = [] if pd.isna(event) else [_fenced(str(explain(events, other, int(event), others=[])), "")]
        return parts + why
    return [f"### {names} make the same messages of this log"]


def _versions(events: pd.DataFrame, origin: pd.DataFrame | None) -> str:
    protocols = "+".join(events["protocol"].dropna().unique())
    lines = [f"- protocol {protocols or 'unknown'}"]
    lines += [f"- {side} {_escaped(name)}" for side, name in _sides(events if origin is None else origin).items()]
    # The package itself stands above this room: it is asked for its version, not imported.
    own: str = importlib.import_module("acpinspect").__version__
    return "\n".join([*lines, f"- acpinspect {own}, Python {platform.python_version()}"])


def _sides(events: pd.DataFrame) -> dict[str, str]:
    """Agent and client, as they named themselves in the first exchange of the log."""
    found: dict[str, str] = {}
    for value in payloads(events[(events["method"] == "initialize").to_numpy(dtype=bool)]):
        asked, told = _dict(value, "params"), _dict(value, "result")
        for side, own in (
            ("client", asked.get("clientInfo") or asked.get("info")),
            ("agent", told.get("agentInfo") or told.get("info")),
        ):
            if isinstance(own, dict) and side not in found:
                found[side] = " ".join(str(own[key]) for key in ("name", "version") if key in own)
    return found


def _dict(value: Any, key: str) -> dict[str, Any]:  # noqa: ANN401  (JSON is anything)
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _frames(events: pd.DataFrame) -> list[str]:
    log = "\n".join(re.sub("[\r\n]+", " ", str(raw)) for raw in events["raw"])
    if len(log) > _LONGEST_LOG:
        return [f"The log has {len(events):,} events: too long to be shown here."]
    return [f"The log ({len(events):,} event{'s' if len(events) != 1 else ''}, from 0):", _fenced(log, "json")]


def _messages(events: pd.DataFrame, policy: AnyPolicy) -> list[str]:
    seen = messages(events, policy)
    name = name_of(policy)
    if seen.empty:
        return [f"A reader sees no messages in it (policy `{name}`)."]
    rows = [
        f"{row.role} {row.message_id if isinstance(row.message_id, str) else '(no id)'}, "
        f"events {', '.join(map(str, own))}: {row.text!r}"
        for row, own in zip(seen.itertuples(), seen["events"], strict=True)
    ]
    return [f"What a reader sees (policy `{name}`):", _fenced("\n".join(rows), "")]


def _fenced(text: str, language: str) -> str:
    """A block of code, with a fence longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _escaped(text: str) -> str:
    """Plain text in Markdown; no tag of a log becomes one of the page."""
    return re.sub(r"([\\`*_<>\[\]|#])", r"\\\1", re.sub(r"\s+", " ", text))
