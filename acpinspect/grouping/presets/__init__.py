"""The policies that come with acpinspect: the protocol's, and those of real clients as their sources tell them.

Each says what it was read from, how, as of when, and what it is known to get wrong: judge it by that.
"""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.policy import Policy
from acpinspect.grouping.presets import apps, editors, kits, protocol, terminals, zed

__all__ = ["PRESETS"]

PRESETS: Final[tuple[Policy, ...]] = (
    *protocol.POLICIES,
    *zed.POLICIES,
    *editors.POLICIES,
    *apps.POLICIES,
    *terminals.POLICIES,
    *kits.POLICIES,
)
"""The presets, in the order in which `acpinspect.policies` lists them."""
