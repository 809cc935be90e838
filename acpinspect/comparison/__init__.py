"""Groupings compared: boundary by boundary, message by message, in numbers, and client by client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from acpinspect.comparison.alignment import paired, paired_texts
from acpinspect.comparison.clients import compare_clients
from acpinspect.comparison.explaining import Explanation, explain
from acpinspect.comparison.kinds import KINDS
from acpinspect.comparison.result import Comparison, check_comparison
from acpinspect.comparison.truth import TrueMessages, checked_truth
from acpinspect.grouping.applying import name_of
from acpinspect.grouping.vocabulary import ROLES
from acpinspect.message_table import messages
from acpinspect.opening import Events, events_of

if TYPE_CHECKING:
    from acpinspect.grouping.applying import AnyPolicy

__all__ = [
    "KINDS",
    "Comparison",
    "Explanation",
    "check_comparison",
    "compare",
    "compare_clients",
    "compare_logs",
    "explain",
]


def compare(events: Events, a: AnyPolicy | pd.DataFrame = "ids", b: AnyPolicy = "heuristic") -> Comparison:
    """Compare two groupings of one log, or a grouping with the truth.

    Args:
        events: An events table, or the path of a log.
        a: The reference: a policy; or a table of the true messages with columns `role` and `text`, in order,
            whose words are aligned with those of the log. Roles that it lacks are left out.
        b: The policy that is held against it.

    Returns:
        A `Comparison`: `.boundaries`, `.disagreements`, `.kinds`, `.measures`, `.worst(n)`; in a notebook it shows
        both groupings side by side.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such policy, or the table of true messages lacks a column.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One ", "m1"), chunk("two.", "m1"), chunk("Three.", "m2")])
        >>> comparison = acpinspect.compare(events, "ids", "heuristic")
        >>> comparison.disagreements[["event", "verdict"]].values.tolist()
        [[2, 'only a']]
        >>> comparison.measures.loc["boundary_recall", "value"].item()
        0.0
    """
    events = events_of(events)
    if isinstance(a, pd.DataFrame):
        truth = checked_truth(a)
        roles = [role for role in ROLES if (truth["role"] == role).any()]
        policies = TrueMessages(truth), b
        logs, tables = (events.iloc[:0], events), (truth, messages(events, b))
        return Comparison(paired_texts(policies, logs, tables, roles=roles))
    return Comparison(paired(events, a, b))


def compare_logs(a: Events, b: Events, policy: AnyPolicy = "spec") -> Comparison:
    """Compare one session in two logs, such as the live one and its replay.

    The messages of both logs are aligned role by role, by the words that both have.

    Args:
        a: The events of the one, taken as the reference.
        b: The events of the other.
        policy: The policy that groups both.

    Raises:
        EventsError: If one is no events table.
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> live = acpinspect.from_records([chunk("One "), chunk("message.")])
        >>> replay = acpinspect.from_records([chunk("One message.")])
        >>> acpinspect.compare_logs(live, replay).same
        True
    """
    a, b = events_of(a), events_of(b)
    tables = messages(a, policy), messages(b, policy)
    name = name_of(policy)
    return Comparison(
        paired_texts((policy, policy), (a, b), tables, (f"{name}, first log", f"{name}, second log"))
    )
