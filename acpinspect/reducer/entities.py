"""The entities of a session: what has an id, is made by one update and changed by later ones."""

from __future__ import annotations

from dataclasses import dataclass

from acpinspect.reducer.blocks import NO_BLOCKS, joined_text
from acpinspect.reducer.keys import Label, MessageKey
from acpinspect.reducer.late import late_fields
from acpinspect.reducer.ropes import NO_ITEMS, ByteRope, Rope
from acpinspect.reducer.values import FrozenDict

__all__ = ["Compaction", "Message", "Plan", "Terminal", "ToolCall"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of one role.

    Attributes:
        role: ``user``, ``agent`` or ``thought``.
        message_id: Its id, or ``None`` where the log gave none.
        content: Its content blocks, as they were sent; `==` to a tuple of dicts.
        meta: The message's ``_meta``. A chunk's own belongs to the chunk and is not here.
        first_event: The event that made it.
        last_event: The last event that changed it.
        epoch: The number of replays before it.
        label: What stands for the id in its key, where the id does not.

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "messageId": "m1",
        ...          "content": {"type": "text", "text": "Hi"}}
        >>> message = v1.reduce(empty_state("v1"), chunk).message("m1")
        >>> message.role, message.text, message.first_event
        ('agent', 'Hi', 0)
    """

    role: str
    message_id: str | None
    content: Rope[object] = NO_BLOCKS
    meta: FrozenDict | None = None
    first_event: int | None = None
    last_event: int | None = None
    epoch: int = 0
    label: Label | None = None

    @property
    def text(self) -> str:
        """The text of all its text blocks, joined; made anew at each look."""
        return joined_text(self.content)

    @property
    def key(self) -> MessageKey:
        """Its key in the state's mapping, where it was made by the reducer's own rules."""
        return MessageKey(self.epoch, self.role, None if self.label is not None else self.message_id, self.label)


@late_fields("content", "locations", "raw_input", "raw_output")
@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call, as all updates of its id together say; its defaults are those of the first sight of an id.

    Attributes:
        tool_call_id: Its id.
        title: What it does, in the agent's words.
        name: The tool's name (unstable).
        kind: ``read``, ``edit``, ``execute``... or ``other``.
        status: ``pending``, ``in_progress``, ``completed``, ``failed``, or in v2 ``cancelled``.
        content: Its content items, as they were sent.
        locations: The files that it touches, as they were sent.
        raw_input: What the tool was given, as it was sent.
        raw_output: What the tool gave, as it was sent.
        meta: Its ``_meta``.
        epoch: The number of replays before it.

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Read tides.md"}
        >>> tool = v1.reduce(empty_state("v1"), call).tool_calls["t1"]
        >>> tool.title, tool.kind, tool.status
        ('Read tides.md', 'other', 'pending')
    """

    tool_call_id: str
    title: str | None = None
    name: str | None = None
    kind: str = "other"
    status: str = "pending"
    content: Rope[object] = NO_ITEMS
    locations: Rope[object] = NO_ITEMS
    raw_input: object = None
    raw_output: object = None
    meta: FrozenDict | None = None
    epoch: int = 0

    @property
    def text(self) -> str:
        """The text of its content items of type ``content``, joined."""
        items = [item for item in self.content if isinstance(item, dict) and item.get("type") == "content"]
        return joined_text([item.get("content") for item in items])


@dataclass(frozen=True, slots=True)
class Plan:
    """One plan. Each update replaces the whole of it.

    Attributes:
        plan_id: Its id; ``""`` in v1.
        type: ``items``, ``markdown``, ``file`` or a custom type.
        entries: The entries of a plan of type ``items``.
        content: The text of a plan of type ``markdown``.
        uri: Where a plan of type ``file`` lies.
        other: The whole payload of a plan of a custom type, as it was sent.
        meta: Its ``_meta``.

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> entry = {"content": "Ring the bell", "priority": "high", "status": "pending"}
        >>> plan = v1.reduce(empty_state("v1"), {"sessionUpdate": "plan", "entries": [entry]}).plans[""]
        >>> [entry["content"] for entry in plan.entries]
        ['Ring the bell']
    """

    plan_id: str
    type: str = "items"
    entries: tuple[object, ...] = ()
    content: str | None = None
    uri: str | None = None
    other: FrozenDict | None = None
    meta: FrozenDict | None = None


@dataclass(frozen=True, slots=True)
class Terminal:
    """One terminal of the agent. Two are equal when they show the same bytes, whatever the chunks were.

    Attributes:
        terminal_id: Its id.
        command: The command, or ``None`` where it is unknown.
        cwd: Its working directory, or ``None``.
        written: The bytes of its output, so that more can be appended; ``None`` where the output is unknown.
        exit_status: How it ended; ``None`` while it runs.
        meta: Its ``_meta``.
        epoch: The number of replays before it.

    Examples:
        >>> from acpinspect.reducer import empty_state, v2
        >>> update = {"sessionUpdate": "terminal_output_chunk", "terminalId": "t1", "data": "aGk="}
        >>> v2.reduce(empty_state("v2"), update).terminals["t1"].output
        b'hi'
    """

    terminal_id: str
    command: str | None = None
    cwd: str | None = None
    written: ByteRope | None = None
    exit_status: FrozenDict | None = None
    meta: FrozenDict | None = None
    epoch: int = 0

    @property
    def output(self) -> bytes | None:
        """All bytes of its output; ``None`` where nothing was said of it, or ``null`` took it back."""
        return None if self.written is None else bytes(self.written)


@dataclass(frozen=True, slots=True)
class Compaction:
    """One compaction of the context (unstable): it stands where its id was first seen.

    Attributes:
        compaction_id: Its id.
        status: How far it is.
        summary: The content blocks of the summary.
        error: Why it failed.
        meta: Its ``_meta``.
        epoch: The number of replays before it.

    Examples:
        >>> from acpinspect.reducer import empty_state, v2
        >>> update = {"sessionUpdate": "compaction_update", "compactionId": "c1", "status": "in_progress"}
        >>> v2.reduce(empty_state("v2"), update).compactions["c1"].status
        'in_progress'
    """

    compaction_id: str
    status: str | None = None
    summary: Rope[object] = NO_BLOCKS
    error: str | None = None
    meta: FrozenDict | None = None
    epoch: int = 0
