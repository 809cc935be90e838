"""What became of each message of a in b, in the kinds that a person understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.comparison.alignment import Pairing, Side
from acpinspect.events import Column

__all__ = ["COLUMNS", "KINDS", "kind_table"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("role", "category", "user, agent or thought."),
    Column("text", "string", "The text of the message in a."),
    Column("first_event", "Int64", "Its first event; NA for a message of a table."),
    Column("kind", "category", "What became of it in b: the gravest of its kinds."),
    Column("also", "object", "Its other kinds (list of str)."),
    Column("partners", "object", "The messages of b that have a part of it (list of int)."),
    Column("wrong_event", "Int64", "The first event whose place differs; NA for none."),
)

KINDS: Final[dict[str, str]] = {
    "lost": "b shows nothing of it, nor its text as the prompt",
    "absorbed": "it became part of the prompt that the client shows",
    "leaked": "it became part of a message of another turn",
    "duplicated": "b shows its text more often than a",
    "shear": "b splits it and merges a part of it with another",
    "split": "b makes several messages of it",
    "merged": "b makes one message of it and others",
    "reordered": "b puts it where other text lies between, which a does not",
    "same": "b has just this message",
}
"""The kinds, the gravest first."""

_FLAGS: Final = tuple(KINDS)[:-1]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The pairs of messages that have things in common."""

    a: Ints
    b: Ints
    partners_a: Ints
    partners_b: Ints


def kind_table(pairing: Pairing) -> pd.DataFrame:
    """One row per message of a.

    Returns:
        The columns of `COLUMNS`; the index is the label in a.
    """
    n_a = len(pairing.a.texts)
    cells = _cells(pairing)
    flags = _flags(pairing, cells, n_a)
    stacked = np.column_stack([flags[name] for name in _FLAGS]) if n_a else np.zeros((0, len(_FLAGS)), bool)
    gravest = np.where(stacked.any(axis=1), stacked.argmax(axis=1), len(_FLAGS)) if n_a else np.zeros(0, int)
    names = np.array(list(KINDS), dtype=object)
    return pd.DataFrame(
        {
            "role": pd.Categorical(pairing.a.roles, categories=["user", "agent", "thought"]),
            "text": pd.array(pairing.a.texts, dtype=pd.StringDtype("pyarrow", na_value=pd.NA)),
            "first_event": _nullable(pairing.a.first_events),
            "kind": pd.Categorical(names[gravest], categories=list(KINDS)),
            "also": _others(stacked, gravest),
            "partners": _lists(cells.a, cells.b, n_a),
            "wrong_event": _nullable(_first_wrong(pairing, cells, flags, n_a)),
        },
        index=pd.RangeIndex(n_a, name="message"),
    )


def _cells(pairing: Pairing) -> _Cells:
    both = pairing.both
    a, b = pairing.a.labels[both], pairing.b.labels[both]
    width = int(b.max(initial=0)) + 1
    pairs = np.unique(a * width + b)
    a, b = pairs // width, pairs % width
    return _Cells(a, b, np.bincount(a), np.bincount(b))


def _flags(pairing: Pairing, cells: _Cells, n_a: int) -> dict[str, Mask]:
    """For each kind, the messages of a that are of it."""
    several = np.zeros(n_a, dtype=bool)
    several[cells.a] = cells.partners_a[cells.a] > 1
    shared = _any(cells.a, cells.partners_b[cells.b] > 1, n_a)
    extra = _extra(pairing)
    texts = {pairing.b.texts[label] for label in extra}
    shown = np.array([text in texts for text in pairing.a.texts], dtype=bool)
    shown[cells.a] = True
    turns_a, turns_b = _spans_turns(pairing, pairing.a), _spans_turns(pairing, pairing.b)
    loose_a, loose_b = _scattered(pairing, pairing.a), _scattered(pairing, pairing.b)
    prompts = _holds_prompt(pairing, pairing.b)
    return {
        "lost": ~shown & (np.bincount(pairing.a.labels[pairing.a.labels >= 0], minlength=n_a) > 0),
        "absorbed": _any(cells.a, prompts[cells.b], n_a) & ~_padded(_holds_prompt(pairing, pairing.a), n_a),
        "leaked": _any(cells.a, turns_b[cells.b], n_a) & ~_padded(turns_a, n_a),
        "duplicated": _duplicated(pairing, cells, extra, n_a),
        "shear": several & shared,
        "split": several & ~shared,
        "merged": ~several & shared,
        "reordered": _any(cells.a, loose_b[cells.b], n_a) & ~_padded(loose_a, n_a),
    }


def _any(labels: Ints, flags: Mask, n: int) -> Mask:
    hit = np.zeros(n, dtype=bool)
    hit[labels[flags]] = True
    return hit


def _padded(flags: Mask, n: int) -> Mask:
    padded: Mask = np.append(flags, np.zeros(max(n - len(flags), 0), dtype=bool))[:n]
    return padded


def _holds_prompt(pairing: Pairing, side: Side) -> Mask:
    holds = np.zeros(_size(side), dtype=bool)
    holds[side.labels[pairing.prompt & (side.labels >= 0)]] = True
    return holds


def _size(side: Side) -> int:
    return max(len(side.texts), int(side.labels.max(initial=-1)) + 1)


def _spans_turns(pairing: Pairing, side: Side) -> Mask:
    """Which messages have things of several turns."""
    has = (side.labels >= 0) & (pairing.turn >= 0) & pairing.both
    labels, turns = side.labels[has], pairing.turn[has]
    first = np.full(_size(side), np.iinfo(np.int64).max)
    last = np.full(_size(side), -1)
    np.minimum.at(first, labels, turns)
    np.maximum.at(last, labels, turns)
    several: Mask = (last >= 0) & (first != last)
    return several


def _scattered(pairing: Pairing, side: Side) -> Mask:
    """Which messages have a thing of another message between their own."""
    shown = np.flatnonzero((side.labels >= 0) & pairing.both)
    labels = side.labels[shown]
    first = np.full(_size(side), len(shown))
    last = np.full(_size(side), -1)
    np.minimum.at(first, labels, np.arange(len(shown)))
    np.maximum.at(last, labels, np.arange(len(shown)))
    scattered: Mask = (last >= 0) & (last - first + 1 > np.bincount(labels, minlength=_size(side)))
    return scattered


def _duplicated(pairing: Pairing, cells: _Cells, extra: list[int], n_a: int) -> Mask:
    """Which messages b shows twice: within one message, or beside one that a has nothing of.

    What a session shows anew when it is loaded again is no copy of what it showed before.
    """
    twice = np.array([_is_doubled(text) for text in pairing.b.texts], dtype=bool)
    doubled = np.zeros(n_a, dtype=bool)
    for a, b in zip(cells.a[twice[cells.b]].tolist(), cells.b[twice[cells.b]].tolist(), strict=True):
        doubled[a] |= 2 * len(pairing.a.texts[a]) == len(pairing.b.texts[b])
    if extra:
        a, b = (_screens(pairing, side) for side in (pairing.a, pairing.b))
        beside = {(b[label], pairing.b.texts[label]) for label in extra}
        shown = np.unique(cells.a).tolist()
        doubled[[label for label in shown if (a[label], pairing.a.texts[label]) in beside]] = True
    return doubled


def _extra(pairing: Pairing) -> list[int]:
    """The messages of b that a has nothing of, such as prompts that a client shows."""
    known = np.zeros(_size(pairing.b), dtype=bool)
    known[pairing.b.labels[pairing.both]] = True
    return [i for i, text in enumerate(pairing.b.texts) if not known[i] and text.strip()]


def _screens(pairing: Pairing, side: Side) -> list[tuple[object, ...]]:
    """On which screen each message stands: of which session, since which load; of two logs all are on one."""
    if pairing.a.events is not pairing.b.events or (side.first_events < 0).any():
        return [()] * len(side.texts)
    first = np.full(len(side.texts), -1)
    shown = np.flatnonzero(side.labels >= 0)[::-1]
    first[side.labels[shown]] = side.rows[shown]  # of the things of a message the earliest is written last
    where = side.events[["session_id", "epoch"]].iloc[first].astype(object).fillna("")
    told = where.itertuples(index=False, name=None)
    return [screen if row >= 0 else () for row, screen in zip(first.tolist(), told, strict=True)]


def _is_doubled(text: str) -> bool:
    half = len(text) // 2
    return len(text) > 1 and len(text) % 2 == 0 and text.startswith(text[half:]) and bool(text.strip())


def _others(stacked: Mask, gravest: Ints) -> npt.NDArray[np.object_]:
    others = np.empty(len(gravest), dtype=object)
    often = stacked.sum(axis=1) > 1 if len(gravest) else np.zeros(0, bool)
    for i in range(len(gravest)):
        others[i] = [] if not often[i] else [
            name for k, name in enumerate(_FLAGS) if stacked[i, k] and k != gravest[i]
        ]  # fmt: skip
    return others


def _lists(labels: Ints, values: Ints, n: int) -> npt.NDArray[np.object_]:
    bounds = np.searchsorted(labels, np.arange(n + 1)).tolist()
    plain = values.tolist()
    lists = np.empty(n, dtype=object)
    for i in range(n):
        lists[i] = plain[bounds[i] : bounds[i + 1]]
    return lists


def _first_wrong(pairing: Pairing, cells: _Cells, flags: dict[str, Mask], n_a: int) -> Ints:
    """The first event at which a message is cut, joined or missing in b, though not so in a.

    A message without such an event of its own is joined further on: at the first one of its partners.
    """
    bad = np.any([flags[name] for name in _FLAGS], axis=0) if n_a else np.zeros(0, dtype=bool)
    never = len(pairing.a.labels)
    differs = np.flatnonzero(_differing(pairing))
    own = _first_of(pairing.a.labels, differs, n_a, never)
    joined = _first_of(pairing.b.labels, differs, _size(pairing.b), never)
    partner = np.full(n_a, never)
    np.minimum.at(partner, cells.a, joined[cells.b])
    begins = _first_of(pairing.a.labels, np.arange(never), n_a, never)
    place = np.where(own < never, own, np.where((partner < never) & (partner > begins), partner, begins))
    rows = pairing.a.rows[np.minimum(place, max(never - 1, 0))] if never else place
    index = pairing.a.events.index.to_numpy()
    events = index[np.maximum(rows, 0)] if len(index) else np.full(n_a, -1)
    return np.where(bad & (place < never) & (rows >= 0), events, -1).astype(np.int64)


def _differing(pairing: Pairing) -> Mask:
    """The things before which only one side has a boundary, and those that b lacks."""
    a, b = pairing.a.labels, pairing.b.labels
    differs: Mask = (a >= 0) & (b < 0)
    shown = np.flatnonzero(pairing.both)
    if len(shown) > 1:
        neighbours = pairing.session[shown[1:]] == pairing.session[shown[:-1]]
        unlike = (a[shown[1:]] != a[shown[:-1]]) != (b[shown[1:]] != b[shown[:-1]])
        differs[shown[1:]] |= neighbours & unlike
    return differs


def _first_of(labels: Ints, places: Ints, n: int, never: int) -> Ints:
    """The first of some places that each label has."""
    first = np.full(n, never, dtype=np.int64)
    has = places[labels[places] >= 0]
    np.minimum.at(first, labels[has], has)
    return first


def _nullable(values: Ints) -> pd.arrays.IntegerArray:
    missing = values < 0
    return pd.arrays.IntegerArray(np.where(missing, 0, values), missing)
