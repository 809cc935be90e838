"""Reducers of users, for updates that the protocol has no rule for: `_vendor/x` and names of the future.

The registry is a plain table of this process. It is meant to be filled once, before states are made: a state that
was made with a reducer and one that was made without it differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Final, TypeAlias

from acpinspect.errors import ArgumentError
from acpinspect.protocol import VARIANTS
from acpinspect.reducer.access import get_entity
from acpinspect.reducer.keys import Entity, EntityKind
from acpinspect.reducer.state import SessionState
from acpinspect.reducer.steps import Change, Step
from acpinspect.reducer.values import FrozenDict, freeze

__all__ = ["UserReducer", "extend", "register_reducer", "registered_reducers", "unregister_reducer"]

UserReducer: TypeAlias = Callable[[SessionState, Mapping[str, object]], SessionState]
"""Takes a state and the update, gives the state after it. It must be pure: states can't be changed in place."""

_REDUCERS: Final[dict[str, UserReducer]] = {}
_KINDS: Final[tuple[tuple[EntityKind, str], ...]] = (
    ("message", "messages"),
    ("tool_call", "tool_calls"),
    ("plan", "plans"),
    ("terminal", "terminals"),
    ("compaction", "compactions"),
)


def register_reducer(name: str, function: UserReducer) -> None:
    """Let a function of your own handle the updates of one name.

    It is asked where the protocol version of the session has no rule for the name. Registering a name again
    replaces its function.

    Args:
        name: The value of ``sessionUpdate``: a custom one (``_vendor/x``) or one that no version has.
        function: Gets the state and the update, returns the state after it; see `acpinspect.reducer.access`
            for how to put and remove entities.

    Raises:
        ArgumentError: The name belongs to the protocol, or the function can't be called.

    Examples:
        The edit that the design document on message ids sketches:

        >>> from dataclasses import replace
        >>> from acpinspect.reducer import Entity, Rope, empty_state, put_entity, v1
        >>> def edit(state, update):
        ...     message = state.message(update["messageId"])
        ...     edited = replace(message, content=Rope([update["content"]]))
        ...     return put_entity(state, Entity("message", message.key), edited)
        >>> register_reducer("message_update", edit)
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "messageId": "m1",
        ...          "content": {"type": "text", "text": "Wrong"}}
        >>> edit = {"sessionUpdate": "message_update", "messageId": "m1", "updateType": "replace",
        ...         "content": {"type": "text", "text": "Right"}}
        >>> state = v1.reduce(v1.reduce(empty_state("v1"), chunk), edit)
        >>> state.message("m1").text
        'Right'
        >>> unregister_reducer("message_update")
    """
    if not isinstance(name, str) or not name:
        raise ArgumentError("the name of a reducer is a string that isn't empty")
    if any(name in table for table in VARIANTS.values()):
        raise ArgumentError(
            f"{name!r} belongs to the protocol; only names that it has no rule for can be registered"
        )
    if not callable(function):
        raise ArgumentError(f"the reducer for {name!r} can't be called")
    _REDUCERS[name] = function


def unregister_reducer(name: str) -> None:
    """Forget the function of one name.

    Args:
        name: The value of ``sessionUpdate``.

    Raises:
        ArgumentError: The name isn't registered.

    Examples:
        >>> register_reducer("_acme/mark", lambda state, update: state)
        >>> unregister_reducer("_acme/mark")
        >>> "_acme/mark" in registered_reducers()
        False
    """
    if name not in _REDUCERS:
        raise ArgumentError(f"no reducer is registered for {name!r}")
    del _REDUCERS[name]


def registered_reducers() -> dict[str, UserReducer]:
    """The functions that are registered, by name; a copy.

    Examples:
        >>> register_reducer("_acme/mark", lambda state, update: state)
        >>> list(registered_reducers())
        ['_acme/mark']
        >>> unregister_reducer("_acme/mark")
    """
    return dict(_REDUCERS)


def extend(name: str, state: SessionState, update: Mapping[str, object]) -> Step | None:
    """The step that a user's reducer makes, or ``None`` where there is none for the name."""
    function = _REDUCERS.get(name)
    if function is None:
        return None
    frozen = freeze(update)
    after = function(state, frozen if isinstance(frozen, FrozenDict) else FrozenDict())
    if not isinstance(after, SessionState):
        raise ArgumentError(f"the reducer for {name!r} returned {type(after).__name__}, no SessionState")
    return Step(
        after, _differences(state, after) or (Change("ignored", reason=f"the reducer for {name!r} left all"),)
    )


def _differences(before: SessionState, after: SessionState) -> tuple[Change, ...]:
    """What a user's reducer did, found by comparing: O(n) entities."""
    changes: list[Change] = []
    for kind, name in _KINDS:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new:
            for key in dict.fromkeys((*old, *new)):
                changes += _difference(Entity(kind, key), get_entity(before, Entity(kind, key)), new.get(key))
    rest = {field.name for field in fields(before)} - {name for _, name in _KINDS} - {"order", "cursor"}
    changes += [
        Change("patched", Entity("session", name))
        for name in sorted(rest)
        if getattr(before, name) != getattr(after, name)
    ]
    return tuple(changes)


def _difference(entity: Entity, old: object, new: object) -> list[Change]:
    if old is new or old == new:
        return []
    if old is None:
        return [Change("created", entity)]
    return [Change("removed" if new is None else "replaced", entity)]
