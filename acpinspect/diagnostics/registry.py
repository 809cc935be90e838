"""Which rule stands behind which code; a user can add one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from acpinspect.diagnostics.catalogue import CODES, Code
from acpinspect.diagnostics.findings import SEVERITIES, Hit, Severity
from acpinspect.errors import ArgumentError
from acpinspect.protocol import VERSIONS, Version

if TYPE_CHECKING:
    from acpinspect.diagnostics.log import Log

__all__ = ["RULES", "Rule", "builtin", "rule"]

Rule: TypeAlias = "Callable[[Log], Iterable[Hit]]"

RULES: dict[str, Rule] = {}
"""The rule of each code."""


def builtin(code: str) -> Callable[[Rule], Rule]:
    """Say that a function is the rule of a code of the catalogue."""

    def register(function: Rule) -> Rule:
        RULES[CODES[code].code] = function
        return function

    return register


def rule(
    code: str,
    *,
    severity: Severity = "warning",
    means: str = "",
    remedy: str = "",
    versions: tuple[Version, ...] = VERSIONS,
    spec: str = "-",
) -> Callable[[Rule], Rule]:
    """Add a rule of your own to those that `diagnose` applies.

    Args:
        code: Its code; a word that no other rule has.
        severity: Of its findings, where they say nothing else.
        means: What the finding says, in one sentence.
        remedy: What to do about it.
        versions: The protocol versions that it looks at.
        spec: Where the rule is written down.

    Returns:
        A decorator for a function of a `Log` that yields `Hit`. Rows are positions in the events table; `Log` has
        the table itself as `events`, and what the built-in rules share: `session`, `label`, `text`, ...

    Raises:
        ArgumentError: If the code is taken, or the severity is none.

    Example:
        >>> import acpinspect
        >>> from acpinspect.diagnostics import Hit, RULES, forget_rule, rule
        >>> @rule("shouting", severity="info", means="Text in capitals.", remedy="Say it quietly.")
        ... def shouting(log):
        ...     return (Hit(row, "This is loud.") for row, text in enumerate(log.text) if text.isupper())
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "HELLO"}}
        >>> findings = acpinspect.diagnose(acpinspect.from_records([("s1", chunk)]), codes=["shouting"])
        >>> findings[["event", "severity", "message"]].values.tolist()
        [[0, 'info', 'This is loud.']]
        >>> forget_rule("shouting")
    """
    if code in CODES:
        raise ArgumentError(f"The code {code!r} is taken. Choose another one.")
    if severity not in SEVERITIES:
        raise ArgumentError(f"There is no severity {severity!r}. Known severities: {', '.join(SEVERITIES)}.")

    def register(function: Rule) -> Rule:
        CODES[code] = Code(
            code=code,
            tier="user",
            versions=versions,
            severity=severity,
            means=means,
            remedy=remedy,
            spec=spec,
        )
        RULES[code] = function
        return function

    return register


def forget_rule(code: str) -> None:
    """Take a rule of your own away again.

    Raises:
        ArgumentError: If there is no such rule, or it is built in.
    """
    if code not in CODES or CODES[code].tier != "user":
        raise ArgumentError(f"There is no rule of yours with the code {code!r}.")
    del CODES[code], RULES[code]
