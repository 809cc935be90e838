"""What is wrong in a log: the public function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from acpinspect.diagnostics.engine import findings_in
from acpinspect.diagnostics.findings import Severity, together
from acpinspect.diagnostics.options import OptionsLike
from acpinspect.diagnostics.windows import windows
from acpinspect.errors import ArgumentError
from acpinspect.opening import Events, events_of

__all__ = ["diagnose"]


def diagnose(
    events: Events | Iterator[pd.DataFrame],
    *,
    codes: Iterable[str] | str | None = None,
    severity: Severity | None = None,
    policy: str = "spec",
    options: OptionsLike = None,
) -> pd.DataFrame:
    """Find what is wrong in a log, or looks as if it were.

    Args:
        events: An events table, or the path of a log, in the order of the log; or what `scan` gives, of which
            three pieces at a time are in memory. Each piece is then looked at with the one before and the one
            after it. What lies further apart is not seen together, save the beginning of messages and tool calls
            and the setup of connections and sessions, the latest 5,000 of each; and a rule that speaks once a log
            or once a message may speak again where these are longer.
        codes: Only these codes; `catalogue` lists them.
        severity: Only findings at least as grave: ``"info"``, ``"warning"`` or ``"error"``.
        policy: The policy whose messages the rules look at.
        options: Thresholds, as `DiagnoseOptions` or as a mapping.

    Returns:
        One row a finding, sorted by event: `code`, `severity`, `session_id`, `event`, `related`, `message`,
        `remedy`, `spec`. The columns and their types are the same without findings.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such code, severity, policy or option.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> events = acpinspect.from_records([chunk("Reading is done."), chunk("Now I write.")])
        >>> findings = acpinspect.diagnose(events, severity="warning")
        >>> print(findings["code"].tolist(), findings["message"][0])
        ['glued-boundary'] "Now I write." follows "Reading is done." in one message, with no id to tell.
    """
    if not isinstance(events, Iterator):
        return findings_in(events_of(events), codes=codes, severity=severity, policy=policy, options=options)
    parts = []
    for window, piece in windows(events):
        found = findings_in(window, codes=codes, severity=severity, policy=policy, options=options)
        parts.append(found[found["event"].isin(piece)])
    if not parts:
        raise ArgumentError("There is not one events table in what was given. A scan can be walked through once.")
    return together(parts)
