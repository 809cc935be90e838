"""The reducer of protocol v1.

Messages come as chunks only; ids are optional, and null and unusable ones count as none. `tool_call` overwrites,
`tool_call_update` leaves what is null or omitted. There is one plan. A prompt's response says how its turn ended.
"""

from __future__ import annotations

from acpinspect.reducer.checked import checked
from acpinspect.reducer.engine import apply_update
from acpinspect.reducer.keys import Label, MessageKey
from acpinspect.reducer.state import SessionState
from acpinspect.reducer.steps import NOWHERE, Place, Step

__all__ = ["apply", "reduce"]


def reduce(state: SessionState, update: object, label: Label | MessageKey | None = None) -> SessionState:
    """The state after one update of v1.

    Args:
        state: The state before it; it stays as it is.
        update: The value of ``params.update``, any JSON value.
        label: Which message a chunk belongs to, as a grouping says; without one the id decides, and a chunk
            without an id continues the open message of its role, if there is one.

    Returns:
        The state after it. It is equal to the one before where the update is malformed, or of a name that v1
        doesn't have; `apply` says why. Costs O(log n) for n entities, plus the size of the update.

    Raises:
        ArgumentError: The state is of another protocol version.

    Examples:
        >>> from acpinspect.reducer import empty_state
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "A"}}
        >>> state = reduce(reduce(empty_state("v1"), chunk), chunk)
        >>> [message.text for message in state.messages.values()]
        ['AA']
    """
    return apply(state, update, Place(label=label)).state


def apply(state: SessionState, update: object, place: Place = NOWHERE) -> Step:
    """One update of v1, with all that it did.

    Args:
        state: The state before it.
        update: The value of ``params.update``, any JSON value.
        place: Event, label, epoch and turn, as far as the caller knows them.

    Raises:
        ArgumentError: The state is of another protocol version.

    Examples:
        >>> from acpinspect.reducer import empty_state
        >>> step = apply(empty_state("v1"), {"sessionUpdate": "agent_message", "messageId": "m1", "content": []})
        >>> step.action, step.reason
        ('rejected', "sessionUpdate is 'agent_message', which is no update of v1")
    """
    return apply_update(checked(state, "v1"), update, place)
