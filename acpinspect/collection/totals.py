"""What a run over a corpus comes to: agents, clients, findings, and the smallest recording that has each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from acpinspect.collection.arrow_tables import put_together
from acpinspect.collection.session_table import IDS
from acpinspect.diagnostics.findings import SEVERITIES
from acpinspect.plotting.clients import FAULTS
from acpinspect.plotting.ids import NAMELESS

if TYPE_CHECKING:
    import pyarrow as pa

    from acpinspect.collection.entries import Entry, Problem

__all__ = ["Totals", "agents_table", "clients_table", "codes_table", "matrix"]

_TOGETHER: Final = 256
_COUNTS: Final = ("events", "messages", "turns", "errors", "warnings")


@dataclass
class Totals:
    """Collects what has to be known of each recording in the end: a row a session, a code, an agent and client.

    Attributes:
        sessions: The sessions.
        codes: One row for each code and agent in a recording.
        clients: Sums for each agent and client.
        problems: What went wrong.
    """

    sessions: list[pd.DataFrame] = field(default_factory=list)
    codes: list[pd.DataFrame] = field(default_factory=list)
    clients: list[pd.DataFrame] = field(default_factory=list)
    problems: list[tuple[Entry, Problem]] = field(default_factory=list)

    def add(self, entry: Entry, tables: dict[str, pa.Table]) -> None:
        """Take in the tables of a recording, as far as they could be made."""
        sessions = put_together("sessions", [(entry, tables["sessions"])] if "sessions" in tables else [])
        self.sessions.append(sessions)
        if "findings" in tables and tables["findings"].num_rows:
            found = put_together("findings", [(entry, tables["findings"])])
            agents = dict(zip(sessions["session_id"], _named(sessions["agent"]), strict=True))
            self.codes.append(_codes_of(found, agents, tables["events"].num_rows))
        if "clients" in tables and tables["clients"].num_rows:
            self.clients.append(_sums(put_together("clients", [(entry, tables["clients"])])))
            if len(self.clients) >= _TOGETHER:
                self.clients = [_summed(self.clients)]


def _named(agents: pd.Series) -> pd.Series:
    return agents.astype(object).where(agents.notna(), NAMELESS)


def _codes_of(found: pd.DataFrame, agents: dict[str, str], size: int) -> pd.DataFrame:
    rows = pd.DataFrame(
        {
            "code": found["code"].astype(object),
            "agent": [agents.get(name, NAMELESS) for name in found["session_id"].astype(object)],
            "rank": found["severity"].cat.codes,
            "session": found["session_id"].astype(object),
            "event": found["event"],
        }
    )
    grouped = rows.groupby(["code", "agent"], sort=False)
    counted = grouped.agg(
        rank=("rank", "max"), findings=("event", "size"), sessions=("session", "nunique"), event=("event", "first")
    )
    return counted.reset_index().assign(number=found.index[0], recording=found["recording"].iloc[0], size=size)


def _sums(clients: pd.DataFrame) -> pd.DataFrame:
    counts = clients[["messages", "right", *FAULTS]]
    keys = [_named(clients["agent"]), clients["policy"].astype(object)]
    return counts.assign(recordings=1).groupby(keys, sort=False).sum()


def _summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(parts).groupby(level=["agent", "policy"], sort=False).sum()


def agents_table(totals: Totals) -> pd.DataFrame:
    """One row an agent, the most frequent first: sessions, those with ids always, sometimes, never; counts."""
    sessions = _stacked(totals.sessions, put_together("sessions", []))
    keys = _named(sessions["agent"]).rename("agent")
    ids = sessions["ids"].astype(object)
    table = sessions[list(_COUNTS)].assign(recordings=sessions.index.to_numpy(), sessions=1)
    table[list(IDS)] = np.stack([(ids == name).to_numpy() for name in IDS], axis=1).astype(np.int64)
    summed = table.groupby(keys.to_numpy(), sort=False).agg(
        {"recordings": "nunique", **dict.fromkeys(["sessions", *IDS, *_COUNTS], "sum")}
    )
    summed.index.name = "agent"
    return summed.astype("int64").sort_values("sessions", ascending=False, kind="stable")


def clients_table(totals: Totals) -> pd.DataFrame:
    """Sums for each agent and client: `messages`, `right`, and the messages by what is wrong with them."""
    if not totals.clients:
        index = pd.MultiIndex.from_arrays([[], []], names=["agent", "policy"])
        return pd.DataFrame(columns=["messages", "right", *FAULTS, "recordings"], index=index, dtype="int64")
    return _summed(totals.clients)


def matrix(clients: pd.DataFrame, agents: list[str]) -> pd.DataFrame:
    """The share of each agent's messages that each client shows wrongly, agents by clients; NaN for none."""
    messages = clients["messages"].to_numpy(dtype=np.float64)
    wrong = 1 - clients["right"].to_numpy(dtype=np.float64) / np.where(messages > 0, messages, np.nan)
    names = clients.index.get_level_values("policy").unique()
    return pd.Series(wrong, index=clients.index).unstack("policy").reindex(index=agents, columns=names)


def codes_table(totals: Totals) -> pd.DataFrame:
    """One row a code, the most frequent first: how often, where, and the smallest recording that has it."""
    names = ["severity", "findings", "sessions", "recordings", "agents", "number", "recording", "event"]
    if not totals.codes:
        return pd.DataFrame(columns=names, index=pd.Index([], name="code"))
    rows = pd.concat(totals.codes, ignore_index=True)
    counted = rows.groupby("code").agg(
        rank=("rank", "max"),
        findings=("findings", "sum"),
        sessions=("sessions", "sum"),
        recordings=("number", "nunique"),
        agents=("agent", "nunique"),
    )
    smallest = rows.sort_values(["size", "number"], kind="stable").drop_duplicates("code").set_index("code")
    table = counted.join(smallest[["number", "recording", "event"]])
    table.insert(0, "severity", [SEVERITIES[rank] for rank in table.pop("rank")])
    return table.sort_values(["findings", "code"], ascending=[False, True])


def _stacked(parts: list[pd.DataFrame], empty: pd.DataFrame) -> pd.DataFrame:
    filled = [part.astype({"protocol": object, "ids": object}) for part in parts if len(part)]
    return pd.concat(filled) if filled else empty
