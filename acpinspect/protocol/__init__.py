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
from acpinspect.protocol.notes import Issue
from acpinspect.protocol.variants import VARIANTS, Role, UpdateShape, Variant

__all__ = [
    "ENUMS",
    "VARIANTS",
    "VERSIONS",
    "Blocks",
    "Enum",
    "Field",
    "Issue",
    "Permission",
    "Reading",
    "Role",
    "UpdateShape",
    "Variant",
    "Version",
    "read_content_blocks",
    "read_permission",
    "read_update",
]
