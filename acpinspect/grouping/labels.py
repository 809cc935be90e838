"""Labels of the policies that need no state: computed in columns.

The rules are those of the plan of the house: ids where they are, else the open message of the role; see
`docs/grouping.md`. Cost: one stable sort by session where a table holds several, all else linear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.grouping.tokens import CLOSERS, Ints, Mask, Tokens

__all__ = ["COLUMN_POLICIES", "Sequence", "boundaries", "column_labels", "sequence"]


@dataclass(frozen=True, slots=True)
class Sequence:
    """The message events, session by session, each in the order of the table.

    Attributes:
        rows: Their positions in the table.
        same: The event before it is of the same session.
        open: Nothing closed the open message since the event before it.
        closer: What last closed it, as an index into `CLOSERS`.
        restarted: A new connection began since the event before it.
    """

    rows: Ints
    same: Mask
    open: Mask
    closer: npt.NDArray[np.int8]
    restarted: Mask


def sequence(tokens: Tokens) -> Sequence:
    """Put the message events in order, with what stands between them."""
    used = np.flatnonzero((tokens.session >= 0) & (tokens.message | (tokens.closer > 0)))
    session = tokens.session[used]
    if len(session) and (session != session[0]).any():
        used = used[np.argsort(session, kind="stable")]
    message = tokens.message[used]
    closing = tokens.closer[used] > 0
    last = np.maximum.accumulate(np.where(closing, np.arange(len(used)), -1)) if len(used) else np.zeros(0, int)
    at = np.flatnonzero(message)
    rows, last = used[at], last[at]
    before = np.concatenate([[-1], at[:-1]])[: len(at)]
    own = (
        (last >= 0) & (tokens.session[used[np.maximum(last, 0)]] == tokens.session[rows])
        if len(used)
        else last > 0
    )
    same = np.zeros(len(rows), dtype=bool)
    same[1:] = tokens.session[rows[1:]] == tokens.session[rows[:-1]]
    closed = own & ((last > before) | ~same)
    restarted = np.zeros(len(rows), dtype=bool)
    restarted[1:] = same[1:] & (tokens.connection[rows[1:]] != tokens.connection[rows[:-1]])
    closer = np.where(closed, tokens.closer[used[np.maximum(last, 0)]], 0).astype(np.int8) if len(used) else last
    return Sequence(rows, same, same & ~closed & ~restarted, closer, restarted)


def _spec(tokens: Tokens, events: Sequence) -> tuple[Ints, Mask]:
    return _continued(tokens, events, tokens.id[events.rows] >= 0)


def _heuristic(tokens: Tokens, events: Sequence) -> tuple[Ints, Mask]:
    # A whole-message update says by itself that a message begins.
    return _continued(tokens, events, np.zeros(len(events.rows), dtype=bool), alone=tokens.whole[events.rows])


def _ids(tokens: Tokens, events: Sequence) -> tuple[Ints, Mask]:
    has_id = tokens.id[events.rows] >= 0
    return _keys(tokens, events, has_id, np.arange(len(has_id))), np.ones(len(has_id), dtype=bool)


def _spec_v2(tokens: Tokens, events: Sequence) -> tuple[Ints, Mask]:
    has_id = tokens.id[events.rows] >= 0
    return _keys(tokens, events, has_id, np.arange(len(has_id))), has_id


def _rfd_literal(tokens: Tokens, events: Sequence) -> tuple[Ints, Mask]:
    has_id = tokens.id[events.rows] >= 0
    runs = _update_runs(tokens)[events.rows]
    return _keys(tokens, events, has_id, runs), np.ones(len(has_id), dtype=bool)


def _continued(tokens: Tokens, events: Sequence, has_id: Mask, alone: Mask | None = None) -> tuple[Ints, Mask]:
    """An event without id continues the open message of its role; every other one is the head of a run."""
    role = tokens.role[events.rows]
    same_role = np.zeros(len(role), dtype=bool)
    same_role[1:] = role[1:] == role[:-1]
    head = ~(events.open & same_role & ~has_id)
    if alone is not None:
        head |= alone
    head_of = np.maximum.accumulate(np.where(head, np.arange(len(head)), 0)) if len(head) else np.zeros(0, int)
    keys = _keys(tokens, events, has_id, np.arange(len(head)))
    return keys[head_of], np.ones(len(head), dtype=bool)


def _keys(tokens: Tokens, events: Sequence, has_id: Mask, otherwise: Ints) -> Ints:
    """One number per (session, epoch, role, id); events without id take theirs from `otherwise`."""
    rows = events.rows
    n_epochs, n_ids = int(tokens.epoch.max(initial=0)) + 1, int(tokens.id.max(initial=-1)) + 1
    key = ((tokens.session[rows] * n_epochs + tokens.epoch[rows]) * 3 + tokens.role[rows]) * n_ids + tokens.id[
        rows
    ]
    return np.where(has_id, key, -1 - otherwise)


def _update_runs(tokens: Tokens) -> Ints:
    """Number of the run of one sessionUpdate to which each row belongs; other traffic of the session cuts it."""
    rows = np.flatnonzero((tokens.session >= 0) & ((tokens.update >= 0) | (tokens.closer > 0)))
    rows = rows[np.argsort(tokens.session[rows], kind="stable")]
    session, update = tokens.session[rows], tokens.update[rows]
    begins = np.ones(len(rows), dtype=bool)
    begins[1:] = (session[1:] != session[:-1]) | (update[1:] != update[:-1]) | (update[1:] < 0)
    runs = np.zeros(len(tokens.session), dtype=np.int64)
    runs[rows] = np.cumsum(begins)
    return runs


_Labeller = Callable[[Tokens, Sequence], tuple[Ints, Mask]]

COLUMN_POLICIES: Final[dict[str, tuple[_Labeller, bool]]] = {
    "spec": (_spec, False),
    "ids": (_ids, False),
    "heuristic": (_heuristic, False),
    "rfd-literal": (_rfd_literal, True),
    "spec-v2": (_spec_v2, False),
}
"""Name -> how it labels, and whether it shows the prompt that was sent as a message of its own."""


def column_labels(tokens: Tokens, policy: str) -> npt.NDArray[np.int64]:
    """The label of each row, in order of first appearance; -1 where it is no part of a message."""
    labeller, shows_prompt = COLUMN_POLICIES[policy]
    events = sequence(tokens)
    keys, shown = labeller(tokens, events)
    numbers = np.full(len(tokens.session), -1, dtype=np.int64)
    codes, _ = pd.factorize(keys)
    numbers[events.rows[shown]] = codes[shown]
    if shows_prompt:
        prompts = np.flatnonzero(tokens.prompt)
        numbers[prompts] = len(codes) + np.arange(len(prompts))
    labelled = np.flatnonzero(numbers >= 0)
    numbers[labelled], _ = pd.factorize(numbers[labelled])
    return numbers


_REASONS: Final = ("policy", "start", "role", "whole-message", "id", "tool_call", "plan", "turn", "load")
_REASON_OF_CLOSER: Final = np.array([_REASONS.index(name) if name in _REASONS else 0 for name in CLOSERS], np.int8)
"""A compaction is the policy's own reason."""


def boundaries(tokens: Tokens, labels: npt.NDArray[np.int64], *, by_id: bool) -> tuple[Ints, list[str]]:
    """What opened each message.

    Args:
        tokens: The tokens.
        labels: The label of each row; -1 for none.
        by_id: Whether the policy looks at ids.

    Returns:
        For each message in the order of its label: the row of its first event; and one of ``start``, ``turn``,
        ``load``, ``tool_call``, ``plan``, ``role``, ``whole-message``, ``id``, ``policy``.
    """
    events = sequence(tokens)
    role = tokens.role[events.rows]
    changed = np.ones(len(role), dtype=bool)
    changed[1:] = role[1:] != role[:-1]
    has_id = (tokens.id[events.rows] >= 0) & by_id
    reason = np.full(len(tokens.session), _REASONS.index("turn"), dtype=np.int8)
    reason[events.rows] = np.select(
        [events.closer > 0, ~events.same | events.restarted, changed, tokens.whole[events.rows], has_id],
        [_REASON_OF_CLOSER[events.closer], *map(_REASONS.index, ("start", "role", "whole-message", "id"))],
        default=_REASONS.index("policy"),
    )
    rows = np.flatnonzero(labels >= 0)
    first = rows[~pd.Series(labels[rows]).duplicated().to_numpy()]
    return first, [_REASONS[code] for code in reason[first].tolist()]
