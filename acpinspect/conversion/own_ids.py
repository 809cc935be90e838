"""Ids for what has none in v1: derived from the place in the log, and different from every id in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["MESSAGE", "PLAN", "free_prefix"]

MESSAGE: Final = "acpinspect-message"
PLAN: Final = "acpinspect-plan"


def free_prefix(prefix: str, ids: Iterable[str]) -> str:
    """The prefix with so many hyphens after it that none of the ids begins with it.

    What is made of it and a number can't be an id of the log, whoever chose the ids. Cost: linear in their length.

    Args:
        prefix: A prefix.
        ids: All ids of the log.

    >>> free_prefix("m", ["m", "m-1", "n"]), free_prefix("m", ["n"])
    ('m--', 'm-')
    """
    longest = 0
    for known in ids:
        if known.startswith(prefix):
            rest = known[len(prefix) :]
            longest = max(longest, len(rest) - len(rest.lstrip("-")))
    return prefix + "-" * (longest + 1)
