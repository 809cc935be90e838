"""Names of files and direction labels without what they tell of their owner."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Final

import pandas as pd

from acpinspect.privacy.words import Words
from acpinspect.reading.recordings import recording_of

__all__ = ["is_plain_word", "new_labels", "new_sources"]

_PIECE: Final = re.compile(r"(?<=\.)\d{1,3}(?!\w)|[^\W_]+")
_NAME_WORDS: Final = frozenset(
    """
    jsonl ndjson jsons json log txt gz bz2 xz zst zstd zip tar db sqlite har stream records
    stdin stdout stderr in out err input output sent received send recv requests responses request response
    c2a a2c client agent to from traffic acp stdio
    """.split()  # noqa: SIM905  (a list would be a column of a hundred lines)
)
_LABEL_WORDS: Final = _NAME_WORDS | frozenset(
    """
    incoming outgoing inbound outbound editor server ide peer proxy tx rx read write recv notification error
    fromagent fromclient toagent toclient agenttoclient clienttoagent c a s i o left right direction up down
    """.split()  # noqa: SIM905
)


def new_sources(sources: pd.Series, words: Words) -> dict[str, str]:
    """A new name for each source; parts of one recording stay parts of one recording.

    Args:
        sources: The column `source`.
        words: How texts change.
    """
    names = [str(name) for name in sources.cat.categories]
    new = {name: _renamed(name, words, _NAME_WORDS) for name in names}
    if _partition(names, new) == _partition(names, {name: name for name in names}):
        return new
    parts: dict[str, list[str]] = defaultdict(list)
    for name in names:
        parts[recording_of(name)].append(name)
    numbered: dict[str, str] = {}
    for number, own in enumerate(parts.values(), start=1):
        numbered |= {name: f"recording{number}.stream.{part}.jsonl" for part, name in enumerate(own)}
    return numbered


def new_labels(words: Words) -> Callable[[str], str]:
    """A direction label; words that are no names stay."""
    return lambda label: _renamed(label, words, _LABEL_WORDS)


def is_plain_word(word: str) -> bool:
    """Whether a word is one that names of recordings and labels commonly have.

    Example:
        >>> is_plain_word("stdin"), is_plain_word("Bob")
        (True, False)
    """
    return word.lower() in _LABEL_WORDS


def _renamed(name: str, words: Words, kept: frozenset[str]) -> str:
    def piece(found: re.Match[str]) -> str:
        word = found.group()
        if word.lower() in kept or (
            found.start() and name[found.start() - 1] == "." and len(word) <= 3 and word.isdecimal()
        ):
            return word
        return words.text(word)

    return _PIECE.sub(piece, name)


def _partition(names: list[str], new: dict[str, str]) -> list[int]:
    """Which names are parts of one recording, and that none is two."""
    first: dict[str, int] = {}
    numbers = [first.setdefault(recording_of(new[name]), i) for i, name in enumerate(names)]
    return [*numbers, len(set(new.values()))]
