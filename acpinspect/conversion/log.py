"""The events table as a sequence of `Event`: what the table knows of each message, and the ids that v1 lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from acpinspect.conversion.own_ids import MESSAGE, PLAN, free_prefix
from acpinspect.conversion.steps import Event, Json, as_object
from acpinspect.events import parse
from acpinspect.grouping import AnyPolicy, group
from acpinspect.protocol import Version
from acpinspect.reading.recordings import recording_of

__all__ = ["Log", "Row", "SessionKey"]

SessionKey = tuple[str, str | None]
"""A recording and a session of it."""

_MESSAGES: Final = frozenset({"request", "response", "error", "notification"})
_LONG_NUMBER: Final = re.compile(r"\d{16}")


def _exact(raw: str) -> object:
    """Parse JSON so that it is the same when it is written: the fast parser makes floats of long integers."""
    if _LONG_NUMBER.search(raw):
        try:
            return json.loads(raw)
        except ValueError:
            pass
    return parse(raw)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        position: Its place in the table.
        key: Its recording and session.
        event: Its message; ``None`` where it is none.
        kind: The kind, as in the table.
        label: Its label in the index.
    """

    position: int
    key: SessionKey
    event: Event | None
    kind: str
    label: int


class Log:
    """What a conversion reads of an events table.

    Args:
        events: The table.
        policy: Which id-less chunks are one message.
    """

    def __init__(self, events: pd.DataFrame, policy: AnyPolicy) -> None:
        self.events = events
        self.raws: list[str] = events["raw"].tolist()
        self.kinds: list[str] = events["kind"].astype(str).tolist()
        self.labels: list[int] = events.index.tolist()
        self.sources: list[str | None] = _values(events["source"])
        self.sessions: list[str | None] = _values(events["session_id"])
        self._recordings = {source: recording_of(source or "") for source in set(self.sources)}
        self._methods: list[str | None] = _values(events["method"])
        self._versions: list[Version | None] = _values(events["protocol"])
        self._epochs = events["epoch"].fillna(0).to_numpy(dtype=np.int64).tolist()
        known = set(self.labels)
        # A filter may have taken the request away.
        self._requests = [at if at in known else None for at in _values(events["reply_to"])]
        self._answers = self._answered()
        self._own_ids = self._given(policy)

    def _answered(self) -> dict[int, int]:
        """The position of the response of each request that has one, by the request's label."""
        pairs = ((request, place) for place, request in enumerate(self._requests) if request is not None)
        return dict(reversed(list(pairs)))

    def plan_id(self) -> str:
        """An id for the plans of v1 that no plan of the log has."""
        rows = np.flatnonzero(self.events["update"].isin(["plan_update", "plan_removed"]).to_numpy()).tolist()
        updates = [as_object(as_object((self._message(row) or {}).get("params")).get("update")) for row in rows]
        ids = [update.get("planId") or as_object(update.get("plan")).get("planId") for update in updates]
        known = [plan for plan in ids if isinstance(plan, str)]
        return free_prefix(PLAN, known) if PLAN in known else PLAN

    def rows(self) -> Iterator[Row]:
        """The rows, in order; each message is parsed when its turn comes."""
        for position, kind in enumerate(self.kinds):
            yield Row(position, self._key(position), self._event(position, kind), kind, self.labels[position])

    def _event(self, position: int, kind: str) -> Event | None:
        if kind not in _MESSAGES:
            return None
        message = self._message(position)
        if message is None:
            return None
        method = self._methods[position]
        label = self.labels[position]
        is_prompt = kind == "request" and method == "session/prompt"
        answer = self._answers.get(label) if is_prompt else None
        return Event(
            event=label,
            kind=kind,
            method=method,
            session=self.sessions[position],
            epoch=self._epochs[position],
            version=self._versions[position] or "v1",
            message=message,
            request=self._requests[position],
            answer=None if answer is None else self._message(answer),
            own_id=self._own_ids.get(position),
        )

    def _message(self, position: int) -> Json | None:
        try:
            value = _exact(self.raws[position])
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def _given(self, policy: AnyPolicy) -> dict[int, str]:
        """An id for each accepted chunk of v1 that has none, by position.

        Its message's own id, where another chunk of it has one (of several, the last one before it); else one that
        is made of the number of the message in its session.
        """
        ids: list[str | None] = _values(self.events["message_id"])
        versions = self.events["protocol"].eq("v1").to_numpy()
        bare = versions & self.events["role"].notna().to_numpy() & self.events["message_id"].isna().to_numpy()
        if not bare.any():
            return {}
        labels = group(self.events, policy).fillna(-1).to_numpy(dtype=np.int64).tolist()
        prefix = free_prefix(MESSAGE, [known for known in set(ids) if known is not None])
        first_id: dict[int, str] = {}
        for label, known in zip(labels, ids, strict=True):
            if known is not None:
                first_id.setdefault(label, known)
        numbers = self._numbers(labels)
        latest: dict[int, str] = {}
        given: dict[int, str] = {}
        for position, (label, known) in enumerate(zip(labels, ids, strict=True)):
            if label >= 0 and known is not None:
                latest[label] = known
            elif label >= 0 and bare[position]:
                own = latest.get(label) or first_id.get(label)
                given[position] = f"{prefix}{numbers[label]}" if own is None else own
        return given

    def _numbers(self, labels: list[int]) -> dict[int, int]:
        """The number of each message in its session, from 1."""
        counts: dict[SessionKey, int] = {}
        numbers: dict[int, int] = {}
        for position, label in enumerate(labels):
            if label >= 0 and label not in numbers:
                key = self._key(position)
                counts[key] = numbers[label] = counts.get(key, 0) + 1
        return numbers

    def _key(self, position: int) -> SessionKey:
        return self._recordings[self.sources[position]], self.sessions[position]


def _values(column: pd.Series) -> list:  # type: ignore[type-arg]  # each caller says of what
    """The values of a column, None where it has none."""
    values = column.astype(object)
    return values.where(column.notna(), None).tolist()
