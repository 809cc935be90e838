"""Keys as the protocol writes them, for dumps whose writer wrote them in snake case.

Only keys that the schemas know are renamed, and nothing inside ``rawInput``, ``rawOutput`` and ``_meta``:
what stands there belongs to a tool or a vendor. Source: property names of the published v1 and v2 schemas,
stable and unstable.
"""

from __future__ import annotations

import json
from typing import Final

from acpinspect.protocol.naming import snake_spellings

__all__ = ["as_wire", "camel_keys"]

_NAMES: Final = """
additionalDirectories agentCapabilities agentInfo apiType authMethods availableCommands
availableModes baseUrl cachedReadTokens cachedWriteTokens clientCapabilities clientInfo compactionId
configId configOptions connectionId contentChanges currentModeId currentValue cursorPosition
didChange didClose didFocus didOpen didSave editHistory elicitationId embeddedContext endLine
exitCode exitStatus fileType groupId inputTokens isRegex languageId lastFocusedMs lastModified
loadSession maxCount mcpCapabilities mcpServers messageId methodId mimeType modeId newName newText
nextCursor oldPath oldText openFiles optionId outputByteLimit outputTokens planId positionEncoding
positionEncodings promptCapabilities protocolVersion providerId rawInput rawOutput readTextFile
recentFiles relatedSnippets remoteUrl replayFrom requestId requestedSchema searchAndReplace serverId
sessionCapabilities sessionId sessionUpdate startLine stopReason suggestionId syncKind terminalId
thoughtTokens timestampMs toolCall toolCallId totalTokens triggerKind updatedAt userActions
visibleRange workspaceFolders workspaceUri writeTextFile availableModels currentModelId modelId
"""
_SPELLINGS: Final[dict[str, str]] = {**snake_spellings(frozenset(_NAMES.split())), "field_meta": "_meta"}
_FOREIGN: Final = frozenset({"rawInput", "rawOutput", "_meta"})
_DEEPEST = 200


def camel_keys(value: object, depth: int = 0) -> object:
    """The value with its schema keys in camel case; foreign parts are left as they are.

    Examples:
        >>> camel_keys({"tool_call_id": "c", "raw_input": {"old_text": 1}, "field_meta": None})
        {'toolCallId': 'c', 'rawInput': {'old_text': 1}, '_meta': None}
    """
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [camel_keys(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    renamed: dict[str, object] = {}
    written: dict[str, object] = value
    for key, item in written.items():
        name = _SPELLINGS.get(key, key)
        if name in renamed or (name != key and name in value):
            name = key
        renamed[name] = item if name in _FOREIGN else camel_keys(item, depth + 1)
    return renamed


def as_wire(text: str) -> str:
    """A dump's JSON text with its schema keys in camel case; the text itself where there is nothing to rename.

    Examples:
        >>> as_wire('{"session_id": "s", "n": 1.50}')
        '{"sessionId":"s","n":1.5}'
        >>> as_wire('{"sessionId": "s", "n": 1.50}')
        '{"sessionId": "s", "n": 1.50}'
    """
    if "_" not in text:
        return text
    value = json.loads(text)
    renamed = camel_keys(value)
    return (
        text
        if renamed == value
        else json.dumps(renamed, ensure_ascii="\\ud" in text.lower(), separators=(",", ":"))
    )
