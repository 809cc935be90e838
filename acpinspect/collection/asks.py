"""From what a user says to the tables that are asked for: names become policies, mistakes are told of at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from acpinspect.collection.kinds import Ask
from acpinspect.diagnostics.catalogue import CODES, code_named
from acpinspect.diagnostics.findings import SEVERITIES
from acpinspect.diagnostics.options import OptionsLike, as_options
from acpinspect.errors import ArgumentError
from acpinspect.grouping.registry import client_names, found

if TYPE_CHECKING:
    from acpinspect.diagnostics.findings import Severity
    from acpinspect.grouping.applying import AnyPolicy

__all__ = ["EVENTS", "ask_clients", "ask_comparison", "ask_findings", "ask_messages", "ask_sessions"]

EVENTS: Final = Ask("events")


def ask_sessions() -> Ask:
    """The sessions, with the findings of all codes that there are now."""
    return Ask("sessions", ask_findings().options)


def ask_messages(policy: AnyPolicy) -> Ask:
    """The messages under a policy.

    Raises:
        ArgumentError: If there is no such policy.
    """
    return Ask("messages", (("policy", found(policy)),))


def ask_findings(
    codes: Iterable[str] | str | None = None,
    severity: Severity | None = None,
    policy: AnyPolicy = "spec",
    options: OptionsLike = None,
) -> Ask:
    """The findings of some codes; of all that there are now, if none are named.

    Raises:
        ArgumentError: If there is no such code, severity, policy or option.
    """
    if severity is not None and severity not in SEVERITIES:
        raise ArgumentError(f"There is no severity {severity!r}. Known severities: {', '.join(SEVERITIES)}.")
    wanted = CODES if codes is None else [codes] if isinstance(codes, str) else codes
    names = tuple(dict.fromkeys(code_named(name).code for name in wanted))
    said = {"codes": names, "severity": severity, "policy": found(policy), "options": as_options(options)}
    return Ask("findings", tuple(said.items()))


def ask_comparison(a: AnyPolicy, b: AnyPolicy) -> Ask:
    """The comparison of two policies.

    Raises:
        ArgumentError: If there is no such policy.
    """
    return Ask("comparison", (("a", found(a)), ("b", found(b))))


def ask_clients(policies: Sequence[AnyPolicy] | None, truth: AnyPolicy) -> Ask:
    """What clients make of each agent; all clients, if none are named.

    Raises:
        ArgumentError: If there is no such policy.
    """
    chosen = tuple(found(policy) for policy in (client_names() if policies is None else policies))
    return Ask("clients", (("policies", chosen), ("truth", found(truth))))
