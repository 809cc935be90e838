"""Which events make up which message: by id, by a named heuristic, or both."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from acpinspect.errors import ArgumentError
from acpinspect.grouping.labels import COLUMN_POLICIES, column_labels
from acpinspect.grouping.tokens import tokens

__all__ = ["group"]

_UNLABELLED: Final = -1


def group(events: pd.DataFrame, policy: str = "spec") -> pd.Series:
    """Label each event with the message that it is part of.

    Args:
        events: An events table of n rows, in the order of the log.
        policy: ``"spec"`` (ids where they are, the heuristic where they are not), ``"ids"`` (ids alone),
            ``"heuristic"`` (ids not looked at), ``"rfd-literal"`` or ``"spec-v2"``.

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
    if policy not in COLUMN_POLICIES:
        known = ", ".join(sorted(COLUMN_POLICIES))
        raise ArgumentError(f"There is no policy {policy!r}. Known policies: {known}.")
    labels = column_labels(tokens(events), policy)
    missing = labels == _UNLABELLED
    values = pd.arrays.IntegerArray(np.where(missing, 0, labels), missing)
    return pd.Series(values, index=events.index, name=policy)
