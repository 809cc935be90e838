"""What a step did: the state after it, and each change with its entity, field and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from acpinspect.protocol import Issue
from acpinspect.reducer.keys import Entity, Label, MessageKey
from acpinspect.reducer.state import SessionState
from acpinspect.reducer.writes import Write

__all__ = ["NOWHERE", "Action", "Change", "Place", "Step"]

Action: TypeAlias = Literal[
    "created", "removed", "replaced", "cleared", "appended", "patched", "rejected", "ignored"
]

# What a whole step is called, where its changes are of several kinds: the first of these that is among them.
_WEIGHT: tuple[Action, ...] = (
    "created",
    "removed",
    "replaced",
    "cleared",
    "appended",
    "patched",
    "rejected",
    "ignored",
)


class Change(NamedTuple):
    """One thing that a step did.

    Attributes:
        action: ``created`` (first sight), ``removed``, ``appended``, ``replaced`` (content was there and other
            content stands there now), ``cleared`` (a value is gone), ``patched`` (a value was set), ``rejected``
            (malformed, without effect), ``ignored`` (well-formed, and without effect on the state).
        entity: What was changed; ``None`` where the update names none.
        field: Which attribute of the entity; ``None`` for the entity as a whole.
        start: First index that the step wrote, in the value after the step: content blocks, notices, or bytes of a
            terminal's output. ``None`` where the field is no sequence.
        stop: The index after the last one that it wrote.
        reason: Why it was rejected or ignored.

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> step = v1.apply(empty_state("v1"), {"sessionUpdate": "current_mode_update", "currentModeId": "ask"})
        >>> [(change.action, change.entity.key) for change in step.changes]
        [('patched', 'mode')]
    """

    action: Action
    entity: Entity | None = None
    field: str | None = None
    start: int | None = None
    stop: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A state, and how it came to be.

    Attributes:
        state: The state after the step; the very same object as before it where nothing happened to its value.
        changes: What happened, at least one.
        issues: Where the update doesn't fit the schema though it was not rejected: fields and items left out.
        writes: What was applied, entity by entity; `fold_writes` makes an entity of its own writes alone.

    Examples:
        >>> from acpinspect.reducer import empty_state, v2
        >>> update = {"sessionUpdate": "agent_message", "messageId": "m1", "content": []}
        >>> step = v2.apply(empty_state("v2"), update)
        >>> step.action, step.entity.key.message_id, step.reason
        ('created', 'm1', None)
    """

    state: SessionState
    changes: tuple[Change, ...]
    issues: tuple[Issue, ...] = ()
    writes: tuple[Write, ...] = ()

    @property
    def action(self) -> Action:
        """The step in one word: the weightiest of its changes, a creation before all others."""
        actions = {change.action for change in self.changes}
        return next(action for action in _WEIGHT if action in actions)

    @property
    def entity(self) -> Entity | None:
        """The entity of the first change."""
        return self.changes[0].entity

    @property
    def reason(self) -> str | None:
        """Why something was rejected or ignored; ``None`` where nothing was."""
        return next((change.reason for change in self.changes if change.reason is not None), None)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an update stands, as the caller knows it; what is ``None`` the reducer finds by its own rules.

    Attributes:
        event: The number of the event; else the count of the steps so far.
        label: Which message a message update belongs to: a whole key, or a label of a grouping, which then
            stands in place of the id.
        epoch: How many replays have begun.
        turn: How many turns have begun.

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        >>> state = v1.apply(empty_state("v1"), chunk, Place(event=41, label=3)).state
        >>> [(key.label, message.first_event) for key, message in state.messages.items()]
        [(3, 41)]
    """

    event: int | None = None
    label: Label | MessageKey | None = None
    epoch: int | None = None
    turn: int | None = None


NOWHERE = Place()
