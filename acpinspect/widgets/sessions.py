"""The sessions of a table that one can look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from acpinspect.errors import ArgumentError
from acpinspect.grouping.tokens import tokens
from acpinspect.reading.recordings import recording_of

__all__ = ["SessionChoice", "find_session", "sessions_of"]


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """One session of a table.

    Attributes:
        name: What the selector shows; no two are the same.
        session_id: Its id; ``None`` where the log gave none.
        recording: The recording that it stands in.
        events: How many events it has.
        ambiguous: Its id doesn't tell it from another session of the table.
    """

    name: str
    session_id: str | None
    recording: str
    events: int
    ambiguous: bool

    def is_same(self, other: SessionChoice) -> bool:
        """Whether it is this session in a table with more or less events."""
        return (self.session_id, self.recording) == (other.session_id, other.recording)


def sessions_of(events: pd.DataFrame) -> tuple[SessionChoice, ...]:
    """All sessions, in the order in which they first appear; one without events where there is none."""
    session = tokens(events).session
    numbers, firsts, counts = np.unique(session, return_index=True, return_counts=True)
    order = [i for i in np.argsort(firsts).tolist() if numbers[i] >= 0]
    heads = events[["session_id", "source", "protocol", "turn"]].iloc[firsts[order]]
    ids = [None if pd.isna(name) else str(name) for name in heads["session_id"].tolist()]
    recordings = [recording_of(str(source)) for source in heads["source"].tolist()]
    protocols = heads["protocol"].astype(object).tolist()
    found: list[SessionChoice] = []
    for i, (name, recording, protocol) in enumerate(zip(ids, recordings, protocols, strict=True)):
        alone = ids.count(name) == 1 and (name is not None or len(ids) == 1)
        count = int(counts[order[i]])
        shown = f"{_short(name)} · {protocol if isinstance(protocol, str) else 'v?'} · {count:,} events"
        shown += "" if alone else f" · {recording}"
        taken = [each.name for each in found]
        found.append(
            SessionChoice(shown if shown not in taken else f"{shown} #{i + 1}", name, recording, count, not alone)
        )
    return tuple(found) or (SessionChoice("no session in this log", None, "", 0, False),)


def _short(name: str | None) -> str:
    if name is None:
        return "without id"
    shown = name if len(name) <= 20 else f"{name[:11]}…{name[-6:]}"
    return "".join(character if character.isprintable() else "\ufffd" for character in shown)


def find_session(choices: tuple[SessionChoice, ...], wanted: str | None) -> SessionChoice:
    """The session of an id or of a name as the selector shows it; without either the first of the biggest.

    Raises:
        ArgumentError: There is none.
    """
    if wanted is None:
        return max(choices, key=lambda choice: choice.events)
    for choice in choices:
        if wanted in (choice.name, choice.session_id):
            return choice
    known = ", ".join(repr(choice.session_id) for choice in choices[:10])
    raise ArgumentError(f"There is no session {wanted!r} in this log. There is: {known}.")
