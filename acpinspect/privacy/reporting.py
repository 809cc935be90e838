"""What a redaction replaced, and what it left: both told from the table before and the table after."""

from __future__ import annotations

import base64
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final, NamedTuple

import pandas as pd

from acpinspect.errors import EventsError
from acpinspect.events import Column, check_events, parse
from acpinspect.privacy.frames import kind_at
from acpinspect.privacy.places import Place, places
from acpinspect.privacy.sources import is_plain_word
from acpinspect.privacy.vocabulary import FREE_KEYS, KEPT_KEYS, KINDS

__all__ = ["LEFTOVER_COLUMNS", "REPORT_COLUMNS", "leftovers", "redaction_report"]

REPORT_COLUMNS: Final = (
    Column("kind", "category", "What the strings are: `acpinspect.privacy.KINDS`."),
    Column("strings", "int64", "How many strings of this kind the log has."),
    Column("replaced", "int64", "How many of them are others now."),
    Column("distinct", "int64", "How many different ones there were."),
    Column("characters", "int64", "Their code points, together."),
    Column("events", "int64", "How many events have one."),
)

LEFTOVER_COLUMNS: Final = (
    Column("event", "int64", "The event."),
    Column("kind", "category", "word, secret or number."),
    Column("place", "string", "Where: keys joined by dots, or a column of the table."),
    Column("text", "string", "What is left of the original."),
)

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_LONG: Final = 7
_SECRET: Final = re.compile(
    r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}|\d{6,}"
    r"|(?<![\w-])(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[A-Za-z])[\w-]{12,}|[A-Za-z0-9+/]{24,}={0,2}"
)
_KEPT: Final = re.compile(r"</?think>|\x1b\[[0-9;:?]{0,16}[@-~]")
_LARGE: Final = 10**6
_LARGE_NUMBER: Final = re.compile(r"[:\[,]\s*-?\d{7}")


_Left = tuple[int, str, str, str]


class _Text(NamedTuple):
    """A string before and after."""

    event: int
    place: str
    kind: str
    before: str
    after: str


@dataclass(slots=True)
class _Sum:
    strings: int = 0
    replaced: int = 0
    characters: int = 0
    distinct: set[str] = field(default_factory=set)
    events: set[int] = field(default_factory=set)


def redaction_report(original: pd.DataFrame, redacted: pd.DataFrame) -> pd.DataFrame:
    """Say what a redaction replaced.

    Args:
        original: The events table that was given to `redact`.
        redacted: What came back.

    Returns:
        One row for each kind of string that the log has, in the order of `acpinspect.privacy.KINDS`: `kind`,
        `strings`, `replaced`, `distinct`, `characters`, `events`. Fewer replaced than there are: they were kept,
        or have no letters and digits.

    Raises:
        EventsError: If one is no events table, or they are not of the same log.

    Example:
        >>> import acpinspect
        >>> block = {"type": "text", "text": "Dear Bob"}
        >>> log = [("s1", {"sessionUpdate": "agent_message_chunk", "content": block})]
        >>> events = acpinspect.from_records(log)
        >>> report = acpinspect.redaction_report(events, acpinspect.redact(events))
        >>> report[["kind", "strings", "replaced"]].values.tolist()
        [['text', 1, 1], ['id', 1, 1], ['source', 1, 0]]
    """
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for text in _texts(original, redacted):
        own = sums[text.kind]
        own.strings += 1
        own.replaced += text.before != text.after
        own.characters += len(text.before)
        own.distinct.add(text.before)
        own.events.add(text.event)
    kinds = [kind for kind in KINDS if kind in sums]
    rows = [
        (s.strings, s.replaced, len(s.distinct), s.characters, len(s.events))
        for s in (sums[kind] for kind in kinds)
    ]
    table = pd.DataFrame(rows, columns=[column.name for column in REPORT_COLUMNS[1:]], dtype="int64")
    columns = {"kind": pd.Categorical(kinds, categories=list(KINDS)), **table}
    return pd.DataFrame(columns, index=pd.RangeIndex(len(kinds), name="row"))


def leftovers(original: pd.DataFrame, redacted: pd.DataFrame) -> pd.DataFrame:
    """List what a redacted log still has of the original and looks as if it told something.

    That are words of at least four letters that stand where they stood, words of at least seven letters wherever
    they stand now, e-mail addresses, long numbers, keys and tokens that stand where they stood; and large numbers
    in places where the protocol knows of none, for numbers stay. Words of the protocol don't count.

    Args:
        original: The events table that was given to `redact`.
        redacted: What came back.

    Returns:
        One row for each: `event`, `kind` (word, secret, number), `place`, `text`; empty if nothing is left. What
        was kept on purpose is listed too.

    Raises:
        EventsError: If one is no events table, or they are not of the same log.

    Example:
        >>> import acpinspect
        >>> block = {"type": "text", "text": "Dear Bob", "_meta": {"account": 123456789}}
        >>> log = [("s1", {"sessionUpdate": "agent_message_chunk", "content": block})]
        >>> events = acpinspect.from_records(log)
        >>> acpinspect.leftovers(events, acpinspect.redact(events, salt="x"))[["kind", "text"]].values.tolist()
        [['number', '123456789']]
    """
    found: list[_Left] = []
    old: set[str] = set()
    new: dict[str, tuple[int, str]] = {}
    for text in _texts(original, redacted):
        found += _in_place(text)
        old.update(word for word in _WORD.findall(text.before) if len(word) >= _LONG)
        for word in _WORD.findall(text.after) if text.before != text.after else ():
            if len(word) >= _LONG and not _is_common(text, word):
                new.setdefault(word, (text.event, text.place))
    seen = {(event, text) for event, _, _, text in found}
    moved = [(*new[word], word) for word in sorted(old & new.keys())]
    found += [(event, "word", place, word) for event, place, word in moved if (event, word) not in seen]
    found += _numbers(redacted)
    found.sort(key=itemgetter(0))
    columns = {column.name: pd.Series(values, dtype=column.dtype) for column, values in _columns(found)}
    return pd.DataFrame(columns, index=pd.RangeIndex(len(found), name="row"))


def _columns(found: list[_Left]) -> Iterator[tuple[Column, list[object]]]:
    for i, column in enumerate(LEFTOVER_COLUMNS):
        yield column, [row[i] for row in found]


def _in_place(text: _Text) -> Iterator[_Left]:
    """What stands where it stood."""
    before, after = text.before, text.after
    if text.kind == "data":
        if before == after and before:
            yield text.event, "secret", text.place, before
        return
    kept = [found.span() for found in _KEPT.finditer(before)]
    for name, pattern in (("word", _WORD), ("secret", _SECRET)):
        for found in pattern.finditer(before):
            same = after[found.start() : found.end()] == found.group()
            common = _is_common(text, found.group())
            if same and not common and not any(begin <= found.start() < end for begin, end in kept):
                yield text.event, name, text.place, found.group()


def _is_common(text: _Text, word: str) -> bool:
    """Whether it is a word that names of files and labels keep, since it tells nothing of anybody."""
    return text.kind == "source" and is_plain_word(word)


def _texts(original: pd.DataFrame, redacted: pd.DataFrame) -> Iterator[_Text]:
    """The strings of a log before and after, but for words of the protocol."""
    original, redacted = check_events(original), check_events(redacted)
    if not original.index.equals(redacted.index):
        raise EventsError("The two tables have other events: give the table that was redacted, and the result.")
    message = ~original["kind"].isin(["unreadable", "other"]).to_numpy()
    raws = zip(original.index.tolist(), original["raw"], redacted["raw"], message, strict=True)
    for event, before, after, readable in raws:
        if not readable:
            yield _Text(event, "raw", "record", str(before), str(after))
            continue
        for old, new in zip(places(str(before)), places(str(after)), strict=False):
            kind = kind_at(old)
            if kind is not None:
                read = _output if kind == "terminal" else str
                yield _Text(event, _name(old), kind, read(old.text), read(new.text))
    for column in ("source", "sender_label"):
        pairs = pd.DataFrame({"old": original[column].astype(object), "new": redacted[column].astype(object)})
        for event, pair in pairs.dropna().drop_duplicates().iterrows():
            yield _Text(int(str(event)), column, "source", str(pair["old"]), str(pair["new"]))


def _output(data: str) -> str:
    """What a terminal wrote."""
    try:
        return base64.b64decode(data, validate=True).decode("utf-8", "replace")
    except ValueError:
        return data


def _name(place: Place) -> str:
    path = f"{place.path}." if place.path and not place.path.endswith(f"{place.under}[]") else place.path
    return path.removesuffix(".") if path.endswith("[]") else f"{path}{place.under}"


def _numbers(redacted: pd.DataFrame) -> Iterator[_Left]:
    """Large numbers where the protocol knows of none."""
    for event, raw in zip(redacted.index.tolist(), redacted["raw"], strict=True):
        if _LARGE_NUMBER.search(raw) is None:
            continue
        try:
            stack: list[tuple[object, str, bool]] = [(parse(raw), "", False)]
        except (ValueError, RecursionError):
            continue
        while stack:
            value, place, free = stack.pop()
            if isinstance(value, dict):
                for key, item in value.items():
                    foreign = free or key in FREE_KEYS or key not in KEPT_KEYS
                    stack.append((item, f"{place}.{key}".lstrip("."), foreign))
            elif isinstance(value, list):
                stack += [(item, f"{place}[]", free) for item in value]
            elif free and isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LARGE:
                yield event, "number", place, str(value)
