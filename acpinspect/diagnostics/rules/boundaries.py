"""Rules about where one message ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from acpinspect.diagnostics.columns import Ints, Mask, before, combined, first_of_each, in_order
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.texts import Stretch

__all__: list[str] = []

_SENTENCE_ENDS: Final = (".", "!", "?", ":", "\n")
_ENDED: Final = re.compile("[.!?:…][\"'”’»)\\]]?\\Z")
_BEGINS: Final = re.compile(r"[A-Z]|#{1,6} |[-*>|] |\*\*\w")
_TAIL, _HEAD = 2, 8
"""Code points at the end and at the beginning of a text that those patterns look at."""


@builtin("id-per-chunk")
def _id_per_chunk(log: Log) -> Iterator[Hit]:
    edge = log.has("method", "session/prompt", "session/load", "session/resume") & ~log.is_update
    rows = np.flatnonzero(((log.role >= 0) | log.transcript | edge) & (log.session >= 0))
    rows = in_order(log.session[rows], rows)
    single = _only_chunks(log)[rows]
    role, session, epoch = log.role[rows], log.session[rows], log.epoch[rows]
    goes_on = np.zeros(len(rows), dtype=bool)
    goes_on[1:] = single[1:] & single[:-1] & (role[1:] == role[:-1]) & (session[1:] == session[:-1])
    goes_on[1:] &= epoch[1:] == epoch[:-1]
    starts = np.append(np.flatnonzero(~goes_on), len(rows))
    long = np.flatnonzero(np.diff(starts) >= log.options.id_per_chunk_min)
    for i in long.tolist():
        run = rows[starts[i] : starts[i + 1]].tolist()
        inside = sum(_mid_text(log.text[row]) for row in run[:-1])
        if 2 * inside >= len(run) - 1:
            text = f"{len(run)} chunks in a row have {len(run)} ids, {inside} of them in the middle of a sentence."
            yield Hit(run[1], text, related=(run[0], *run[2:]))


def _only_chunks(log: Log) -> Mask:
    """Chunks with an id that no other chunk of their role and epoch has."""
    rows = np.flatnonzero(log.chunk & (log.message_key >= 0))
    only = np.zeros(len(log), dtype=bool)
    if len(rows):
        only[rows] = np.bincount(log.message_key[rows])[log.message_key[rows]] == 1
    return only


def _mid_text(text: str) -> bool:
    text = text.rstrip(" ")
    return bool(text) and not text.endswith(_SENTENCE_ENDS)


@builtin("interleaved-messages")
def _interleaved_messages(log: Log) -> Iterator[Hit]:
    # A whole message that brings nothing has no text that could be continued.
    rows = np.flatnonzero((log.message_key >= 0) & (log.chunk | log.has_content))
    scope = _scope(log, rows, log.role[rows])
    rows, scope = in_order(scope, rows), np.sort(scope, kind="stable")
    key, chunk = log.message_key[rows], log.chunk[rows]
    last = _last_chunk(chunk, scope)
    other = np.where(last >= 0, key[np.maximum(last, 0)] != key, False)
    seen = _same_before(combined(scope, key))
    found = np.flatnonzero(chunk & other & (seen >= 0) & (last > seen))
    for i in first_of_each(key[found], found).tolist():
        row, between = int(rows[i]), int(rows[last[i]])
        ids = log.name("message_id", row), log.name("message_id", between)
        text = f"{quote(log.text[row])} goes on with message {quote(ids[0])} after text of {quote(ids[1])}."
        yield Hit(row, text, related=(between,))


def _last_chunk(chunk: Mask, scope: Ints) -> Ints:
    """For each event, the position of the chunk before it in its scope; -1 without one."""
    at = np.where(chunk, np.arange(len(chunk)), -1)
    last = np.full(len(chunk), -1, dtype=np.int64)
    last[1:] = np.maximum.accumulate(at)[:-1]
    return np.where((last >= 0) & (scope[np.maximum(last, 0)] == scope), last, -1)


def _same_before(key: Ints) -> Ints:
    """For each position, the one before it with the same number; -1 for the first."""
    order = np.argsort(key, kind="stable")
    last = np.full(len(key), -1, dtype=np.int64)
    same = key[order[1:]] == key[order[:-1]]
    last[order[1:][same]] = order[:-1][same]
    return last


def _scope(log: Log, rows: Ints, *more: Ints | npt.NDArray[np.int8]) -> Ints:
    """Number of the turn or replay of each row."""
    return combined(log.session[rows], log.epoch[rows], log.turn[rows], log.replay[rows], *more)


@builtin("message-spans-tool-call")
def _message_spans_tool_call(log: Log) -> Iterator[Hit]:
    rows = np.flatnonzero(log.chunk & (log.message_key >= 0))
    key = _scope(log, rows, log.message_key[rows])
    rows, key = in_order(key, rows), np.sort(key, kind="stable")
    created = before(log.session, log.tool_created)[rows]
    crossed = np.flatnonzero((key[1:] == key[:-1]) & (created[1:] > created[:-1])) + 1
    found = rows[crossed]
    crossed = crossed[np.argsort(found, kind="stable")]
    for i in first_of_each(log.message_key[rows[crossed]], crossed).tolist():
        row, last = int(rows[i]), int(rows[i - 1])
        text = (
            f"{quote(log.text[row])} goes on with message {quote(log.name('message_id', row))} after a tool call."
        )
        yield Hit(row, text, related=(last,))


@builtin("idless-run-interrupted")
def _idless_run_interrupted(log: Log) -> Iterator[Hit]:
    known_call = log.tool_update & log.has("update", "tool_call_update") & ~log.tool_created
    foreign = log.is_update & ~log.transcript & log.events["update"].notna().to_numpy() & ~_malformed(log)
    interrupted = before(log.session, known_call | foreign)
    with_id = log.has("message_id_state", "present")
    last = log.previous
    rows = np.flatnonzero(log.chunk & log.v1 & ~with_id & (last >= 0))
    rows = rows[interrupted[rows] > interrupted[last[rows]]]
    rows = rows[~with_id[_first_rows(log)[log.label[rows]]]]
    for row in first_of_each(log.label[rows], rows).tolist():
        text = f"{quote(log.text[row])} goes on with a message without id after an update of another kind."
        yield Hit(row, text, related=(int(last[row]),))


def _malformed(log: Log) -> Mask:
    """Rejected updates, but for those whose name the version doesn't know."""
    unknown = np.zeros(len(log), dtype=bool)
    unknown[list(log.fired("unknown-update"))] = True
    return log.rejected & ~unknown


def _first_rows(log: Log) -> Ints:
    """The first event of each message."""
    rows = np.flatnonzero(log.label >= 0)
    return first_of_each(log.label[rows], rows)


@builtin("glued-boundary")
def _glued_boundary(log: Log) -> Iterator[Hit]:
    silent = log.fired("restated-message", "duplicate-update", "id-reused-across-turns")
    candidates = _new_beginnings(log) - silent
    for stretch in log.stretches if candidates else ():
        for i, row in enumerate(stretch.rows):
            if row in candidates and _glued(log, stretch, i):
                yield _joined(log, stretch, i)


def _new_beginnings(log: Log) -> set[int]:
    """Chunks that are not the first of their message and begin as a new message might."""
    begins = pc.fill_null(pc.match_substring_regex(log.texts, "^[A-Z#*>|-]"), False).to_numpy(zero_copy_only=False)
    return set(np.flatnonzero(begins & log.chunk & (log.previous >= 0)).tolist())


def _glued(log: Log, stretch: Stretch, i: int) -> bool:
    """Whether an event of a stretch seems to begin another message."""
    text, at = stretch.text, stretch.starts[i]
    if not at or not _ENDED.search(text[max(0, at - _TAIL) : at]) or not _BEGINS.match(text[at : at + _HEAD]):
        return False
    return not (_block_before(log, stretch, i) or stretch.code.in_fence(at) or stretch.code.in_span(at))


def _block_before(log: Log, stretch: Stretch, i: int) -> bool:
    """Whether a block that is no text lies between an event and the text before it."""
    for j in range(i - 1, -1, -1):
        row = stretch.rows[j]
        if log.non_text[row]:
            return True
        if log.size[row]:
            return False
    return False


def _joined(log: Log, stretch: Stretch, i: int) -> Hit:
    row, last, at = stretch.rows[i], stretch.rows[i - 1], stretch.starts[i]
    left = stretch.text[max(0, at - 30) : at]
    told = f"{quote(log.text[row])} follows {quote(left)} in one message"
    if log.id[row] >= 0 and log.id[last] >= 0:
        return Hit(row, f"{told}, whose id is the same.", "info", (last,))
    return Hit(row, f"{told}, with no id to tell.", "warning", (last,))
