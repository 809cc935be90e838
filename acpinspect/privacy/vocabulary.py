"""The words of the protocol, which stay: keys of its objects, names of methods and updates, values of enums.

All other words of a log belong to somebody. A kind says what a string is, by the key under which it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, get_args

from acpinspect.protocol import ENUMS, METHODS, VARIANTS, VERSIONS, snake_case
from acpinspect.protocol.fields import ListOf, OneOf, Record, Shape, Tagged

__all__ = ["FREE_KEYS", "KEPT_KEYS", "KEPT_METHODS", "KINDS", "Kind", "is_protocol_word", "kept_value", "kind_of"]

Kind = Literal[
    "text",
    "id",
    "path",
    "url",
    "name",
    "command",
    "data",
    "terminal",
    "value",
    "key",
    "method",
    "record",
    "source",
]
KINDS: Final[tuple[str, ...]] = get_args(Kind)
"""What can be redacted, and can be kept.

text: what is said, in messages, prompts, tools, plans. id: ids of sessions, messages, tools, requests. path, url.
name: names and titles. command: commands and their arguments. data: images, sounds, other bytes. terminal: bytes
of terminals. value: what stands in rawInput, rawOutput, `_meta`, environments, headers, under unknown keys. key:
unknown keys. method: methods and updates that the protocol doesn't have. record: rows that are no message. source:
names of files, and direction labels.
"""

FREE_KEYS: Final = frozenset({"_meta", "rawInput", "rawOutput", "headers", "env"})
"""Below these keys anything can stand."""

# Keys of objects that the tables of `protocol` don't go down to: capabilities, modes, servers, forms, editors.
_DEEPER_KEYS: Final = """
    jsonrpc id method params result error code message data
    acp additionalProperties anyOf args auth availableModes boolean character clientCapabilities const
    context cursorPosition default delete diagnostics didChange didClose didFocus didOpen didSave
    editHistory edits elicitation embeddedContext end endLine enum env events excerpts form format fork fs
    headers http icons image info isRegex jump lastFocusedMs limit list loadSession logout maxCount maxItems
    maxLength maximum mcp mcpCapabilities minItems minLength minimum modes name nes newText oneOf
    openFiles owner pattern position positionEncoding positionEncodings promptCapabilities properties
    providers range readTextFile recentFiles relatedSnippets remoteUrl rename replace required resource
    resume search searchAndReplace selection session sessionCapabilities sse start startLine stdio
    supported syncKind terminal text timestampMs type uri userActions value version visibleRange
    writeTextFile audio close additionalDirectories embedded currentMode currentModelId availableModels modelId
    models
"""

# The names under which ids hide in `_meta`, and those of a superseded draft.
_ID_KEYS: Final = "message_id msgId msg_id userMessageId"


def _names(shape: Shape) -> Iterator[str]:
    """The keys of a shape, at any depth."""
    if isinstance(shape, Record):
        fields = shape.fields
    elif isinstance(shape, Tagged):
        yield shape.tag
        fields = (*shape.shared, *(field for case in shape.cases.values() for field in case), *(shape.other or ()))
    else:
        inner = (shape.item,) if isinstance(shape, ListOf) else shape.options if isinstance(shape, OneOf) else ()
        for option in inner:
            yield from _names(option)
        return
    for field in fields:
        yield field.name
        yield from _names(field.type)


def _keys() -> frozenset[str]:
    from_updates = (
        n for table in VARIANTS.values() for variant in table.values() for n in _names(variant.payload)
    )
    calls = (call for method in METHODS.values() for call in method.calls.values())
    from_calls = (name for call in calls for name in (*call.params, *(call.result or ())))
    names = {*from_updates, *from_calls, *_DEEPER_KEYS.split(), *_ID_KEYS.split(), "sessionUpdate"}
    return frozenset({*names, *map(snake_case, names)})


KEPT_KEYS: Final = _keys()
"""Keys of the protocol, also as a serialiser writes them that forgot to rename them."""

KEPT_METHODS: Final = frozenset(METHODS) | {"session/set_model", "session/elicitation"}

_UPDATES: Final = frozenset(name for version in VERSIONS for name in VARIANTS[version])
_TYPES: Final = """
    text image audio resource resource_link content diff terminal items markdown file select boolean tool_call
    command stdio http sse acp start agent env_var id string number integer array object null tool_use tool_result
    base64 url error
"""


def _enum(*names: str) -> frozenset[str]:
    return frozenset(
        value for version in VERSIONS for n in names if n in ENUMS[version] for value in ENUMS[version][n].values
    )


_STATUSES: Final = _enum("ToolCallStatus", "PlanEntryStatus", "CompactionStatus")
_VALUES: Final[dict[str, frozenset[str]]] = {
    "jsonrpc": frozenset({"2.0"}),
    "sessionUpdate": _UPDATES,
    "session_update": _UPDATES,
    "method": KEPT_METHODS,
    "kind": _enum("ToolKind", "PermissionOptionKind") | {"jump", "rename", "searchAndReplace"},
    "status": _STATUSES,
    "priority": _enum("PlanEntryPriority"),
    "stopReason": _enum("StopReason"),
    "stop_reason": _enum("StopReason"),
    "severity": _enum("NoticeSeverity") | {"hint", "information"},
    "category": _enum("SessionConfigOptionCategory"),
    "audience": _enum("Role"),
    "role": _enum("Role"),
    "state": frozenset({"running", "idle", "requires_action"}),
    "type": frozenset(_TYPES.split()),
    "outcome": frozenset({"selected", "cancelled"}),
    "action": frozenset({"accept", "decline", "cancel"}),
    "operation": frozenset({"add", "delete", "modify", "move", "copy"}),
    "fileType": _enum("DiffFileType"),
    "format": _enum("DiffPatchFormat") | {"date", "date-time", "email", "uri"},
    "theme": _enum("IconTheme"),
    "mode": frozenset({"form", "url"}),
    "signal": frozenset({"SIGINT", "SIGTERM", "SIGKILL", "SIGHUP", "SIGABRT", "SIGSEGV", "SIGPIPE", "SIGQUIT"}),
    "triggerKind": frozenset({"automatic", "diagnostic", "manual"}),
    "syncKind": frozenset({"full", "incremental"}),
    "positionEncoding": frozenset({"utf-8", "utf-16", "utf-32"}),
    "positionEncodings": frozenset({"utf-8", "utf-16", "utf-32"}),
    "apiType": frozenset({"anthropic", "azure", "bedrock", "openai", "vertex"}),
    "mimeType": frozenset(
        f"{first}/{second}"
        for first, seconds in (
            ("text", "plain markdown html css csv xml x-python javascript"),
            ("application", "json xml pdf octet-stream javascript zip"),
            ("image", "png jpeg gif webp svg+xml"),
            ("audio", "wav mpeg ogg webm mp4"),
        )
        for second in seconds.split()
    ),
}
_PATTERNS: Final[dict[str, re.Pattern[str]]] = {
    "version": re.compile(r"v?\d{1,4}(?:\.\d{1,4}){0,3}(?:-?(?:alpha|beta|rc|dev|pre)(?:\.?\d{1,3})?)?"),
    "protocolVersion": re.compile(r"\d{1,4}(?:\.\d{1,4}){0,2}|\d{4}-\d\d-\d\d"),
    "updatedAt": (stamp := re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?")),
    "lastModified": stamp,
}


def kept_value(key: str, value: str) -> bool:
    """Whether a string is a word of the protocol under a key: a value of an enum, a version, a time.

    Example:
        >>> kept_value("status", "completed"), kept_value("status", "secret"), kept_value("text", "completed")
        (True, False, False)
    """
    known = _VALUES.get(key)
    if known is not None:
        return value in known
    pattern = _PATTERNS.get(key)
    return pattern is not None and pattern.fullmatch(value) is not None


_EVERY_VALUE: Final = frozenset(value for values in _VALUES.values() for value in values)


def is_protocol_word(text: str) -> bool:
    """Whether a string is a name or a value of the protocol, at whatever place.

    Example:
        >>> is_protocol_word("agent_message"), is_protocol_word("my_message")
        (True, False)
    """
    return text in _EVERY_VALUE or text in KEPT_KEYS


_KIND_WORDS: Final[dict[Kind, str]] = {
    "text": "text content description hint message oldText newText reason summary output prompt details",
    "path": "path oldPath cwd additionalDirectories root file",
    "url": "uri url baseUrl remoteUrl src workspaceUri",
    "name": "name title owner currency category kind status priority type mimeType signal state languageId",
    "command": "command args env headers",
    "data": "data blob",
    "method": "method sessionUpdate",
}
_KIND_OF: Final = {
    spelling: kind
    for kind, words in _KIND_WORDS.items()
    for word in words.split()
    for spelling in (word, snake_case(word))
}
_IDS: Final = frozenset({"id", "value", "currentValue", "cursor", "nextCursor", "group", "msgId"})


@cache
def kind_of(key: str) -> Kind:
    """What a string under a key of the protocol is.

    Example:
        >>> kind_of("sessionId"), kind_of("cwd"), kind_of("text"), kind_of("somethingElse")
        ('id', 'path', 'text', 'value')
    """
    if key in _KIND_OF:
        return _KIND_OF[key]
    return "id" if key in _IDS or (key in KEPT_KEYS and key.lower().endswith(("id", "ids"))) else "value"
