"""What Rust's debug print of the ACP types stands for on the wire.

The crates' types are plain: a struct's fields are the object's keys in another case, a newtype is what it holds,
``None`` is not written, an enum variant is a tag. The tables below say which tag; where the key doesn't tell, the
variant's name does.
"""

from __future__ import annotations

from acpinspect.reading.notation.builder import Named, Value
from acpinspect.reading.wire.lost_ids import LostIds
from acpinspect.reading.wire.messages import as_message, notification, snake_name, type_message

__all__ = ["rust_message", "rust_value"]

_ABSENT = Named("None")
_ABSENT_NAMES = frozenset(("None", "Undefined"))
_TRANSPARENT = frozenset(("Some", "Value", "Ok", "Box", "Arc", "Known", "Plain"))
_BLOCKS = frozenset(("Text", "Image", "Audio", "ResourceLink", "Resource"))
_TOOL_CONTENT = frozenset(("Content", "Diff", "Terminal"))
_TAGS = {"update": "sessionUpdate", "outcome": "outcome", "plan": "type", "subject": "type"}
"""The key of the tag, by the key under which the enum stands."""

_FLATTENED = frozenset(("fields", "kind", "state"))
"""Fields whose own fields stand beside the others (``#[serde(flatten)]``), when they hold a struct."""

_RENAMED = {"meta": "_meta", "field_meta": "_meta"}
_UNWRAPPED_MOST = 8


def rust_message(value: Value, ids: LostIds) -> dict[str, Value] | None:
    """The message that a printed value is.

    Args:
        value: What `read_rust` gave.
        ids: Gives an id where the value has none and needs one.

    Returns:
        The message; ``None`` for values of other types.

    Examples:
        >>> chunk = Named("Text", (Named("TextContent", (), {"text": "Hi", "meta": Named("None")}),))
        >>> body = Named("AgentMessageChunk", (Named("ContentChunk", (), {"content": chunk}),))
        >>> value = Named("SessionNotification", (), {"session_id": Named("SessionId", ("s",)), "update": body})
        >>> rust_message(value, LostIds())["params"]["update"]
        {'sessionUpdate': 'agent_message_chunk', 'content': {'type': 'text', 'text': 'Hi'}}
    """
    for _ in range(_UNWRAPPED_MOST):
        if not isinstance(value, Named):
            return None
        if value.fields:
            return _struct_message(value, ids)
        if len(value.items) != 1:
            return None
        if _is_update(value):
            return notification("session/update", {"update": rust_value(value, "update")})
        value = value.items[0]
    return None


def _struct_message(value: Named, ids: LostIds) -> dict[str, Value] | None:
    body = rust_value(value)
    if not isinstance(body, dict):
        return None
    if isinstance(body.get("method"), str):
        return as_message(body)
    made = type_message(value.name, body)
    if made is None:
        return None
    message, method = made
    if "id" in message:
        ids.fill(message, method)
    return message


def _is_update(value: Named) -> bool:
    inner = value.items[0]
    return isinstance(inner, Named) and inner.name == "ContentChunk"


def rust_value(value: Value, key: str = "") -> Value:
    """The JSON-like value that a printed value stands for.

    Args:
        value: What `read_rust` gave.
        key: The key under which it stands.

    Returns:
        Its wire form.

    Examples:
        >>> rust_value(Named("Object", (), {"path": Named("String", ("a",)), "n": Named("Number", (3,))}))
        {'path': 'a', 'n': 3}
        >>> rust_value(Named("InProgress"), "status")
        'in_progress'
    """
    if isinstance(value, list):
        return [None if item == _ABSENT else rust_value(item, key) for item in value]
    if isinstance(value, dict):
        return {name: rust_value(item) for name, item in value.items()}
    return _named(value, key) if isinstance(value, Named) else value


def _named(value: Named, key: str) -> Value:
    if value.name == "Object":
        return {name: rust_value(item) for name, item in value.fields.items()}
    if value.name == "Array":
        return [rust_value(item) for item in value.items]
    if not value.items and not value.fields:
        return _unit(value, key)
    if value.name in _TRANSPARENT and len(value.items) == 1:
        return rust_value(value.items[0], key)
    tag = _tag(value, key)
    body = _struct(value) if value.fields else _held(value, key)
    return tag | body if tag and isinstance(body, dict) else body


def _unit(value: Named, key: str) -> Value:
    """A variant or struct with nothing in it: a word, or an object of its tag alone."""
    if value.name in ("Null", *_ABSENT_NAMES):
        return None
    if key == "protocolVersion" and value.name[:1] == "V" and value.name[1:].isdigit():
        return int(value.name[1:])
    if value.name in ("Object", "Map") or value.name.endswith("Capabilities"):
        return {}
    name = snake_name(value.name)
    return {_TAGS[key]: name} if key in _TAGS else name


def _held(value: Named, key: str) -> Value:
    items = [rust_value(item, key if isinstance(item, list) else "") for item in value.items]
    return items[0] if len(items) == 1 else items


def _struct(value: Named) -> dict[str, Value]:
    body: dict[str, Value] = {}
    for name, item in value.fields.items():
        if isinstance(item, Named) and item.name in _ABSENT_NAMES and not item.items:
            continue
        key = _RENAMED.get(name) or _camel(name)
        made = rust_value(item, key)
        if name in _FLATTENED and isinstance(made, dict):
            body |= made
        else:
            body[key] = made
    return body


def _tag(value: Named, key: str) -> dict[str, Value]:
    """The tag that says which variant of its enum a value is, where its enum has one."""
    name = value.name
    if key == "update":
        return {"sessionUpdate": snake_name(name)}
    if key in _TAGS:
        return {_TAGS[key]: snake_name(name)}
    inner = value.items[0] if len(value.items) == 1 else None
    if name in _BLOCKS and isinstance(inner, Named):
        return {"type": snake_name(name)}
    if name in _TOOL_CONTENT and (isinstance(inner, Named) or key == "content"):
        return {"type": snake_name(name)}
    return {}


def _camel(name: str) -> str:
    first, *rest = name.lstrip("_").split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
