"""Where a text first stands in what a reader sees, and where it is gone again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.errors import ArgumentError
from acpinspect.events import Column
from acpinspect.reducer import Compaction, Info, Message, Plan, Rope, Terminal, ToolCall, joined_text
from acpinspect.timelines.acts import codes_of
from acpinspect.timelines.folding import Folder
from acpinspect.timelines.index import NEVER, Index, Track
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.naming import entity_name

__all__ = ["COLUMNS", "find_text", "matcher", "shown_text"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("entity", "string", "What shows the text."),
    Column("step", "int64", "The first step at which it does."),
    Column("event", "int64", "The event that made that step."),
    Column("vanishes", "Int64", "The first step after that at which it doesn't; NA where it stays."),
    Column("vanishes_event", "Int64", "The event that made that step."),
)

Matcher = Callable[[str], bool]
_APPENDS: Final = codes_of("chunk", "tool_content_chunk", "compaction_chunk", "terminal_chunk")
_FIELDS: Final = ("info", "notices")
_FLAGS: Final = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))
_FOREIGN_FLAGS: Final = re.VERBOSE | re.LOCALE | re.ASCII


class _Seen(NamedTuple):
    """A stretch of counts of a track's events at which the text is there."""

    first: int
    gone: int | None


def matcher(pattern: str | re.Pattern[str]) -> Matcher:
    """What says whether a text holds the pattern.

    Args:
        pattern: A text to be found as it is, or a regular expression.

    Raises:
        ArgumentError: The expression has what can't be matched in linear time (backreferences, lookaround), or is
            no expression.
    """
    if isinstance(pattern, str):
        return lambda text: pattern in text
    if not isinstance(pattern.pattern, str) or pattern.flags & _FOREIGN_FLAGS:
        raise ArgumentError("Only text patterns with the flags IGNORECASE, MULTILINE and DOTALL can be found.")
    flags = "".join(letter for flag, letter in _FLAGS if pattern.flags & flag)
    expression = f"(?{flags}){pattern.pattern}" if flags else pattern.pattern
    try:
        pc.match_substring_regex(pa.scalar(""), expression)
    except pa.ArrowInvalid as problem:
        raise ArgumentError(
            f"The expression {pattern.pattern!r} can't be matched in linear time, or is none: {problem}. "
            "Lookaround and backreferences are not available."
        ) from None
    return lambda text: bool(pc.match_substring_regex(pa.scalar(text, pa.large_string()), expression).as_py())


def shown_text(value: object) -> str:
    """The text of an entity that a reader sees."""
    if isinstance(value, Message):
        return value.text
    if isinstance(value, ToolCall):
        return "\n".join(text for text in (value.title, value.text, value.raw_output) if isinstance(text, str))
    if isinstance(value, Terminal):
        return (value.output or b"").decode("utf-8", "replace")
    if isinstance(value, Plan):
        entries = [entry.get("content") for entry in value.entries if isinstance(entry, dict)]
        return "\n".join(text for text in (*entries, value.content, value.uri) if isinstance(text, str))
    if isinstance(value, Compaction):
        return "\n".join(filter(None, (joined_text(value.summary), value.error)))
    if isinstance(value, Info):
        return value.title or ""
    if isinstance(value, Rope):  # notices
        return "\n".join(f"{notice.title}\n{notice.description or ''}" for notice in value)
    return ""


def find_text(log: SessionLog, index: Index, folder: Folder, matches: Matcher) -> pd.DataFrame:
    """Every stretch of steps at which an entity shows the text.

    Cost: one fold of each entity, and of those that show it about log2(n) more.
    """
    rows = []
    tracks = [(slot, track, int(index.died[slot])) for slot, track in enumerate(index.tracks())]
    tracks += [(name, index.fields[name], NEVER) for name in _FIELDS if name in index.fields]  # type: ignore[misc]
    for name, track, died in tracks:
        for seen in _stretches(log, folder, name, track, matches):
            first = int(track.positions[seen.first - 1])
            gone = died if seen.gone is None else int(track.positions[seen.gone - 1])
            rows.append((entity_name(track.entity), first, None if gone == NEVER else gone))
    rows.sort(key=lambda row: row[1])
    firsts, ends = [row[1] for row in rows], [row[2] for row in rows]
    return pd.DataFrame(
        {
            "entity": pd.array([row[0] for row in rows], dtype=pd.StringDtype("pyarrow", na_value=pd.NA)),
            "step": np.array(firsts, dtype=np.int64) + 1,
            "event": log.events[np.array(firsts, dtype=np.int64)],
            "vanishes": pd.array([None if end is None else end + 1 for end in ends], dtype="Int64"),
            "vanishes_event": pd.array(
                [None if end is None else int(log.events[end]) for end in ends], dtype="Int64"
            ),
        }
    )


def _stretches(
    log: SessionLog, folder: Folder, name: int | str, track: Track, matches: Matcher
) -> Iterator[_Seen]:
    """Between two events that replace, a text only grows: its end says whether the pattern came in between."""
    appends = np.isin(log.acts[track.positions], _APPENDS)
    starts = np.flatnonzero(~appends) + 1
    if len(appends) and appends[0]:
        starts = np.concatenate([[1], starts])
    first: int | None = None

    def there(count: int) -> bool:
        return matches(shown_text(folder.counted(name, track, count)))

    for start, end in zip(starts.tolist(), [*(starts[1:] - 1).tolist(), len(appends)], strict=True):
        now = there(start)
        if first is not None and not now:
            yield _Seen(first, start)
            first = None
        if first is None and (now or (end > start and there(end))):
            first = start if now else _bisect(there, start, end)
    if first is not None:
        yield _Seen(first, None)


def _bisect(there: Callable[[int], bool], before: int, after: int) -> int:
    """The first count at which it is there: it isn't at `before`, and is at `after`."""
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (before, middle) if there(middle) else (middle, after)
    return after
