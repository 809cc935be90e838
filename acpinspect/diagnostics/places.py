"""Where in a frame's JSON text a finding shows."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

__all__ = ["place"]

_IDS: Final = ("messageId", "message_id")
_TEXT: Final = ("text",)
_TOOL: Final = ("toolCallId",)
_STOP: Final = ("stopReason", "error")
_STATUS: Final = ("status",)

_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "message-id-invalid": _IDS,
    "mixed-message-ids": _IDS,
    "message-id-in-meta": ("_meta",),
    "id-per-chunk": _IDS,
    "id-reused-across-turns": _IDS,
    "id-role-conflict": _IDS,
    "interleaved-messages": _IDS,
    "message-spans-tool-call": _IDS,
    "replay-ids-changed": _IDS,
    "prompt-message-id": ("messageId", "userMessageId"),
    "glued-boundary": _TEXT,
    "restated-message": _TEXT,
    "cumulative-chunks": _TEXT,
    "empty-chunk": _TEXT,
    "text-corruption": _TEXT,
    "lost-whitespace": _TEXT,
    "restarted-message": _TEXT,
    "reasoning-in-text": _TEXT,
    "replay-duplicate": _TEXT,
    "prompt-echo": _TEXT,
    "content-replaced": ("content",),
    "cumulative-tool-content": ("content",),
    "tool-update-before-create": _TOOL,
    "duplicate-tool-call": _TOOL,
    "permission-without-tool": _TOOL,
    "tool-status-regression": _STATUS,
    "stop-reason-anomaly": _STOP,
    "empty-turn": _STOP,
    "session-unknown": ("sessionId",),
    "update-after-close": ("sessionId",),
    "partial-plan-update": ("entries",),
    "unknown-method": ("method",),
}
_OTHERWISE: Final = ("sessionUpdate", "result", "error", "method")


def place(raw: str, code: str) -> tuple[int, int]:
    """Begin and end of what a finding of a code is about, in the JSON text of its event.

    Example:
        >>> raw = '{"messageId": "m1", "content": {"text": "Hm"}}'
        >>> begin, end = place(raw, "glued-boundary")
        >>> raw[begin:end]
        '"Hm"'
    """
    for key in (*_KEYS.get(code, ()), *_OTHERWISE):
        found = _value_of(key).search(raw)
        if found:
            return found.span(1)
    return 0, len(raw)


@cache
def _value_of(key: str) -> re.Pattern[str]:
    """A key and its value; of an object or an array only the bracket that opens it."""
    return re.compile(rf'"{re.escape(key)}"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s",}}\]]+)')
