"""Updates that AutoDev logged from Kotlin: a few fields as JSON, or an object's ``toString()``.

Kotlin's names become the wire's: the class is the variant, enum constants are words in small letters. What the log
doesn't say stays out, but for a tool call's title, which is empty: without one the update would count for nothing.
"""

from __future__ import annotations

from acpinspect.reading.notation.builder import Named, NotationError, Value
from acpinspect.reading.notation.kotlin import read_kotlin
from acpinspect.reading.wire.messages import snake_name

__all__ = ["kotlin_update"]

_VARIANTS = {"plan_update": "plan"}
"""Kotlin's class names that aren't the wire's."""

_WORDS = frozenset(("kind", "status", "priority", "stopReason"))
_NO_FIELDS = frozenset(("type", "content"))


def kotlin_update(name: str, logged: Value) -> dict[str, Value]:
    """The update that a record tells of.

    Args:
        name: Its class, such as ``AgentMessageChunk``.
        logged: What the record says of it: an object, or a text made by ``toString()``.

    Returns:
        The update, with what the record says and nothing more.

    Examples:
        >>> kotlin_update("AgentMessageChunk", {"type": "AgentMessageChunk", "content": "Hi"})
        {'sessionUpdate': 'agent_message_chunk', 'content': {'type': 'text', 'text': 'Hi'}}
        >>> kotlin_update("ToolCallUpdate", "ToolCallUpdate(toolCallId=call-7, status=COMPLETED)")
        {'sessionUpdate': 'tool_call_update', 'toolCallId': 'call-7', 'status': 'completed'}
    """
    variant = snake_name(name)
    update: dict[str, Value] = {"sessionUpdate": _VARIANTS.get(variant, variant)}
    fields = _fields(logged)
    for key, value in fields.items():
        if key not in _NO_FIELDS and value is not None:
            update[key] = _word(value) if key in _WORDS else _plain(value)
    content = fields.get("content")
    if content is not None:
        update["content"] = _content(content, chunk=variant.endswith("_chunk"))
    if variant == "tool_call":
        update.setdefault("title", "")
    return update


def _fields(logged: Value) -> dict[str, Value]:
    if isinstance(logged, str):
        try:
            logged = read_kotlin(logged)
        except NotationError:
            return {}
    if isinstance(logged, Named):
        return dict(logged.fields)
    return logged if isinstance(logged, dict) else {}


def _content(value: Value, *, chunk: bool) -> Value:
    """One block of a chunk; for others a list, in which a plain text is one text block of the tool's content."""
    if chunk:
        return _block(value)
    items = value if isinstance(value, list) else [value]
    return [
        {"type": "content", "content": _block(item)} if isinstance(item, str) else _plain(item) for item in items
    ]


def _block(value: Value) -> Value:
    if isinstance(value, str):
        return {"type": "text", "text": value}
    if isinstance(value, Named):
        return {"type": snake_name(value.name)} | {k: _plain(v) for k, v in value.fields.items() if v is not None}
    if isinstance(value, dict) and "blockType" in value:
        return {"type": value["blockType"]} | {k: v for k, v in value.items() if k != "blockType"}
    return _plain(value)


def _plain(value: Value) -> Value:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Named):
        return {key: _plain(item) for key, item in value.fields.items()} or value.name
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def _word(value: Value) -> Value:
    return snake_name(value) if isinstance(value, str) else _plain(value)
