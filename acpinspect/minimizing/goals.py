"""What a smaller log still has to show: a finding, a difference between two policies, or what a predicate says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import pandas as pd

from acpinspect.diagnostics import CODES, diagnose
from acpinspect.diagnostics.options import OptionsLike
from acpinspect.errors import ArgumentError, EventsError
from acpinspect.grouping import group

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
    """Two policies that group a log differently."""

    one: Any
    other: Any
    options: OptionsLike = None

    def __call__(self, events: pd.DataFrame) -> bool:
        """Whether they do."""
        return _labels(events, self.one) != _labels(events, self.other)


@dataclass(frozen=True, slots=True)
class PredicateGoal:
    """Whatever a function of the events says."""

    predicate: Callable[[pd.DataFrame], object]
    options: OptionsLike = None

    def __call__(self, events: pd.DataFrame) -> bool:
        """What it says."""
        return bool(self.predicate(events))


Goal: TypeAlias = FindingGoal | PoliciesGoal | PredicateGoal


def _labels(events: pd.DataFrame, policy: object) -> list[int]:
    return group(events, policy).fillna(-1).astype(int).tolist()  # type: ignore[arg-type]


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
        raise ArgumentError("Say what the small log has to show: code (and event), predicate, or policies.")
    if predicate is not None:
        return PredicateGoal(predicate, options)
    if policies is not None:
        return PoliciesGoal(*_two(policies), options)
    return _finding(events, code, event, options)


def _two(policies: Policies) -> Policies:
    if isinstance(policies, str) or len(policies) != 2:
        raise ArgumentError(f"Give two policies, not {policies!r}.")
    return policies[0], policies[1]


def _finding(events: pd.DataFrame, code: str | None, event: int | None, options: OptionsLike) -> FindingGoal:
    """The first finding of the code; of those at the event, the gravest."""
    if event is not None and event not in events.index:
        raise EventsError(f"There is no event {event!r} in this table. Use a label of its index: events.index.")
    found = diagnose(events, codes=code, options=options)
    if event is not None:
        found = found[found["event"] == event]
    if found.empty:
        what = "no finding" if code is None else f"no finding of {code}"
        where = "" if event is None else f" at event {event}"
        raise ArgumentError(f"There is {what} in this log{where}. `diagnose` lists what there is.")
    rank = found["severity"].astype(str).map(_GRAVEST)
    first = found.iloc[int(rank.to_numpy().argmax()) if event is not None else 0]
    name = str(first["code"])
    return FindingGoal(CODES[name].code, str(first["severity"]), int(first["event"]), options)
