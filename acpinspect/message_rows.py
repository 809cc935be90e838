"""From labels to the rows of the messages table, with what a reader sees at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.arrays import ArrowStringArray

from acpinspect.events import Column, arrow_strings, parse
from acpinspect.grouping.applying import Shared
from acpinspect.grouping.labels import boundaries
from acpinspect.grouping.tokens import Ints, Mask, Tokens

__all__ = ["COLUMNS", "Told", "rows_of", "told"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("session_id", "string", "The session of its first event."),
    Column("epoch", "Int64", "Loads of the session before its first event."),
    Column("turn", "Int64", "Prompt turn of its first event; NA before the first and in a replay."),
    Column("phase", "category", "live or replay, at its first event."),
    Column("role", "category", "user, agent or thought."),
    Column("message_id", "string", "Its id; NA where the log gave none."),
    Column(
        "boundary",
        "category",
        "What opened it: start, turn, load, tool_call, plan, role, whole-message, id, policy.",
    ),
    Column("text", "string", "Its text as a reader sees it at the end, after replacements."),
    Column("content_types", "object", "Block types at the end, in order of first appearance (list of str)."),
    Column("events", "object", "Its events, in order (list of int)."),
    Column("first_event", "int64", "Its first event."),
    Column("last_event", "int64", "Its last event."),
    Column("n_events", "int64", "How many events it has."),
    Column("n_chunks", "int64", "How many of them are chunks."),
    Column("contiguous", "bool", "No event of another message of the session lies between its events."),
    Column("started", "datetime64[ns, UTC]", "Time of its first event; NaT without times."),
    Column("ended", "datetime64[ns, UTC]", "Time of its last event; NaT without times."),
    Column("duration", "float64", "Seconds from its first to its last event; NaN without times."),
)


_OF_FIRST_EVENT: Final = ["session_id", "epoch", "turn", "phase", "message_id", "time"]


def rows_of(table: Shared, labels: Ints, *, by_id: bool) -> pd.DataFrame:
    """One row per message of a table, in the order of the labels; columns as in `COLUMNS`.

    Args:
        table: The events.
        labels: The label of each row, from 0 in the order of first appearance; -1 for none.
        by_id: Whether the policy looks at ids.
    """
    seen, events = table.tokens, table.events
    first, opened_by = boundaries(seen, labels, by_id=by_id)
    spans = _spans(labels)
    shown = _shown(events, seen, spans)
    last = spans.order[spans.ends - 1]
    index, elapsed = events.index.to_numpy(), events["elapsed"].to_numpy()
    # Without `raw`: to take rows of it would first copy the whole column together.
    heads = events[_OF_FIRST_EVENT].iloc[first]
    columns = {
        "session_id": heads["session_id"].array,
        "epoch": heads["epoch"].array,
        "turn": heads["turn"].array,
        "phase": heads["phase"].array,
        "role": _roles(seen, first),
        "message_id": heads["message_id"].array,
        "boundary": pd.Categorical(opened_by),
        "text": _texts(events, seen, spans, shown),
        "content_types": _content_types(events, spans, shown),
        "events": spans.lists(index[spans.order].tolist()),
        "first_event": index[first],
        "last_event": index[last],
        "n_events": spans.ends - spans.starts,
        "n_chunks": spans.sums((seen.message & ~seen.whole)[spans.order]),
        "contiguous": _contiguous(seen, labels, spans),
        "started": heads["time"].array,
        "ended": events["time"].array[last],
        "duration": (elapsed[last] - elapsed[first]).round(9),
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(len(first), name="message"))


@dataclass(frozen=True, slots=True)
class Told:
    """What a grouping tells a reader, by label.

    Attributes:
        first: The row of each message's first event.
        roles: The role of each message.
        texts: The text of each message, as it is at the end.
    """

    first: Ints
    roles: pd.Categorical
    texts: ArrowStringArray


def told(table: Shared, labels: Ints) -> Told:
    """What the messages of some labels tell, without the rest of the table."""
    spans = _spans(labels)
    first = spans.order[spans.starts]
    shown = _shown(table.events, table.tokens, spans)
    return Told(first, _roles(table.tokens, first), _texts(table.events, table.tokens, spans, shown))


@dataclass(frozen=True, slots=True)
class _Spans:
    """The labelled events, message by message.

    Attributes:
        order: Their rows, those of one message together and in the order of the table.
        starts: Where each message begins in `order`.
        ends: Where it ends.
    """

    order: Ints
    starts: Ints
    ends: Ints

    def sums(self, flags: Mask) -> Ints:
        """How many of each message's events have a flag."""
        total = np.concatenate([[0], np.cumsum(flags)])
        counts: Ints = total[self.ends] - total[self.starts]
        return counts

    def lists(self, values: list[int]) -> npt.NDArray[np.object_]:
        """The values of each message's events, as lists."""
        lists = np.empty(len(self.starts), dtype=object)
        for message, (start, end) in enumerate(zip(self.starts.tolist(), self.ends.tolist(), strict=True)):
            lists[message] = values[start:end]
        return lists


def _spans(labels: Ints) -> _Spans:
    rows = np.flatnonzero(labels >= 0)
    order = rows[np.argsort(labels[rows], kind="stable")]
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    return _Spans(order, starts, np.append(starts, len(order))[1:])


def _roles(seen: Tokens, first: Ints) -> pd.Categorical:
    """The role of the first event; a prompt that the policy shows is the user's."""
    names = np.array(["user", "agent", "thought"], dtype=object)
    codes = np.where(seen.prompt[first], 0, seen.role[first]).astype(np.int64)
    roles: pd.Categorical = pd.Categorical.from_codes(codes, categories=pd.Index(names))
    return roles


def _shown(events: pd.DataFrame, seen: Tokens, spans: _Spans) -> Mask:
    """Which of the ordered events still show content at the end: those since the last replacement."""
    replaces = (seen.whole & events["content_type"].notna().to_numpy())[spans.order]
    if not replaces.any():
        return np.ones(len(spans.order), dtype=bool)
    position = np.where(replaces, np.arange(len(spans.order)), -1)
    last = np.maximum.reduceat(position, spans.starts)
    since: Mask = np.arange(len(spans.order)) >= np.repeat(last, spans.ends - spans.starts)
    return since


def _texts(events: pd.DataFrame, seen: Tokens, spans: _Spans, shown: Mask) -> ArrowStringArray:
    """The texts, joined without touching them: neighbours in a buffer are one when the offset between goes."""
    column = arrow_strings(events["text"]).combine_chunks()
    pieces = pc.if_else(pa.array(shown), column.take(pa.array(spans.order)), "").fill_null("")
    _, offsets, data = pieces.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[pieces.offset : pieces.offset + len(pieces) + 1]
    joined = np.append(bounds[spans.starts], bounds[-1:])
    buffers = [None, pa.py_buffer(joined), data]
    texts = ArrowStringArray(
        pa.chunked_array([pa.Array.from_buffers(pa.large_string(), len(spans.starts), buffers)])
    )
    read_again = _read_again(events, seen, spans, shown)
    if not read_again:
        return texts
    plain = texts.to_numpy(dtype=object)  # to set one after the other in Arrow would copy all each time
    for message, text in read_again:
        plain[message] = text
    return ArrowStringArray(pa.chunked_array([pa.array(plain, pa.large_string())]))


def _read_again(events: pd.DataFrame, seen: Tokens, spans: _Spans, shown: Mask) -> list[tuple[int, str]]:
    """Messages whose text column doesn't tell all: cut surrogate pairs, and prompts shown as messages."""
    problem = events["problem"].cat
    cut = np.array([*("surrogate" in str(name) for name in problem.categories), False], dtype=bool)
    special = (cut[problem.codes.to_numpy()] | seen.prompt)[spans.order]
    affected = np.unique(np.searchsorted(spans.starts, np.flatnonzero(special), side="right") - 1)
    raw = events["raw"].array
    texts = []
    for message in affected.tolist():
        span = range(spans.starts[message], spans.ends[message])
        text = "".join(_text_of(raw[spans.order[i]]) for i in span if shown[i])
        texts.append((message, text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")))
    return texts


def _text_of(raw: str) -> str:
    """The text blocks of a chunk, a whole-message update or a prompt, joined."""
    params = parse(raw)["params"]
    content = params["update"].get("content") if "update" in params else params.get("prompt")
    blocks = content if isinstance(content, list) else [content]
    texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _content_types(events: pd.DataFrame, spans: _Spans, shown: Mask) -> npt.NDArray[np.object_]:
    """Block types in order of first appearance; most messages have one, so only the others are walked."""
    categories = [
        () if name in ("null", "[]") else tuple(str(name).split("+"))
        for name in events["content_type"].cat.categories
    ]
    codes = events["content_type"].cat.codes.to_numpy()[spans.order].astype(np.int64)
    codes = np.where(shown, codes, -1)
    lists = np.empty(len(spans.starts), dtype=object)
    if not len(lists):
        return lists
    low = np.minimum.reduceat(np.where(codes < 0, len(categories), codes), spans.starts)
    high = np.maximum.reduceat(codes, spans.starts)
    for message, (one, other) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        several = codes[spans.starts[message] : spans.ends[message]].tolist() if one != other else [one]
        names = (name for code in several if 0 <= code < len(categories) for name in categories[code])
        lists[message] = list(dict.fromkeys(names))
    return lists


def _contiguous(seen: Tokens, labels: Ints, spans: _Spans) -> Mask:
    """Whether a message's events are neighbours among the labelled events of their session."""
    rows = np.flatnonzero(labels >= 0)
    rows = rows[np.argsort(seen.session[rows], kind="stable")]
    rank = np.empty(len(labels), dtype=np.int64)
    rank[rows] = np.arange(len(rows))
    between = rank[spans.order[spans.ends - 1]] - rank[spans.order[spans.starts]]
    neighbours: Mask = between == spans.ends - spans.starts - 1
    return neighbours
