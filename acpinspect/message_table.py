"""From labels to the messages table: one row per message, with what a reader sees at the end."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.events import Column, parse
from acpinspect.grouping.labels import boundaries
from acpinspect.grouping.tokens import Tokens, tokens

__all__ = ["COLUMNS", "messages"]

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

_STRING: Final = pd.StringDtype("pyarrow", na_value=pd.NA)
_ID_POLICIES: Final = frozenset({"spec", "ids", "rfd-literal", "spec-v2"})


def messages(events: pd.DataFrame, policy: str = "spec") -> pd.DataFrame:
    """Put the events of each message together.

    Args:
        events: An events table, in the order of the log.
        policy: A policy that `group` knows.

    Returns:
        One row per message, in the order in which the messages first appear; the index `message` is the label
        that `group` gives its events. The columns are those of `acpinspect.message_table.COLUMNS`. Whole-message
        updates replace, clear or leave the content as the protocol says; chunks append.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> table = acpinspect.messages(acpinspect.from_records([chunk("One "), chunk("message")]))
        >>> table.loc[0, ["role", "text", "boundary", "events"]].tolist()
        ['agent', 'One message', 'start', [0, 1]]
    """
    from acpinspect.grouping import group

    labels = group(events, policy).fillna(-1).to_numpy(dtype=np.int64)
    seen = tokens(events)
    first, opened_by = boundaries(seen, labels, by_id=policy in _ID_POLICIES)
    order = _by_label(labels)
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    ends = np.append(starts, len(order))[1:]
    last = order[ends - 1] if len(order) else first
    shown = _shown(events, seen, order, starts, ends)
    index = events.index.to_numpy()
    heads = events.iloc[first]
    table = {
        "session_id": heads["session_id"].array,
        "epoch": heads["epoch"].array,
        "turn": heads["turn"].array,
        "phase": heads["phase"].array,
        "role": _roles(heads, seen, first),
        "message_id": heads["message_id"].array,
        "boundary": pd.Categorical(opened_by),
        "text": _texts(events, seen, order, starts, ends, shown),
        "content_types": _content_types(events, order, starts, ends, shown),
        "events": _lists(index[order].tolist(), starts, ends),
        "first_event": index[first],
        "last_event": index[last],
        "n_events": ends - starts,
        "n_chunks": _sums(seen.message[order] & ~seen.whole[order], starts, ends),
        "contiguous": _contiguous(seen, labels, order, starts, ends),
        "started": heads["time"].array,
        "ended": events["time"].array[last],
        "duration": (events["elapsed"].to_numpy()[last] - events["elapsed"].to_numpy()[first]).round(9),
    }
    return pd.DataFrame(table, index=pd.RangeIndex(len(first), name="message"))


def _by_label(labels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Rows of labelled events, message by message, each in the order of the table."""
    rows = np.flatnonzero(labels >= 0)
    return rows[np.argsort(labels[rows], kind="stable")]


def _roles(heads: pd.DataFrame, seen: Tokens, first: npt.NDArray[np.int64]) -> pd.Categorical:
    """The role of the first event; a prompt that the policy shows is the user's."""
    names = np.array(["user", "agent", "thought"], dtype=object)
    return pd.Categorical(np.where(seen.prompt[first], "user", names[seen.role[first]]), categories=names)


def _shown(
    events: pd.DataFrame,
    seen: Tokens,
    order: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> npt.NDArray[np.bool_]:
    """Which of the ordered events still show content at the end: those since the last replacement."""
    replaces = (seen.whole & events["content_type"].notna().to_numpy())[order]
    if not replaces.any():
        return np.ones(len(order), dtype=bool)
    position = np.where(replaces, np.arange(len(order)), -1)
    last = np.maximum.reduceat(position, starts)
    return np.arange(len(order)) >= np.repeat(last, ends - starts)


def _texts(
    events: pd.DataFrame,
    seen: Tokens,
    order: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    shown: npt.NDArray[np.bool_],
) -> pd.api.extensions.ExtensionArray:
    """The texts, joined without touching them: neighbours in one buffer become one by dropping the offset between."""
    if not len(order):
        return pd.array([], dtype=_STRING)
    column = pa.chunked_array(events["text"].array._pa_array).combine_chunks()
    pieces = column.take(pa.array(order))
    pieces = pc.if_else(pa.array(shown), pieces, "").fill_null("")
    _, offsets, data = pieces.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[pieces.offset : pieces.offset + len(pieces) + 1]
    joined = pa.Array.from_buffers(
        pa.large_string(), len(starts), [None, pa.py_buffer(np.append(bounds[starts], bounds[ends[-1]])), data]
    )
    texts = _STRING.__from_arrow__(pa.chunked_array([joined]))
    for message, text in _read_again(events, seen, order, starts, ends, shown):
        texts[message] = text
    return texts


def _read_again(
    events: pd.DataFrame,
    seen: Tokens,
    order: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    shown: npt.NDArray[np.bool_],
) -> list[tuple[int, str]]:
    """Messages whose text column doesn't tell all: cut surrogate pairs, and prompts shown as messages."""
    problem = events["problem"].cat
    cut = np.array([*("surrogate" in str(name) for name in problem.categories), False], dtype=bool)
    special = (cut[problem.codes.to_numpy()] | seen.prompt)[order]
    affected = np.unique(np.searchsorted(starts, np.flatnonzero(special), side="right") - 1)
    raw = events["raw"].array
    texts = []
    for message in affected.tolist():
        span = range(starts[message], ends[message])
        text = "".join(_text_of(raw[order[i]]) for i in span if shown[i])
        texts.append((message, text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")))
    return texts


def _text_of(raw: str) -> str:
    """The text blocks of a chunk, a whole-message update or a prompt, joined."""
    params = parse(raw)["params"]
    content = params["update"].get("content") if "update" in params else params.get("prompt")
    blocks = content if isinstance(content, list) else [content]
    texts = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _content_types(
    events: pd.DataFrame,
    order: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    shown: npt.NDArray[np.bool_],
) -> npt.NDArray[np.object_]:
    categories = [str(name) for name in events["content_type"].cat.categories]
    nothing = [i for i, name in enumerate(categories) if name in ("null", "[]")]
    codes = events["content_type"].cat.codes.to_numpy()[order].astype(np.int64)
    codes = np.where(shown & ~np.isin(codes, nothing), codes, -1)
    lists = np.empty(len(starts), dtype=object)
    if not len(order):
        return lists
    low, high = (
        np.minimum.reduceat(np.where(codes < 0, len(categories), codes), starts),
        np.maximum.reduceat(codes, starts),
    )
    for message, (one, other) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        span = [one] if one == other else codes[starts[message] : ends[message]].tolist()
        names = (
            part
            for code in dict.fromkeys(span)
            if 0 <= code < len(categories)
            for part in categories[code].split("+")
        )
        lists[message] = list(dict.fromkeys(names))
    return lists


def _lists(
    values: list[int], starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.object_]:
    lists = np.empty(len(starts), dtype=object)
    for message, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        lists[message] = values[start:end]
    return lists


def _sums(
    flags: npt.NDArray[np.bool_], starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    total = np.concatenate([[0], np.cumsum(flags)])
    return total[ends] - total[starts]


def _contiguous(
    seen: Tokens,
    labels: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> npt.NDArray[np.bool_]:
    """Whether a message's events are neighbours among the labelled events of their session."""
    rows = np.flatnonzero(labels >= 0)
    rows = rows[np.argsort(seen.session[rows], kind="stable")]
    rank = np.empty(len(labels), dtype=np.int64)
    rank[rows] = np.arange(len(rows))
    if not len(order):
        return np.zeros(0, dtype=bool)
    return rank[order[ends - 1]] - rank[order[starts]] == ends - starts - 1
