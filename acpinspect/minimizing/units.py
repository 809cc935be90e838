"""What is left out together: a request and its response; all else alone."""

from __future__ import annotations

import pandas as pd

__all__ = ["units"]

Unit = tuple[int, ...]


def units(events: pd.DataFrame) -> list[Unit]:
    """The rows of each unit, by the first of them.

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
