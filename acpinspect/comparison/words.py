"""The words of messages, and which of them two tables have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

import pandas as pd

__all__ = ["WORD", "Words", "aligned", "words_of"]

WORD: Final = re.compile(r"\s*(?:\w+|[^\w\s])\s*|\s+")
"""A word or a sign, with the white space around it; or white space alone."""


@dataclass(frozen=True)
class Words:
    """The words of the messages of one role, in order.

    Attributes:
        words: The words.
        labels: What each of them belongs to.
    """

    words: list[str]
    labels: list[int]


def words_of(table: pd.DataFrame, role: str) -> Words:
    """The words of the messages of a role, each with the row of its message."""
    words: list[str] = []
    labels: list[int] = []
    own = table[(table["role"] == role).to_numpy()]
    for label, text in zip(own.index.tolist(), own["text"].fillna("").astype(str), strict=True):
        found = WORD.findall(text)
        words += found
        labels += [label] * len(found)
    return Words(words, labels)


def aligned(a: Words, b: Words) -> Iterator[tuple[int, int, int]]:
    """Label in a, label in b (-1 where a side lacks the word) and characters, in the order of the text."""
    stripped = [word.strip() for word in a.words], [word.strip() for word in b.words]
    for tag, a1, a2, b1, b2 in _opcodes(*stripped):
        if tag == "equal":
            for i, j in zip(range(a1, a2), range(b1, b2), strict=True):
                yield a.labels[i], b.labels[j], len(a.words[i])
            continue
        for i in range(a1, a2):
            yield a.labels[i], -1, len(a.words[i])
        for j in range(b1, b2):
            yield -1, b.labels[j], len(b.words[j])


def _opcodes(a: Sequence[str], b: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """How to get from a to b; what is equal at both ends is set aside first, for the search in between is slow."""
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    most = min(len(a), len(b)) - start
    tail = next((i for i in range(most) if a[-1 - i] != b[-1 - i]), most)
    middle = SequenceMatcher(None, a[start : len(a) - tail], b[start : len(b) - tail], autojunk=False)
    shifted = [
        (tag, a1 + start, a2 + start, b1 + start, b2 + start) for tag, a1, a2, b1, b2 in middle.get_opcodes()
    ]
    return [
        ("equal", 0, start, 0, start),
        *shifted,
        ("equal", len(a) - tail, len(a), len(b) - tail, len(b)),
    ]
