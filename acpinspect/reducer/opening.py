"""Which message is open: where a v1 chunk without an id goes when the caller gives no label.

The rules are those of the grouping `spec`: there is one open message; a chunk of another role closes it, and so do
tools at their first sight, plans, compactions at their first update, prompts and their responses, and loads.
Usage, mode, commands, options, titles, notices and what has no effect leave it open.
"""

from __future__ import annotations

from typing import Final

from acpinspect.reducer.entities import Compaction
from acpinspect.reducer.keys import MessageKey
from acpinspect.reducer.writes import Shape, Write

__all__ = ["open_after"]

_ALWAYS: Final[frozenset[Shape]] = frozenset({"tool_call", "plan", "plan_update", "plan_removed"})
_AT_FIRST_SIGHT: Final[frozenset[Shape]] = frozenset({"tool_call_update", "tool_content_chunk"})


def open_after(write: Write, old: object, before: MessageKey | None) -> MessageKey | None:
    """The open message after a write.

    Args:
        write: The write.
        old: The entity before it, or ``None`` at its first sight.
        before: The message that was open.
    """
    if isinstance(write.entity.key, MessageKey):
        return write.entity.key
    if write.shape in _ALWAYS or (write.shape in _AT_FIRST_SIGHT and old is None):
        return None
    first_update = old is None or (isinstance(old, Compaction) and old.status is None)
    return None if write.shape == "compaction" and first_update else before
