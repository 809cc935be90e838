"""The reducer of protocol v2.

Everything that has an id is an upsert with patch fields: omitted leaves, null clears, a value replaces. Chunks
append to what is there. `state_update` says what the agent does; a prompt's response only acknowledges.
"""

from __future__ import annotations

from acpinspect.reducer.checked import checked
from acpinspect.reducer.engine import apply_update
from acpinspect.reducer.keys import Label, MessageKey
from acpinspect.reducer.state import SessionState
from acpinspect.reducer.steps import NOWHERE, Place, Step

__all__ = ["apply", "reduce"]


def reduce(state: SessionState, update: object, label: Label | MessageKey | None = None) -> SessionState:
    """The state after one update of v2.

    Args:
        state: The state before it; it stays as it is.
        update: The value of ``params.update``, any JSON value.
        label: Which message the update belongs to, as a grouping says; without one the id decides.

    Returns:
        The state after it. It is equal to the one before where the update is malformed, or of a name that v2
        doesn't have; `apply` says why. Costs O(log n) for n entities, plus the size of the update.

    Raises:
        ArgumentError: The state is of another protocol version.

    Examples:
        >>> from acpinspect.reducer import empty_state
        >>> a, b = {"type": "text", "text": "A"}, {"type": "text", "text": "B"}
        >>> whole = {"sessionUpdate": "agent_message", "messageId": "m1", "content": [a]}
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": b}
        >>> state = reduce(reduce(empty_state("v2"), whole), chunk)
        >>> state.message("m1").text
        'AB'
    """
    return apply(state, update, Place(label=label)).state


def apply(state: SessionState, update: object, place: Place = NOWHERE) -> Step:
    """One update of v2, with all that it did.

    Args:
        state: The state before it.
        update: The value of ``params.update``, any JSON value.
        place: Event, label, epoch and turn, as far as the caller knows them.

    Raises:
        ArgumentError: The state is of another protocol version.

    Examples:
        >>> from acpinspect.reducer import empty_state
        >>> step = apply(empty_state("v2"), {"sessionUpdate": "agent_message", "content": []})
        >>> step.action, step.reason
        ('rejected', 'messageId is missing')
    """
    return apply_update(checked(state, "v2"), update, place)
