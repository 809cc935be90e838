"""What acts on the session as a whole: prompts, answers, loads, cancels and v2 states, run through the reducer.

They depend on one another (how many prompts wait, whether something runs), but on no entity. So a small state that
holds no entity goes through them once, in order, and what they set is kept by position.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from acpinspect.reducer import Change, Place, Run, SessionState, Step, apply_frame, empty_state, get_entity
from acpinspect.timelines.acts import CONTROL
from acpinspect.timelines.logs import SessionLog

__all__ = ["Controlled", "control", "note", "restarted"]

_WITHOUT_EFFECT = frozenset({"ignored", "rejected"})


@dataclass(slots=True)
class Controlled:
    """What the control events did.

    Attributes:
        values: What each wrote, by field of the session and position.
        changes: What each did, by position.
        acted: Positions of those that act on a state at all.
    """

    values: dict[str, dict[int, object]] = field(default_factory=dict)
    changes: dict[int, tuple[Change, ...]] = field(default_factory=dict)
    acted: list[int] = field(default_factory=list)


def control(log: SessionLog) -> Controlled:
    """Run the control events of a session; cost: one step of the reducer for each."""
    done = Controlled()
    # What is equal is kept once: a million prompts have few of them.
    seen: dict[object, object] = {}
    state = empty_state(log.protocol, log.session_id)
    restarts = log.restarts.tolist()
    for position in np.flatnonzero(log.acts == CONTROL).tolist():
        while restarts and restarts[0] <= position:
            state = restarted(state)
            restarts.pop(0)
        step = controlled_step(log, state, position)
        state = step.state
        note(done, position, step, seen)
        if state.epoch == log.epoch[position]:
            done.acted.append(position)
    return done


def restarted(state: SessionState) -> SessionState:
    """The state after a new connection began: nothing that was asked for on the old one is waited for."""
    return apply_frame(state, {"method": "initialize"}).state


def controlled_step(log: SessionLog, state: SessionState, position: int) -> Step:
    """One event that is no update of an entity, run through the reducer."""
    place = Place(int(log.events[position]), None, int(log.epoch[position]), int(log.turn[position]))
    return apply_frame(state, log.frame(position), place, request=log.request(position))


def note(done: Controlled, position: int, step: Step, seen: dict[object, object]) -> None:
    """Keep what one step did to the session's fields."""
    done.changes[position] = seen.setdefault(step.changes, step.changes)  # type: ignore[assignment]
    for change in step.changes:
        if change.entity is not None and change.entity.kind == "session" and change.action not in _WITHOUT_EFFECT:
            name, value = str(change.entity.key), get_entity(step.state, change.entity)
            shared = isinstance(value, Run) and value.usage is None
            done.values.setdefault(name, {})[position] = seen.setdefault(value, value) if shared else value
