"""Rules about message ids: whether they are there, and whether they are one for each message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from acpinspect.diagnostics.columns import by_group, combined, first_of_each, in_order
from acpinspect.diagnostics.findings import Hit, Severity, quote
from acpinspect.diagnostics.log import META_MARK, USER, Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.protocol import VARIANTS

__all__: list[str] = []

_ROLE_NAMES: Final = ("user", "agent", "thought")
_META_KEYS: Final = frozenset({"messageId", "message_id", "msgId", "msg_id"})
_DEEPEST: Final = 200


@builtin("message-id-invalid")
def _message_id_invalid(log: Log) -> Iterator[Hit]:
    chunks = [name for name, variant in VARIANTS["v1"].items() if variant.role is not None]
    names = [name for name, variant in VARIANTS["v2"].items() if variant.role is not None]
    v1, v2 = log.v1 & log.has("update", *chunks), log.v2 & log.has("update", *names)
    for state, told in (("absent", "is missing"), ("null", "is null"), ("invalid", "is no string")):
        where = log.has("message_id_state", state) & log.is_update & (v2 | v1 if state == "invalid" else v2)
        for row in np.flatnonzero(where).tolist():
            yield Hit(row, f"messageId {told}.")
    empty = (log.events["message_id"] == "").fillna(False).to_numpy(dtype=bool)
    for row in np.flatnonzero(empty & (v1 | v2) & log.is_update).tolist():
        yield Hit(row, "messageId is an empty string.", "warning")


@builtin("no-message-ids")
def _no_message_ids(log: Log) -> Iterator[Hit]:
    chunk = log.chunk & log.v1
    given = log.has("message_id_state", "present", "invalid") & log.v1 & log.is_update
    with_ids = np.unique(log.session[given])
    rows = np.flatnonzero(chunk & ~np.isin(log.session, with_ids))
    for row in first_of_each(log.session[rows], rows).tolist():
        yield Hit(row, "No chunk of this session has a messageId.")


@builtin("mixed-message-ids")
def _mixed_message_ids(log: Log) -> Iterator[Hit]:
    rows = np.flatnonzero(log.chunk & log.v1)
    # A prompt request is the first row of its scope; a chunk after it has one more before it.
    key = combined(log.session[rows], log.epoch[rows], log.prompts_before[rows], log.role[rows])
    order = in_order(key, rows)
    key = np.sort(key, kind="stable")
    present = log.has("message_id_state", "present")[order]
    flips = np.flatnonzero((key[1:] == key[:-1]) & (present[1:] != present[:-1])) + 1
    for i in flips.tolist():
        row, last = int(order[i]), int(order[i - 1])
        role = _ROLE_NAMES[log.role[row]]
        told = ("has no id", "had one") if not present[i] else (f"has the id {_id(log, row)}", "had none")
        yield Hit(row, f"This {role} chunk {told[0]}, the one before {told[1]}.", related=(last,))


@builtin("message-id-in-meta")
def _message_id_in_meta(log: Log) -> Iterator[Hit]:
    without = log.chunk & log.v1 & ~log.has("message_id_state", "present")
    candidates = [row for row in log.marked[META_MARK] if without[row]]
    done: set[int] = set()
    for row in candidates:
        session = int(log.session[row])
        if session not in done and (found := _in_meta(log.part(row, "params"))):
            done.add(session)
            yield Hit(row, f"The chunk has no messageId, but {found[0]} {quote(found[1])} in its _meta.")


def _in_meta(params: object) -> tuple[str, str] | None:
    """Key and value of a message id in one of the three places for metadata."""
    update = params.get("update") if isinstance(params, dict) else None
    content = update.get("content") if isinstance(update, dict) else None
    holders = (update, params, content)
    return _search([holder.get("_meta") for holder in holders if isinstance(holder, dict)])


def _search(values: list[object]) -> tuple[str, str] | None:
    layer, depth = values, 0
    while layer and depth < _DEEPEST:
        below: list[object] = []
        for value in layer:
            if isinstance(value, dict):
                for key, item in value.items():
                    if key in _META_KEYS and isinstance(item, str) and item:
                        return key, item
                below += value.values()
            elif isinstance(value, list):
                below += value
        layer, depth = below, depth + 1
    return None


@builtin("id-reused-across-turns")
def _id_reused_across_turns(log: Log) -> Iterator[Hit]:
    rows = np.flatnonzero(log.message_key >= 0)
    # Only an id that is seen in two places can come back.
    key = log.message_key[rows]
    scope = combined(log.turn[rows], log.replay[rows])
    order = np.argsort(key, kind="stable")
    moved = np.flatnonzero((np.diff(key[order]) == 0) & (np.diff(scope[order]) != 0))
    several = np.isin(key, key[order][moved])
    for _, own in by_group(key[several], rows[several]):
        yield from _returns(log, own)


def _returns(log: Log, rows: list[int]) -> Iterator[Hit]:
    filled, last = False, rows[0]
    for row in rows:
        turn = int(log.turn[row])
        old = log.replay[last] or (log.turn[last] >= 0 and log.turn[last] != turn)
        prompted = log.prompts_before[row] > log.prompts_before[last]
        if filled and old and prompted and log.chunk[row]:
            place = "the replay" if log.replay[last] else f"turn {log.turn[last]}"
            severity: Severity = "warning" if log.v2[row] else "error"
            text = f"The id {_id(log, row)} of {place} comes back in turn {turn}, with {quote(log.text[row])}."
            yield Hit(row, text, severity, (last,))
        filled = filled or bool(log.has_content[row])
        last = row


@builtin("id-role-conflict")
def _id_role_conflict(log: Log) -> Iterator[Hit]:
    rows = np.flatnonzero(log.message_key >= 0)
    rows = first_of_each(log.message_key[rows], rows)
    key = combined(log.session[rows], log.epoch[rows], log.id[rows])
    conflicts = [own for _, own in by_group(key, rows) if len(own) > 1]
    told: set[int] = set()
    mild: list[Hit] = []
    for own in conflicts:
        for i, row in enumerate(own[1:], start=1):
            roles = {int(log.role[r]) for r in own[: i + 1]}
            others = " and ".join(_ROLE_NAMES[log.role[r]] for r in own[:i])
            text = f"The id {_id(log, row)} of a message of {others} is used for {_ROLE_NAMES[log.role[row]]} too."
            if USER in roles:
                yield Hit(row, text, "error", tuple(own[:i]))
            else:
                mild.append(Hit(row, text, "warning" if log.v2[row] else "info", tuple(own[:i])))
    for hit in sorted(mild, key=lambda hit: hit.row):
        session = int(log.session[hit.row])
        if session not in told:
            told.add(session)
            yield hit


def _id(log: Log, row: int) -> str:
    return quote(log.name("message_id", row))
