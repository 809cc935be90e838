"""Two groupings of the same things, side by side.

The things are the events of one log; or, where two logs or a table of true messages are compared, the words that
both have. Each thing has a label on either side, and a weight in characters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from acpinspect.comparison.words import aligned, words_of
from acpinspect.events import arrow_strings
from acpinspect.grouping.applying import AnyPolicy, Shared, apply, name_of
from acpinspect.grouping.vocabulary import ROLES
from acpinspect.message_table import told

__all__ = ["Pairing", "Side", "paired", "paired_texts", "pairings"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Side:
    """One of the two groupings.

    Attributes:
        name: How it is called.
        policy: What makes it of the events, as `group` takes it.
        events: The events table that it groups; of a table of true messages, that of the other side.
        labels: The label of each thing; -1 for none.
        rows: The row of `events` at which each thing stands.
        texts: The text of each message, by label.
        roles: The role of each message.
        first_events: The first event of each message; -1 where there is none.
    """

    name: str
    policy: AnyPolicy
    events: pd.DataFrame
    labels: Ints
    rows: Ints
    texts: list[str]
    roles: list[str]
    first_events: Ints


@dataclass(frozen=True)
class Pairing:
    """Two groupings of the same things.

    Attributes:
        a: The one, taken as the reference.
        b: The other.
        session: Number of the session of each thing; things are in order within a session.
        turn: Number of the turn of each thing; -1 for none.
        prompt: Whether it is a prompt that a client shows.
        weight: Characters of each thing.
    """

    a: Side
    b: Side
    session: Ints
    turn: Ints
    prompt: Mask
    weight: Ints

    @property
    def both(self) -> Mask:
        """The things that both sides show."""
        return (self.a.labels >= 0) & (self.b.labels >= 0)


def paired(events: pd.DataFrame, a: AnyPolicy, b: AnyPolicy) -> Pairing:
    """Two policies over one log."""
    ((_, _, pairing),) = pairings(events, a, [b])
    return pairing()


def pairings(
    events: pd.DataFrame, a: AnyPolicy, others: Sequence[AnyPolicy]
) -> Iterator[tuple[AnyPolicy, bytes, Callable[[], Pairing]]]:
    """One policy with each of some others; what all look at is computed once.

    Yields:
        Each of the others, a digest of how it groups the events (equal for those that group alike), and what makes
        the pairing.
    """
    shared = Shared(events)
    label_a = apply(a, shared).labels
    for b in others:
        label_b = apply(b, shared).labels
        alike = hashlib.sha256(np.ascontiguousarray(label_b).data).digest()
        yield b, alike, partial(_paired, shared, (a, label_a), (b, label_b))


def _paired(shared: Shared, one: tuple[AnyPolicy, Ints], other: tuple[AnyPolicy, Ints]) -> Pairing:
    (a, label_a), (b, label_b) = one, other
    events, seen = shared.events, shared.tokens
    rows = np.flatnonzero((seen.session >= 0) & ((seen.role >= 0) | (label_a >= 0) | (label_b >= 0)))
    rows = rows[np.argsort(seen.session[rows], kind="stable")]
    lengths = pc.fill_null(pc.utf8_length(arrow_strings(events["text"]).combine_chunks()), 0)
    return Pairing(
        _side(shared, a, label_a, rows),
        _side(shared, b, label_b, rows),
        seen.session[rows],
        events["turn"].fillna(-1).to_numpy(dtype=np.int64)[rows],
        seen.prompt[rows],
        lengths.to_numpy(zero_copy_only=False).astype(np.int64)[rows],
    )


def _side(shared: Shared, policy: AnyPolicy, labels: Ints, rows: Ints) -> Side:
    said = told(shared, labels)
    return Side(
        name_of(policy),
        policy,
        shared.events,
        labels[rows],
        rows,
        said.texts.tolist(),
        [str(role) for role in said.roles],
        shared.events.index.to_numpy()[said.first],
    )


# Two logs, or a log and the truth -------------------------------------------------------------------------------


def paired_texts(
    policies: tuple[AnyPolicy, AnyPolicy],
    logs: tuple[pd.DataFrame, pd.DataFrame],
    tables: tuple[pd.DataFrame, pd.DataFrame],
    names: tuple[str, str] | None = None,
    roles: Sequence[str] = ROLES,
) -> Pairing:
    """Two tables of messages, aligned by the words that both have, role by role.

    Args:
        policies: What makes each table of the events behind it.
        logs: The events behind each table.
        tables: Messages: columns `role` and `text`, and `first_event` where there is one.
        names: How the sides are called; else as their policies are.
        roles: The roles to look at.
    """
    names = names or (name_of(policies[0]), name_of(policies[1]))
    things: list[tuple[int, int, int, int]] = []  # role, label in a, label in b, characters
    for number, role in enumerate(roles):
        words_a, words_b = (words_of(table, role) for table in tables)
        things += [(number, *thing) for thing in aligned(words_a, words_b)]
    array = np.array(things, dtype=np.int64).reshape(-1, 4)
    a, b = (
        _told(name, policy, log, table, array[:, 1 + i])
        for i, (name, policy, log, table) in enumerate(zip(names, policies, logs, tables, strict=True))
    )
    nothing = np.full(len(array), -1, dtype=np.int64)
    return Pairing(a, b, array[:, 0], nothing, nothing > 0, array[:, 3])


def _told(name: str, policy: AnyPolicy, log: pd.DataFrame, table: pd.DataFrame, labels: Ints) -> Side:
    firsts = np.full(len(table), -1, dtype=np.int64)
    if "first_event" in table.columns:
        firsts = table["first_event"].to_numpy(dtype=np.int64)
    places = log.index.get_indexer(pd.Index(firsts)) if len(log) else firsts
    rows = np.where(labels >= 0, places[np.maximum(labels, 0)], -1) if len(table) else labels
    return Side(
        name, policy, log, labels, rows, table["text"].fillna("").astype(str).tolist(),
        table["role"].astype(str).tolist(), firsts,
    )  # fmt: skip
