"""The report: a log, what is wrong with it, and an explorer, in one HTML file that loads nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from acpinspect.opening import Events, events_of

if TYPE_CHECKING:
    import os

    from acpinspect.grouping import Policy

__all__ = ["report"]

_SIZE: Final = 5_000_000


def report(
    events: Events,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    policy: Policy | str = "spec",
    size: int = _SIZE,
) -> Path:
    """Write a log as one HTML file: findings, an explorer that steps through the state, messages, summary.

    The file needs no network, no kernel and nothing beside it, and a policy in it forbids any fetch. Text of the
    log is shown and never run. It holds the log itself: see `acpinspect.redact` before you show it to others.

    Args:
        events: An events table, or the path of a log.
        path: Where to write it.
        title: The heading; else the names of the logs.
        policy: The grouping that the messages and the explorer follow.
        size: Bytes that it should take at most, for logs of up to 10,000 events; a larger log may take 500 bytes
            an event. Long texts in the JSON of the events are cut until it fits.

    Returns:
        The path of the file. The same events give the same bytes.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such policy.
        OSError: If the file can't be written.

    Example:
        >>> import acpinspect, tempfile
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> events = acpinspect.from_records([chunk("One "), chunk("message")])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     acpinspect.report(events, f"{folder}/report.html").read_text()[:15]
        '<!doctype html>'
    """
    from acpinspect.html_report.page import page

    table = events_of(events)
    target = Path(path)
    target.write_bytes(page(table, policy, title, size).encode("utf-8", "replace"))
    return target
