"""What the engine looks at: the events of each session in order, as runs of like chunks with their tokens.

Computed once from a table, for all policies. Neighbouring chunks that no policy can treat differently are one
run, so a policy costs a step per run and not per chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.events import REJECTED, arrow_strings, parse
from acpinspect.grouping.tokens import CLOSERS, Tokens, tokens
from acpinspect.grouping.tool_marks import ToolEvents, tool_bits
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

_BIT_OF_UPDATE: Final = {
    "plan": "plan",
    "plan_update": "plan",
    "plan_removed": "plan",
    "usage_update": "usage",
    "current_mode_update": "mode",
    "available_commands_update": "commands",
    "config_option_update": "config",
    "session_info_update": "info",
}
_TOOL_UPDATES: Final = ("tool_call", "tool_call_update", "tool_call_content_chunk")


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

    def text(self, run: int, *, first: bool = False) -> str:
        """The text of a run, or of its first chunk."""
        start = int(self.head[run])
        rows = self.rows[start : start + (1 if first else int(self.length[run]))]
        return "".join(text for text in self.events["text"].iloc[rows].fillna("").tolist())

    def blocks(self, run: int) -> list[str]:
        """The content blocks of a user chunk or of a prompt, as texts that are equal if the blocks are."""
        params = parse(self.events["raw"].iloc[int(self.first_rows[run])]).get("params")
        update = params.get("update") if isinstance(params, dict) else None
        content = update.get("content") if isinstance(update, dict) else params.get("prompt")
        found = content if isinstance(content, list) else [content]
        return [orjson.dumps(block, option=orjson.OPT_SORT_KEYS).decode() for block in found]

    def prompt_text(self, run: int) -> str:
        """The text blocks of a prompt, joined."""
        prompt = parse(self.events["raw"].iloc[int(self.first_rows[run])])["params"].get("prompt")
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
    bits = _plain_bits(events, seen)
    content = _contents(events, seen)
    rows = _in_session_order(seen, (seen.session >= 0) & ((seen.role >= 0) | (bits > 0)))
    bits = _bits_of_order(events, seen, bits[rows], content[rows], rows)
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


def _flagged(events: pd.DataFrame, column: str, names: Sequence[str]) -> Mask:
    categorical = events[column].cat
    hits = [str(value) in names for value in categorical.categories]
    return np.array([*hits, False], dtype=bool)[categorical.codes.to_numpy()]


def _plain_bits(events: pd.DataFrame, seen: Tokens) -> Ints:
    """Bits that the event alone tells."""
    update = events["update"].cat
    names = [str(name) for name in update.categories]
    by_name = [0 if name in _TOOL_UPDATES else BITS[_BIT_OF_UPDATE.get(name, "other")] for name in names]
    bits = np.array([*by_name, 0], dtype=np.int64)[update.codes.to_numpy()]
    bits[(seen.role >= 0) | ~_taken(events)] = 0
    request = _flagged(events, "kind", ["request"])
    answer = _flagged(events, "kind", ["response", "error"])
    prompted = _flagged(events, "method", ["session/prompt"]) & answer
    bits[_flagged(events, "method", ["session/request_permission"]) & request] = BITS["permission"]
    bits[seen.prompt] = BITS["turn_start"]
    bits[prompted] = BITS["prompt_answer"]
    bits[prompted & ~_flagged(events, "protocol", ["v2"])] |= BITS["turn_end"]
    bits[seen.closer == CLOSERS.index("load")] |= BITS["load"]
    bits[_idle_rows(events)] |= BITS["turn_end"]
    bits[seen.closer == CLOSERS.index("compaction")] |= BITS["compaction:first"]
    tool = _flagged(events, "update", _TOOL_UPDATES) & _taken(events)
    bits[tool] = BITS["tool_update"]
    return bits


def _taken(events: pd.DataFrame) -> Mask:
    """Events that a client gets to see: refused ones don't count, but unknown updates do."""
    problem = events["problem"].cat
    gone = [
        str(p).startswith(REJECTED) and not str(p).startswith(REJECTED + "unknown") for p in problem.categories
    ]
    return ~np.array([*gone, False], dtype=bool)[problem.codes.to_numpy()]


def _idle_rows(events: pd.DataFrame) -> Ints:
    """The state updates of protocol 2 that end a turn."""
    rows = np.flatnonzero(_flagged(events, "update", ["state_update"]) & _taken(events))
    return np.array([row for row in rows.tolist() if _state(events["raw"].iloc[row]) == "idle"], dtype=np.int64)


def _state(raw: str) -> object:
    params = parse(raw).get("params")
    update = params.get("update") if isinstance(params, dict) else None
    return update.get("state") if isinstance(update, dict) else None


def _bits_of_order(events: pd.DataFrame, seen: Tokens, bits: Ints, content: Ints, rows: Ints) -> Ints:
    """Bits that depend on what came before: of tools and plans."""
    scope, _ = pd.factorize(seen.session[rows] * (int(seen.epoch.max(initial=0)) + 1) + seen.epoch[rows])
    started = (bits & BITS["turn_start"]) > 0
    turn = np.cumsum(started, dtype=np.int64)
    role = seen.role[rows]
    run = np.cumsum(started | (role == 0), dtype=np.int64)
    shown = (role > 0) & (content != NONTEXT)
    plan = (bits & BITS["plan"]) > 0
    bits = bits | np.where(plan & ~_repeated(plan, scope), BITS["plan:first"], 0)
    bits |= np.where(plan & ~_repeated(plan, scope, turn), BITS["plan:first_in_turn"], 0)
    tool = np.flatnonzero(bits & (BITS["tool_update"] | BITS["permission"]))
    if not len(tool):
        return bits
    part = events[["update", "tool_call_id", "tool_status", "title"]].iloc[rows[tool]]
    status = part["tool_status"].astype(object)
    call = (part["update"] == "tool_call").to_numpy()
    found = ToolEvents(
        call=call,
        asked=(bits[tool] & BITS["permission"]) > 0,
        titled=call & (part["title"].fillna("") != "").to_numpy(),
        id=pd.factorize(part["tool_call_id"])[0].astype(np.int64),
        status=status.where(status.notna(), None).tolist(),
        scope=scope[tool],
        turn=turn[tool],
        run=run[tool],
        texts=np.cumsum(shown, dtype=np.int64)[tool],
    )
    bits[tool] = (bits[tool] & ~BITS["tool_update"]) | tool_bits(found)
    return bits


def _repeated(among: Mask, *keys: Ints) -> Mask:
    repeated = np.zeros(len(among), dtype=bool)
    rows = np.flatnonzero(among)
    repeated[rows] = pd.DataFrame({str(i): key[rows] for i, key in enumerate(keys)}).duplicated().to_numpy()
    return repeated


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
    content[~_flagged(events, "content_type", ["text"])] = NONTEXT
    content[seen.whole] = TEXT
    return np.where(seen.role >= 0, content, TEXT)


def _filled(values: pa.Array, fill: object) -> npt.NDArray[np.int64]:
    return np.asarray(pc.fill_null(values, fill).to_numpy(zero_copy_only=False))


def _empty_id(events: pd.DataFrame, seen: Tokens) -> int:
    rows = np.flatnonzero((events["message_id"] == "").fillna(value=False).to_numpy(dtype=bool) & (seen.role >= 0))
    return int(seen.id[rows[0]]) if len(rows) else -2
