"""What every grouping looks at, computed once from the events table in columns.

A token says of an event: whose session it is, whether it is part of a message and of which role, and whether
it closes the open message. Cost: linear; no loop over rows but for the rare compaction updates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import REJECTED, arrow_strings, check_events, parse
from acpinspect.reading.recordings import recording_of

__all__ = ["CLOSERS", "Tokens", "tokens"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

CLOSERS: Final = ("", "tool_call", "plan", "turn", "load", "compaction")
"""What can close the open message of a session; the first stands for nothing."""

_TOOL_UPDATES: Final = ("tool_call", "tool_call_update", "tool_call_content_chunk")
_PLAN_UPDATES: Final = ("plan", "plan_update", "plan_removed")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Arrays by position in the table.

    Attributes:
        session: Number of the session, one per recording and id; -1 where the event belongs to none.
        epoch: Loads of the session so far.
        role: 0 user, 1 agent, 2 thought; -1 where the event is no accepted part of a message.
        whole: It is a whole-message update.
        id: Number of its message id; -1 without one.
        closer: Index into `CLOSERS`.
        connection: Number of `initialize` frames so far in the recording; a new one closes all messages.
        prompt: It is a session/prompt request.
        update: Number of its sessionUpdate; -1 without one.
    """

    session: Ints
    epoch: Ints
    role: npt.NDArray[np.int8]
    whole: Mask
    id: Ints
    closer: npt.NDArray[np.int8]
    connection: Ints
    prompt: Mask
    update: npt.NDArray[np.int32]

    @property
    def message(self) -> Mask:
        """The events that are part of a message."""
        return self.role >= 0


def tokens(events: pd.DataFrame) -> Tokens:
    """Compute the tokens of an events table.

    Raises:
        EventsError: If it is no events table.
    """
    events = check_events(events)
    accepted = _accepted(events)
    recording = _recordings(events)
    session = _sessions(events, recording)
    epoch = events["epoch"].fillna(0).to_numpy(dtype=np.int64)
    role = _role(events)
    role = np.where(accepted, role, -1).astype(np.int8)
    prompt = _is(events, "method", "session/prompt")
    request = _is(events, "kind", "request")
    return Tokens(
        session=session,
        epoch=epoch,
        role=role,
        whole=(role >= 0) & _is(events, "update", "user_message", "agent_message", "agent_thought"),
        id=_ids(events, role >= 0),
        closer=_closers(events, accepted, session, epoch, prompt),
        # Recordings share no session, so one count of new connections serves them all.
        connection=np.cumsum(_is(events, "method", "initialize")),
        prompt=prompt & request,
        update=events["update"].cat.codes.to_numpy().astype(np.int32),
    )


def _accepted(events: pd.DataFrame) -> Mask:
    problem = events["problem"].cat
    refused = [str(category).startswith(REJECTED) for category in problem.categories]
    return ~np.array([*refused, False], dtype=bool)[problem.codes.to_numpy()]


def _is(events: pd.DataFrame, column: str, *values: str) -> Mask:
    """Where a categorical column has one of these values."""
    categorical = events[column].cat
    hits = [value in values for value in categorical.categories]
    return np.array([*hits, False], dtype=bool)[categorical.codes.to_numpy()]


def _role(events: pd.DataFrame) -> npt.NDArray[np.int8]:
    categorical = events["role"].cat
    numbers = [("user", "agent", "thought").index(str(role)) for role in categorical.categories]
    return np.array([*numbers, -1], dtype=np.int8)[categorical.codes.to_numpy()]


def _recordings(events: pd.DataFrame) -> Ints:
    """Number of each event's recording: the rotated parts of one recording share it."""
    source = events["source"].cat
    names = {name: number for number, name in enumerate(dict.fromkeys(map(recording_of, source.categories)))}
    numbers = [names[recording_of(category)] for category in source.categories]
    return np.array([*numbers, -1], dtype=np.int64)[source.codes.to_numpy()]


def _sessions(events: pd.DataFrame, recording: Ints) -> Ints:
    codes, size = _encoded(events["session_id"])
    nameless = (codes < 0) & (events["update"].notna().to_numpy() | _is(events, "method", "session/prompt"))
    codes = np.where(nameless, size, codes)
    return np.where(codes >= 0, recording * (size + 1) + codes, -1)


def _ids(events: pd.DataFrame, message: Mask) -> Ints:
    codes, _ = _encoded(events["message_id"])
    return np.where(message, codes, -1)


def _encoded(column: pd.Series) -> tuple[Ints, int]:
    """A string column as numbers, -1 for NA, and how many there are."""
    encoded = arrow_strings(column).combine_chunks().dictionary_encode()
    return encoded.indices.fill_null(-1).to_numpy().astype(np.int64), len(encoded.dictionary)


def _closers(
    events: pd.DataFrame, accepted: Mask, session: Ints, epoch: Ints, prompt: Mask
) -> npt.NDArray[np.int8]:
    closer = np.zeros(len(events), dtype=np.int8)
    answered = _is(events, "kind", "request", "response", "error")
    closer[accepted & _is(events, "update", *_PLAN_UPDATES)] = CLOSERS.index("plan")
    closer[accepted & _first_compactions(events, session, epoch)] = CLOSERS.index("compaction")
    tool = accepted & (_is(events, "update", "tool_call") | _first_tools(events, accepted, session, epoch))
    closer[tool] = CLOSERS.index("tool_call")
    closer[answered & prompt] = CLOSERS.index("turn")
    closer[answered & _is(events, "method", "session/load", "session/resume")] = CLOSERS.index("load")
    closer[session < 0] = 0
    return closer


def _first_tools(events: pd.DataFrame, accepted: Mask, session: Ints, epoch: Ints) -> Mask:
    """The first sight of each tool call in its session and epoch: by an update or a permission request."""
    asked = _is(events, "method", "session/request_permission") & _is(events, "kind", "request")
    rows = np.flatnonzero(accepted & (_is(events, "update", *_TOOL_UPDATES) | asked))
    if not len(rows):
        return np.zeros(len(events), dtype=bool)
    codes, size = _encoded(events["tool_call_id"].iloc[rows])
    return _firsts(len(events), rows[codes >= 0], codes[codes >= 0], size, session, epoch)


def _first_compactions(events: pd.DataFrame, session: Ints, epoch: Ints) -> Mask:
    rows = np.flatnonzero(_is(events, "update", "compaction_update"))
    ids = [_compaction_id(raw) for raw in events["raw"].iloc[rows]] if len(rows) else []
    codes, names = pd.factorize(np.array(ids, dtype=object))
    return _firsts(len(events), rows[codes >= 0], codes[codes >= 0], len(names), session, epoch)


def _compaction_id(raw: str) -> str | None:
    try:
        return str(parse(raw)["params"]["update"]["compactionId"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _firsts(n: int, rows: Ints, codes: Ints, size: int, session: Ints, epoch: Ints) -> Mask:
    first = np.zeros(n, dtype=bool)
    key = (session[rows] * (int(epoch.max(initial=0)) + 1) + epoch[rows]) * max(size, 1) + codes
    first[rows[~pd.Series(key).duplicated().to_numpy()]] = True
    return first
