"""What a smaller log still has to show: a finding, a difference between two policies, or what a predicate says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pandas as pd

from acpinspect.diagnostics import CODES, diagnose
from acpinspect.diagnostics.options import OptionsLike
from acpinspect.errors import ArgumentError
from acpinspect.events import no_event
from acpinspect.minimizing.differences import differences

__all__ = ["FindingGoal", "Goal", "Policies", "PoliciesGoal", "PredicateGoal", "goal_of"]

Policies: TypeAlias = tuple[Any, Any]  # whatever `group` takes as a policy
_GRAVEST: Final = {"info": 0, "warning": 1, "error": 2}


@dataclass(frozen=True, slots=True)
class FindingGoal:
    """A finding of this code and severity.

    Attributes:
        code: The code.
        severity: The severity.
        event: The event at which it stands in the log that is given.
        options: Thresholds of `diagnose`.
    """

    code: str
    severity: str
    event: int
    options: OptionsLike = None

    def __call__(self, events: pd.DataFrame) -> bool:
        """Whether a log shows it."""
        found = diagnose(events, codes=self.code, options=self.options)
        return bool((found["severity"] == self.severity).any())


@dataclass(frozen=True, slots=True)
class PoliciesGoal:
    """A message of one policy that has become something else under another.

    Attributes:
        one: The policy that makes the message.
        other: The policy that makes something else of it.
        kind: What: one of `acpinspect.comparison.KINDS`.
        options: Thresholds of `diagnose`.
    """

    one: Any
    other: Any
    kind: str
    options: OptionsLike = None

    def __call__(self, events: pd.DataFrame) -> bool:
        """Whether a log has such a message."""
        return bool((differences(events, self.one, self.other)["kind"] == self.kind).any())


@dataclass(frozen=True, slots=True)
class PredicateGoal:
    """Whatever a function of the events says."""

    predicate: Callable[[pd.DataFrame], object]
    options: OptionsLike = None

    def __call__(self, events: pd.DataFrame) -> bool:
        """What it says."""
        return bool(self.predicate(events))


Goal: TypeAlias = FindingGoal | PoliciesGoal | PredicateGoal


def goal_of(
    events: pd.DataFrame,
    code: str | None,
    event: int | None,
    predicate: Callable[[pd.DataFrame], object] | None,
    policies: Policies | None,
    options: OptionsLike,
) -> Goal:
    """The goal that the arguments of `minimize` name.

    Raises:
        ArgumentError: If they name none or several, or the log doesn't show it.
        EventsError: If the event is not in the table.
    """
    named = [predicate is not None, policies is not None, code is not None or event is not None]
    if sum(named) != 1:
        raise ArgumentError(
            "Say what the small log has to show, by one of: code and event (--code, --event), "
            "policies (--policies), predicate (in Python only)."
        )
    if predicate is not None:
        return PredicateGoal(predicate, options)
    if policies is not None:
        return _difference(events, policies, options)
    return _finding(events, code, event, options)


def _difference(events: pd.DataFrame, policies: Policies, options: OptionsLike) -> PoliciesGoal:
    """The first message that differs."""
    if isinstance(policies, str) or len(policies) != 2:
        raise ArgumentError(f"Give two policies, not {policies!r}.")
    for one, other in (policies, policies[::-1]):
        different = differences(events, one, other)
        if len(different):
            return PoliciesGoal(one, other, str(different["kind"].iloc[0]), options)
    raise ArgumentError("The two policies make the same messages of this log: it doesn't show a difference.")


def _finding(events: pd.DataFrame, code: str | None, event: int | None, options: OptionsLike) -> FindingGoal:
    """The first finding of the code; of those at the event, the gravest."""
    if event is not None and event not in events.index:
        raise no_event(events.index, event)
    found = diagnose(events, codes=code, options=options)
    if event is not None:
        found = found[found["event"] == event]
    if found.empty:
        what = "no finding" if code is None else f"no finding of {code}"
        where = "" if event is None else f" at event {event}"
        raise ArgumentError(
            f"There is {what} in this log{where}. "
            "`diagnose` (`acpinspect lint --severity info`) lists what there is."
        )
    rank = found["severity"].astype(str).map(_GRAVEST)
    first = found.iloc[int(rank.to_numpy().argmax()) if event is not None else 0]
    name = str(first["code"])
    return FindingGoal(CODES[name].code, str(first["severity"]), int(first["event"]), options)
