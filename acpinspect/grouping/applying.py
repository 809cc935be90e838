"""A policy applied to a table: in columns where it can be, else by the engine, else by the user's own function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.errors import ArgumentError
from acpinspect.events import REJECTED, check_events
from acpinspect.grouping.compiled import REASONS, reason
from acpinspect.grouping.cues import cut_rows
from acpinspect.grouping.engine import Outcome, run
from acpinspect.grouping.labels import COLUMN_POLICIES, column_labels
from acpinspect.grouping.marks import Marks, marks
from acpinspect.grouping.meta_ids import ids_at
from acpinspect.grouping.policy import Policy
from acpinspect.grouping.presets import protocol
from acpinspect.grouping.tokens import Tokens, tokens
from acpinspect.opening import Events, events_of

__all__ = [
    "AnyPolicy",
    "Grouper",
    "Shared",
    "apply",
    "looks_at_ids",
    "name_of",
    "needs_no_state",
    "nullable",
    "outcomes",
]

Grouper: TypeAlias = Callable[[pd.DataFrame], object]
"""A function of the events that gives a label for each: a Series or a sequence, NA or None for none."""

AnyPolicy: TypeAlias = str | Policy | Grouper
"""A policy's name, a policy, or a function."""

_COLUMNS: Final = {policy.name: policy for policy in protocol.POLICIES if policy.name in COLUMN_POLICIES}


class Shared:
    """What several policies look at in one table, computed when first needed.

    Args:
        events: The table.
    """

    def __init__(self, events: pd.DataFrame) -> None:
        self.events = check_events(events)
        self._tokens: Tokens | None = None
        self._marks: Marks | None = None

    @property
    def tokens(self) -> Tokens:
        """The table's tokens."""
        if self._tokens is None:
            self._tokens = tokens(self.events)
        return self._tokens

    def marks(self, policy: Policy) -> Marks:
        """The table's marks; of its own for a policy that takes other ids or cues."""
        if policy.meta_id or policy.cues:
            ids = ids_at(self.events, policy.meta_id, self.tokens.role >= 0) if policy.meta_id else None
            cuts = cut_rows(self.events, self.tokens, policy.cues) if policy.cues else None
            return marks(self.events, seen=self.tokens, ids=ids, cuts=cuts)
        if self._marks is None:
            self._marks = marks(self.events, seen=self.tokens)
        return self._marks


def name_of(policy: AnyPolicy) -> str:
    """How a policy is called in tables.

    Example:
        >>> name_of("spec"), name_of(len)
        ('spec', 'len')
    """
    if isinstance(policy, str):
        return policy
    return policy.name if isinstance(policy, Policy) else getattr(policy, "__name__", type(policy).__name__)


def looks_at_ids(policy: AnyPolicy) -> bool:
    """Whether ids matter to a policy; of a function it can't be told.

    Example:
        >>> looks_at_ids("spec"), looks_at_ids("toad")
        (True, False)
    """
    from acpinspect.grouping.registry import found

    policy = found(policy)
    return isinstance(policy, Policy) and policy.uses_ids


def needs_no_state(policy: AnyPolicy) -> bool:
    """Whether a policy's labels can be computed in columns.

    Example:
        >>> needs_no_state("spec"), needs_no_state("toad")
        (True, False)
    """
    from acpinspect.grouping.registry import found

    policy = found(policy)
    return isinstance(policy, Policy) and _COLUMNS.get(policy.name) == dataclasses.replace(policy, meta_id=None)


def apply(policy: AnyPolicy, shared: Shared) -> Outcome:
    """Group a table by any policy.

    Raises:
        ArgumentError: If there is no such policy, or a function gives no label for each event.
    """
    from acpinspect.grouping.registry import found

    policy = found(policy)
    if not isinstance(policy, Policy):
        return _called(policy, shared.events)
    outcome = _in_columns(policy, shared) if needs_no_state(policy) else run(policy, shared.marks(policy))
    refused = (outcome.reasons == reason("other")) & _refused(shared.events)
    outcome.reasons[refused] = reason("rejected")
    return outcome


def outcomes(events: Events, policy: AnyPolicy = "spec") -> pd.DataFrame:
    """The label of each event, or why it has none.

    Args:
        events: An events table, or the path of a log.
        policy: A policy's name, a `Policy`, or a function of the events.

    Returns:
        One row per event: `label` (Int64), and `reason` (category): NA for events that have a label, else hidden,
        empty, blank, not text, late, echo, invalid id, load (a replay that the client drops), rejected, or other
        (the event is no part of a message).

    Raises:
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> from acpinspect.grouping import outcomes
        >>> thought = {"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": "Hm."}}
        >>> outcomes(acpinspect.from_records([("s1", thought)]), "jupyter-ai").loc[0, "reason"]
        'hidden'
    """
    table = events_of(events)
    outcome = apply(policy, Shared(table))
    names = pd.Index(REASONS[1:], dtype=object)
    reasons = pd.Categorical.from_codes(outcome.reasons.astype(np.int64) - 1, categories=names)
    return pd.DataFrame({"label": nullable(outcome.labels), "reason": reasons}, index=table.index)


def nullable(labels: npt.NDArray[np.int64]) -> pd.arrays.IntegerArray:
    """Labels as a nullable column; -1 is NA."""
    missing = labels < 0
    return pd.arrays.IntegerArray(np.where(missing, 0, labels), missing)


def _in_columns(policy: Policy, shared: Shared) -> Outcome:
    seen = shared.tokens
    if policy.meta_id:
        seen = dataclasses.replace(seen, id=ids_at(shared.events, policy.meta_id, seen.role >= 0))
    labels = column_labels(seen, policy.name)
    without = np.where(seen.role >= 0, reason("invalid id"), reason("other"))
    return Outcome(labels, np.where(labels >= 0, 0, without).astype(np.int8))


def _called(grouper: Grouper, events: pd.DataFrame) -> Outcome:
    """The labels of a user's function, renumbered in the order in which they first appear."""
    given = grouper(events)
    labels = list(given) if isinstance(given, Iterable) else []
    if len(labels) != len(events):
        raise ArgumentError(
            f"The function {name_of(grouper)} gave {len(labels)} labels for {len(events)} events. "
            "It must give one for each event, NA or None where an event is no part of a message."
        )
    values = np.empty(len(labels), dtype=object)
    values[:] = [None if pd.isna(label) else label for label in labels]
    codes, _ = pd.factorize(values)
    numbers = codes.astype(np.int64)
    return Outcome(numbers, np.where(numbers >= 0, 0, reason("other")).astype(np.int8))


def _refused(events: pd.DataFrame) -> npt.NDArray[np.bool_]:
    problem = events["problem"].cat
    refused = [str(category).startswith(REJECTED) for category in problem.categories]
    return np.array([*refused, False], dtype=bool)[problem.codes.to_numpy()]
