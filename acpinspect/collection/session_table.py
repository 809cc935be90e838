"""One row for each session of a recording: who spoke, how much, with which ids, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from acpinspect.collection.parties import Party, at_events, parties
from acpinspect.events import Column
from acpinspect.grouping import group
from acpinspect.grouping.contracts import typed

if TYPE_CHECKING:
    from acpinspect.diagnostics.columns import Ints

__all__ = ["COLUMNS", "IDS", "session_table"]

IDS: Final = ("always", "sometimes", "never")
"""How many of a session's pieces of messages carry an id."""

COLUMNS: Final[tuple[Column, ...]] = (
    Column("session_id", "string", "The session."),
    Column("agent", "string", "The agent, by the last `initialize` before the session began; NA if not told."),
    Column("agent_version", "string", "Its version."),
    Column("client", "string", "The client, likewise."),
    Column("client_version", "string", "Its version."),
    Column("protocol", "category", "v1 or v2; v1+v2 where its events differ."),
    Column("ids", "category", "always, sometimes or never: which of its message updates have an id; NA for none."),
    Column("events", "int64", "How many events it has."),
    Column("updates", "int64", "How many of them are session updates."),
    Column("messages", "int64", "How many messages, by the policy `spec`."),
    Column("turns", "int64", "How many prompt turns."),
    Column("tools", "int64", "How many tool calls."),
    Column("loads", "int64", "How often it was loaded, or replayed without being asked."),
    Column("replayed", "int64", "How many of its events are a replay."),
    Column("errors", "int64", "How many findings of the severity error."),
    Column("warnings", "int64", "How many of the severity warning."),
    Column("infos", "int64", "How many of the severity info."),
    Column("started", "datetime64[ns, UTC]", "Time of its first timed event; NaT without times."),
    Column("duration", "float64", "Seconds from its first timed event to its last; NaN without times."),
)

_SEVERITIES: Final = {"error": "errors", "warning": "warnings", "info": "infos"}


def session_table(events: pd.DataFrame, findings: pd.DataFrame) -> pd.DataFrame:
    """The sessions of one recording, in the order in which they begin.

    Args:
        events: The events table of one recording.
        findings: What was found in it.

    Returns:
        One row a session, with the columns of `COLUMNS`. Cost: that of one grouping.
    """
    session, names = pd.factorize(events["session_id"])
    n = len(names)
    first = np.searchsorted(np.maximum.accumulate(np.append(-1, session)), np.arange(n)) - 1
    begun = events.index.to_numpy()[first]
    agents, clients = parties(events)
    columns: dict[str, object] = {
        "session_id": names,
        **_side("agent", agents, at_events(agents, begun)),
        **_side("client", clients, at_events(clients, begun)),
        "protocol": _protocols(events, session, n),
        "ids": _ids(events, session, n),
        **_counts(events, session, n),
        **_found(findings, names),
        **_times(events, session, n),
    }
    return typed(pd.DataFrame(columns, index=pd.RangeIndex(n)), COLUMNS)


def _side(side: str, found: list[Party], place: Ints) -> dict[str, object]:
    told = [found[number] if number >= 0 else None for number in place.tolist()]
    return {
        side: pd.array([None if one is None else one.name for one in told], dtype="string"),
        f"{side}_version": pd.array([None if one is None else one.version for one in told], dtype="string"),
    }


def _protocols(events: pd.DataFrame, session: Ints, n: int) -> pd.Categorical:
    spoken = pd.DataFrame({"session": session, "protocol": events["protocol"].astype(object).to_numpy()})
    pairs = spoken[spoken["session"] >= 0].dropna().drop_duplicates().sort_values("protocol")
    joined = pairs.groupby("session")["protocol"].agg("+".join).reindex(range(n))
    return pd.Categorical(joined.astype(object).where(joined.notna(), None))


def _ids(events: pd.DataFrame, session: Ints, n: int) -> pd.Categorical:
    spoken = (events["role"].notna() & (session >= 0)).to_numpy()
    present = spoken & (events["message_id_state"] == "present").to_numpy(dtype=bool)
    every = np.bincount(session[spoken], minlength=n)
    with_id = np.bincount(session[present], minlength=n)
    codes = np.select([every == 0, with_id == every, with_id > 0], [-1, 0, 1], 2)
    return pd.Categorical.from_codes(codes, categories=pd.Index(IDS, dtype=object))


def _counts(events: pd.DataFrame, session: Ints, n: int) -> dict[str, object]:
    label = group(events).to_numpy(dtype=np.int64, na_value=-1)
    begins = np.flatnonzero(label > np.maximum.accumulate(np.append(-1, label))[:-1])
    known = session >= 0
    turn = events["turn"].to_numpy(dtype=np.int64, na_value=-1)
    epoch = events["epoch"].to_numpy(dtype=np.int64, na_value=0)
    tool, _ = pd.factorize(events["tool_call_id"])
    loads = np.zeros(n, dtype=np.int64)
    np.maximum.at(loads, session[known], epoch[known])
    return {
        "events": np.bincount(session[known], minlength=n),
        "updates": np.bincount(session[known & events["update"].notna().to_numpy()], minlength=n),
        "messages": np.bincount(session[begins][session[begins] >= 0], minlength=n),
        "turns": _distinct(n, session, turn),
        "tools": _distinct(n, session, tool, epoch),
        "loads": loads,
        "replayed": np.bincount(session[known & (events["phase"] == "replay").to_numpy(dtype=bool)], minlength=n),
    }


def _distinct(n: int, session: Ints, values: Ints, *more: Ints) -> Ints:
    """How many different values (or combinations) each session has; -1 is none."""
    table = pd.DataFrame({"session": session, "value": values, **{f"{i}": one for i, one in enumerate(more)}})
    table = table[(session >= 0) & (values >= 0)].drop_duplicates()
    return np.bincount(table["session"].to_numpy(), minlength=n)


def _found(findings: pd.DataFrame, names: pd.Index) -> dict[str, object]:
    number = {name: place for place, name in enumerate(names.tolist())}
    place = np.array([number.get(name, -1) for name in findings["session_id"].tolist()], dtype=np.int64)
    severity = findings["severity"].astype(object).to_numpy()
    return {
        column: np.bincount(place[(severity == name) & (place >= 0)], minlength=len(names))
        for name, column in _SEVERITIES.items()
    }


def _times(events: pd.DataFrame, session: Ints, n: int) -> dict[str, object]:
    known = session >= 0
    by_session = events.loc[known, ["time", "elapsed"]].groupby(session[known])
    began, ended = (by_session["time"].agg(how).reindex(range(n)) for how in ("min", "max"))
    elapsed = (by_session["elapsed"].max() - by_session["elapsed"].min()).reindex(range(n))
    return {"started": began, "duration": (ended - began).dt.total_seconds().fillna(elapsed)}
