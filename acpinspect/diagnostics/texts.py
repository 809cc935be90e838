"""The text of messages as it grew, with where each event's part of it begins."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from acpinspect.diagnostics.columns import runs

if TYPE_CHECKING:
    from acpinspect.diagnostics.log import Log

__all__ = ["Code", "Stretch", "read_stretches"]


@dataclass(frozen=True)
class Stretch:
    """A message, or the part of it from one replacement of its content to the next.

    Attributes:
        label: The message.
        opens: It is the first stretch of the message.
        rows: Its events, in order.
        starts: Where the text of each event begins in `text`.
        text: The texts of its events, joined.
    """

    label: int
    opens: bool
    rows: list[int]
    starts: list[int]
    text: str

    @cached_property
    def code(self) -> Code:
        """Where there is code in it."""
        return find_code(self.text)


@dataclass(frozen=True, slots=True)
class Code:
    """Backticks and lines of a text.

    Attributes:
        fences: Ends of the groups of three backticks.
        ticks: Positions of all backticks.
        lines: Positions of all line feeds.
    """

    fences: list[int] = field(default_factory=list)
    ticks: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def in_fence(self, position: int) -> bool:
        """An odd number of fences comes before."""
        return bisect_right(self.fences, position) % 2 == 1

    def in_span(self, position: int) -> bool:
        """An odd number of backticks comes before, in the same line."""
        line = bisect_left(self.lines, position) - 1
        begin = self.lines[line] + 1 if line >= 0 else 0
        return (bisect_left(self.ticks, position) - bisect_left(self.ticks, begin)) % 2 == 1


def find_code(text: str) -> Code:
    """Find the backticks and lines of a text.

    Example:
        >>> find_code("a ```x").in_fence(6)
        True
    """
    if "`" not in text:
        return Code()
    ticks = [i for i, character in enumerate(text) if character == "`"]
    lines = [i for i, character in enumerate(text) if character == "\n"]
    fences, run = [], 0
    for i, tick in enumerate(ticks):
        run = run + 1 if i and ticks[i - 1] == tick - 1 else 1
        if run % 3 == 0:
            fences.append(tick + 1)
    return Code(fences, ticks, lines)


def read_stretches(log: Log) -> list[Stretch]:
    """The stretches of all messages, message by message."""
    rows = log.message_rows
    labels, texts = log.label[rows], log.text
    replaced = set(np.flatnonzero(log.whole & log.events["content_type"].notna().to_numpy()).tolist())
    stretches = []
    for begin, end in runs(labels):
        own = rows[begin:end].tolist()
        cuts = [i for i, row in enumerate(own) if i and row in replaced] if replaced else []
        for first, last in zip([0, *cuts], [*cuts, len(own)], strict=True):
            part = own[first:last]
            pieces = [texts[row] for row in part]
            starts = list(accumulate(map(len, pieces[:-1]), initial=0))
            stretches.append(Stretch(int(labels[begin]), first == 0, part, starts, "".join(pieces)))
    return stretches
