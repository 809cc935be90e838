"""A table of the true messages, and what it makes of the events of a log."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

import pandas as pd

from acpinspect.comparison.words import WORD, Words, aligned, words_of
from acpinspect.errors import ArgumentError
from acpinspect.grouping.vocabulary import ROLES
from acpinspect.message_table import messages

__all__ = ["TrueMessages", "checked_truth"]


def checked_truth(table: pd.DataFrame) -> pd.DataFrame:
    """A table of true messages.

    Raises:
        ArgumentError: If it lacks a column, or a role is none.
    """
    missing = [name for name in ("role", "text") if name not in table.columns]
    if missing:
        raise ArgumentError(f"The table of true messages lacks {', '.join(missing)}. It has role and text.")
    unknown = set(table["role"].dropna().astype(str)) - set(ROLES)
    if unknown:
        raise ArgumentError(f"A role can't be {min(unknown)!r}. It is user, agent or thought.")
    return table.reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class TrueMessages:
    """A table of true messages as a grouping: a function of the events, as `group` takes it.

    The words of the table are aligned with those of the log, role by role. An event belongs to the true message
    that most of its characters are of; one without words goes with its neighbour in the log's own message.
    What is in the log alone belongs to none. A chunk with parts of two true messages can't be divided.

    Attributes:
        table: Columns `role` and `text`, in order.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> events = acpinspect.from_records(map(chunk, ["One", " message. ", "Another."]))
        >>> truth = TrueMessages(pd.DataFrame({"role": "agent", "text": ["One message.", "Another."]}))
        >>> acpinspect.group(events, truth).tolist()
        [0, 0, 1]
    """

    __name__: ClassVar[str] = "truth"

    table: pd.DataFrame

    def __call__(self, events: pd.DataFrame) -> list[int | None]:
        """The true message of each event, by its row in the table; None for none."""
        shown = messages(events)
        rows = dict(zip(events.index.tolist(), range(len(events)), strict=True))
        said = events["text"].fillna("").astype(str).tolist()
        found: list[int | None] = [None] * len(events)
        for role in ROLES:
            own = shown[(shown["role"] == role).to_numpy()]
            members = [[rows[event] for event in listed] for listed in own["events"]]
            for row, label in self._labels(role, own["text"].fillna("").astype(str).tolist(), members, said):
                found[row] = label
        return found

    def _labels(
        self, role: str, texts: list[str], members: list[list[int]], said: list[str]
    ) -> Iterator[tuple[int, int]]:
        """Row and true message of the events of a role."""
        words = Words([], [])
        for text, rows in zip(texts, members, strict=True):
            _add_words(words, text, rows, said)
        characters: dict[int, Counter[int]] = {row: Counter() for row in words.labels}
        for label, row, count in aligned(words_of(self.table, role), words):
            if label >= 0 and row >= 0:
                characters[row][label] += count
        most = {row: max(count, key=count.__getitem__, default=-1) for row, count in characters.items()}
        for rows in members:
            label = next((most[row] for row in rows if row in most), -1)
            for row in rows:
                label = most.get(row, label)
                if label >= 0:
                    yield row, label


def _add_words(words: Words, text: str, rows: list[int], said: list[str]) -> None:
    """The words of a message, each with the row of the event that it begins in."""
    pieces = [said[row] for row in rows]
    # Which event wrote what can't be told after a replacement: all of it is the first one's then.
    ends = list(accumulate(map(len, pieces))) if "".join(pieces) == text else [len(text)] * len(rows)
    for match in WORD.finditer(text):
        word = match.group()
        begins = match.start() + len(word) - len(word.lstrip())
        words.words.append(word)
        words.labels.append(rows[min(bisect_right(ends, begins), len(rows) - 1)])
