"""The words in which a policy says what closes a message: tokens, which a log reader derives from the events.

A token is a fact about one event. Some name what the event is, some add what the client already knew: whether a
tool call is new to it, whether a plan is the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["BITS", "EVERY", "ROLES", "TOKENS", "described", "mask"]

ROLES: Final = ("user", "agent", "thought")
"""The roles of messages, in the order of their numbers."""

_WHOSE: Final = {"user": "of the user", "agent": "of the agent", "thought": "of thought"}
_CHUNKS: Final = {
    "": "a chunk {whose} that the client takes",
    ":any": "a chunk {whose}, shown or not",
    ":id": "a chunk {whose} with an id",
    ":nonempty": "a chunk {whose} with text in it",
    ":nonblank": "a chunk {whose} with more than white space in it",
    ":nontext": "a chunk {whose} that is no text, shown or not",
    ":whole": "a whole-message update {whose}",
}

TOKENS: Final[dict[str, str]] = {
    **{f"{role}{kind}": text.format(whose=_WHOSE[role]) for role in ROLES for kind, text in _CHUNKS.items()},
    "tool_call": "a tool_call, new or not",
    "tool_call:new": "a tool_call whose id is new in the session",
    "tool_call:titled": "a tool_call with a title",
    "tool_update": "a tool_call_update, of a known tool or not",
    "tool_update:new": "a tool_call_update whose id is new in the session",
    "tool:new": "the first sight of a tool in the session, by call or update",
    "tool:new_in_turn": "the first sight of a tool in the turn",
    "tool:new_in_run": "the first sight of a tool since the last user message",
    "tool:first_sight": "the first sight of a tool in the session, by call, update or permission request",
    "tool:card": "the event that draws a tool's card: the first whose merged status is not pending",
    "tool:idle_or_done": "an event of a known tool whose merged status is absent or completed",
    "tool:stands": "the event that adds a tool, unless it is in progress before the next text",
    "tool:result": "a tool_call_update that says completed or failed",
    "plan": "a plan",
    "plan:first": "the first plan of the session",
    "plan:first_in_turn": "the first plan of the turn",
    "usage": "a usage_update",
    "mode": "a current_mode_update",
    "commands": "an available_commands_update",
    "config": "a config_option_update",
    "info": "a session_info_update",
    "other": "any other session update, unknown ones and extensions included",
    "permission": "a permission request",
    "compaction:first": "the first update of a compaction",
    "turn_start": "a prompt request",
    "turn_end": "the end of a turn: the answer to a prompt, in protocol 2 the state idle",
    "prompt_answer": "the answer to a prompt",
    "load": "a request to load or resume the session, or its answer",
    "load_end": "the end of a replay",
}
"""Every token, and what it stands for."""

BITS: Final[dict[str, int]] = {name: 1 << number for number, name in enumerate(TOKENS)}
"""The bit of each token in the masks of the engine."""

EVERY: Final = frozenset(TOKENS)


def mask(names: Iterable[str]) -> int:
    """The bits of some tokens, together.

    Example:
        >>> mask(["user", "user:any"])
        3
    """
    return sum(BITS[name] for name in set(names))


def described(names: Iterable[str]) -> list[str]:
    """What some tokens stand for, in the order of `TOKENS`.

    Example:
        >>> described(["prompt_answer", "plan"])
        ['a plan', 'the answer to a prompt']
    """
    wanted = set(names)
    return [text for name, text in TOKENS.items() if name in wanted]
