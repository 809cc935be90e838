"""Which session of a table a timeline is about: the only one, or the one that was named."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.errors import ArgumentError, EventsError
from acpinspect.grouping.tokens import tokens
from acpinspect.protocol import VERSIONS, Version
from acpinspect.reading.recordings import recording_of

__all__ = ["Chosen", "choose"]

Ints = npt.NDArray[np.int64]
_MOST_NAMED: Final = 10


class Chosen(NamedTuple):
    """A session of a table.

    Attributes:
        session_id: Its id; ``None`` where the log gave none.
        protocol: The version that most of its updates speak.
        rows: Its events, by position in the table.
        restarts: Where new connections began in its recording.
    """

    session_id: str | None
    protocol: Version
    rows: Ints
    restarts: Ints


def choose(events: pd.DataFrame, session_id: str | None) -> Chosen:
    """Find the session.

    Raises:
        EventsError: If it is no events table, or two events have one number.
        ArgumentError: If there is no such session, or several and none was named.
    """
    session = tokens(events).session
    if not events.index.is_unique:
        raise EventsError("Two events of this table have one number in its index. Load the logs together instead.")
    rows = _rows(events, session, session_id)
    named = events["session_id"].iloc[rows[:1]].dropna().tolist()
    return Chosen(
        session_id=named[0] if named else session_id,
        protocol=_protocol(events, rows),
        rows=rows,
        restarts=_restarts(events, rows),
    )


def _rows(events: pd.DataFrame, session: Ints, session_id: str | None) -> Ints:
    numbers, firsts = np.unique(session, return_index=True)
    heads = firsts[numbers >= 0]
    numbers = numbers[numbers >= 0]
    names = events["session_id"].iloc[heads].astype(object)
    if session_id is not None:
        wanted = (names == session_id).fillna(False).to_numpy(dtype=bool)
        if not wanted.any():
            raise ArgumentError(f"There is no session {session_id!r} in this log. There is: {_listed(names)}.")
        numbers, heads = numbers[wanted], heads[wanted]
    else:
        numbers, heads, names = _without_strays(events, session, numbers, heads, names)
    if len(numbers) > 1:
        raise ArgumentError(_ambiguous(events, names, heads, session_id))
    return np.flatnonzero(session == numbers[0]) if len(numbers) else np.zeros(0, dtype=np.int64)


def _without_strays(
    events: pd.DataFrame, session: Ints, numbers: Ints, heads: Ints, names: pd.Series
) -> tuple[Ints, Ints, pd.Series]:
    """The sessions without those of prompts or answers alone of which nobody says whose they are."""
    updated = set(np.unique(session[events["update"].notna().to_numpy()]).tolist())
    real = names.notna().to_numpy() | np.array([number in updated for number in numbers.tolist()], dtype=bool)
    return (numbers[real], heads[real], names[real]) if real.any() else (numbers, heads, names)


def _ambiguous(events: pd.DataFrame, names: pd.Series, heads: Ints, session_id: str | None) -> str:
    if session_id is None:
        which = "Say which one (session_id; on the command line --session)."
        return f"The log holds {len(names)} sessions: {_listed(names)}. {which}"
    sources = ", ".join(map(repr, events["source"].iloc[heads].tolist()[:_MOST_NAMED]))
    return f"Session {session_id!r} stands in several recordings ({sources}). Keep the events of one of them."


def _listed(names: pd.Series) -> str:
    said = ["one without an id" if pd.isna(name) else repr(name) for name in names.tolist()]
    return ", ".join(said[:_MOST_NAMED]) + (", ..." if len(said) > _MOST_NAMED else "") if said else "none"


def _protocol(events: pd.DataFrame, rows: Ints) -> Version:
    """The version of most of the session's updates, else of most of its events; v1 where there are none."""
    column = events["protocol"]
    updates = rows[events["update"].notna().to_numpy()[rows]]
    codes = column.cat.codes.to_numpy()[updates if len(updates) else rows]
    counts = np.bincount(codes[codes >= 0], minlength=1)
    name = str(column.cat.categories[int(counts.argmax())]) if counts.any() else "v1"
    return next(version for version in VERSIONS if version == name)


def _restarts(events: pd.DataFrame, rows: Ints) -> Ints:
    """Rows of `initialize` requests in the session's recording, between its events."""
    begins = (events["method"] == "initialize") & (events["kind"] == "request")
    found = np.flatnonzero(begins.fillna(False).to_numpy(dtype=bool))
    if not len(rows) or not len(found):
        return np.zeros(0, dtype=np.int64)
    sources = events["source"]
    own = recording_of(str(sources.iat[int(rows[0])]))
    inside = (found > rows[0]) & (found < rows[-1])
    return np.array(
        [row for row in found[inside].tolist() if recording_of(str(sources.iat[row])) == own], np.int64
    )
