"""Gives ids short names: s1, m1, t1, and requests numbers from 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from acpinspect.minimizing.drafts import Draft, strings
from acpinspect.minimizing.validity import Json

__all__ = ["is_id", "with_short_ids"]

_LETTERS: Final = {
    "sessionId": "s",
    "messageId": "m",
    "userMessageId": "m",
    "toolCallId": "t",
    "terminalId": "x",
    "planId": "p",
    "compactionId": "c",
    "optionId": "o",
    "requestId": "r",
    "modeId": "mode",
    "currentModeId": "mode",
}


def is_id(key: str) -> bool:
    """Whether an id stands under a key, one that can be renamed.

    Example:
        >>> is_id("sessionId"), is_id("text")
        (True, False)
    """
    return key in _LETTERS or key == "id"


def with_short_ids(draft: Draft, holds: Callable[[Draft], bool]) -> Draft:
    """Rename ids, those of one kind at a time, as long as it holds.

    Args:
        draft: The log.
        holds: Whether a log still shows what it has to.
    """
    for letter in dict.fromkeys(_LETTERS.values()):
        keys = frozenset(key for key, own in _LETTERS.items() if own == letter)
        found = dict.fromkeys(
            text for piece in draft if piece.value for key, _, text in strings(piece.value) if key in keys and text
        )
        names = {text: f"{letter}{number}" for number, text in enumerate(found, start=1)}
        draft = _tried(draft, holds, partial(_renamed, key="", names=names, keys=keys))
    numbers = {_key(own): number for number, own in enumerate(_requests(draft), start=1)}
    return _tried(draft, holds, lambda value: _renumbered(value, numbers))


def _tried(draft: Draft, holds: Callable[[Draft], bool], change: Callable[[Json], object]) -> Draft:
    new: Draft = []
    for piece in draft:
        value = None if piece.value is None else change(piece.value)
        changed = piece.changed(value) if isinstance(value, dict) else piece
        if changed is None:
            return draft
        new.append(changed)
    return new if new != draft and holds(new) else draft


def _renamed(value: object, key: str, names: dict[str, str], keys: frozenset[str]) -> object:
    if isinstance(value, dict):
        return {name: _renamed(item, name, names, keys) for name, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, key, names, keys) for item in value]
    return names.get(value, value) if isinstance(value, str) and key in keys else value


def _requests(draft: Draft) -> list[object]:
    """The ids of requests and responses, each once."""
    found = {_key(piece.value["id"]): piece.value["id"] for piece in draft if piece.value and "id" in piece.value}
    return list(found.values())


def _key(rpc_id: object) -> tuple[str, str]:
    return type(rpc_id).__name__, str(rpc_id)


def _renumbered(value: Json, numbers: dict[tuple[str, str], int]) -> Json:
    return {**value, "id": numbers[_key(value["id"])]} if "id" in value else value
