"""One entry of the catalogue."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from acpinspect.diagnostics.findings import Severity
from acpinspect.protocol import VERSIONS, Version

__all__ = ["V1", "V2", "Code", "Tier"]

Tier: TypeAlias = Literal["core", "extra", "user"]

V1: tuple[Version, ...] = ("v1",)
V2: tuple[Version, ...] = ("v2",)


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """What a code means and what to do about it.

    Attributes:
        code: Its name.
        severity: Of its findings, where they say nothing else.
        means: What the finding says.
        found: When the rule speaks.
        remedy: What to do about it.
        spec: Where the specification speaks of it; ``-`` where it doesn't.
        varies: When the severity is another one.
        caveat: When the finding is true and yet no fault.
        versions: The protocol versions that it looks at.
        tier: ``core``, ``extra``, or ``user`` for a rule that was added.
    """

    code: str
    severity: Severity
    means: str
    found: str = ""
    remedy: str
    spec: str
    varies: str = ""
    caveat: str = ""
    versions: tuple[Version, ...] = VERSIONS
    tier: Tier = "core"
