"""One session of an events table, as columns: what a fold of its events needs to know of each.

Positions count the session's events from 0; rows count the table's. Cost: a few passes over columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.events import arrow_strings
from acpinspect.grouping import AnyPolicy, group
from acpinspect.protocol import Version, read_update
from acpinspect.timelines.acts import CONTROL, LEFT_OUT, PERMISSION, REJECTED, UNREADABLE, acts_of
from acpinspect.timelines.choice import choose
from acpinspect.timelines.texts import Texts

__all__ = ["ROLES", "Excerpt", "SessionLog", "session_log"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
ROLES: Final = ("user", "agent", "thought")
_NEEDED: Final = [
    "kind", "method", "update", "protocol", "role", "problem", "epoch", "turn",
    "reply_to", "tool_call_id", "message_id",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class SessionLog:
    """The events of one session, in order.

    Attributes:
        session_id: Its id; ``None`` where the log gave none.
        protocol: The version that most of its updates speak.
        rows: The row of each position.
        events: The label of each position in the table's index.
        texts: The JSON of the table's rows.
        acts: What each event does, as an index into `acts.ACTS`.
        epoch: Replays before each event.
        turn: Turns that had begun, each event included.
        role: Index into `ROLES`; -1 where the event is no message update.
        label: Number of the message that each message event belongs to, by the policy; -1 for none.
        requests: The row of the request that a response answers, by position; -1 where the table lacks it.
        methods: The method of such a request, by position.
        restarts: Positions before which a new connection began.
        tool_ids: toolCallId by row, as the table says it.
        message_ids: messageId by row, likewise.
        problems: What is odd, by position, where anything is.
        odd_ids: Positions whose ids the columns can't hold exactly (lone surrogates).
    """

    session_id: str | None
    protocol: Version
    rows: Small
    events: Ints
    texts: Texts
    acts: npt.NDArray[np.int8]
    epoch: Small
    turn: Small
    role: npt.NDArray[np.int8]
    label: Small
    requests: dict[int, int]
    methods: dict[int, str]
    restarts: Small
    tool_ids: pa.ChunkedArray
    message_ids: pa.ChunkedArray
    problems: pd.Series
    odd_ids: frozenset[int]

    def __len__(self) -> int:
        return len(self.rows)

    def excerpt(self, positions: Small) -> Excerpt:
        """Some events of one entity, or of several, in any order."""
        return Excerpt(self, positions, self.texts.slices(self.rows.take(positions)))

    def frame(self, position: int) -> dict[str, object]:
        """The JSON-RPC message of one event; empty where it can't be read."""
        value = self.texts.parse(int(self.rows[position]))
        return value if isinstance(value, dict) else {}

    def update(self, position: int) -> object:
        """The value of ``params.update`` of one event."""
        params = self.frame(position).get("params")
        return params.get("update") if isinstance(params, dict) else None

    def request(self, position: int) -> dict[str, object] | None:
        """The request that a response answers; only its method where the table doesn't have it."""
        row = self.requests.get(position, -1)
        if row >= 0:
            value = self.texts.parse(row)
            return value if isinstance(value, dict) else None
        method = self.methods.get(position)
        return None if method is None else {"method": method, "params": {}}

    def problem(self, position: int) -> str | None:
        """What is odd about an event."""
        value = self.problems.iat[position]
        return value if isinstance(value, str) else None


class Excerpt(NamedTuple):
    """Some events of a session: what a fold of them reads.

    Attributes:
        log: The session.
        positions: Of the events.
        texts: The JSON of each.
    """

    log: SessionLog
    positions: Small
    texts: list[memoryview]

    @property
    def protocol(self) -> Version:
        """The version whose rules hold."""
        return self.log.protocol

    def acts(self) -> list[int]:
        """What each event does, as an index into `acts.ACTS`."""
        acts: list[int] = self.log.acts.take(self.positions).tolist()
        return acts

    def events(self) -> list[int]:
        """The label of each event in the table's index."""
        events: list[int] = self.log.events.take(self.positions).tolist()
        return events

    def event(self, at: int) -> int:
        """The label of one event."""
        return int(self.log.events[self.positions[at]])

    def part(self, start: int, stop: int | None = None) -> Excerpt:
        """Some of these events."""
        return Excerpt(self.log, self.positions[start:stop], self.texts[start:stop])


def session_log(events: pd.DataFrame, session_id: str | None, policy: AnyPolicy) -> SessionLog:
    """The columns of one session.

    Args:
        events: An events table.
        session_id: Its id; ``None`` for the only one.
        policy: The grouping that says which message each chunk belongs to.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such session or policy, or if there are several and none was named.
    """
    chosen = choose(events, session_id)
    rows = chosen.rows
    part = events[_NEEDED].iloc[rows]
    label = _renumbered(group(events, policy).to_numpy(dtype=np.int64, na_value=-1)[rows], part)
    texts = Texts(events["raw"])
    acts = acts_of(part, chosen.protocol, label)
    foreign = (part["protocol"] != chosen.protocol).fillna(True).to_numpy(dtype=bool) & (acts > PERMISSION)
    for position in np.flatnonzero(foreign).tolist():
        if _refused(texts.parse(int(rows[position])), chosen.protocol):
            acts[position] = REJECTED
    applied = ~np.isin(acts, (UNREADABLE, LEFT_OUT, REJECTED))
    turn = part["turn"].to_numpy(dtype=np.int64, na_value=0)
    requests, methods = _replies(events, part, acts)
    odd = [i for i, problem in enumerate(part["problem"].cat.categories) if "surrogate" in str(problem)]
    return SessionLog(
        session_id=chosen.session_id,
        protocol=chosen.protocol,
        rows=rows.astype(np.int32),
        events=part.index.to_numpy(dtype=np.int64),
        texts=texts,
        acts=acts,
        epoch=part["epoch"].to_numpy(dtype=np.int64, na_value=0).astype(np.int32),
        turn=np.maximum.accumulate(np.where(applied, turn, 0)).astype(np.int32),
        role=_roles(part),
        label=label,
        requests=requests,
        methods=methods,
        restarts=np.searchsorted(rows, chosen.restarts).astype(np.int32),
        tool_ids=arrow_strings(part["tool_call_id"]),
        message_ids=arrow_strings(part["message_id"]),
        problems=part["problem"],
        odd_ids=frozenset(np.flatnonzero(np.isin(part["problem"].cat.codes.to_numpy(), odd)).tolist()),
    )


def _refused(frame: object, version: Version) -> bool:
    params = frame.get("params") if isinstance(frame, dict) else None
    return read_update(params.get("update") if isinstance(params, dict) else None, version).rejected is not None


def _renumbered(label: Ints, part: pd.DataFrame) -> Small:
    """The messages of the session, numbered from 0; a prompt that a policy shows is no message of the state."""
    label = np.where(part["role"].notna().to_numpy(), label, -1)
    numbers = np.full(len(label), -1, dtype=np.int32)
    shown = label >= 0
    numbers[shown] = pd.factorize(label[shown])[0]
    return numbers


def _roles(part: pd.DataFrame) -> npt.NDArray[np.int8]:
    categories = [ROLES.index(str(role)) for role in part["role"].cat.categories]
    return np.array([*categories, -1], dtype=np.int8)[part["role"].cat.codes.to_numpy()]


def _replies(
    events: pd.DataFrame, part: pd.DataFrame, acts: npt.NDArray[np.int8]
) -> tuple[dict[int, int], dict[int, str]]:
    """Request's row and method of each response that may act on the state, by position."""
    answers = np.flatnonzero((acts == CONTROL) & part["kind"].isin(("response", "error")).to_numpy())
    asked = part["reply_to"].iloc[answers].to_numpy(dtype=np.int64, na_value=-1)
    rows = events.index.get_indexer(pd.Index(asked))
    methods = part["method"].iloc[answers].astype("string")
    known = zip(answers.tolist(), methods.tolist(), methods.notna().tolist(), strict=True)
    return (
        dict(zip(answers.tolist(), rows.tolist(), strict=True)),
        {position: method for position, method, is_known in known if is_known},
    )
