"""Comparisons of one recording, as rows: two groupings, or all clients by agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import pandas as pd

from acpinspect.collection.parties import agent_of_events
from acpinspect.comparison import KINDS, compare, compare_clients
from acpinspect.comparison.clients import COLUMNS as CLIENT_COLUMNS
from acpinspect.events import Column
from acpinspect.grouping.contracts import typed

if TYPE_CHECKING:
    from acpinspect.comparison import Comparison
    from acpinspect.grouping.applying import AnyPolicy

__all__ = ["CLIENTS", "COLUMNS", "client_rows", "comparison_row"]

_OTHERS: Final = tuple(kind for kind in reversed(KINDS) if kind != "same")
_MEASURES: Final = ("boundary_precision", "boundary_recall", "boundary_f1", "over_split_bits", "over_merge_bits")

COLUMNS: Final[tuple[Column, ...]] = (
    Column("same", "bool", "A reader sees no difference."),
    Column("messages", "int64", "How many messages `a` has."),
    Column("right", "int64", "How many of them stand just so in `b`."),
    *(Column(kind, "int64", f"Of how many it is so first of all: {KINDS[kind]}.") for kind in _OTHERS),
    Column("boundaries", "int64", "In how many gaps between message events both have a boundary."),
    Column("only_a", "int64", "In how many only `a` has one."),
    Column("only_b", "int64", "In how many only `b` has one."),
    *(Column(name, "float64", "As in `Comparison.measures`.") for name in _MEASURES),
    Column("first_event", "Int64", "The first event before which only one has a boundary; NA for none."),
)

CLIENTS: Final[tuple[Column, ...]] = (
    Column("agent", "string", "The agent whose sessions are looked at; NA where none is told."),
    Column("policy", "category", "The client."),
    *CLIENT_COLUMNS,
)


def comparison_row(events: pd.DataFrame, a: AnyPolicy, b: AnyPolicy) -> pd.DataFrame:
    """How two groupings of one recording differ, in one row with the columns of `COLUMNS`."""
    found = compare(events, a, b)
    said = found.to_dict()
    return typed(pd.DataFrame([_row(found, said)]), COLUMNS)


def _row(found: Comparison, said: dict[str, object]) -> dict[str, object]:
    kinds, verdicts, measures = (_counts(said[name]) for name in ("kinds", "boundaries", "measures"))
    differ = found.disagreements["event"]
    return {
        "same": found.same,
        "messages": len(found.kinds),
        "right": kinds["same"],
        **{kind: kinds[kind] for kind in _OTHERS},
        "boundaries": verdicts["both"],
        "only_a": verdicts["only a"],
        "only_b": verdicts["only b"],
        **{name: measures[name] for name in _MEASURES},
        "first_event": differ.min() if len(differ) else pd.NA,
    }


def _counts(values: object) -> dict[str, float]:
    assert isinstance(values, dict)  # noqa: S101  (what `to_dict` gives)
    return values


def client_rows(events: pd.DataFrame, policies: Sequence[AnyPolicy], truth: AnyPolicy) -> pd.DataFrame:
    """What each client makes of each agent's sessions in one recording, with the columns of `CLIENTS`."""
    agents = pd.Series(agent_of_events(events), dtype=object)
    parts = []
    for agent in agents.unique().tolist():
        own = agents.isna() if agent is None else agents == agent
        table = compare_clients(events[own.to_numpy(dtype=bool)], policies, truth).reset_index()
        parts.append(table.assign(agent=pd.array([agent] * len(table), dtype="string")))
    if not parts:
        return typed(pd.DataFrame(columns=[column.name for column in CLIENTS]), CLIENTS)
    return typed(pd.concat(parts, ignore_index=True), CLIENTS)
