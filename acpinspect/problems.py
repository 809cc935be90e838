"""What was odd in a log: one row per source and problem."""

from __future__ import annotations

import pandas as pd

from acpinspect.opening import Events, events_of

__all__ = ["load_report"]


def load_report(events: Events) -> pd.DataFrame:
    r"""Count what could not be read, was repaired, or is refused by a client that follows the protocol.

    Args:
        events: An events table, or the path of a log.

    Returns:
        One row per source and problem, in the order in which they first occur: `source` (category), `problem`
        (category), `kind` (category, of the first event), `count` (int64), `first_event` (int64), `line`
        (Int64, of the first event). Noise without a problem (standard error, markers) is counted under
        its kind, with the problem ``no ACP message``.

    Raises:
        EventsError: If it is no events table.

    Example:
        >>> import acpinspect
        >>> log = b'ready\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n{"jsonrpc":"2.0","id'
        >>> acpinspect.load_report(acpinspect.load(log))[["problem", "kind", "count", "line"]].values.tolist()
        [['no JSON', 'other', 1, 1], ['torn record: the JSON ends in the middle', 'unreadable', 1, 3]]
    """
    events = events_of(events)
    problem = events["problem"].astype(object).where(events["problem"].notna(), None)
    noise = problem.isna() & (events["kind"] == "other")
    odd = events.assign(problem=problem.where(~noise, "no ACP message"), first_event=events.index)
    odd = odd[odd["problem"].notna()]
    by_place = odd.groupby(["source", "problem"], observed=True, sort=False)
    report = by_place.agg(
        kind=("kind", "first"),
        count=("kind", "size"),
        first_event=("first_event", "first"),
        line=("line", "first"),
    ).reset_index()
    return report.astype({"problem": "category", "first_event": "int64", "count": "int64", "line": "Int64"})
