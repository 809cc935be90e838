"""How a protocol key looks when a serialiser forgot to rename it: ``session_id`` for ``sessionId``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

__all__ = ["snake_case", "snake_spellings"]


def snake_case(name: str) -> str:
    """The snake_case spelling of a camelCase name.

    Args:
        name: A key of the schema.

    Returns:
        The name with an underscore and a small letter for each capital.

    >>> snake_case("toolCallId"), snake_case("title"), snake_case("_meta")
    ('tool_call_id', 'title', '_meta')
    """
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


@cache
def snake_spellings(names: frozenset[str]) -> Mapping[str, str]:
    """The snake_case spellings of those names that have one of their own.

    Args:
        names: Keys of the schema.

    Returns:
        The name by its spelling.

    >>> dict(snake_spellings(frozenset({"messageId", "content", "_meta"})))
    {'message_id': 'messageId'}
    """
    spelled = {snake_case(name): name for name in sorted(names)}
    return MappingProxyType({snake: name for snake, name in spelled.items() if snake not in names})
