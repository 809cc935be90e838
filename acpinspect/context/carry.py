"""What the frames of a recording leave to those that follow, where a recording is read piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from acpinspect.context.facts import Ints

__all__ = ["NOTHING", "Carry", "SessionCarry"]


@dataclass(frozen=True, slots=True)
class SessionCarry:
    """Where a session stands.

    Attributes:
        turns: Turns begun so far.
        turn: The turn that holds; -1 before the first and in a replay.
        open: The turn is not over.
        epoch: Loads so far.
        phase: Index into the phases: live or replay.
        loading: Event of the request of the replay under way; -1 for none.
    """

    turns: int = 0
    turn: int = -1
    open: bool = False
    epoch: int = 0
    phase: int = 0
    loading: int = -1


@dataclass(frozen=True, slots=True)
class Carry:
    """What one recording left behind. The requests that are still open stand as rows before the next frames.

    Attributes:
        open_requests: The event of each of those rows, ascending.
        next_event: The event of the first frame that follows them.
        votes: What each direction label stood for so far: frames of the client, frames of the agent.
        two_sided: The recording is known to hold both sides.
        versions: Version of each connection, by its number in the recording, once something told it.
        last_session: The session of the last update.
        sessions: Where each session stands; None is the traffic that names none.
        turn_of_prompt: The turn that each open prompt request belongs to, by its event.
    """

    open_requests: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    next_event: int = 0
    votes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    two_sided: bool = False
    versions: Mapping[int, int] = field(default_factory=dict)
    last_session: str | None = None
    sessions: Mapping[str | None, SessionCarry] = field(default_factory=dict)
    turn_of_prompt: Mapping[int, int] = field(default_factory=dict)

    @property
    def before(self) -> int:
        """How many rows stand before the frames that follow."""
        return len(self.open_requests)

    def events(self, n: int) -> Ints:
        """The event of each of n rows, those before included."""
        return np.concatenate([self.open_requests, self.next_event + np.arange(n - self.before)])


NOTHING: Final = Carry()
