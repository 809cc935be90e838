"""What stands inside an update beside content blocks: tool content, plans, commands, options, costs; v1 and v2.

Source: ``$defs`` of the published unstable schemas. v2 is open where v1 is closed: a block, a tool content, a plan
or an option of a type that the schema doesn't name is valid there, whatever else it holds.
"""

from __future__ import annotations

from typing import Final

from acpinspect.protocol.blocks import CONTENT_BLOCK
from acpinspect.protocol.enums import ENUMS
from acpinspect.protocol.fields import (
    ANYTHING,
    FLAG,
    META,
    TEXT,
    UNSIGNED,
    Field,
    ListOf,
    Number,
    OneOf,
    Record,
    Shape,
    Tagged,
    Text,
    Version,
    enum_text,
    may,
    need,
    patch,
    unstable,
)

__all__ = [
    "COMMAND",
    "CONFIG_OPTION",
    "COST",
    "EXIT_STATUS",
    "LOCATION",
    "PERMISSION",
    "PLAN_CONTENT",
    "PLAN_ENTRY",
    "TERMINAL_OUTPUT",
    "TOOL_CALL_PATCH",
    "TOOL_CONTENT",
    "USAGE",
]


# --- tool calls -------------------------------------------------------------------------------------------------

_PATH_CHANGE: Final = (need("path", TEXT),)
_PATH_PAIR: Final = (need("oldPath", TEXT), need("path", TEXT))
_DIFF_CHANGE: Final = Tagged(
    "change",
    "operation",
    {
        "add": _PATH_CHANGE,
        "delete": _PATH_CHANGE,
        "modify": _PATH_CHANGE,
        "move": _PATH_PAIR,
        "copy": _PATH_PAIR,
    },
    shared=(may("fileType", enum_text(ENUMS["v2"]["DiffFileType"])), may("mimeType", TEXT), META),
    other=(),
)
_DIFF_PATCH: Final = Record(
    "patch", (need("format", enum_text(ENUMS["v2"]["DiffPatchFormat"])), need("text", TEXT))
)
_DIFF: Final[dict[Version, tuple[Field, ...]]] = {
    "v1": (need("path", TEXT), may("oldText", TEXT), need("newText", TEXT), META),
    "v2": (
        need("changes", ListOf(_DIFF_CHANGE), skip=True),
        may(
            "patch",
            Record("patch", (need("format", enum_text(ENUMS["v2"]["DiffPatchFormat"])), need("text", TEXT))),
        ),
        META,
    ),
}


def _tool_content(version: Version) -> Tagged:
    cases = {
        "content": (need("content", CONTENT_BLOCK[version]), META),
        "diff": _DIFF[version],
        "terminal": (need("terminalId", TEXT), META),
    }
    return Tagged("tool content", "type", cases, other=None if version == "v1" else ())


TOOL_CONTENT: Final[dict[Version, Tagged]] = {"v1": _tool_content("v1"), "v2": _tool_content("v2")}
LOCATION: Final = Record("location", (need("path", TEXT), may("line", UNSIGNED), META))


def _tool_call_patch(version: Version) -> tuple[Field, ...]:
    return (
        need("toolCallId", TEXT),
        patch("title", TEXT),
        unstable(patch("name", TEXT)),
        patch("kind", enum_text(ENUMS[version]["ToolKind"])),
        patch("status", enum_text(ENUMS[version]["ToolCallStatus"])),
        patch("content", ListOf(TOOL_CONTENT[version]), skip=True),
        patch("locations", ListOf(LOCATION), skip=True),
        patch("rawInput", ANYTHING),
        patch("rawOutput", ANYTHING),
        patch("_meta", META.type),
    )


# The fields of a tool_call_update and of the tool call in a permission request.
TOOL_CALL_PATCH: Final[dict[Version, tuple[Field, ...]]] = {
    "v1": _tool_call_patch("v1"),
    "v2": _tool_call_patch("v2"),
}

# --- terminals --------------------------------------------------------------------------------------------------

TERMINAL_OUTPUT: Final = Record("terminal output", (need("data", TEXT), META))
EXIT_STATUS: Final = Record("exit status", (may("exitCode", UNSIGNED), may("signal", TEXT), META))

# --- plans ------------------------------------------------------------------------------------------------------


def _plan_entry(version: Version) -> Record:
    fields = (
        need("content", TEXT),
        need("priority", enum_text(ENUMS[version]["PlanEntryPriority"])),
        need("status", enum_text(ENUMS[version]["PlanEntryStatus"])),
        META,
    )
    return Record("plan entry", fields)


PLAN_ENTRY: Final[dict[Version, Record]] = {"v1": _plan_entry("v1"), "v2": _plan_entry("v2")}


def _plan_content(version: Version) -> Tagged:
    plan_id = need("planId", TEXT)
    cases = {
        "items": (plan_id, need("entries", ListOf(PLAN_ENTRY[version]), lenient=True, skip=True), META),
        "file": (plan_id, need("uri", TEXT), META),
        "markdown": (plan_id, need("content", TEXT), META),
    }
    other = None if version == "v1" else (plan_id,)
    return Tagged("plan", "type", cases, other=other, unstable_cases=frozenset({"file", "markdown"}))


PLAN_CONTENT: Final[dict[Version, Tagged]] = {"v1": _plan_content("v1"), "v2": _plan_content("v2")}

# --- session-level lists and numbers ----------------------------------------------------------------------------

_HINT: Final = (need("hint", TEXT), META)
_COMMAND_INPUT: Final[dict[Version, Shape]] = {
    "v1": Record("command input", _HINT),
    "v2": Tagged("command input", "type", {"text": _HINT}, other=()),
}


def _command(version: Version) -> Record:
    fields = (need("name", TEXT), need("description", TEXT), may("input", _COMMAND_INPUT[version]), META)
    return Record("command", fields)


COMMAND: Final[dict[Version, Record]] = {"v1": _command("v1"), "v2": _command("v2")}


def _config_option(version: Version) -> Tagged:
    choice = Record("choice", (need("value", TEXT), need("name", TEXT), may("description", TEXT), META))
    group = Record(
        "group of choices",
        (
            need("group" if version == "v1" else "groupId", TEXT),
            need("name", TEXT),
            need("options", ListOf(choice), lenient=True, skip=True),
            META,
        ),
    )
    choices = OneOf("list of choices or of groups", (ListOf(choice), ListOf(group)))
    cases = {
        "select": (need("currentValue", TEXT), need("options", choices)),
        "boolean": (need("currentValue", FLAG),),
    }
    shared = (
        need("id" if version == "v1" else "configId", TEXT),
        need("name", TEXT),
        may("description", TEXT),
        may("category", enum_text(ENUMS[version]["SessionConfigOptionCategory"])),
        META,
    )
    return Tagged("config option", "type", cases, shared, other=None if version == "v1" else ())


CONFIG_OPTION: Final[dict[Version, Tagged]] = {"v1": _config_option("v1"), "v2": _config_option("v2")}


def _cost(currency: Text) -> Record:
    return Record("cost", (need("amount", Number()), need("currency", currency), META))


COST: Final[dict[Version, Record]] = {"v1": _cost(TEXT), "v2": _cost(Text(capitals=3))}
USAGE: Final = Record(
    "usage",
    (
        need("totalTokens", UNSIGNED),
        need("inputTokens", UNSIGNED),
        need("outputTokens", UNSIGNED),
        may("thoughtTokens", UNSIGNED),
        may("cachedReadTokens", UNSIGNED),
        may("cachedWriteTokens", UNSIGNED),
        META,
    ),
)

# --- permission requests ----------------------------------------------------------------------------------------


def _option(version: Version) -> Record:
    kind = enum_text(ENUMS[version]["PermissionOptionKind"])
    return Record("permission option", (need("optionId", TEXT), need("name", TEXT), need("kind", kind), META))


_SUBJECT: Final = Tagged(
    "subject",
    "type",
    {
        "tool_call": (need("toolCall", Record("tool call", TOOL_CALL_PATCH["v2"])),),
        "command": (
            need("command", TEXT),
            need("cwd", TEXT),
            may("toolCallId", TEXT),
            may("terminalId", TEXT),
            META,
        ),
    },
    other=(),
)

PERMISSION: Final[dict[Version, Record]] = {
    "v1": Record(
        "permission request",
        (
            need("sessionId", TEXT),
            need("toolCall", Record("tool call", TOOL_CALL_PATCH["v1"])),
            need("options", ListOf(_option("v1"))),
            META,
        ),
    ),
    "v2": Record(
        "permission request",
        (
            need("sessionId", TEXT),
            need("title", TEXT),
            may("description", TEXT),
            Field("subject", _SUBJECT, nullable=True),
            need("options", ListOf(_option("v2"), min_items=1)),
            META,
        ),
    ),
}
