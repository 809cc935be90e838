"""The gaps between neighbouring things: which side has a boundary there, after what, and the text around it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.comparison.alignment import Pairing
from acpinspect.events import Column

__all__ = ["COLUMNS", "VERDICTS", "boundary_table"]

Ints = npt.NDArray[np.int64]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("session_id", "string", "The session."),
    Column("event", "int64", "The event after the gap."),
    Column("previous", "int64", "The event before the gap."),
    Column("after", "category", "The last update, request or answer between the two; NA where there is none."),
    Column("text_before", "string", "The text of the event before the gap."),
    Column("text_after", "string", "The text of the event after the gap."),
    Column("in_a", "bool", "Whether a has a boundary there."),
    Column("in_b", "bool", "Whether b has a boundary there."),
    Column("verdict", "category", "Who has one: neither, only a, only b, both."),
)

VERDICTS: Final = ("neither", "only a", "only b", "both")
"""Who has a boundary in a gap."""


def boundary_table(pairing: Pairing) -> pd.DataFrame:
    """One row per gap between neighbouring message events of a session that both sides show.

    Returns:
        The columns of `COLUMNS`.
    """
    both = np.flatnonzero(pairing.both)
    follows = np.flatnonzero(pairing.session[both[1:]] == pairing.session[both[:-1]]) if len(both) else both
    here, before = both[1:][follows], both[:-1][follows]
    a, b = pairing.a, pairing.b
    in_a, in_b = a.labels[here] != a.labels[before], b.labels[here] != b.labels[before]
    # The words of a log that is compared with the truth stand in b.
    side = a if (a.rows >= 0).all() else b
    row, previous = side.rows[here], side.rows[before]
    events = side.events
    index = events.index.to_numpy()
    return pd.DataFrame(
        {
            "session_id": events["session_id"].array[row],
            "event": index[row],
            "previous": index[previous],
            "after": pd.Categorical(_between(events, row, previous)),
            "text_before": events["text"].array[previous],
            "text_after": events["text"].array[row],
            "in_a": in_a,
            "in_b": in_b,
            "verdict": pd.Categorical.from_codes(
                in_a.astype(np.int64) + 2 * in_b.astype(np.int64), categories=pd.Index(VERDICTS)
            ),
        }
    )


def _between(events: pd.DataFrame, row: Ints, previous: Ints) -> npt.NDArray[np.object_]:
    """The update or method of the last event of the session between two rows."""
    after = np.full(len(row), pd.NA, dtype=object)
    session, _ = pd.factorize(events["session_id"])
    order = np.argsort(session, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    last = order[np.maximum(place[row] - 1, 0)]
    between = np.flatnonzero((last != previous) & (session[last] == session[row]) & (row != previous))
    named = events["update"].astype(object).to_numpy()[last[between]]
    method = events["method"].astype(object).to_numpy()[last[between]]
    after[between] = np.where(pd.isna(named), method, named)
    return after
