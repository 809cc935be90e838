"""From the context of one piece of a recording to what the next piece needs of it, and back."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.carry import Carry, SessionCarry
from acpinspect.context.facts import Codes, Facts, Ints
from acpinspect.context.replies import shows_two_sides
from acpinspect.context.sides import method_sides, votes_by_label
from acpinspect.context.turns import Session

if TYPE_CHECKING:
    from acpinspect.context import Context

__all__ = ["carried_on", "numbers_of_sessions", "prompts_at", "sessions_at"]

_MOST_OPEN: Final = 10_000
"""Requests that may stay unanswered over pieces; of more, the oldest are forgotten."""

_GONE: Final = -2
"""A request that no row stands for any more: no response answers it."""


def numbers_of_sessions(number: npt.NDArray[np.int32], session: Codes, carry: Carry) -> dict[str | None, int]:
    """The number of each session by its name, those that only the carry knows included.

    Args:
        number: Number of each row's session; -1 where it has none.
        session: The name of each row's session.
        carry: What the pieces before left behind.
    """
    # The numbers ascend in the order in which the sessions first appear.
    highest = np.maximum.accumulate(np.append(-1, number))
    first = np.flatnonzero(number > highest[:-1])
    numbers = {session.at(row): int(number[row]) for row in first.tolist()}
    absent = [name for name in carry.sessions if name not in numbers]
    return numbers | dict(zip(absent, count(int(highest[-1]) + 1)))


def sessions_at(carry: Carry, numbers: dict[str | None, int]) -> dict[int, Session]:
    """Where the sessions stand as a piece begins, by their numbers in it."""
    row_of = {event: row for row, event in enumerate(carry.open_requests.tolist())}
    return {
        numbers[name]: Session(
            turns=state.turns,
            turn=state.turn,
            open=state.open,
            epoch=state.epoch,
            phase=state.phase,
            loading=-1 if state.loading < 0 else row_of.get(state.loading, _GONE),
        )
        for name, state in carry.sessions.items()
    }


def prompts_at(carry: Carry) -> dict[int, int]:
    """The turns of the prompts that are open as a piece begins, by row."""
    turns = carry.turn_of_prompt
    return {row: turns[event] for row, event in enumerate(carry.open_requests.tolist()) if event in turns}


def carried_on(facts: Facts, context: Context, carry: Carry) -> tuple[Carry, Ints]:
    """What a piece of one recording leaves to the next.

    Args:
        facts: The columns of the piece.
        context: Their context.
        carry: What the piece itself began with.

    Returns:
        The carry; and which rows have to stand before the next piece: the requests still open, ascending.
    """
    events = carry.events(len(facts))
    rows = np.array(context.replies.unanswered[-_MOST_OPEN:], dtype=np.int64)
    turn_of = context.turns.turn_of_prompt
    updates = np.flatnonzero((facts.update.codes >= 0) & (facts.session.codes >= 0))
    last = facts.session.at(int(updates[-1])) if len(updates) else carry.last_session
    onward = Carry(
        open_requests=events[rows],
        next_event=carry.next_event + len(facts) - carry.before,
        votes=votes_by_label(facts, method_sides(facts.method), carry),
        two_sided=carry.two_sided or bool(shows_two_sides(facts).any()),
        versions=_versions(context, carry),
        last_session=last,
        sessions={**carry.sessions, **_sessions(context, events)},
        turn_of_prompt={int(events[row]): turn_of[row] for row in rows.tolist() if row in turn_of},
    )
    return onward, rows


def _versions(context: Context, carry: Carry) -> dict[int, int]:
    """The settled version of each connection that goes on."""
    going_on = {name: began[-1][1] for name, began in context.replies.began.items()}
    seen = {name: context.settled[number] for name, number in going_on.items() if number in context.settled}
    return {name: version for name, version in carry.versions.items() if name not in going_on} | seen


def _sessions(context: Context, events: Ints) -> dict[str | None, SessionCarry]:
    states = context.turns.sessions
    return {
        name: _standing(states[number], events) for name, number in context.numbers.items() if number in states
    }


def _standing(state: Session, events: Ints) -> SessionCarry:
    loading = state.loading if state.loading < 0 else int(events[state.loading])
    return SessionCarry(state.turns, state.turn, state.open, state.epoch, state.phase, loading)
