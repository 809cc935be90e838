"""Facts of the protocol: update variants, fields, methods, enums. It knows nobody else in the house."""

from __future__ import annotations

from acpinspect.protocol.check import (
    Blocks,
    Permission,
    Reading,
    read_content_blocks,
    read_permission,
    read_update,
)
from acpinspect.protocol.enums import ENUMS, Enum
from acpinspect.protocol.fields import VERSIONS, Field, Version
from acpinspect.protocol.keys import params_keys, result_keys, update_keys
from acpinspect.protocol.methods import METHODS, Call, Method, result_methods, sender_of
from acpinspect.protocol.naming import snake_case, snake_spellings
from acpinspect.protocol.notes import Issue
from acpinspect.protocol.variants import VARIANTS, Role, UpdateShape, Variant

__all__ = [
    "ENUMS",
    "METHODS",
    "VARIANTS",
    "VERSIONS",
    "Blocks",
    "Call",
    "Enum",
    "Field",
    "Issue",
    "Method",
    "Permission",
    "Reading",
    "Role",
    "UpdateShape",
    "Variant",
    "Version",
    "params_keys",
    "read_content_blocks",
    "read_permission",
    "read_update",
    "result_keys",
    "result_methods",
    "sender_of",
    "snake_case",
    "snake_spellings",
    "update_keys",
]
