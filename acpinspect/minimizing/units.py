"""What is left out together: first whole turns, then messages and tool calls, then requests with their responses.

A turn that goes as a whole leaves no tool open and no text without a turn, so most large parts can go at once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import groupby

import pandas as pd

from acpinspect.grouping import group

__all__ = ["Unit", "entities", "turns", "units"]

Unit = tuple[int, ...]
"""Rows that stay or go together, in order."""


def units(events: pd.DataFrame) -> list[Unit]:
    """A request and its response; every other row alone. Ordered by their first rows.

    Args:
        events: An events table.

    Example:
        >>> import acpinspect
        >>> log = [{"id": 1, "method": "initialize"}, {"method": "x"}, {"id": 1, "result": {"protocolVersion": 1}}]
        >>> units(acpinspect.from_records([{"jsonrpc": "2.0", **frame} for frame in log]))
        [(0, 2), (1,)]
    """
    position = {label: row for row, label in enumerate(events.index)}
    found: dict[int, list[int]] = {}
    for row, request in enumerate(events["reply_to"]):
        first = row if pd.isna(request) else position.get(int(request), row)
        found.setdefault(first, []).append(row)
    return [tuple(sorted({first, *rows})) for first, rows in sorted(found.items())]


def turns(events: pd.DataFrame) -> list[Unit]:
    """Neighbouring units of one turn of a session, or of one replay.

    Args:
        events: An events table.
    """
    columns = [events[name].astype(object).fillna("").tolist() for name in ("session_id", "epoch", "turn")]
    own = units(events)
    runs = groupby(own, key=lambda unit: tuple(column[unit[0]] for column in columns))
    return [_together(run) for _, run in runs]


def entities(events: pd.DataFrame) -> list[Unit]:
    """All units of one message, or of one tool call; others alone. Ordered by their first rows.

    Args:
        events: An events table.
    """
    labels = group(events).fillna(-1).astype(int).tolist()
    places = [events[name].astype(object).fillna("").tolist() for name in ("session_id", "epoch", "tool_call_id")]
    found: dict[Hashable, list[Unit]] = {}
    for unit in units(events):
        row = unit[0]
        session, epoch, tool = (column[row] for column in places)
        key: Hashable = unit
        if labels[row] >= 0:
            key = labels[row]
        elif tool:
            key = (session, epoch, tool)
        found.setdefault(key, []).append(unit)
    return [_together(own) for own in found.values()]


def _together(some: Iterable[Unit]) -> Unit:
    return tuple(sorted(row for unit in some for row in unit))
