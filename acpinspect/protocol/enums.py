"""The named values of the protocol's strings, for v1 (closed) and v2 (mostly open: other strings are valid too).

Source: the ``oneOf``/``anyOf`` lists of constants in the published schemas of both versions, under the same names.
"""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["ENUMS", "Enum"]


class Enum(msgspec.Struct, frozen=True):
    """The named values of one string.

    Attributes:
        values: In the schema's order.
        open: Strings that aren't named are valid as well.
    """

    values: tuple[str, ...]
    open: bool = False


_STOP = ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")
_KINDS = ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other")
_STATUSES = ("pending", "in_progress", "completed", "failed")
_STEPS = ("pending", "in_progress", "completed")
_PRIORITIES = ("high", "medium", "low")
_READERS = ("assistant", "user")
_OPTIONS = ("allow_once", "allow_always", "reject_once", "reject_always")

# These are open in both versions.
_BOTH: Final = {
    "CompactionStatus": Enum(("in_progress", "completed", "failed", "cancelled"), open=True),
    "NoticeSeverity": Enum(("info", "warning", "error"), open=True),
    "SessionConfigOptionCategory": Enum(("mode", "model", "model_config", "thought_level"), open=True),
}

ENUMS: Final[dict[str, dict[str, Enum]]] = {
    "v1": {
        **_BOTH,
        "PermissionOptionKind": Enum(_OPTIONS),
        "PlanEntryPriority": Enum(_PRIORITIES),
        "PlanEntryStatus": Enum(_STEPS),
        "Role": Enum(_READERS),
        "StopReason": Enum(_STOP),
        "ToolCallStatus": Enum(_STATUSES),
        "ToolKind": Enum(_KINDS),
    },
    "v2": {
        **_BOTH,
        "DiffFileType": Enum(("text", "binary", "directory", "symlink"), open=True),
        "DiffPatchFormat": Enum(("git_patch",), open=True),
        "IconTheme": Enum(("light", "dark"), open=True),
        "PermissionOptionKind": Enum(_OPTIONS, open=True),
        "PlanEntryPriority": Enum(_PRIORITIES, open=True),
        "PlanEntryStatus": Enum((*_STEPS, "cancelled"), open=True),
        "Role": Enum(_READERS, open=True),
        "StopReason": Enum(_STOP, open=True),
        "ToolCallStatus": Enum((*_STATUSES, "cancelled"), open=True),
        "ToolKind": Enum(_KINDS, open=True),
    },
}
