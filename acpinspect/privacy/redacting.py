"""An events table without its content."""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.arrays import ArrowStringArray

from acpinspect.errors import ArgumentError
from acpinspect.events import check_events, parse
from acpinspect.grouping.tokens import tokens
from acpinspect.opening import Events, events_of
from acpinspect.privacy.copies import find_cuts
from acpinspect.privacy.frames import Redactor
from acpinspect.privacy.sources import new_labels, new_sources
from acpinspect.privacy.spoken import spoken_in
from acpinspect.privacy.vocabulary import KINDS, is_protocol_word
from acpinspect.privacy.words import Words
from acpinspect.reading.batches import Columns, columns_of_frames
from acpinspect.reading.frames import Frame

__all__ = ["redact"]

_FROM_RAW_STRINGS: Final = ("text", "title", "message_id", "tool_call_id", "rpc_id")
_FROM_RAW_CATEGORIES: Final = ("update", "content_type", "tool_kind", "tool_status")
_QUOTED: Final = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")
_TERMINALS: Final = ("terminal_update", "terminal_output_chunk")


def redact(events: Events, *, salt: str | bytes | None = None, keep: Iterable[str] = ()) -> pd.DataFrame:
    """Take the content out of a log and leave its shape, so that it can be shown to others.

    Every letter and digit of every string becomes another one of its kind; white space, punctuation, letter case,
    lengths, numbers and the words of the protocol stay. Equal texts stay equal and different ones different, the
    beginning of a text stays its beginning, a copy stays a copy, chunks make up the same words. So messages,
    groupings and findings are those of the original. Images, sounds and other bytes become as many other bytes.

    Args:
        events: An events table; best the whole log, for a message's words run over its chunks.
        salt: A secret. The same salt gives the same result, so that logs can be compared; whoever knows it can
            try out words. By default a random one that is forgotten.
        keep: Kinds of strings that stay as they are (`acpinspect.privacy.KINDS`): ``"id"``, ``"path"``, ...

    Returns:
        A table with the same rows, index and columns. Times and places in the source stay.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If the salt is empty, or there is no such kind.

    Example:
        >>> import acpinspect
        >>> block = {"type": "text", "text": "Dear Bob, my key is sk-1234"}
        >>> log = [("s1", {"sessionUpdate": "agent_message_chunk", "content": block})]
        >>> events = acpinspect.from_records(log)
        >>> text = acpinspect.redact(events, salt="secret").loc[0, "text"]
        >>> "Bob" in text, "1234" in text, len(text), text[8:10]
        (False, False, 27, ', ')
    """
    events = events_of(events)
    kinds = _kinds(keep)
    redactor = Redactor(Words(salt), kinds)
    raws = _raws(events, redactor)
    fresh = columns_of_frames(list(_frames(events, raws)))
    new = events.copy()
    new["raw"] = _strings(pa.chunked_array([pa.array(raws, pa.large_string())]))
    for name in _FROM_RAW_STRINGS:
        new[name] = _strings(pa.chunked_array([fresh[name].cast(pa.large_string())]))
    for name in _FROM_RAW_CATEGORIES:
        new[name] = _category(fresh[name])
    new["session_id"] = _sessions(events, fresh, redactor)
    new["method"] = _mapped(events["method"], redactor.method)
    new["problem"] = _mapped(events["problem"], lambda text: _problem(text, redactor))
    if "source" not in kinds:
        new["source"] = _mapped(events["source"], new_sources(events["source"], redactor.words).__getitem__)
        new["sender_label"] = _mapped(events["sender_label"], new_labels(redactor.words))
    return check_events(new)


def _kinds(keep: Iterable[str]) -> frozenset[str]:
    names = [keep] if isinstance(keep, str) else list(keep)
    for name in names:
        if name not in KINDS:
            raise ArgumentError(f"There is no kind {name!r} to keep. Known kinds: {', '.join(KINDS)}.")
    return frozenset(names)


def _raws(events: pd.DataFrame, redactor: Redactor) -> list[str]:
    """The JSON texts without content."""
    said = {} if "text" in redactor.keep else _said(events, redactor.words)
    outputs = {} if "terminal" in redactor.keep else _outputs(events, redactor.words)
    message = ~events["kind"].isin(["unreadable", "other"]).to_numpy()
    raws = events["raw"].fillna("").tolist()
    return [
        redactor.frame(raw, said.get(row), outputs.get(row)) if message[row] else redactor.record(raw)
        for row, raw in enumerate(raws)
    ]


def _said(events: pd.DataFrame, words: Words) -> dict[int, str]:
    """What the text of message events becomes, where it hangs together with that of others."""
    spoken = spoken_in(events)
    cuts = find_cuts(spoken)
    said: dict[int, str] = {}
    for stretch in spoken.stretches:
        if len(stretch.rows) > 1 or cuts.get(stretch.rows[0]):
            pieces = [spoken.texts[row] for row in stretch.rows]
            places, at = [], 0
            for row, piece in zip(stretch.rows, pieces, strict=True):
                places += [at + cut for cut in cuts.get(row, ())]
                at += len(piece)
            said.update(zip(stretch.rows, words.joined(pieces, places), strict=True))
    return said


def _outputs(events: pd.DataFrame, words: Words) -> dict[int, str]:
    """What the bytes of terminals become: a stream each, from one snapshot to the next."""
    rows = np.flatnonzero(events["update"].isin(_TERMINALS).to_numpy())
    streams: dict[tuple[object, ...], list[list[tuple[int, bytes]]]] = defaultdict(list)
    seen = tokens(events) if len(rows) else None
    for row in rows.tolist():
        terminal, data, snapshot = _output(str(events["raw"].iloc[row]))
        if data is None or seen is None:
            continue
        own = streams[int(seen.session[row]), int(seen.epoch[row]), terminal]
        if snapshot or not own:
            own.append([])
        own[-1].append((row, data))
    outputs: dict[int, str] = {}
    for stream in (part for own in streams.values() for part in own):
        for (row, _), data in zip(stream, words.stream([data for _, data in stream]), strict=True):
            outputs[row] = base64.b64encode(data).decode()
    return outputs


def _output(raw: str) -> tuple[str, bytes | None, bool]:
    """Terminal, bytes, and whether they are all that it ever wrote."""
    try:
        update = parse(raw)["params"]["update"]
        snapshot = update["sessionUpdate"] == "terminal_update"
        encoded = update["output"]["data"] if snapshot else update["data"]
        data = base64.b64decode(encoded, validate=True)
        # Base64 in an unusual form would come back in another length.
        usual = base64.b64encode(data).decode() == encoded
        return str(update.get("terminalId")), data if usual else None, snapshot
    except (ValueError, TypeError, KeyError, RecursionError):
        return "", None, False


def _frames(events: pd.DataFrame, raws: list[str]) -> Iterator[Frame]:
    for raw, kind in zip(raws, events["kind"], strict=True):
        yield Frame(raw=raw, source="", kind=kind if kind in ("unreadable", "other") else None)


def _sessions(events: pd.DataFrame, fresh: Columns, redactor: Redactor) -> ArrowStringArray:
    """Sessions; those of responses become what those of their requests became."""
    new = fresh["session_id"].cast(pa.large_string()).to_pylist()
    old = [None if pd.isna(value) else str(value) for value in events["session_id"]]
    pairs = zip(old, new, strict=True)
    known: dict[str, str] = {before: after for before, after in pairs if before is not None and after is not None}
    if "id" not in redactor.keep:
        known |= {name: redactor.words.text(name) for name in old if name is not None and name not in known}
    ids = [None if before is None else known.get(before, before) for before in old]
    return _strings(pa.chunked_array([pa.array(ids, pa.large_string())]))


def _problem(text: str, redactor: Redactor) -> str:
    """A problem; what it quotes from the log is redacted."""

    def quoted(found: re.Match[str]) -> str:
        inner = found.group()[1:-1]
        mark = found.group()[0]
        return found.group() if is_protocol_word(inner) else f"{mark}{redactor.method(inner)}{mark}"

    return _QUOTED.sub(quoted, text)


def _mapped(column: pd.Series, new: Callable[[str], str]) -> pd.Categorical:
    """A category column with other names; names that become one are one."""
    names = [new(str(name)) for name in column.cat.categories]
    codes = column.cat.codes.to_numpy().astype(np.int64)
    merged = list(dict.fromkeys(names))
    table = np.array([*(merged.index(name) for name in names), -1], dtype=np.int64)
    return pd.Categorical.from_codes(table[codes], categories=pd.Index(merged, dtype=object))


def _category(column: pa.DictionaryArray) -> pd.Categorical:
    codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    names = column.dictionary.to_pylist()
    used = list(dict.fromkeys(codes[codes >= 0].tolist()))
    table = np.full(len(names) + 1, -1, dtype=np.int64)
    table[used] = np.arange(len(used))
    categories = pd.Index([names[code] for code in used], dtype=object)
    return pd.Categorical.from_codes(table[codes], categories=categories)


def _strings(column: pa.ChunkedArray) -> ArrowStringArray:
    return ArrowStringArray(column)
