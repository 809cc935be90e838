"""Rules for `diagnose` that the user has added: workers have to know them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from acpinspect.diagnostics import CODES, RULES, forget_rule, rule

if TYPE_CHECKING:
    from acpinspect.diagnostics.code import Code
    from acpinspect.diagnostics.registry import Rule

__all__ = ["OwnRule", "learn", "own_rules"]


class OwnRule(NamedTuple):
    """A rule that is not built in.

    Attributes:
        code: Its entry of the catalogue.
        function: The rule.
    """

    code: Code
    function: Rule


def own_rules() -> tuple[OwnRule, ...]:
    """The rules that are registered here and are not built in."""
    return tuple(OwnRule(entry, RULES[code]) for code, entry in CODES.items() if entry.tier == "user")


def learn(rules: Sequence[OwnRule]) -> None:
    """See to it that these rules of the user's are registered here, each in place of another of its name."""
    for entry, function in rules:
        if RULES.get(entry.code) is function:
            continue
        if entry.code in CODES:
            forget_rule(entry.code)
        add = rule(
            entry.code,
            severity=entry.severity,
            means=entry.means,
            remedy=entry.remedy,
            versions=entry.versions,
            spec=entry.spec,
        )
        add(function)
