"""The difference of two texts or two sequences: what was inserted, deleted, replaced, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

__all__ = ["Edit", "EditKind", "changed_span", "text_edits"]

T = TypeVar("T")
EditKind: TypeAlias = Literal["insert", "delete", "replace"]
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_WORDS: Final = 400
"""Longer changes are one replacement: matching words costs the product of their numbers."""


class Edit(NamedTuple):
    """One change of a text.

    Attributes:
        kind: ``insert``, ``delete`` or ``replace``.
        start: Where it begins, in the text before.
        old: What stood there.
        new: What stands there now.

    Examples:
        >>> text_edits("one", "one two")
        (Edit(kind='insert', start=3, old='', new=' two'),)
    """

    kind: EditKind
    start: int
    old: str
    new: str


def changed_span(before: Sequence[T], after: Sequence[T]) -> tuple[int, int, int]:
    """The one stretch in which two sequences differ.

    Returns:
        Where it begins in both, where it ends in the first, where it ends in the second.

    Examples:
        >>> changed_span("abcd", "abXYd")
        (2, 3, 4)
    """
    shortest = min(len(before), len(after))
    start = _common(before, after, shortest, lambda sequence, a, b: sequence[a:b])
    end = _common(before, after, shortest - start, _from_end)
    return start, len(before) - end, len(after) - end


def _from_end(sequence: Sequence[T], a: int, b: int) -> Sequence[T]:
    return sequence[len(sequence) - b : len(sequence) - a]


def _common(
    before: Sequence[T], after: Sequence[T], most: int, part: Callable[[Sequence[T], int, int], Sequence[T]]
) -> int:
    """How far two sequences agree: by halves, as comparing slices is far faster than comparing items."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if part(before, low, middle) == part(after, low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def text_edits(before: str, after: str) -> tuple[Edit, ...]:
    """What makes one text of another, word by word where the change is short.

    Examples:
        >>> [edit[:3] for edit in text_edits("the old, old tide", "the new, old time")]
        [('replace', 4, 'old'), ('replace', 13, 'tide')]
    """
    start, old_end, new_end = changed_span(before, after)
    # A change begins and ends between words, so that it can be read.
    start = _word_start(before, start) if old_end > start and new_end > start else start
    while old_end < len(before) and old_end > start and _inside_word(before, old_end):
        old_end, new_end = old_end + 1, new_end + 1
    old, new = before[start:old_end], after[start:new_end]
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    if not old or not new or len(old_words) > _MOST_WORDS or len(new_words) > _MOST_WORDS:
        return (Edit(_kind(old, new), start, old, new),) if old or new else ()
    return _by_word(start, old_words, new_words)


def _kind(old: str, new: str) -> EditKind:
    return "replace" if old and new else "insert" if new else "delete"


def _inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _word_start(text: str, place: int) -> int:
    while _inside_word(text, place):
        place -= 1
    return place


def _by_word(start: int, old: list[str], new: list[str]) -> tuple[Edit, ...]:
    places = [start]
    for word in old:
        places.append(places[-1] + len(word))
    edits = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone, come = "".join(old[a:b]), "".join(new[c:d])
            edits.append(Edit(_kind(gone, come), places[a], gone, come))
    return tuple(edits)
