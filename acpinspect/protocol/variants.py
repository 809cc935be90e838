"""Every `sessionUpdate` variant of protocol v1 and v2, stable and unstable: its key, its role, its fields.

Source: ``SessionUpdate`` in the published schemas of both versions; ``spec/semantics.md`` for what each one does.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from acpinspect.protocol import payloads
from acpinspect.protocol.blocks import CONTENT_BLOCK
from acpinspect.protocol.enums import ENUMS
from acpinspect.protocol.fields import (
    ANYTHING,
    META,
    META_PATCH,
    TEXT,
    UNSIGNED,
    Field,
    ListOf,
    Record,
    Tagged,
    Text,
    Version,
    enum_text,
    may,
    need,
    patch,
    unstable,
)

__all__ = ["VARIANTS", "Role", "UpdateShape", "Variant"]

Role: TypeAlias = Literal["user", "agent", "thought"]
UpdateShape: TypeAlias = Literal[
    "chunk",
    "whole",
    "tool_call",
    "tool_call_update",
    "tool_content_chunk",
    "terminal",
    "terminal_chunk",
    "plan",
    "plan_update",
    "plan_removed",
    "state",
    "commands",
    "mode",
    "config",
    "info",
    "usage",
    "notice",
    "compaction",
    "compaction_chunk",
]

_TRANSCRIPT: Final[frozenset[UpdateShape]] = frozenset(
    {
        "chunk",
        "whole",
        "tool_call",
        "tool_call_update",
        "tool_content_chunk",
        "terminal",
        "terminal_chunk",
        "plan",
        "plan_update",
        "plan_removed",
    }
)


class Variant(msgspec.Struct, frozen=True, eq=False):
    """One kind of update in one version of the protocol.

    Attributes:
        name: The value of ``sessionUpdate``.
        version: The version whose schema has it.
        stable: It is in the stable schema, not only in the unstable one.
        role: Whose message it carries; ``None`` where it is no message.
        shape: What the update does, the same word for all variants that do the same thing.
        key: The JSON key of the id of the entity that it changes; ``None`` where that is the session itself.
        fields: All fields that it can have, without ``sessionUpdate``.
        transcript: It is part of the conversation that a replay repeats.
        payload: The shape that `check` reads; equal to ``fields`` but for variants with cases.
    """

    name: str
    version: Version
    stable: bool
    role: Role | None
    shape: UpdateShape
    key: str | None
    fields: tuple[Field, ...]
    transcript: bool
    payload: Record | Tagged


_ROLES: Final[dict[str, Role]] = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}


def _chunk_fields(version: Version) -> tuple[Field, ...]:
    # In v1 the id is optional, and an unusable one counts as none.
    message_id = may("messageId", TEXT) if version == "v1" else need("messageId", TEXT)
    return (message_id, need("content", CONTENT_BLOCK[version]), META)


def _whole_fields() -> tuple[Field, ...]:
    blocks = ListOf(CONTENT_BLOCK["v2"])
    return (need("messageId", TEXT), patch("content", blocks, skip=True), META_PATCH)


def _tool_call_fields() -> tuple[Field, ...]:
    kinds, statuses = ENUMS["v1"]["ToolKind"], ENUMS["v1"]["ToolCallStatus"]
    return (
        need("toolCallId", TEXT),
        need("title", TEXT),
        unstable(may("name", TEXT)),
        may("kind", enum_text(kinds), nullable=False),
        may("status", enum_text(statuses), nullable=False),
        may("content", ListOf(payloads.TOOL_CONTENT["v1"]), nullable=False, skip=True),
        may("locations", ListOf(payloads.LOCATION), nullable=False, skip=True),
        may("rawInput", ANYTHING),
        may("rawOutput", ANYTHING),
        META,
    )


_TERMINAL_FIELDS: Final = (
    need("terminalId", TEXT),
    patch("command", TEXT),
    patch("cwd", TEXT),
    patch("output", payloads.TERMINAL_OUTPUT),
    patch("exitStatus", payloads.EXIT_STATUS),
    META_PATCH,
)

_STATE: Final = Tagged(
    "state",
    "state",
    {
        "running": (META,),
        "idle": (
            may("stopReason", enum_text(ENUMS["v2"]["StopReason"])),
            unstable(may("usage", payloads.USAGE)),
            META,
        ),
        "requires_action": (META,),
    },
    other=(),
)


def _list_field(name: str, item: Record | Tagged) -> Field:
    return need(name, ListOf(item), lenient=True, skip=True)


def _compaction_fields(version: Version) -> tuple[Field, ...]:
    return (
        need("compactionId", TEXT),
        need("status", enum_text(ENUMS[version]["CompactionStatus"])),
        patch("summary", ListOf(CONTENT_BLOCK[version]), skip=True),
        patch("error", TEXT),
        META_PATCH,
    )


def _notice_fields(version: Version) -> tuple[Field, ...]:
    severity = enum_text(ENUMS[version]["NoticeSeverity"])
    return (need("severity", severity), need("title", Text(min_length=1)), may("description", TEXT), META)


_Row: TypeAlias = tuple[str, UpdateShape, str | None, bool, tuple[Field, ...] | Tagged]


def _common_rows(version: Version) -> tuple[_Row, ...]:
    block = CONTENT_BLOCK[version]
    cost = may("cost", payloads.COST[version])
    return (
        ("user_message_chunk", "chunk", "messageId", True, _chunk_fields(version)),
        ("agent_message_chunk", "chunk", "messageId", True, _chunk_fields(version)),
        ("agent_thought_chunk", "chunk", "messageId", True, _chunk_fields(version)),
        ("tool_call_update", "tool_call_update", "toolCallId", True, payloads.TOOL_CALL_PATCH[version]),
        (
            "plan_update",
            "plan_update",
            "plan.planId",
            version == "v2",
            (need("plan", payloads.PLAN_CONTENT[version]), META),
        ),
        ("plan_removed", "plan_removed", "planId", False, (need("planId", TEXT), META)),
        (
            "available_commands_update",
            "commands",
            None,
            True,
            (_list_field("availableCommands", payloads.COMMAND[version]), META),
        ),
        (
            "config_option_update",
            "config",
            None,
            True,
            (_list_field("configOptions", payloads.CONFIG_OPTION[version]), META),
        ),
        (
            "session_info_update",
            "info",
            None,
            True,
            (patch("title", TEXT), patch("updatedAt", TEXT), META_PATCH),
        ),
        ("usage_update", "usage", None, True, (need("used", UNSIGNED), need("size", UNSIGNED), cost, META)),
        ("notice", "notice", None, False, _notice_fields(version)),
        ("compaction_update", "compaction", "compactionId", False, _compaction_fields(version)),
        (
            "compaction_summary_chunk",
            "compaction_chunk",
            "compactionId",
            False,
            (need("compactionId", TEXT), need("content", block), META),
        ),
    )


_V1_ROWS: Final[tuple[_Row, ...]] = (
    ("tool_call", "tool_call", "toolCallId", True, _tool_call_fields()),
    ("plan", "plan", None, True, (_list_field("entries", payloads.PLAN_ENTRY["v1"]), META)),
    ("current_mode_update", "mode", None, True, (need("currentModeId", TEXT), META)),
)

_V2_ROWS: Final[tuple[_Row, ...]] = (
    ("user_message", "whole", "messageId", True, _whole_fields()),
    ("agent_message", "whole", "messageId", True, _whole_fields()),
    ("agent_thought", "whole", "messageId", True, _whole_fields()),
    (
        "tool_call_content_chunk",
        "tool_content_chunk",
        "toolCallId",
        True,
        (need("toolCallId", TEXT), need("content", payloads.TOOL_CONTENT["v2"]), META),
    ),
    ("terminal_update", "terminal", "terminalId", True, _TERMINAL_FIELDS),
    (
        "terminal_output_chunk",
        "terminal_chunk",
        "terminalId",
        True,
        (need("terminalId", TEXT), need("data", TEXT), META),
    ),
    ("state_update", "state", None, True, _STATE),
)


def _all_fields(payload: tuple[Field, ...] | Tagged) -> tuple[Field, ...]:
    if isinstance(payload, tuple):
        return payload
    found = {f.name: f for fields in payload.cases.values() for f in (*payload.shared, *fields)}
    return (need(payload.tag, TEXT), *found.values())


def _variant(version: Version, row: _Row) -> Variant:
    name, shape, key, stable, payload = row
    return Variant(
        name=name,
        version=version,
        stable=stable,
        role=_ROLES.get(name.removesuffix("_chunk")),
        shape=shape,
        key=key,
        fields=_all_fields(payload),
        transcript=shape in _TRANSCRIPT,
        payload=payload if isinstance(payload, Tagged) else Record(name, payload),
    )


def _table(version: Version, rows: tuple[_Row, ...]) -> dict[str, Variant]:
    return {row[0]: _variant(version, row) for row in (*_common_rows(version), *rows)}


VARIANTS: Final[dict[Version, dict[str, Variant]]] = {
    "v1": _table("v1", _V1_ROWS),
    "v2": _table("v2", _V2_ROWS),
}
