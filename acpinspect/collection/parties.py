"""Who spoke in a session: agent and client, as they named themselves in `initialize`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from acpinspect.events import parse

if TYPE_CHECKING:
    from acpinspect.diagnostics.columns import Ints

__all__ = ["Party", "agent_of_events", "parties"]


@dataclass(frozen=True, slots=True)
class Party:
    """One side, as it named itself.

    Attributes:
        event: The event that says so.
        name: Its name; its title where it gives no name.
        version: Its version.
    """

    event: int
    name: str | None
    version: str | None


def parties(events: pd.DataFrame) -> tuple[list[Party], list[Party]]:
    """The agents and the clients that a recording tells of, in the order in which they said so."""
    agents: list[Party] = []
    clients: list[Party] = []
    opening = events[(events["method"] == "initialize").to_numpy(dtype=bool)]
    for event, raw, kind in zip(opening.index.tolist(), opening["raw"], opening["kind"], strict=True):
        side, key = (agents, "result") if kind == "response" else (clients, "params")
        said = _dict(_parsed(raw), key)
        own = _dict(said, "agentInfo" if kind == "response" else "clientInfo") or _dict(said, "info")
        name = _text(own, "name") or _text(own, "title")
        if kind in ("request", "response"):
            side.append(Party(event, name, _text(own, "version")))
    return agents, clients


def at_events(side: list[Party], events: Ints) -> Ints:
    """Which of a side's parties speaks at each event: the last that named itself by then, or the first; or -1."""
    begins = np.array([party.event for party in side], dtype=np.int64)
    if not len(begins):
        return np.full(len(events), -1, dtype=np.int64)
    found: Ints = np.maximum(np.searchsorted(begins, events, side="right") - 1, 0)
    return found


def agent_of_events(events: pd.DataFrame) -> list[str | None]:
    """The name of the agent of each event: that of its session, as the session began; None where none is told."""
    agents, _ = parties(events)
    names = [*(party.name for party in agents), None]
    return [names[place] for place in _beginnings(events, agents).tolist()]


def _beginnings(events: pd.DataFrame, agents: list[Party]) -> Ints:
    codes, _ = pd.factorize(events["session_id"])
    numbers = events.index.to_numpy()
    first = pd.Series(numbers).groupby(codes).transform("first").to_numpy()
    return at_events(agents, np.where(codes >= 0, first, numbers))


def _parsed(raw: str) -> Any:  # noqa: ANN401  (JSON is anything)
    try:
        return parse(raw)
    except (ValueError, RecursionError):
        return None


def _dict(value: Any, key: str) -> dict[str, Any]:  # noqa: ANN401  (JSON is anything)
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _text(value: dict[str, Any], key: str) -> str | None:
    text = value.get(key)
    if not isinstance(text, str) or not text:
        return None
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
