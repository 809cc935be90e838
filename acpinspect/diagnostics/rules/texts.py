"""Rules about what a message's text looks like: blank, destroyed, without spaces, in crumbs, with markup."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from acpinspect.diagnostics.columns import first_of_each, runs
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import AGENT, DESTROYED_MARK, ESCAPE_MARK, Log
from acpinspect.diagnostics.registry import builtin

__all__: list[str] = []

_SUSPICIOUS_ESCAPE: Final = re.compile(r"\\u(?:[fF]{3}[dD]|[dD][89a-fA-F])")
_BROKEN: Final = re.compile("[\ufffd\ud800-\udfff]")
_FREE: Final = frozenset({"rawInput", "rawOutput", "_meta"})
_THINK: Final = re.compile(r"^</?think>", re.MULTILINE)
_NEARBY: Final = 12


@builtin("empty-chunk")
def _empty_chunk(log: Log) -> Iterator[Hit]:
    labelled = np.flatnonzero(log.label >= 0)
    shows = np.zeros(int(log.label.max(initial=-1)) + 1, dtype=bool)
    shows[log.label[labelled[log.visible[labelled]]]] = True
    chunks = np.flatnonzero(log.chunk & (log.label >= 0))
    blank = chunks[~shows[log.label[chunks]]]
    for row in first_of_each(log.label[blank], blank).tolist():
        yield Hit(row, "The message stays blank.", "warning")
    empty = chunks[shows[log.label[chunks]] & (log.size[chunks] == 0) & log.has("content_type", "text")[chunks]]
    for row in first_of_each(log.label[empty], empty).tolist():
        yield Hit(row, "The chunk has no text; the message has some.", "info")


@builtin("text-corruption")
def _text_corruption(log: Log) -> Iterator[Hit]:
    wanted = log.is_update & ~log.has("update", "terminal_output_chunk")
    destroyed = set(log.marked[DESTROYED_MARK])
    for row in sorted(destroyed.union(log.marked[ESCAPE_MARK])):
        if not wanted[row] or not (row in destroyed or _SUSPICIOUS_ESCAPE.search(log.raw[row])):
            continue
        text = _broken_text(log.part(row, "params", "update"))
        if text is not None:
            broken = _BROKEN.search(text)
            at = broken.start() if broken else 0
            near = text[max(0, at - _NEARBY) : at + _NEARBY]
            what = "U+FFFD" if text[at] == "\ufffd" else "half a surrogate pair"
            yield Hit(row, f"There is {what} in {quote(near)}.")


def _broken_text(update: object) -> str | None:
    """The first string with a destroyed character, base64 data left out."""
    stack: list[tuple[object, bool]] = [(update, False)]
    while stack:
        value, free = stack.pop()
        if isinstance(value, str):
            if _BROKEN.search(value):
                return value
        elif isinstance(value, list):
            stack += [(item, free) for item in reversed(value)]
        elif isinstance(value, dict):
            for key, item in reversed(value.items()):
                if key != "data" or free or not isinstance(item, str):
                    stack.append((item, free or key in _FREE))
                stack.append((key, free))
    return None


@builtin("lost-whitespace")
def _lost_whitespace(log: Log) -> Iterator[Hit]:
    for own in _long_messages(log, log.options.lost_whitespace_chunks):
        texts = [log.text[row] for row in own]
        joins = sum(_letters_meet(left, right) for left, right in pairwise(texts))
        if joins >= log.options.lost_whitespace_joins and not _has_space(log, own[0]):
            text = f"{len(own)} chunks without a space between or in them: {quote(''.join(texts[:20]))}."
            yield Hit(own[1], text, related=(own[0], *own[2:]))


def _long_messages(log: Log, least: int) -> Iterator[list[int]]:
    """Rows of chunks with text, for each message that has at least so many of them."""
    rows = log.message_rows
    rows = rows[log.chunk[rows] & (log.size[rows] > 0)]
    for begin, end in runs(log.label[rows]):
        if end - begin >= least:
            yield rows[begin:end].tolist()


def _letters_meet(left: str, right: str) -> bool:
    return left[-1].isascii() and left[-1].isalpha() and right[0].isascii() and right[0].isalpha()


def _has_space(log: Log, row: int) -> bool:
    """Whether there is whitespace anywhere in the message that a row is part of."""
    return any(character.isspace() for r in log.rows_of_message(int(log.label[row])) for character in log.text[r])


@builtin("chunk-flood")
def _chunk_flood(log: Log) -> Iterator[Hit]:
    first_chunk = _first_chunks(log)
    for own in _long_messages(log, log.options.chunk_flood_min):
        total = sum(len(log.text[row]) for row in own)
        if total < log.options.chunk_flood_mean * len(own):
            mean = total / len(own)
            text = f"{len(own)} chunks of {mean:.1f} code points on average make one message."
            yield Hit(first_chunk[int(log.label[own[0]])], text)


def _first_chunks(log: Log) -> dict[int, int]:
    """The first chunk of each message, empty ones too."""
    rows = np.flatnonzero(log.chunk & (log.label >= 0))
    rows = first_of_each(log.label[rows], rows)
    return dict(zip(log.label[rows].tolist(), rows.tolist(), strict=True))


@builtin("reasoning-in-text")
def _reasoning_in_text(log: Log) -> Iterator[Hit]:
    done: set[int] = set()
    for stretch in log.stretches:
        if log.role[stretch.rows[0]] != AGENT or "think>" not in stretch.text or stretch.label in done:
            continue
        for found in _THINK.finditer(stretch.text):
            if not stretch.code.in_fence(found.start()):
                done.add(stretch.label)
                row = stretch.rows[bisect_right(stretch.starts, found.end() - 1) - 1]
                yield Hit(row, f"A line of the answer begins with {found.group()}.")
                break
