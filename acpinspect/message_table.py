"""The messages table: one row per message of a log."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from acpinspect.grouping.applying import AnyPolicy, Shared, apply, looks_at_ids
from acpinspect.message_pieces import messages_of_pieces
from acpinspect.message_rows import COLUMNS, Told, rows_of, told
from acpinspect.opening import Events, events_of

__all__ = ["COLUMNS", "Told", "messages", "told"]


def messages(events: Events | Iterator[pd.DataFrame], policy: AnyPolicy = "spec") -> pd.DataFrame:
    """Put the events of each message together.

    Args:
        events: An events table, or the path of a log, in the order of the log; or what `scan` gives, of which one
            piece at a time is in memory beside the messages. A scan takes the policies ids, spec, spec-v2,
            heuristic and rfd-literal.
        policy: What `group` takes: a name, a `Policy`, or a function of the events.

    Returns:
        One row per message, in the order in which the messages first appear; the index `message` is the label
        that `group` gives its events. The columns are those of `acpinspect.message_table.COLUMNS`. Whole-message
        updates replace, clear or leave the content as the protocol says; chunks append.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such policy, or a scan can't be grouped by it.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> table = acpinspect.messages(acpinspect.from_records([chunk("One "), chunk("message")]))
        >>> table.loc[0, ["role", "text", "boundary", "events"]].tolist()
        ['agent', 'One message', 'start', [0, 1]]
    """
    if isinstance(events, Iterator):
        return messages_of_pieces(events, policy)
    table = Shared(events_of(events))
    return rows_of(table, apply(policy, table).labels, by_id=looks_at_ids(policy))
