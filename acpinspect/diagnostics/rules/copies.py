"""Rules about text that is there twice: copies, snapshots, repeated notifications, second tries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from acpinspect.diagnostics.columns import Mask, in_order, runs
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import AGENT, THOUGHT, USER, Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.texts import Stretch

__all__: list[str] = []

_ASKING = ("session/prompt", "session/load", "session/resume", "session/cancel", "session/request_permission")


@builtin("restated-message")
def _restated_message(log: Log) -> Iterator[Hit]:
    edges = log.tokens.prompt | (log.has("method", "session/load", "session/resume") & ~log.is_update)
    moved = np.zeros(len(log), dtype=bool)
    rows = np.flatnonzero((log.session >= 0) & ((log.role >= 0) | edges))
    rows = in_order(log.session[rows], rows)
    moved[rows[1:]] = (log.epoch[rows[1:]] != log.epoch[rows[:-1]]) | (
        log.session[rows[1:]] != log.session[rows[:-1]]
    )
    clears = edges | moved | (log.chunk & (log.role == USER))
    opening = _opening(log)
    for begin, end in runs(log.session[rows]):
        yield from _Copies(log, opening).follow(rows[begin:end].tolist(), clears)


def _opening(log: Log) -> Mask:
    """The first chunk of each message whose text is more than whitespace."""
    rows = log.message_rows
    rows = rows[log.visible[rows] & (log.size[rows] > 0) & log.chunk[rows]]
    mask = np.zeros(len(log), dtype=bool)
    labels = log.label[rows]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = labels[1:] != labels[:-1]
    mask[rows[first]] = True
    return mask


@dataclass(slots=True)
class _Kept:
    """What was kept of one role: row, text, id."""

    rows: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)


class _Copies:
    """Follows one session and finds chunks that repeat what came before."""

    def __init__(self, log: Log, opening: Mask) -> None:
        self.log, self.opening = log, opening
        self.kept = {AGENT: _Kept(), THOUGHT: _Kept()}
        self.wholes: dict[int, tuple[int, str]] = {}

    def follow(self, rows: list[int], clears: Mask) -> Iterator[Hit]:
        log, texts = self.log, self.log.text
        columns = (clears, log.role, log.whole, log.id, log.message_key)
        for row, clear, role, whole, identity, key in zip(rows, *(c[rows].tolist() for c in columns), strict=True):
            if clear:
                self.kept = {AGENT: _Kept(), THOUGHT: _Kept()}
            if role <= USER:
                continue
            if whole:
                self._whole(row, key)
                continue
            text = texts[row].strip()
            if text and (hit := self._chunk(row, text, role, identity, key)):
                yield hit
            self.wholes.pop(key, None)

    def _whole(self, row: int, key: int) -> None:
        """A whole message is remembered until a chunk or a replacement of it comes."""
        if self.log.name("content_type", row):
            self.wholes[key] = (row, self.log.text[row].strip())

    def _chunk(self, row: int, text: str, role: int, identity: int, key: int) -> Hit | None:
        kept = self.kept[role]
        first = _copied(kept.texts, text)
        source: tuple[int, ...] = ()
        if first is not None and self._counts(row, text, kept, first, identity):
            source = tuple(kept.rows[first:])
        elif key in self.wholes and self.wholes[key][1] == text:
            source = (self.wholes[key][0],) if len(text) >= self.log.options.restated_opening_min else ()
        kept.rows.append(row)
        kept.texts.append(self.log.text[row])
        kept.ids.append(identity)
        return (
            Hit(row, f"{quote(text)} repeats what was sent before, as a whole.", related=source)
            if source
            else None
        )

    def _counts(self, row: int, text: str, kept: _Kept, first: int, identity: int) -> bool:
        options, parts = self.log.options, kept.ids[first:]
        if len(parts) >= 2 and len(text) >= options.restated_min and all(part == identity for part in parts):
            return True
        opens = self.log.previous[row] < 0 and bool(self.opening[kept.rows[first]])
        return opens and len(text) >= options.restated_opening_min and identity not in parts


def _copied(texts: list[str], text: str) -> int | None:
    """From which kept text on the texts, joined and stripped, equal a text; there is one such place at most.

    Every kept text holds more than whitespace, so the search ends after at most as many steps as the text is long.
    """
    end = len(text)
    for i in range(len(texts) - 1, -1, -1):
        part = texts[i].rstrip() if i == len(texts) - 1 else texts[i]
        if len(part) >= end:
            head = part.lstrip()
            return i if len(head) == end and text.startswith(head) else None
        begin = end - len(part)
        if not text.startswith(part, begin):
            return None
        end = begin
    return None


@builtin("cumulative-chunks")
def _cumulative_chunks(log: Log) -> Iterator[Hit]:
    rows = log.message_rows
    rows = rows[log.chunk[rows] & (log.size[rows] > 0)]
    label, size = log.label[rows], log.size[rows]
    grows = np.flatnonzero(
        (label[2:] == label[:-2])
        & (size[:-2] >= log.options.cumulative_min)
        & (size[:-2] < size[1:-1])
        & (size[1:-1] < size[2:])
    )
    done: set[int] = set()
    for i in grows.tolist():
        first, second, third = (log.text[row] for row in rows[i : i + 3].tolist())
        if label[i] in done or len(first.strip()) < log.options.cumulative_min:
            continue
        if second.startswith(first) and third.startswith(second):
            done.add(int(label[i]))
            text = (
                f"{quote(first)}, {quote(second)}, {quote(third)}: each chunk repeats the one before and goes on."
            )
            yield Hit(int(rows[i + 2]), text, related=tuple(rows[i : i + 2].tolist()))


@builtin("duplicate-update")
def _duplicate_update(log: Log) -> Iterator[Hit]:
    asking = log.has("method", *_ASKING) & ~log.is_update
    rows = np.flatnonzero((log.session >= 0) & (log.is_update | asking))
    rows = in_order(log.session[rows], rows)
    later, earlier = rows[1:], rows[:-1]
    update = log.events["update"].cat.codes.to_numpy()
    alike = (log.session[later] == log.session[earlier]) & (update[later] == update[earlier])
    alike &= log.is_update[later] & log.is_update[earlier] & log.accepted[later]
    long = log.chunk & (log.size >= log.options.duplicate_min)
    alike_chunk = alike & long[later] & (log.size[later] == log.size[earlier])
    tool_update = log.tool_update & log.has("update", "tool_call_update")
    alike_tool = alike & tool_update[later] & (log.tool[later] == log.tool[earlier])
    status = log.events["tool_status"].cat.codes.to_numpy()
    alike_tool &= status[later] == status[earlier]
    done: set[int] = set()
    for i in np.flatnonzero(alike_chunk | alike_tool).tolist():
        row, last = int(later[i]), int(earlier[i])
        if not _same(log, row, last):
            continue
        if alike_chunk[i] and len(log.text[row].strip()) >= log.options.duplicate_min:
            yield Hit(row, f"The chunk {quote(log.text[row])} comes twice in a row.", "warning", (last,))
        elif alike_tool[i] and int(log.tool[row]) not in done:
            done.add(int(log.tool[row]))
            tool = quote(log.name("tool_call_id", row))
            yield Hit(row, f"The update of tool call {tool} comes twice in a row.", "info", (last,))


def _same(log: Log, row: int, other: int) -> bool:
    """Equal params, as JSON values."""
    if log.text[row] != log.text[other]:
        return False
    return log.raw[row] == log.raw[other] or _typed(log.part(row, "params")) == _typed(log.part(other, "params"))


def _typed(value: object) -> object:
    """JSON values so that true isn't 1; arrays and objects keep their shape."""
    import json

    return json.dumps(value, sort_keys=True)


@builtin("restarted-message")
def _restarted_message(log: Log) -> Iterator[Hit]:
    fired = np.array(
        sorted(log.fired("cumulative-chunks", "duplicate-update", "restated-message")), dtype=np.int64
    )
    done = set(log.label[fired].tolist())
    for stretch in log.stretches:
        if len(stretch.rows) > 1 and stretch.label not in done:
            i = _second_try(stretch, log.options.restarted_min)
            if i is not None:
                done.add(stretch.label)
                row = stretch.rows[i]
                text = f"{quote(log.text[row])} begins as the message began: {quote(stretch.text)}."
                yield Hit(row, text, related=(stretch.rows[0],))


def _second_try(stretch: Stretch, least: int) -> int | None:
    """The first event at which the text begins anew, without a space before."""
    text, head = stretch.text, stretch.text[:least]
    if len(head) < least or head.isspace() or text.find(head, 1) < 0:
        return None
    for i, at in enumerate(stretch.starts):
        begins = at and text.startswith(head, at) and not text[at - 1].isspace()
        # An event without text begins where the next one does, which is the one that is meant.
        if begins and (i + 1 == len(stretch.starts) or stretch.starts[i + 1] > at):
            return i
    return None
