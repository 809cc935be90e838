"""Which events make up which message: by id, by a named heuristic, as a real client would, or by your own rule."""

from __future__ import annotations

import pandas as pd

from acpinspect.grouping.applying import AnyPolicy, Shared, apply, name_of, nullable, outcomes
from acpinspect.grouping.policy import Cues, Policy, Rules, Stream
from acpinspect.grouping.registry import get_policy, policies, register_policy
from acpinspect.opening import Events, events_of

__all__ = [
    "AnyPolicy",
    "Cues",
    "Policy",
    "Rules",
    "Stream",
    "get_policy",
    "group",
    "outcomes",
    "policies",
    "register_policy",
]


def group(events: Events, policy: AnyPolicy = "spec") -> pd.Series:
    """Label each event with the message that it is part of.

    Args:
        events: An events table, or the path of a log: n rows, in the order of the log.
        policy: ``"spec"`` (ids where they are, the heuristic where they are not), ``"ids"`` (ids alone),
            ``"heuristic"`` (ids not looked at), the name of a client (`acpinspect.policies` lists them), a
            `Policy`, or a function of the events that gives a label for each.

    Returns:
        Int64 Series with the table's index: numbers from 0 in the order in which the messages first appear; NA
        where the event is no part of a message. Labels don't change when the log is extended.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One ", "m1"), chunk("two", "m1"), chunk("Three", "m2")])
        >>> acpinspect.group(events).tolist(), acpinspect.group(events, "heuristic").tolist()
        ([0, 0, 1], [0, 0, 0])
    """
    table = events_of(events)
    outcome = apply(policy, Shared(table))
    return pd.Series(nullable(outcome.labels), index=table.index, name=name_of(policy))
