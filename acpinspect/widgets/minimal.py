"""The smallest logs that still show what was found at an event, for a person who waits for them."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

import pandas as pd

from acpinspect.errors import AcpInspectError, ArgumentError
from acpinspect.minimizing import minimize

__all__ = ["MOST_EVENTS", "MOST_SECONDS", "MinimalLog", "minimal_logs"]

MOST_EVENTS: Final = 20_000
"""Longer logs are not minimized from a page: to look at them once takes a second."""

MOST_SECONDS: Final = 20.0
"""For how long is looked, for all findings of an event together."""


class MinimalLog(NamedTuple):
    """A small log, or why there is none.

    Attributes:
        code: The finding that it shows.
        raws: Its frames.
        problem: Why there is none; empty where there is one.
    """

    code: str
    raws: tuple[str, ...]
    problem: str


def minimal_logs(
    events: pd.DataFrame, findings: pd.DataFrame, event: int, seconds: float = MOST_SECONDS
) -> list[MinimalLog]:
    """For each code that was found at an event, the smallest log that still shows it.

    Args:
        events: The events table that the event stands in.
        findings: What was found in it.
        event: The event.
        seconds: For how long to look; then the smallest logs so far are taken.

    Raises:
        ArgumentError: Nothing was found at the event, or the table has too many events.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> events = acpinspect.from_records(map(chunk, ["Hello. ", "So ", "far.", "Then ", "more."]))
        >>> found = acpinspect.diagnose(events, severity="warning")
        >>> [(log.code, len(log.raws)) for log in minimal_logs(events, found, 3)]
        [('glued-boundary', 2)]
    """
    codes = list(dict.fromkeys(findings["code"][(findings["event"] == event).to_numpy()].astype(str)))
    if not codes:
        raise ArgumentError(
            f"Nothing was found at event {event:,}, so there is nothing that a minimal log could show. "
            "Go to a finding first."
        )
    if len(events) > MOST_EVENTS:
        raise ArgumentError(
            f"This log has {len(events):,} events, and up to {MOST_EVENTS:,} are minimized from here. "
            f"On the command line: acpinspect minimize LOG --code {codes[0]} --event {event} -o SMALL.ndjson."
        )
    until = time.monotonic() + seconds
    made = []
    for number, code in enumerate(codes):  # what one leaves of its share, the next ones have
        share = max(until - time.monotonic(), 0.0) / (len(codes) - number)
        made.append(_minimal(events, code, event, share))
    return made


def _minimal(events: pd.DataFrame, code: str, event: int, seconds: float) -> MinimalLog:
    try:
        small = minimize(events, code=code, event=event, max_seconds=seconds, progress=False)
    except AcpInspectError as error:
        return MinimalLog(code, (), str(error))
    return MinimalLog(code, tuple(small["raw"].tolist()), "")
