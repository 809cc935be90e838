"""What the engine looks at: the events of each session in order, as runs of like chunks with their tokens.

Computed once from a table, for all policies. Neighbouring chunks that no policy can treat differently are one
run, so a policy costs a step per run and not per chunk.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.events import arrow_strings, parse
from acpinspect.grouping.event_bits import bits_of_order, flagged, plain_bits
from acpinspect.grouping.tokens import Tokens, tokens
from acpinspect.grouping.vocabulary import BITS

__all__ = ["BLANK", "EMPTY", "NEWLINE", "NONTEXT", "TEXT", "Marks", "marks"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

TEXT: Final = 0
BLANK: Final = 1
EMPTY: Final = 2
NEWLINE: Final = 3
NONTEXT: Final = 4
"""What is in a chunk: text, white space, nothing, line breaks alone, something other than text."""


@dataclass(frozen=True)
class Marks:
    """Arrays by run, session by session, each in the order of the table.

    Attributes:
        size: Rows of the table.
        rows: The rows that count, session by session.
        head: Where in `rows` each run begins.
        length: How many rows it has.
        reset: A session or an epoch begins: whatever was known is forgotten.
        cut: Everything open is closed before it: a new connection, or a cue.
        replay: It is part of a replay.
        active: A turn or a replay is under way; where the log shows no turns, always.
        bits: Its tokens, but for those of chunks.
        role: Number of the role; -1 where it is no chunk.
        content: What is in the chunk: `TEXT`, `BLANK`, `EMPTY`, `NEWLINE`, `NONTEXT`.
        whole: It is a whole-message update.
        id: Number of the id; -1 without one.
        empty_id: Number of the id ``""``; -2 where it doesn't occur.
        events: The table.
    """

    size: int
    rows: Ints
    head: Ints
    length: Ints
    reset: Mask
    cut: Mask
    replay: Mask
    active: Mask
    bits: Ints
    role: Ints
    content: Ints
    whole: Mask
    id: Ints
    empty_id: int
    events: pd.DataFrame

    @property
    def first_rows(self) -> Ints:
        """The first row of each run."""
        return self.rows[self.head]

    @cached_property
    def _lengths(self) -> Ints:
        return _filled(pc.utf8_length(arrow_strings(self.events["text"]).combine_chunks()), 0)[self.rows]

    @cached_property
    def sizes(self) -> list[int]:
        """Characters of each run's text."""
        total = np.concatenate([[0], np.cumsum(self._lengths)])
        sizes: list[int] = (total[self.head + self.length] - total[self.head]).tolist()
        return sizes

    @cached_property
    def first_sizes(self) -> list[int]:
        """Characters of the text of each run's first chunk."""
        sizes: list[int] = self._lengths[self.head].tolist()
        return sizes

    @cached_property
    def _user_runs(self) -> Ints:
        """The user chunks and prompts: each is a run of its own."""
        return np.flatnonzero((self.role == 0) | ((self.bits & BITS["turn_start"]) > 0))

    @cached_property
    def _user_raws(self) -> dict[int, str]:
        return self._of_user_runs("raw")

    @cached_property
    def _user_texts(self) -> dict[int, str]:
        return self._of_user_runs("text")

    def _of_user_runs(self, column: str) -> dict[int, str]:
        """A column at the user's runs. A filter leaves the column's chunks as they are, a take might join them."""
        wanted = np.zeros(self.size, dtype=bool)
        rows = self.first_rows[self._user_runs]
        wanted[rows] = True
        values = arrow_strings(self.events[column]).filter(pa.array(wanted)).to_pylist()
        order = np.argsort(rows, kind="stable")
        return {run: value or "" for run, value in zip(self._user_runs[order].tolist(), values, strict=True)}

    def text(self, run: int, *, first: bool = False) -> str:
        """The text of a run, or of its first chunk."""
        if run in self._user_texts:
            return self._user_texts[run]
        start = int(self.head[run])
        rows = self.rows[start : start + (1 if first else int(self.length[run]))]
        return "".join(self.events["text"].iloc[rows].fillna("").tolist())

    def blocks(self, run: int) -> list[str]:
        """The content blocks of a user chunk or of a prompt, as texts that are equal if the blocks are."""
        params = parse(self._user_raws[run]).get("params")
        update = params.get("update") if isinstance(params, dict) else None
        content = update.get("content") if isinstance(update, dict) else params.get("prompt")
        found = content if isinstance(content, list) else [content]
        return [json.dumps(block, sort_keys=True) for block in found]

    def prompt_text(self, run: int) -> str:
        """The text blocks of a prompt, joined."""
        prompt = parse(self._user_raws[run])["params"].get("prompt")
        blocks = prompt if isinstance(prompt, list) else []
        return "".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))


def marks(
    events: pd.DataFrame, *, seen: Tokens | None = None, ids: Ints | None = None, cuts: Mask | None = None
) -> Marks:
    """Compute the marks of an events table.

    Args:
        events: The table.
        seen: Its tokens, where they are at hand.
        ids: Numbers of ids to take instead of those of `messageId`; -1 for none.
        cuts: Rows before which everything open is to be closed.
    """
    seen = tokens(events) if seen is None else seen
    bits = plain_bits(events, seen)
    content = _contents(events, seen)
    rows = _in_session_order(seen, (seen.session >= 0) & ((seen.role >= 0) | (bits > 0)))
    bits = bits_of_order(events, seen, bits[rows], content[rows] != NONTEXT, rows)
    session, epoch = seen.session[rows], seen.epoch[rows]
    replay = (events["phase"] == "replay").to_numpy()[rows]
    reset = _changes(session, epoch)
    ended = ~reset & ~replay & np.append(False, replay[:-1])[: len(rows)]
    bits |= np.where(ended, BITS["load_end"], 0)
    cut = ~reset & _changes(seen.connection[rows])
    if cuts is not None:
        cut |= cuts[rows]
    role = seen.role[rows].astype(np.int64)
    ident = np.where(role >= 0, (seen.id if ids is None else ids)[rows], -1)
    active = _active(session, bits, replay)
    single = (role <= 0) | seen.whole[rows] | (content[rows] == NONTEXT) | reset | cut
    head = np.flatnonzero(single | _changes(bits, role, content[rows], ident, replay, active))
    return Marks(
        size=len(events),
        rows=rows,
        head=head,
        length=np.diff(np.append(head, len(rows))),
        reset=reset[head],
        cut=cut[head],
        replay=replay[head],
        active=active[head],
        bits=bits[head],
        role=role[head],
        content=content[rows][head],
        whole=seen.whole[rows][head],
        id=ident[head],
        empty_id=_empty_id(events, seen) if ids is None else -2,
        events=events,
    )


def _in_session_order(seen: Tokens, used: Mask) -> Ints:
    rows = np.flatnonzero(used)
    return rows[np.argsort(seen.session[rows], kind="stable")]


def _changes(*columns: npt.NDArray[np.generic]) -> Mask:
    """Where any of the columns has another value than before; so has the first."""
    changed = np.zeros(len(columns[0]), dtype=bool)
    changed[:1] = True
    for column in columns:
        changed[1:] |= column[1:] != column[:-1]
    return changed


def _active(session: Ints, bits: Ints, replay: Mask) -> Mask:
    """Whether a turn or a replay is under way; before the first mark of a session: if that isn't a start."""
    start, end = (bits & BITS["turn_start"]) > 0, (bits & (BITS["turn_end"] | BITS["load_end"])) > 0
    mark = np.flatnonzero(start | end)
    last = np.searchsorted(mark, np.arange(len(session)), side="right") - 1
    known = (
        (last >= 0) & (session[mark[np.maximum(last, 0)]] == session)
        if len(mark)
        else np.zeros(len(session), bool)
    )
    following = np.minimum(last + 1, len(mark) - 1)
    to_come = ~known & (session[mark[following]] == session) & start[mark[following]] if len(mark) else known
    within = start[mark[np.maximum(last, 0)]] if len(mark) else known
    return replay | np.where(known, within, ~to_come)


def _contents(events: pd.DataFrame, seen: Tokens) -> Ints:
    """What is in each chunk; a whole-message update counts as text."""
    text = arrow_strings(events["text"]).combine_chunks()
    content = np.full(len(events), TEXT, dtype=np.int64)
    length = _filled(pc.utf8_length(text), 0)
    blank = _filled(pc.utf8_is_space(text), fill=False).astype(bool)
    content[blank] = BLANK
    rows = np.flatnonzero(blank)
    breaks = pc.match_substring_regex(text.take(pa.array(rows)), r"\A[\r\n]+\z")
    content[rows[_filled(breaks, fill=False).astype(bool)]] = NEWLINE
    content[length == 0] = EMPTY
    content[~flagged(events, "content_type", ["text"])] = NONTEXT
    content[seen.whole] = TEXT
    return np.where(seen.role >= 0, content, TEXT)


def _filled(values: pa.Array, fill: object) -> npt.NDArray[np.int64]:
    return np.asarray(pc.fill_null(values, fill).to_numpy(zero_copy_only=False))


def _empty_id(events: pd.DataFrame, seen: Tokens) -> int:
    rows = np.flatnonzero((events["message_id"] == "").fillna(value=False).to_numpy(dtype=bool) & (seen.role >= 0))
    return int(seen.id[rows[0]]) if len(rows) else -2
