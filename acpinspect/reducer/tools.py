"""What updates do to tool calls and to the agent's terminals.

Source: ``ToolCall``, ``ToolCallUpdate``, ``ToolCallContentChunk``, ``TerminalUpdate``, ``TerminalOutputChunk``
in the schemas of both versions.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from acpinspect.protocol import Version
from acpinspect.reducer.entities import Terminal, ToolCall
from acpinspect.reducer.keys import EntityKey
from acpinspect.reducer.patching import (
    FieldChange,
    Patched,
    PatchField,
    UnpatchableError,
    frozen_items,
    patch,
    patch_values,
)
from acpinspect.reducer.ropes import NO_ITEMS, ByteRope
from acpinspect.reducer.values import freeze
from acpinspect.reducer.writes import Write

__all__ = [
    "append_items",
    "append_output",
    "overwrite_tool",
    "patch_terminal",
    "patch_tool",
    "tool_value",
    "update_tool",
]

_CREATED: Final = FieldChange("created")
_TOOL: Final = (
    PatchField("title", "title"),
    PatchField("name", "name"),
    PatchField("kind", "kind", "other"),
    PatchField("status", "status", "pending"),
    PatchField("content", "content", NO_ITEMS, frozen_items, len),  # type: ignore[arg-type]
    PatchField("locations", "locations", NO_ITEMS, frozen_items, len),  # type: ignore[arg-type]
    PatchField("rawInput", "raw_input"),
    PatchField("rawOutput", "raw_output"),
    PatchField("_meta", "meta"),
)


def _key(write: Write) -> EntityKey:
    key = write.entity.key
    assert isinstance(key, EntityKey)  # noqa: S101 - tool calls and terminals have such keys
    return key


def _tool(old: ToolCall | None, write: Write) -> tuple[ToolCall, tuple[FieldChange, ...]]:
    """The tool call, made with its defaults at the first sight of its id, by whatever update that is."""
    key = _key(write)
    return (old, ()) if old is not None else (ToolCall(key.id, epoch=key.epoch), (_CREATED,))


def overwrite_tool(old: ToolCall | None, write: Write) -> Patched[ToolCall]:
    """v1 `tool_call`: what the update doesn't have goes back to its default."""
    tool, created = _tool(old, write)
    # A new call has its defaults already.
    complete = write.fields if old is None else {rule.key: write.fields.get(rule.key) for rule in _TOOL}
    patched = patch(tool, complete, _TOOL)
    return Patched(patched.value, (*created, *patched.changes))


def update_tool(old: ToolCall | None, write: Write) -> Patched[ToolCall]:
    """v1 `tool_call_update`: null means the same as omitted."""
    tool, created = _tool(old, write)
    patched = patch(tool, write.fields, _TOOL, null_clears=False)
    return Patched(patched.value, (*created, *patched.changes) or (FieldChange("patched"),))


def patch_tool(old: ToolCall | None, write: Write) -> Patched[ToolCall]:
    """v2 `tool_call_update`: null clears."""
    tool, created = _tool(old, write)
    patched = patch(tool, write.fields, _TOOL)
    return Patched(patched.value, (*created, *patched.changes) or (FieldChange("patched"),))


def tool_value(old: ToolCall | None, write: Write, version: Version) -> ToolCall:
    """The tool call after one write, as the three functions above make it, without what changed."""
    overwrites = write.shape == "tool_call"
    values = patch_values(write.fields, _TOOL, null_clears=overwrites or version == "v2")
    if old is None or overwrites:
        # What the update doesn't have stands at its default.
        key = _key(write)
        return ToolCall(key.id, epoch=key.epoch, **values)  # type: ignore[arg-type]  # the rules say what is what
    return replace(old, **values) if values else old  # type: ignore[arg-type]


def append_items(old: ToolCall | None, writes: Sequence[Write]) -> Patched[ToolCall]:
    """v2 `tool_call_content_chunk`: append the item of each chunk."""
    tool, created = _tool(old, writes[0])
    content = tool.content.extend([freeze(write.fields["content"]) for write in writes])
    change = FieldChange("appended", "content", len(tool.content), len(content))
    return Patched(replace(tool, content=content), (*created, change))


def _decoded(data: object) -> bytes:
    try:
        return base64.b64decode(data if isinstance(data, str) else "", validate=True)
    except (binascii.Error, ValueError) as problem:
        raise UnpatchableError(f"is no base64: {problem}") from None


def _snapshot(output: object) -> ByteRope:
    return ByteRope(_decoded(output.get("data") if isinstance(output, Mapping) else None))


_TERMINAL: Final = (
    PatchField("command", "command"),
    PatchField("cwd", "cwd"),
    PatchField("output", "written", None, _snapshot, len),  # type: ignore[arg-type]
    PatchField("exitStatus", "exit_status"),
    PatchField("_meta", "meta"),
)


def _terminal(old: Terminal | None, write: Write) -> tuple[Terminal, tuple[FieldChange, ...]]:
    key = _key(write)
    return (old, ()) if old is not None else (Terminal(key.id, epoch=key.epoch), (_CREATED,))


def patch_terminal(old: Terminal | None, write: Write) -> Patched[Terminal]:
    """v2 `terminal_update`: ``output`` is a snapshot of all bytes; one that can't be decoded changes none."""
    terminal, created = _terminal(old, write)
    patched = patch(terminal, write.fields, _TERMINAL)
    return Patched(patched.value, (*created, *patched.changes) or (FieldChange("patched"),))


def append_output(old: Terminal | None, writes: Sequence[Write]) -> Patched[Terminal]:
    """v2 `terminal_output_chunk`: decode each chunk by itself and append its bytes.

    A chunk that can't be decoded has no effect; where none can, an unknown terminal stays unknown.
    """
    chunks: list[bytes] = []
    rejected: list[FieldChange] = []
    for write in writes:
        try:
            chunks.append(_decoded(write.fields["data"]))
        except UnpatchableError as problem:
            rejected.append(FieldChange("rejected", "written", reason=f"data {problem}"))
    if not chunks:
        return Patched(old, tuple(rejected))
    terminal, created = _terminal(old, writes[0])
    written = terminal.written if terminal.written is not None else ByteRope()
    longer = written.append(b"".join(chunks))
    change = FieldChange("appended", "written", len(written), len(longer))
    return Patched(replace(terminal, written=longer), (*created, change, *rejected))
