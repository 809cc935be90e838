"""The plain fold of a session's events: one step of the reducer after another, with whole states.

It is what a timeline must be equal to at every step, and how it learns what the reducers of users do.
"""

from __future__ import annotations

from collections.abc import Iterator

from acpinspect.reducer import Change, Place, SessionState, Step, apply_frame, empty_state
from acpinspect.timelines.acts import LEFT_OUT, REJECTED, UNREADABLE
from acpinspect.timelines.control import restarted
from acpinspect.timelines.keys import Keys
from acpinspect.timelines.logs import SessionLog

__all__ = ["fold_steps"]


def fold_steps(log: SessionLog, keys: Keys) -> Iterator[Step]:
    """Fold a session.

    Args:
        log: The session.
        keys: Its entities, which say what the messages are called.

    Yields:
        The step that each event makes.
    """
    state = empty_state(log.protocol, log.session_id)
    restarts = log.restarts.tolist()
    for position in range(len(log)):
        while restarts and restarts[0] <= position:
            state = restarted(state)
            restarts.pop(0)
        step = _step(log, keys, state, position)
        state = step.state
        yield step


def _step(log: SessionLog, keys: Keys, state: SessionState, position: int) -> Step:
    act = log.acts[position]
    if act in (UNREADABLE, LEFT_OUT, REJECTED):
        return Step(state, (Change("rejected" if act == REJECTED else "ignored", reason=log.problem(position)),))
    label = keys.entity(int(keys.code[position])).key if log.label[position] >= 0 else None
    place = Place(
        int(log.events[position]),
        label,  # type: ignore[arg-type]  # a message's key
        int(log.epoch[position]),
        int(log.turn[position]),
    )
    return apply_frame(state, log.frame(position), place, request=log.request(position))
