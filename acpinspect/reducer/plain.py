"""States as plain JSON: the form that the command line prints and the conformance vectors expect."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields

from acpinspect.reducer.entities import Compaction, Message, Plan, Terminal, ToolCall
from acpinspect.reducer.state import Info, Notice, Run, SessionState, Usage
from acpinspect.reducer.values import thaw

__all__ = ["plain_state", "plain_value"]


def plain_value(value: object, *, events: bool = True) -> object:
    """An entity, a field of a state, or any frozen value as plain JSON.

    Args:
        value: What a state holds.
        events: Keep a message's first and last event.

    Examples:
        >>> plain_value(Usage(10, 100))
        {'used': 10, 'size': 100, 'cost': None, 'meta': None}
    """
    if isinstance(value, Message):
        return _message(value, events=events)
    if isinstance(value, Terminal):
        return _terminal(value)
    if isinstance(value, ToolCall | Plan | Compaction | Notice | Info | Usage | Run):
        return {field.name: thaw(_as_list(getattr(value, field.name))) for field in fields(value)}
    return thaw(_as_list(value))


def plain_state(state: SessionState, *, events: bool = True) -> dict[str, object]:
    """A whole state as plain JSON; see `SessionState.to_dict`."""
    plain: dict[str, object] = {}
    for field in fields(state):
        value = getattr(state, field.name)
        if field.name == "order":
            plain["order"] = _order(state)
        elif isinstance(value, Mapping):
            plain[field.name] = [plain_value(entity, events=events) for entity in value.values()]
        elif field.name == "notices":
            plain["notices"] = [plain_value(notice) for notice in state.notices]
        elif field.name != "cursor":
            plain[field.name] = plain_value(value)
    return plain


def _as_list(value: object) -> object:
    """Sequences that are not the standard ones as lists, for `thaw`."""
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping) else value


def _message(message: Message, *, events: bool) -> dict[str, object]:
    plain: dict[str, object] = {
        "role": message.role,
        "message_id": message.message_id,
        "label": message.label,
        "epoch": message.epoch,
        "content": thaw(list(message.content)),
        "text": message.text,
        "meta": thaw(message.meta),
    }
    return plain | ({"first_event": message.first_event, "last_event": message.last_event} if events else {})


def _terminal(terminal: Terminal) -> dict[str, object]:
    output = terminal.output
    return {
        "terminal_id": terminal.terminal_id,
        "command": terminal.command,
        "cwd": terminal.cwd,
        "output": None if output is None else base64.b64encode(output).decode("ascii"),
        "exit_status": thaw(terminal.exit_status),
        "meta": thaw(terminal.meta),
        "epoch": terminal.epoch,
    }


def _order(state: SessionState) -> list[dict[str, object]]:
    # Each mapping is in the order of first sight too, so the entities of one kind have the indexes 0, 1, 2...
    following: Counter[str] = Counter()
    order: list[dict[str, object]] = []
    for entity in state.order:
        order.append({"kind": entity.kind, "index": following[entity.kind]})
        following[entity.kind] += 1
    return order
