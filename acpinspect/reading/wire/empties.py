"""What an empty value meant, where the notation can't say: by the key that it stands under in the schema.

Lua prints an empty list and an empty object alike, Lisp prints false, null and an empty object alike. Inside
free-form values (``rawInput``, ``_meta``, tool output) there is no schema: an empty Lua table is a list there (an
empty object is printed as ``vim.empty_dict()`` by newer versions), and Lisp's nil is null.
"""

from __future__ import annotations

from collections.abc import Mapping

from acpinspect.reading.notation.builder import Named, Value
from acpinspect.reading.notation.lua import EMPTY
from acpinspect.reading.notation.sexpr import NIL

__all__ = ["settle"]

_OBJECTS = frozenset(
    {
        "_meta", "agentCapabilities", "agentInfo", "annotations", "auth", "boolean", "capabilities",
        "clientCapabilities", "clientInfo", "close", "compaction", "context", "cost", "current", "delete",
        "document", "elicitation", "end", "error", "events", "exitStatus", "fork", "form", "fs", "info",
        "input", "list", "logout", "mcp", "mcpCapabilities", "modes", "nes", "outcome", "params", "patch",
        "plan", "promptCapabilities", "properties", "rawInput", "replayFrom", "requestedSchema",
        "resource", "result", "resume", "session", "sessionCapabilities", "start", "stdio", "subject",
        "terminal", "toolCall", "update", "url", "usage",
    }
)  # fmt: skip
"""Keys whose value is an object wherever it isn't null."""

_NEVER_NULL_OBJECTS = frozenset(
    {
        "agentCapabilities", "auth", "capabilities", "clientCapabilities", "close", "delete", "fork", "fs",
        "list", "logout", "mcpCapabilities", "outcome", "params", "plan", "promptCapabilities", "rawInput",
        "resource", "result", "resume", "session", "sessionCapabilities", "toolCall", "update",
    }
)  # fmt: skip
"""Of these, the ones for which no writer sends null: nil there is the empty object."""

_NEVER_NULL_ARRAYS = frozenset(
    {
        "args", "authMethods", "availableCommands", "availableModes", "changes", "entries", "env",
        "headers", "mcpServers", "options", "prompt", "providers", "sessions",
    }
)  # fmt: skip
_BOOLEANS = frozenset(
    {
        "acp", "audio", "currentValue", "embeddedContext", "http", "image", "loadSession", "readTextFile",
        "sse", "terminal", "truncated", "value", "writeTextFile",
    }
)  # fmt: skip
_FREE = frozenset(("rawInput", "rawOutput", "_meta", "data"))


def settle(value: Value) -> Value:
    """Replace every `EMPTY` of Lua and every `NIL` of Lisp by what it was.

    Args:
        value: A JSON-like value with `EMPTY` or `NIL` in it.

    Returns:
        The same with lists, objects, false and null in their places.

    Examples:
        >>> settle({"mcpServers": EMPTY, "fs": EMPTY})
        {'mcpServers': [], 'fs': {}}
        >>> settle({"loadSession": NIL, "fs": NIL, "title": NIL})
        {'loadSession': False, 'fs': {}, 'title': None}
    """
    return _settled(value, "", {}, free=False)


def _settled(value: Value, key: str, around: Mapping[str, Value], *, free: bool) -> Value:
    if isinstance(value, Named):
        return _meant(value, key, around, free=free)
    if isinstance(value, dict):
        within = free or key in _FREE
        return {name: _settled(item, name, value, free=within) for name, item in value.items()}
    if isinstance(value, list):
        within = free or key in _FREE
        return [_settled(item, "", {}, free=within) for item in value]
    return value


def _meant(value: Named, key: str, around: Mapping[str, Value], *, free: bool) -> Value:
    if value is EMPTY:
        return {} if not free and (key in _OBJECTS or _is_one_block(key, around)) else []
    if value is not NIL or free:
        return None
    if key in _BOOLEANS:
        return False
    if key in _NEVER_NULL_OBJECTS or _is_one_block(key, around):
        return {}
    return [] if key in _NEVER_NULL_ARRAYS else None


def _is_one_block(key: str, around: Mapping[str, Value]) -> bool:
    """Whether this is the ``content`` of a chunk or of a tool's content item, which is one block and no list."""
    update = around.get("sessionUpdate")
    return key == "content" and (
        (isinstance(update, str) and update.endswith("_chunk")) or around.get("type") == "content"
    )
