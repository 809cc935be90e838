"""The messages of a log that comes in pieces.

Before each piece stand the few events of earlier ones that its messages depend on: the first of each message with
an id and of each tool call, and the last of each session. So the piece is grouped as it is in the whole log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.errors import ArgumentError
from acpinspect.events import Column
from acpinspect.grouping.applying import AnyPolicy, Shared, apply, looks_at_ids, name_of, needs_no_state
from acpinspect.grouping.labels import COLUMN_POLICIES
from acpinspect.grouping.tokens import Ints, Tokens
from acpinspect.message_rows import COLUMNS, rows_of
from acpinspect.pieces import joined
from acpinspect.reading.recordings import recording_of

__all__ = ["messages_of_pieces", "rows_to_remember"]

_REMEMBERED: Final = 50_000
"""Messages with an id, and tool calls, that are known again when they come back; of more, the latest."""

_SUMMED: Final = ("n_events", "n_chunks")
_LATEST: Final = ("last_event", "ended")


def messages_of_pieces(pieces: Iterable[pd.DataFrame], policy: AnyPolicy = "spec") -> pd.DataFrame:
    """The messages table of the events tables that `scan` gives.

    Args:
        pieces: The tables, in order.
        policy: One that needs no state of its own.

    Raises:
        ArgumentError: If it is another policy, or there is no table.
    """
    if not needs_no_state(policy):
        raise ArgumentError(
            f"The messages of a scan can't be made by {name_of(policy)!r}, whose state spans the pieces. "
            f"Load the log whole, or use {', '.join(COLUMN_POLICIES)}."
        )
    walk = _Walk(policy)
    for piece in pieces:
        walk.take(piece)
    if walk.carried is None:
        raise ArgumentError("There is not one events table in what was given. A scan can be walked through once.")
    return walk.table()


@dataclass(slots=True)
class _Walk:
    """What is known of the messages so far.

    Attributes:
        policy: The policy.
        carried: Events of earlier pieces that later ones depend on.
        label_of: The message of each of those events, where it is part of one.
        messages: The columns of each message so far.
        places: For each message, where its first and last event stand among the message events of the session.
        counts: The message events of each session so far.
    """

    policy: AnyPolicy
    carried: pd.DataFrame | None = None
    label_of: dict[int, int] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    counts: dict[tuple[str, str | None], int] = field(default_factory=dict)

    def take(self, piece: pd.DataFrame) -> None:
        before = 0 if self.carried is None else len(self.carried)
        table = Shared(piece if self.carried is None else joined([self.carried, piece]))
        labels = apply(self.policy, table).labels
        numbers = self._numbers(table.events.index.to_numpy(), labels, before)
        own = np.where(np.arange(len(labels)) >= before, labels, -1)
        local, first = pd.factorize(own[own >= 0])
        own[own >= 0] = local
        self._add(table, own, [numbers[label] for label in first.tolist()])
        self._carry(table, labels, numbers)

    def _numbers(self, events: npt.NDArray[np.int64], labels: Ints, before: int) -> dict[int, int]:
        """The message of each label: the one that a carried event of it belongs to, else a new one."""
        numbers = {
            int(labels[row]): self.label_of[int(events[row])]
            for row in range(before)
            if labels[row] >= 0 and int(events[row]) in self.label_of
        }
        new = len(self.messages)
        for label in pd.unique(labels[before:]).tolist():
            if label >= 0 and label not in numbers:
                numbers[label] = new
                new += 1
        return numbers

    def _add(self, table: Shared, labels: Ints, numbers: list[int]) -> None:
        frame = rows_of(table, labels, by_id=looks_at_ids(self.policy))
        rows: list[dict[str, Any]] = [dict(zip(frame.columns, row, strict=True)) for row in _records(frame)]
        replaced = _replaced(table, labels, len(rows))
        places = self._ranked(table, labels, len(rows))
        for number, row, again, place in zip(numbers, rows, replaced, places, strict=True):
            if number == len(self.messages):
                self.messages.append({**row, "text": [row["text"]]})
                self.places.append(place)
                continue
            self.places[number] = (self.places[number][0], place[1])
            _extend(self.messages[number], row, again=again)

    def _ranked(self, table: Shared, labels: Ints, n: int) -> list[tuple[int, int]]:
        """Where each message's events begin and end among the message events of its session."""
        rows = np.flatnonzero(labels >= 0)
        codes, sessions = pd.factorize(table.tokens.session[rows])
        heads = table.events[["source", "session_id"]].iloc[rows[np.unique(codes, return_index=True)[1]]]
        keys = [_session_key(*head) for head in heads.itertuples(index=False)]
        before = np.array([self.counts.get(key, 0) for key in keys], dtype=np.int64)
        rank = before[codes] + pd.Series(codes).groupby(codes).cumcount().to_numpy()
        counts = np.bincount(codes, minlength=len(sessions)).tolist()
        self.counts.update({key: self.counts.get(key, 0) + count for key, count in zip(keys, counts, strict=True)})
        places = pd.Series(rank).groupby(labels[rows]).agg(["min", "max"]).reindex(range(n))
        return list(places.astype(np.int64).itertuples(index=False, name=None))

    def _carry(self, table: Shared, labels: Ints, numbers: dict[int, int]) -> None:
        rows = rows_to_remember(table, labels)
        events = table.events.iloc[rows]
        heavy = (events["update"] != "compaction_update").fillna(value=True).to_numpy(dtype=bool)
        self.carried = events.assign(
            raw=events["raw"].where(~heavy, ""), text=events["text"].where(events["text"].isna(), "")
        )
        known = zip(events.index.tolist(), labels[rows].tolist(), strict=True)
        self.label_of = {event: numbers[label] for event, label in known if label >= 0}

    def table(self) -> pd.DataFrame:
        """The messages table."""
        for message, (first, last) in zip(self.messages, self.places, strict=True):
            message["text"] = "".join(message["text"])
            message["contiguous"] = last - first == message["n_events"] - 1
            message["duration"] = _seconds(message)
        columns = {column.name: _column(self.messages, column) for column in COLUMNS}
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self.messages), name="message"))


def _column(messages: list[dict[str, Any]], column: Column) -> pd.Series:
    values = [message[column.name] for message in messages]
    if column.dtype != "category":
        return pd.Series(values, dtype=column.dtype)
    names = dict.fromkeys(value for value in values if isinstance(value, str))
    return pd.Series(pd.Categorical(values, categories=pd.Index(list(names), dtype=object)))


def _session_key(source: str, session_id: object) -> tuple[str, str | None]:
    """The session of a recording, over all files that the recording was written to."""
    return recording_of(source), session_id if isinstance(session_id, str) else None


def _records(frame: pd.DataFrame) -> Iterator[tuple[Any, ...]]:
    return frame.itertuples(index=False, name=None)


def _extend(message: dict[str, Any], part: dict[str, Any], *, again: bool) -> None:
    """Add the part of a message that a later piece holds; `again`: it replaces what was said before."""
    message["text"] = [part["text"]] if again else [*message["text"], part["text"]]
    before = [] if again else message["content_types"]
    message["content_types"] = list(dict.fromkeys([*before, *part["content_types"]]))
    message["events"] += part["events"]
    for name in _SUMMED:
        message[name] += part[name]
    for name in _LATEST:
        message[name] = part[name]


def _seconds(message: dict[str, Any]) -> float:
    return float((message["ended"] - message["started"]).total_seconds())


def _replaced(table: Shared, labels: Ints, n: int) -> list[bool]:
    """Whether a whole-message update of the piece replaces each message's content."""
    replaces = table.tokens.whole & table.events["content_type"].notna().to_numpy() & (labels >= 0)
    return [count > 0 for count in np.bincount(labels[replaces], minlength=n).tolist()]


def rows_to_remember(table: Shared, labels: Ints, most: int = _REMEMBERED) -> Ints:
    """The rows on which it depends how later ones are grouped, ascending.

    Args:
        table: The events.
        labels: The label of each row; -1 for none.
        most: Of how many messages with an id, tool calls and compactions at most: the latest.
    """
    seen, events = table.tokens, table.events
    rows = np.arange(len(labels))
    tool = events["tool_call_id"].notna().to_numpy() & (seen.session >= 0)
    tools = pd.DataFrame({"session": seen.session, "epoch": seen.epoch, "id": events["tool_call_id"].array})[tool]
    initialize = (events["method"] == "initialize").to_numpy(dtype=bool, na_value=False)
    compaction = (events["update"] == "compaction_update").to_numpy(dtype=bool, na_value=False)
    kept = [
        _firsts(labels, rows[(labels >= 0) & (seen.id >= 0)])[-most:],
        rows[tool][~tools.duplicated().to_numpy()][-most:],
        _lasts(seen, rows[labels >= 0]),
        _lasts(seen, rows[(seen.closer > 0) & (seen.session >= 0)]),
        _lasts(seen, rows[((seen.closer > 0) | (seen.update >= 0)) & (seen.session >= 0)]),
        rows[initialize][-1:],
        rows[compaction][-most:],
    ]
    needed: Ints = np.unique(np.concatenate(kept)).astype(np.int64)
    return needed


def _firsts(values: Ints, rows: Ints) -> Ints:
    return rows[~pd.Series(values[rows]).duplicated().to_numpy()]


def _lasts(seen: Tokens, rows: Ints) -> Ints:
    return rows[~pd.Series(seen.session[rows]).duplicated(keep="last").to_numpy()]
