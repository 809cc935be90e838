"""Makes texts shorter: leaves out words, the same ones everywhere, so that copies stay copies; then the ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from acpinspect.minimizing.deltas import fewest
from acpinspect.minimizing.drafts import Draft, Path, strings
from acpinspect.minimizing.renaming import is_id
from acpinspect.minimizing.validity import Json
from acpinspect.privacy.vocabulary import kept_value

__all__ = ["with_shorter_texts", "without_words"]

_WORD: Final = re.compile(r"\s*\S+|\s+\Z")
_MOST_WORDS: Final = 4_000
_MOST_STRINGS: Final = 200
_SHORT: Final = 8
_FIXED: Final = frozenset({"jsonrpc", "method", "sessionUpdate", "type", "cwd", "path", "uri", "data"})

Change = Callable[[str], str]


def without_words(draft: Draft, holds: Callable[[Draft], bool]) -> Draft:
    """Leave out words of all texts as long as it holds; a word goes everywhere or nowhere.

    Args:
        draft: The log.
        holds: Whether a log still shows what it has to.
    """
    words = list(dict.fromkeys(word for text in _texts(draft) for word in _WORD.findall(text)))[:_MOST_WORDS]

    def keeping(kept: list[str]) -> Draft | None:
        gone = frozenset(words).difference(kept)
        return _changed(draft, lambda text: "".join(w for w in _WORD.findall(text) if w not in gone))

    if not words:
        return draft
    kept = fewest(words, lambda some: (new := keeping(some)) is not None and holds(new))
    return keeping(kept) or draft


def with_shorter_texts(draft: Draft, holds: Callable[[Draft], bool]) -> Draft:
    """Cut long texts short, the longest first, as long as it holds: their ends, else their beginnings.

    Equal ones are cut together; a text of a few characters stays, for it has to be read.

    Args:
        draft: The log.
        holds: Whether a log still shows what it has to.
    """
    for text in sorted(set(_texts(draft)), key=lambda text: (-len(text), text))[:_MOST_STRINGS]:
        for size in _sizes(len(text)):
            new = _changed(draft, _replacing(text, text[:size] if size >= 0 else text[size:]))
            if new is not None and holds(new):
                draft = new
                break
    return draft


def _sizes(size: int) -> Iterator[int]:
    """Shorter sizes, the shortest first; negative ones are those of ends that are kept."""
    shorter = _SHORT
    while shorter < size:
        yield from (shorter, -shorter)
        shorter *= 2


def _replacing(text: str, new: str) -> Change:
    return lambda other: new if other == text else other


def _texts(draft: Draft) -> Iterator[str]:
    for piece in draft:
        if piece.value is not None:
            yield from (text for key, path, text in strings(piece.value) if text and _is_text(key, path, text))


def _is_text(key: str, path: Path, text: str) -> bool:
    """No id, no word of the protocol, no path that would be none without some of its words."""
    return key not in _FIXED and not is_id(key) and not kept_value(key, text) and len(path) > 1


def _changed(draft: Draft, change: Change) -> Draft | None:
    new: Draft = []
    for piece in draft:
        value = None if piece.value is None else _with_texts(piece.value, change)
        changed = piece if value is None else piece.changed(value)
        if changed is None:
            return None
        new.append(changed)
    return new


def _with_texts(value: Json, change: Change) -> Json:
    new = _rewritten(value, "", (), change)
    return new if isinstance(new, dict) else value


def _rewritten(value: object, key: str, path: Path, change: Change) -> object:
    if isinstance(value, dict):
        return {name: _rewritten(item, name, (*path, name), change) for name, item in value.items()}
    if isinstance(value, list):
        return [_rewritten(item, key, (*path, i), change) for i, item in enumerate(value)]
    return change(value) if isinstance(value, str) and _is_text(key, path, value) else value
