"""What Python's print of the SDK's objects stands for on the wire.

The SDK's classes are pydantic models: the fields are the object's keys in snake case, ``field_meta`` is ``_meta``,
and the tags (``type``, ``session_update``) are fields like others, so class names matter at the top only. Those
below changed with the SDK's versions (``SessionUpdate2``, ``ContentBlock1``); nothing here depends on them.
"""

from __future__ import annotations

from acpinspect.reading.casing import camel_keys
from acpinspect.reading.notation.builder import Named, Value
from acpinspect.reading.wire.lost_ids import LostIds
from acpinspect.reading.wire.messages import as_message, snake_name, type_message

__all__ = ["python_message", "python_value"]


def python_message(value: Value, ids: LostIds) -> dict[str, Value] | None:
    """The message that a printed value is, or that it is the params or the update of.

    Args:
        value: What `read_python` gave.
        ids: Gives an id where the value has none and needs one.

    Returns:
        The message; ``None`` for values that are none.

    Examples:
        >>> chunk = Named("Chunk", (), {"content": {}, "session_update": "agent_message_chunk"})
        >>> python_message(Named("SessionNotification", (), {"session_id": "s", "update": chunk}), LostIds())
        {'jsonrpc': '2.0', 'method': 'session/update',
         'params': {'sessionId': 's', 'update': {'content': {}, 'sessionUpdate': 'agent_message_chunk'}}}
    """
    plain = python_value(value)
    if isinstance(plain, dict) and "jsonrpc" in plain:
        return plain
    body = camel_keys(plain)
    if not isinstance(value, Named):
        return as_message(body)
    made = type_message(value.name, _with_tag(value, body))
    if made is None:
        return as_message(body)
    message, method = made
    if "id" in message:
        ids.fill(message, method)
    return message


def _with_tag(value: Named, body: Value) -> Value:
    """The body with the update's tag, if only the class's name tells it."""
    inner = value.fields.get("update")
    if not isinstance(body, dict) or not isinstance(inner, Named):
        return body
    update = body.get("update")
    if not isinstance(update, dict) or "sessionUpdate" in update:
        return body
    return body | {"update": {"sessionUpdate": snake_name(inner.name)} | update}


def python_value(value: Value) -> Value:
    """The JSON-like value that a printed value stands for, its keys as they are.

    Args:
        value: What `read_python` gave.

    Returns:
        Objects for objects; a bare name for an object without fields.

    Examples:
        >>> python_value([Named("Text", (), {"text": "Hi"}), Named("SessionId", (), {"root": "s"}), Named("END")])
        [{'text': 'Hi'}, 's', 'END']
    """
    if isinstance(value, list):
        return [python_value(item) for item in value]
    if isinstance(value, dict):
        return {key: python_value(item) for key, item in value.items()}
    return _object(value) if isinstance(value, Named) else value


def _object(value: Named) -> Value:
    if value.fields:
        fields = {key: python_value(item) for key, item in value.fields.items()}
        return fields["root"] if fields.keys() == {"root"} else fields
    if not value.items:
        return value.name
    items = [python_value(item) for item in value.items]
    return items[0] if len(items) == 1 else items
