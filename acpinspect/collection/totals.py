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
"""Recordings whose tables are held until they are summed up."""

_NEEDED: Final = ("sessions", "findings", "clients")
_COUNTS: Final = ("events", "messages", "turns", "errors", "warnings")


@dataclass
class Totals:
    """Collects what has to be known of all recordings in the end, some recordings at a time.

    Attributes:
        sessions: The sessions, as they were made.
        codes: One row for each code and agent in a recording.
        clients: Sums for each agent and client.
        problems: What went wrong.
    """

    sessions: list[tuple[Entry, pa.Table]] = field(default_factory=list)
    codes: list[pd.DataFrame] = field(default_factory=list)
    clients: list[pd.DataFrame] = field(default_factory=list)
    problems: list[tuple[Entry, Problem]] = field(default_factory=list)
    _waiting: list[tuple[Entry, dict[str, pa.Table]]] = field(default_factory=list)
    _sizes: dict[int, int] = field(default_factory=dict)

    def add(self, entry: Entry, tables: dict[str, pa.Table]) -> None:
        """Take in the tables of a recording, as far as they could be made."""
        self._sizes[entry.number] = tables["events"].num_rows if "events" in tables else 0
        self._waiting.append((entry, {name: tables[name] for name in _NEEDED if name in tables}))
        if len(self._waiting) >= _TOGETHER:
            self.settle()

    def settle(self) -> None:
        """Sum up what has been taken in."""
        parts = {
            name: [(entry, tables[name]) for entry, tables in self._waiting if name in tables] for name in _NEEDED
        }
        self.sessions += parts["sessions"]
        found = put_together("findings", parts["findings"])
        if len(found):
            self.codes.append(_codes_of(found, put_together("sessions", parts["sessions"]), self._sizes))
        clients = put_together("clients", parts["clients"])
        if len(clients):
            self.clients = [_summed([*self.clients, _sums(clients)])]
        self._waiting, self._sizes = [], {}


def _named(agents: pd.Series) -> pd.Series:
    return agents.astype(object).where(agents.notna(), NAMELESS)


def _codes_of(found: pd.DataFrame, sessions: pd.DataFrame, sizes: dict[int, int]) -> pd.DataFrame:
    names = zip(sessions.index.tolist(), sessions["session_id"], strict=True)
    agents = dict(zip(names, _named(sessions["agent"]), strict=True))
    places = zip(found.index.tolist(), found["session_id"].astype(object), strict=True)
    rows = pd.DataFrame(
        {
            "number": found.index.to_numpy(),
            "recording": found["recording"].astype(object).to_numpy(),
            "code": found["code"].astype(object).to_numpy(),
            "agent": [agents.get(place, NAMELESS) for place in places],
            "rank": found["severity"].cat.codes.to_numpy(),
            "session": found["session_id"].astype(object).to_numpy(),
            "event": found["event"].to_numpy(),
        }
    )
    grouped = rows.groupby(["number", "recording", "code", "agent"], sort=False)
    counted = grouped.agg(
        rank=("rank", "max"), findings=("event", "size"), sessions=("session", "nunique"), event=("event", "first")
    )
    counted = counted.reset_index()
    return counted.assign(size=[sizes[number] for number in counted["number"].tolist()])


def _sums(clients: pd.DataFrame) -> pd.DataFrame:
    keys = [_named(clients["agent"]).to_numpy(), clients["policy"].astype(object).to_numpy()]
    summed = clients[["messages", "right", *FAULTS]].assign(recordings=1).groupby(keys, sort=False).sum()
    return summed.rename_axis(["agent", "policy"])


def _summed(parts: list[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(parts).groupby(level=["agent", "policy"], sort=False).sum()


def agents_table(totals: Totals) -> pd.DataFrame:
    """One row an agent, the most frequent first: sessions, those with ids always, sometimes, never; counts."""
    sessions = put_together("sessions", totals.sessions)
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
