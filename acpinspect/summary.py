"""The first look at a log: one row for each source, with what is in it and how much of it is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from acpinspect.events import Column
from acpinspect.opening import Events, events_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "summarize"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("source", "string", "Name of the file, stream or object; one row for each."),
    Column("protocol", "string", "v1 or v2; joined by + where connections differ."),
    Column("sessions", "int64", "Number of sessions."),
    Column("turns", "int64", "Number of prompt turns."),
    Column("events", "int64", "Number of rows of the events table."),
    Column("updates", "int64", "How many of them are session updates."),
    Column("messages", "int64", "Number of messages under the policy asked for."),
    Column("user", "int64", "How many of these messages are the user's."),
    Column("agent", "int64", "How many are the agent's."),
    Column("thought", "int64", "How many are thoughts."),
    Column("by_ids", "int64", "Number of messages if ids alone count: a chunk without id is one (policy `ids`)."),
    Column("no_ids", "int64", "Number of messages if ids are not looked at (policy `heuristic`)."),
    Column("tools", "int64", "Number of tool calls."),
    Column("unreadable", "int64", "Number of records that could not be read."),
    Column("odd", "int64", "Number of ACP messages with a `problem`, and of unreadable records."),
    Column("started", "datetime64[ns, UTC]", "Time of the first timed event; NaT without times."),
    Column("duration", "float64", "Seconds from the first timed event to the last; NaN without times."),
)


def summarize(events: Events, policy: str = "spec") -> pd.DataFrame:
    """Say what is in a log, source by source.

    Args:
        events: An events table, or the path of a log.
        policy: The rule that makes messages of events.

    Returns:
        One row for each source in the order of the table, with the columns of `COLUMNS`. Where `by_ids`,
        `messages` and `no_ids` differ, clients that follow different rules show different messages.

    Raises:
        EventsError: If `events` is no events table.
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> from acpinspect.summary import summarize
        >>> def chunk(text, message_id):
        ...     update = {"sessionUpdate": "agent_message_chunk", "messageId": message_id}
        ...     return ("s1", update | {"content": {"type": "text", "text": text}})
        >>> events = acpinspect.from_records([chunk("Hel", "m1"), chunk("lo.", "m1"), chunk("Bye.", "m2")])
        >>> summary = summarize(events)
        >>> summary[["events", "messages", "by_ids", "no_ids"]].iloc[0].tolist()
        [3, 2, 2, 1]
    """
    import pandas as pd

    events = events_of(events)
    sources = list(dict.fromkeys(events["source"].astype("string")))
    found = pd.DataFrame({"source": pd.array(sources, dtype="string")})
    columns = _counts(events) | _messages(events, policy) | _times(events)
    for column in COLUMNS[1:]:
        values = columns[column.name].reindex(sources)
        found[column.name] = values.fillna(0).astype("int64").array if column.dtype == "int64" else values.array
    return found


def _counts(events: pd.DataFrame) -> dict[str, pd.Series]:
    """What can be counted without grouping, by source."""
    protocol = events[["source", "protocol"]].dropna().drop_duplicates().astype("string").sort_values("protocol")
    return {
        "protocol": protocol.groupby("source")["protocol"].agg("+".join).astype("string"),
        "sessions": _distinct(events, "session_id"),
        "turns": _distinct(events, "session_id", "turn"),
        "events": _number(events),
        "updates": _number(events[events["update"].notna()]),
        "tools": _distinct(events, "session_id", "epoch", "tool_call_id"),
        "unreadable": _number(events[events["kind"] == "unreadable"]),
        "odd": _number(events[events["problem"].notna() & (events["kind"] != "other")]),
    }


def _messages(events: pd.DataFrame, policy: str) -> dict[str, pd.Series]:
    """The number of messages, by role and by policy; a message counts where it begins."""
    first = _beginnings(events, policy)
    roles = {role: _number(first[first["role"] == role]) for role in ("user", "agent", "thought")}
    return {
        "messages": _number(first),
        **roles,
        "by_ids": _number(_beginnings(events, "ids")),
        "no_ids": _number(_beginnings(events, "heuristic")),
    }


def _beginnings(events: pd.DataFrame, policy: str) -> pd.DataFrame:
    from acpinspect.grouping import group

    return events.loc[group(events, policy).dropna().drop_duplicates().index]


def _times(events: pd.DataFrame) -> dict[str, pd.Series]:
    by_source = events.groupby(events["source"].astype("string"), sort=False)
    started, ended = by_source["time"].min(), by_source["time"].max()
    elapsed = by_source["elapsed"].max() - by_source["elapsed"].min()
    return {"started": started, "duration": (ended - started).dt.total_seconds().fillna(elapsed)}


def _number(events: pd.DataFrame) -> pd.Series:
    return events["source"].astype("string").value_counts()


def _distinct(events: pd.DataFrame, *columns: str) -> pd.Series:
    """How many different values (or combinations of values) each source has."""
    return _number(events[["source", *columns]].dropna().drop_duplicates())
