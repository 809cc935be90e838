"""The filter line: ``role:agent text:"the build" -update:usage_update``, and which events it keeps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.errors import ArgumentError
from acpinspect.events import arrow_strings
from acpinspect.widgets.spine import LANES, Spine

__all__ = ["FIELDS", "Term", "kept_steps", "offers", "parse_filter"]

Mask = npt.NDArray[np.bool_]
LONGEST: Final = 500
_MOST_OFFERS: Final = 20
_LONGEST_OFFER: Final = 60

_COLUMNS: Final = {
    "role": "role",
    "update": "update",
    "method": "method",
    "kind": "kind",
    "id": "message_id",
    "tool": "tool_call_id",
    "turn": "turn",
    "phase": "phase",
    "sender": "sender",
}
FIELDS: Final = (*_COLUMNS, "lane", "text", "raw", "finding", "event", "step", "odd")
"""What can stand before a colon. A word without one is looked for in the text and the title."""

_TERM: Final = re.compile(r'(?P<no>-)?(?:(?P<field>\w+):)?(?:"(?P<quoted>[^"]*)"|(?P<plain>\S+))')
_RANGE: Final = re.compile(r"(\d{0,15})-(\d{0,15})")


class Term(NamedTuple):
    """One condition: a field, what it is compared with, and whether it must not hold."""

    field: str
    value: str
    negated: bool = False


def parse_filter(line: str) -> tuple[Term, ...]:
    """The conditions of a filter line; all of them must hold.

    Raises:
        ArgumentError: There is no such field, or the line is too long.

    Examples:
        >>> parse_filter('role:agent -text:"two words" build')
        (Term(field='role', value='agent', negated=False), Term(field='text', value='two words', negated=True),
         Term(field='text', value='build', negated=False))
    """
    if len(line) > LONGEST:
        raise ArgumentError(f"A filter has at most {LONGEST} characters.")
    terms = []
    for match in _TERM.finditer(line):
        field = match["field"] or "text"
        if field not in FIELDS:
            raise ArgumentError(f"There is no field {field!r} to filter by. There is: {', '.join(FIELDS)}.")
        value = match["plain"] if match["quoted"] is None else match["quoted"]
        terms.append(Term(field, value, bool(match["no"])))
    return tuple(terms)


def kept_steps(
    spine: Spine, terms: Iterable[Term], findings: pd.DataFrame | None, selected: tuple[int, int] | None = None
) -> npt.NDArray[np.int64]:
    """The steps that a filter keeps, ascending.

    Args:
        spine: The session.
        terms: The conditions.
        findings: The findings, for the field `finding`.
        selected: The first and the last step of a stretch; no step outside it is kept.
    """
    kept = np.ones(len(spine), dtype=bool)
    for term in terms:
        kept &= _holds(spine, term, findings) ^ term.negated
    if selected is not None:
        steps = np.arange(1, len(spine) + 1)
        kept &= (steps >= selected[0]) & (steps <= selected[1])
    return np.flatnonzero(kept) + 1


def offers(spine: Spine, findings: pd.DataFrame | None) -> list[str]:
    """Conditions that keep some of a session's events, but not all: what a filter line offers to choose from."""
    table = spine.table
    found = table["problem"] if findings is None else findings["code"][np.isin(findings["event"], spine.numbers)]
    said = {
        "lane": [LANES[number] for number in np.unique(spine.lanes).tolist()],
        **{field: _frequent(table[field]) for field in ("update", "method", "phase", "turn")},
        "finding": [] if findings is None or found.empty else ["*", *_frequent(found)],
        "odd": ["*"] if table["problem"].notna().any() else [],
    }
    return [
        f'{field}:"{value}"' if " " in value else f"{field}:{value}"
        for field, values in said.items()
        for value in values
        if len(values) > 1 or value == "*"
    ]


def _frequent(column: pd.Series) -> list[str]:
    """The most frequent values of a column that a filter line can hold, in order of first appearance."""
    known = column.dropna().astype(str)
    most = known.value_counts().index[:_MOST_OFFERS]
    plain = {value for value in most if len(value) <= _LONGEST_OFFER and value.isprintable() and '"' not in value}
    return [value for value in pd.unique(known) if value in plain]


def _holds(spine: Spine, term: Term, findings: pd.DataFrame | None) -> Mask:
    if term.field in _COLUMNS:
        return _equal(spine.table[_COLUMNS[term.field]], term.value)
    return _OTHERS[term.field](spine, term.value, findings)


def _equal(column: pd.Series, value: str) -> Mask:
    """Equal, or matching with ``*`` for anything."""
    values = column.astype("string")
    if "*" in value:
        pattern = ".*".join(re.escape(piece) for piece in value.split("*"))
        return values.str.fullmatch(pattern).fillna(False).to_numpy(dtype=bool)
    return (values == value).fillna(False).to_numpy(dtype=bool)


def _text(spine: Spine, value: str, _: pd.DataFrame | None) -> Mask:
    return _contains(spine.table["text"], value) | _contains(spine.table["title"], value)


def _raw(spine: Spine, value: str, _: pd.DataFrame | None) -> Mask:
    rows = pa.array(spine.rows)
    return _found(arrow_strings(spine.events["raw"]).take(rows), value)


def _contains(column: pd.Series, value: str) -> Mask:
    return _found(arrow_strings(column), value)


def _found(strings: pa.ChunkedArray, value: str) -> Mask:
    hit: Mask = (
        pc.match_substring(strings, value, ignore_case=True).fill_null(False).to_numpy(zero_copy_only=False)
    )
    return np.asarray(hit, dtype=bool)


def _lane(spine: Spine, value: str, _: pd.DataFrame | None) -> Mask:
    hit: Mask = spine.lanes == (LANES.index(value) if value in LANES else len(LANES))
    return hit


def _finding(spine: Spine, value: str, findings: pd.DataFrame | None) -> Mask:
    if findings is None:
        return np.zeros(len(spine), dtype=bool)
    wanted = findings["event"][_equal(findings["code"], value) | _equal(findings["severity"], value)]
    return np.isin(spine.numbers, wanted.to_numpy(dtype=np.int64))


def _event(spine: Spine, value: str, _: pd.DataFrame | None) -> Mask:
    return _within(spine.numbers, value)


def _step(spine: Spine, value: str, _: pd.DataFrame | None) -> Mask:
    return _within(np.arange(1, len(spine) + 1), value)


def _within(numbers: npt.NDArray[np.int64], value: str) -> Mask:
    """``5``, ``5-9``, ``5-`` or ``-9``."""
    match = _RANGE.fullmatch(value)
    if match:
        low, high = int(match[1] or 0), int(match[2] or np.iinfo(np.int64).max)
    elif value.isdecimal() and len(value) < 16:
        low = high = int(value)
    else:
        raise ArgumentError(f"{value!r} is no number and no range like 5-9.")
    inside: Mask = (numbers >= low) & (numbers <= high)
    return inside


def _odd(spine: Spine, value: str, _: pd.DataFrame | None) -> Mask:
    return _contains(spine.table["problem"].astype("string"), "" if value in ("*", "yes") else value)


_OTHERS: Final[dict[str, Callable[[Spine, str, pd.DataFrame | None], Mask]]] = {
    "text": _text,
    "raw": _raw,
    "lane": _lane,
    "finding": _finding,
    "event": _event,
    "step": _step,
    "odd": _odd,
}
