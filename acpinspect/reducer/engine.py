"""One step: an update is read, the entity that it names is found, and the operation of its shape is applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from acpinspect.protocol import Reading, UpdateShape, Variant, read_update
from acpinspect.reducer.access import get_entity, put_entity, remove_entity
from acpinspect.reducer.extensions import extend
from acpinspect.reducer.keys import Entity, EntityKey, EntityKind, MessageKey, SessionField
from acpinspect.reducer.opening import open_after
from acpinspect.reducer.operations import operate
from acpinspect.reducer.patching import FieldChange
from acpinspect.reducer.state import SessionState
from acpinspect.reducer.steps import Change, Place, Step
from acpinspect.reducer.writes import Write

__all__ = ["apply_update", "apply_writes", "stepped"]

_BY_ID: Final[dict[UpdateShape, EntityKind]] = {
    "tool_call": "tool_call",
    "tool_call_update": "tool_call",
    "tool_content_chunk": "tool_call",
    "terminal": "terminal",
    "terminal_chunk": "terminal",
    "compaction": "compaction",
    "compaction_chunk": "compaction",
}

_OF_SESSION: Final[dict[UpdateShape, SessionField]] = {
    "state": "run",
    "commands": "commands",
    "mode": "mode",
    "config": "config_options",
    "info": "info",
    "usage": "usage",
    "notice": "notices",
}


def apply_update(state: SessionState, update: object, place: Place) -> Step:
    """Apply the payload of one `session/update`, by the rules of the state's protocol version."""
    reading = read_update(update, state.protocol)
    if reading.variant is None or reading.rejected is not None:
        return stepped(_without_effect(state, update, reading), place)
    state = _in_epoch(state, reading.variant, place)
    event = state.cursor.step if place.event is None else place.event
    entity = _target(state, reading, place)
    write = Write(entity, reading.variant.shape, reading.fields, event, reading.variant.role)
    step = apply_writes(state, [write])
    if reading.variant.shape == "state":
        step = replace(step, state=_turn_after(step.state, str(reading.fields["state"])))
    return stepped(replace(step, issues=reading.issues), place)


def stepped(step: Step, place: Place) -> Step:
    """The step with the state's count of steps moved on, and what the caller knows better put in."""
    state = step.state
    cursor = replace(state.cursor, step=state.cursor.step + 1)
    turn = state.turn if place.turn is None else place.turn
    return replace(step, state=replace(state, cursor=cursor, turn=turn))


def apply_writes(state: SessionState, writes: Sequence[Write]) -> Step:
    """Apply writes one after the other; what none of them names stays the very same object."""
    changes: list[Change] = []
    for write in writes:
        old = get_entity(state, write.entity)
        value, made = operate(state.protocol, old, write)
        if value is None and old is not None:
            state = remove_entity(state, write.entity)
        elif value is not old:
            state = put_entity(state, write.entity, value)
        state = _with_open(state, open_after(write, old, state.cursor.open))
        changes += [_of_entity(write.entity, change) for change in made]
    return Step(state, tuple(changes), writes=tuple(writes))


def _of_entity(entity: Entity, change: FieldChange) -> Change:
    return Change(change.action, entity, *change[1:])


def _with_open(state: SessionState, opened: MessageKey | None) -> SessionState:
    if opened == state.cursor.open:
        return state
    return replace(state, cursor=replace(state.cursor, open=opened))


def _without_effect(state: SessionState, update: object, reading: Reading) -> Step:
    """An update that is malformed, or of a name that the version doesn't have: a user's reducer, or nothing."""
    name = update.get("sessionUpdate") if isinstance(update, dict) else None
    if reading.variant is None and isinstance(update, dict) and isinstance(name, str):
        extended = extend(name, state, update)
        if extended is not None:
            return extended
        if name.startswith("_"):
            return Step(
                state, (Change("ignored", reason=f"{name[:80]!r} is an extension that nobody has registered"),)
            )
    return Step(state, (Change("rejected", reason=reading.rejected),), reading.issues)


def _in_epoch(state: SessionState, variant: Variant, place: Place) -> SessionState:
    """The state in the update's epoch: what the caller says, or one more at a replay that nobody asked for."""
    if place.epoch is not None:
        return state if place.epoch == state.epoch else replace(state, epoch=place.epoch)
    if not (state.cursor.resuming and variant.transcript):
        return state
    cursor = replace(state.cursor, resuming=False, loading=True, prompts=0, open=None)
    return replace(state, epoch=state.epoch + 1, cursor=cursor)


def _target(state: SessionState, reading: Reading, place: Place) -> Entity:
    variant = reading.variant
    assert variant is not None  # noqa: S101 - asked by the caller
    if variant.role is not None:
        return Entity("message", _message_key(state, variant.role, reading.fields.get("messageId"), place))
    if variant.shape in _OF_SESSION:
        return Entity("session", _OF_SESSION[variant.shape])
    if variant.shape in _BY_ID:
        return Entity(_BY_ID[variant.shape], EntityKey(state.epoch, str(reading.fields[variant.key or ""])))
    return Entity("plan", _plan_id(reading))


def _plan_id(reading: Reading) -> str:
    plan = reading.fields.get("plan", reading.fields)
    return str(plan.get("planId", "")) if isinstance(plan, dict) else ""


def _message_key(state: SessionState, role: str, message_id: object, place: Place) -> MessageKey:
    """The label where the caller gives one, else the id, else the open message of the role, else a new one."""
    if isinstance(place.label, MessageKey):
        return place.label
    if place.label is not None:
        return MessageKey(state.epoch, role, None, place.label)
    if isinstance(message_id, str):
        return MessageKey(state.epoch, role, message_id)
    opened = state.cursor.open
    if opened is not None and opened.role == role:
        return opened
    return MessageKey(state.epoch, role, None, len(state.messages))


def _turn_after(state: SessionState, run_state: str) -> SessionState:
    """v2: the first `running` while no turn is open begins one, `idle` ends it; a replay has none."""
    cursor = state.cursor
    if cursor.loading:
        return state
    if run_state == "idle":
        return replace(state, cursor=replace(cursor, prompts=0)) if cursor.prompts else state
    if run_state != "running" or cursor.prompts:
        return state
    return replace(state, turn=state.turn + 1, cursor=replace(cursor, prompts=1))
