"""Message ids that agents hide under `_meta`: found by how they behave, and used only when a user says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import Column, parse
from acpinspect.grouping.contracts import typed
from acpinspect.grouping.tokens import Tokens, tokens
from acpinspect.opening import Events, events_of

__all__ = ["COLUMNS", "discover_meta_ids", "ids_at"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("path", "string", "The path, as `with_meta_id` takes it."),
    Column("score", "float64", "How much the values behave as ids, 0 to 1: the product of the shares after it."),
    Column("coverage", "float64", "Share of the chunks that have a value."),
    Column("constant", "float64", "Share of neighbours with nothing between them that agree."),
    Column("changes", "float64", "Share of the places where a message must end at which the value changes."),
    Column("agrees", "float64", "Share of neighbours that agree about the value and messageId; 1 without ids."),
    Column("values", "int64", "How many different values there are."),
    Column("longest_run", "int64", "How many chunks the most frequent value has."),
    Column("example", "string", "The first value."),
    Column("events", "object", "The first five events at which it changes (list of int)."),
)

_LONGEST: Final = 200  # characters of a value that can be an id
_DEEPEST: Final = 6  # levels under `_meta`
_MOST_PATHS: Final = 1_000
_LEAST: Final = 0.1  # a score below is noise
_PLACES: Final = ("params", "update", "update.content")


def ids_at(events: pd.DataFrame, path: str, among: Mask) -> Ints:
    """Numbers of the ids at a path; -1 where there is none.

    Args:
        events: The table.
        path: A path under `_meta`, from the update or from the params.
        among: The rows to look at.
    """
    values = np.full(len(events), None, dtype=object)
    keys = path.split(".")
    raws = events["raw"].array
    for row in np.flatnonzero(among).tolist():
        raw = raws[row]
        if '"_meta"' in raw:
            values[row] = _as_id(_at(parse(raw), keys))
    codes, _ = pd.factorize(values)
    return codes.astype(np.int64)


def discover_meta_ids(events: Events) -> pd.DataFrame:
    """Find paths under `_meta` whose values behave as message ids.

    A value that behaves as one stands on most chunks, is the same on neighbouring chunks of a role, changes where
    a message must end (another role, a tool call, a turn), and doesn't come back in another message. Where chunks
    have a `messageId`, the value should change where that changes, and only there. Nothing is taken silently: use
    a path by ``policy.with_meta_id(path)``.

    Args:
        events: An events table, or the path of a log.

    Returns:
        One row per path, best first, with the columns of `COLUMNS`: the path, its score, the shares that the score
        is made of, and the events at which the value changes.

    Raises:
        EventsError: If it is no events table.

    Example:
        >>> import acpinspect
        >>> def chunk(text, key):
        ...     block = {"type": "text", "text": text}
        ...     update = {"sessionUpdate": "agent_message_chunk", "content": block, "_meta": {"x": {"id": key}}}
        ...     return "s1", update
        >>> log = [chunk("One ", "a"), chunk("message.", "a"), chunk("Another", "b")]
        >>> acpinspect.discover_meta_ids(acpinspect.from_records(log))["path"].tolist()
        ['update._meta.x.id']
    """
    events = events_of(events)
    seen = tokens(events)
    rows = _chunks_in_order(seen)
    found = _values_by_path(events, rows)
    pairs = _Pairs(seen, rows)
    table = [_scored(path, values, pairs, events) for path, values in found.items()]
    names = [column.name for column in COLUMNS]
    frame = typed(pd.DataFrame([row for row in table if row is not None], columns=names), COLUMNS)
    frame = frame[frame["score"] > _LEAST].sort_values(["score", "path"], ascending=[False, True], kind="stable")
    return frame.reset_index(drop=True)


def _chunks_in_order(seen: Tokens) -> Ints:
    rows = np.flatnonzero((seen.role >= 0) & (seen.session >= 0))
    return rows[np.argsort(seen.session[rows], kind="stable")]


class _Pairs:
    """Neighbouring chunks of one session: which must be of one message, and which can't be."""

    def __init__(self, seen: Tokens, rows: Ints) -> None:
        self.rows = rows
        self.same_role = seen.role[rows[1:]] == seen.role[rows[:-1]]
        self.same_session = seen.session[rows[1:]] == seen.session[rows[:-1]]
        closes = pd.Series(seen.closer > 0).groupby(seen.session).cumsum().to_numpy()
        between = closes[rows[1:]] - closes[rows[:-1]] > 0
        self.close = self.same_session & self.same_role & ~between
        self.apart = self.same_session & ~(self.same_role & ~between)
        self.id = seen.id[rows]
        self.role = seen.role[rows]


def _scored(path: str, values: dict[int, str], pairs: _Pairs, events: pd.DataFrame) -> dict[str, object] | None:
    held = np.array([values.get(i) for i in range(len(pairs.rows))], dtype=object)
    codes, names = pd.factorize(held)
    if len(codes) < 2:
        return None
    both = (codes[1:] >= 0) & (codes[:-1] >= 0)
    same = codes[1:] == codes[:-1]
    coverage = float((codes >= 0).mean())
    constant = _share(same, both & pairs.close)
    changes = _share(~same, both & pairs.apart)
    with_id = both & pairs.close & (pairs.id[1:] >= 0) & (pairs.id[:-1] >= 0)
    agrees = _share(same == (pairs.id[1:] == pairs.id[:-1]), with_id)
    returning = _returning(codes, pairs)
    moves = pairs.rows[1:][both & ~same & pairs.same_session]
    lively = len(names) > 1 or len(pairs.rows) < 4
    score = coverage * constant * changes * agrees * (1 - returning) if lively else 0.0
    return {
        "path": path,
        "score": round(score, 4),
        "coverage": round(coverage, 4),
        "constant": round(constant, 4),
        "changes": round(changes, 4),
        "agrees": round(agrees, 4),
        "values": len(names),
        "longest_run": int(np.bincount(codes[codes >= 0]).max(initial=0)),
        "example": str(names[0]),
        "events": events.index.to_numpy()[moves[:5]].tolist(),
    }


def _returning(codes: Ints, pairs: _Pairs) -> float:
    """Share of the values that come back after another value of the same role had its turn: states, not ids."""
    runs: dict[int, int] = defaultdict(int)
    last: dict[int, int] = {}
    for code, role in zip(codes.tolist(), pairs.role.tolist(), strict=True):
        if code >= 0 and last.get(role) != code:
            runs[code] += 1
            last[role] = code
    often = sum(1 for count in runs.values() if count > 2)
    return often / len(runs) if runs else 0.0


def _share(hits: Mask, among: Mask) -> float:
    return float(hits[among].mean()) if among.any() else 1.0


def _values_by_path(events: pd.DataFrame, rows: Ints) -> dict[str, dict[int, str]]:
    """For each path under a `_meta`: the value at each chunk, by its place among the chunks."""
    found: dict[str, dict[int, str]] = {}
    raws = events["raw"].array
    for place, row in enumerate(rows.tolist()):
        raw = raws[row]
        if '"_meta"' not in raw:
            continue
        message = parse(raw)
        for start in _PLACES:
            holder = _at(message, ["update", *start.split(".")[1:]] if start != "params" else ["params"])
            meta = holder.get("_meta") if isinstance(holder, dict) else None
            for path, value in _leaves(meta, f"{start}._meta", 0):
                if path in found or len(found) < _MOST_PATHS:
                    found.setdefault(path, {})[place] = value
    return found


def _leaves(value: object, path: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}", depth + 1)
    elif (ident := _as_id(value)) is not None and depth:
        yield path, ident


def _at(message: object, keys: list[str]) -> object:
    """What stands at a path that begins with params or update."""
    params = message.get("params") if isinstance(message, dict) else None
    return _below(params, keys[1:] if keys[0] == "params" else keys)


def _below(value: object, keys: list[str]) -> object:
    """What stands below a value; keys have dots of their own, as in ``example.org/id``."""
    if not keys or not isinstance(value, dict):
        return None if keys else value
    splits = ((".".join(keys[:count]), keys[count:]) for count in range(1, len(keys) + 1))
    found = (_below(value[key], rest) for key, rest in splits if key in value)
    return next((one for one in found if one is not None), None)


def _as_id(value: object) -> str | None:
    """The value as an id: texts and whole numbers can be ones."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    text = str(value)
    return text if text and len(text) <= _LONGEST else None
