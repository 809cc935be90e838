"""What a client that follows the protocol knows of one session, as frozen values.

`SessionState` holds the entities (messages, tool calls, plans, terminals, compactions) by key, and what belongs to
the session as a whole. Equality is by value. Nothing here can be changed after it is made: the steps of `v1` and
`v2` make new states that share with the old one all that they don't touch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from acpinspect.protocol import Version
from acpinspect.reducer.entities import Compaction, Message, Plan, Terminal, ToolCall
from acpinspect.reducer.frozenmap import FrozenMap
from acpinspect.reducer.keys import Entity, EntityKey, EntityMap, MessageKey
from acpinspect.reducer.ropes import Rope
from acpinspect.reducer.values import FrozenDict

__all__ = ["Cursor", "Info", "Notice", "Run", "SessionState", "Usage", "empty_state"]


@dataclass(frozen=True, slots=True)
class Notice:
    """One piece of live advice; no part of the session's history.

    Attributes:
        severity: As it was sent: ``info``, ``warning``, ``error`` or a custom one.
        title: What it says.
        description: More of it.
        meta: Its ``_meta``.

    Examples:
        >>> Notice("warning", "Low tide").severity
        'warning'
    """

    severity: str
    title: str
    description: str | None = None
    meta: FrozenDict | None = None


@dataclass(frozen=True, slots=True)
class Info:
    """What `session_info_update` says: each field stays until it is sent again, ``null`` clears it.

    Attributes:
        title: The session's title.
        updated_at: The time of the last activity, as it was sent.
        meta: Its ``_meta``.

    Examples:
        >>> from acpinspect.reducer import v1
        >>> state = v1.reduce(empty_state("v1"), {"sessionUpdate": "session_info_update", "title": "Tides"})
        >>> state.info.title
        'Tides'
    """

    title: str | None = None
    updated_at: str | None = None
    meta: FrozenDict | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens in the context, its size, and the cost so far, as `usage_update` last said.

    Attributes:
        used: Tokens in the context.
        size: Tokens that the context can hold.
        cost: Amount and currency, as they were sent.
        meta: Its ``_meta``.

    Examples:
        >>> from acpinspect.reducer import v1
        >>> state = v1.reduce(empty_state("v1"), {"sessionUpdate": "usage_update", "used": 10, "size": 100})
        >>> state.usage.used, state.usage.size
        (10, 100)
    """

    used: int
    size: int
    cost: FrozenDict | None = None
    meta: FrozenDict | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What the agent's foreground work is doing.

    Attributes:
        state: ``running``, ``idle``, ``requires_action``, a custom value, or ``None`` before anything was said.
            In v1 the prompt request makes it ``running`` and its response ``idle``.
        stop_reason: Why the work ended, where that was said when it became idle.
        cancelling: The client has asked to cancel and the work has not ended yet.
        usage: The tokens of the work that ended (unstable), as they were sent.

    Examples:
        >>> from acpinspect.reducer import v2
        >>> idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}
        >>> v2.reduce(empty_state("v2"), idle).run.stop_reason
        'end_turn'
    """

    state: str | None = None
    stop_reason: str | None = None
    cancelling: bool = False
    usage: FrozenDict | None = None


@dataclass(frozen=True, slots=True)
class Cursor:
    """What the next step must know and no reader does; no part of a state's value.

    Attributes:
        step: How many steps were made: the number of the next event where the caller gives none.
        open: The message that a v1 chunk without an id continues (see `acpinspect.reducer.opening`).
        prompts: v1: prompt requests without a response. v2: 1 while a turn is open.
        loading: A replay that was asked for is going on.
        resuming: A resume without replay has no response yet: a transcript update would be an unasked replay.

    Examples:
        >>> from acpinspect.reducer import v1
        >>> mode = {"sessionUpdate": "current_mode_update", "currentModeId": "ask"}
        >>> v1.reduce(empty_state("v1"), mode).cursor.step
        1
    """

    step: int = 0
    open: MessageKey | None = None
    prompts: int = 0
    loading: bool = False
    resuming: bool = False


@dataclass(frozen=True, slots=True)
class SessionState:
    """All that is known of a session after some events.

    Attributes:
        session_id: The session, where it is known.
        protocol: The version whose rules made the state.
        messages: Messages by `MessageKey`, in the order in which they first came.
        tool_calls: Tool calls by id; see `EntityMap` for ids that came back after a load.
        plans: Plans by id. v1 has one plan, with the id ``""``.
        terminals: Terminals by id (v2).
        compactions: Compactions by id (unstable).
        notices: Notices in the order of arrival (unstable).
        mode: The current mode (v1).
        available_modes: The modes that there are, as the session's result listed them (v1).
        config_options: The options, as last listed.
        commands: The commands, as last listed.
        info: Title, time of the last activity, metadata.
        usage: Tokens and cost, or ``None`` before anything was said.
        run: What the agent's foreground work is doing.
        order: Entities in the order in which they were first seen; no later update moves one.
        turn: How many turns have begun.
        epoch: How many replays have begun: the entities of each have keys of their own.
        cursor: What the next step must know; not compared and not shown.

    Examples:
        >>> from acpinspect.reducer import v2
        >>> state = v2.reduce(empty_state("v2"), {"sessionUpdate": "agent_message_chunk", "messageId": "m1",
        ...                                       "content": {"type": "text", "text": "Hello"}})
        >>> [message.text for message in state.messages.values()]
        ['Hello']
    """

    session_id: str | None
    protocol: Version
    messages: Mapping[MessageKey, Message] = field(default_factory=FrozenMap)
    tool_calls: Mapping[str | EntityKey, ToolCall] = field(default_factory=EntityMap)
    plans: Mapping[str, Plan] = field(default_factory=FrozenMap)
    terminals: Mapping[str | EntityKey, Terminal] = field(default_factory=EntityMap)
    compactions: Mapping[str | EntityKey, Compaction] = field(default_factory=EntityMap)
    notices: Sequence[Notice] = field(default_factory=Rope)
    mode: str | None = None
    available_modes: tuple[object, ...] = ()
    config_options: tuple[object, ...] = ()
    commands: tuple[object, ...] = ()
    info: Info = field(default_factory=Info)
    usage: Usage | None = None
    run: Run = field(default_factory=Run)
    order: Sequence[Entity] = field(default_factory=Rope)
    turn: int = 0
    epoch: int = 0
    cursor: Cursor = field(default_factory=Cursor, compare=False, repr=False)

    def message(self, message_id: str, role: str | None = None) -> Message:
        """The newest message with an id.

        Args:
            message_id: The id as the agent sent it.
            role: ``user``, ``agent`` or ``thought``, where one id was given to several roles.

        Raises:
            KeyError: There is none.
        """
        for message in reversed(list(self.messages.values())):
            if message.message_id == message_id and role in {None, message.role}:
                return message
        raise KeyError(message_id)

    def to_dict(self, *, events: bool = True) -> dict[str, object]:
        """The state as plain JSON: keys are the attributes' names, values from the wire stand as they were sent.

        Args:
            events: Say of each message which events were its first and last.

        Returns:
            A new dict. Entities are lists in the order in which they first came, so that no id is ever a key.
            ``order`` names each by its kind and its index in the list of that kind.
        """
        from acpinspect.reducer.plain import plain_state  # it knows all of the classes here

        return plain_state(self, events=events)

    def _repr_html_(self) -> str:
        from acpinspect.reducer.state_html import state_html  # it knows all of the classes here

        return state_html(self)


def empty_state(protocol: Version, session_id: str | None = None) -> SessionState:
    """The state before the first event.

    Args:
        protocol: ``"v1"`` or ``"v2"``: whose rules hold.
        session_id: The session, where it is known.

    Examples:
        >>> empty_state("v1").run.state is None
        True
    """
    return SessionState(session_id=session_id, protocol=protocol)
