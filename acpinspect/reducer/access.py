"""Reads and writes one entity of a state, whatever its kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from acpinspect.errors import ArgumentError
from acpinspect.reducer.keys import Entity
from acpinspect.reducer.ropes import Rope
from acpinspect.reducer.state import SessionState

__all__ = ["get_entity", "put_entity", "remove_entity"]

_MAPS = {
    "message": "messages",
    "tool_call": "tool_calls",
    "plan": "plans",
    "terminal": "terminals",
    "compaction": "compactions",
}


def get_entity(state: SessionState, entity: Entity) -> Any:  # noqa: ANN401 - an entity of any kind
    """The entity's value in a state, or ``None`` where it isn't there.

    Args:
        state: A state.
        entity: A kind and a key; for the kind ``session`` the key is the name of the field.

    Examples:
        >>> from acpinspect.reducer import empty_state
        >>> get_entity(empty_state("v1"), Entity("plan", "")) is None
        True
    """
    if entity.kind == "session":
        return getattr(state, str(entity.key))
    return getattr(state, _MAPS[entity.kind]).get(entity.key)


def put_entity(state: SessionState, entity: Entity, value: object) -> SessionState:
    """The state with this value of the entity; a new entity comes last in the order.

    Costs O(log n) for n entities, whatever the kind.

    Args:
        state: The state before.
        entity: A kind and a key; for the kind ``session`` the key is the name of the field.
        value: The value, frozen: a `Message`, `ToolCall`, `Plan`...

    Examples:
        >>> from acpinspect.reducer import Plan, empty_state
        >>> state = put_entity(empty_state("v1"), Entity("plan", "p"), Plan("p", "markdown", content="# Plan"))
        >>> state.plans["p"].content
        '# Plan'
    """
    if entity.kind == "session":
        return replace(state, **{str(entity.key): value})  # type: ignore[arg-type]  # the key says the field
    name = _MAPS[entity.kind]
    entities = getattr(state, name)
    if entity.key in entities:
        return replace(state, **{name: entities.set(entity.key, value)})
    order = state.order if isinstance(state.order, Rope) else Rope(state.order)
    return replace(state, order=order.append(entity), **{name: entities.set(entity.key, value)})


def remove_entity(state: SessionState, entity: Entity) -> SessionState:
    """The state without the entity. Costs O(n): its place in the order has to be found.

    Args:
        state: The state before.
        entity: A kind and a key.

    Raises:
        ArgumentError: The entity isn't there, or it is a field of the session.

    Examples:
        >>> from acpinspect.reducer import Plan, empty_state
        >>> plan = Entity("plan", "p")
        >>> len(remove_entity(put_entity(empty_state("v1"), plan, Plan("p")), plan).plans)
        0
    """
    if entity.kind == "session" or entity.key not in getattr(state, _MAPS[entity.kind]):
        raise ArgumentError(f"there is no such {entity.kind} to remove: {entity.key!r}")
    name = _MAPS[entity.kind]
    order = Rope([known for known in state.order if known != entity])
    return replace(state, order=order, **{name: getattr(state, name).delete(entity.key)})
