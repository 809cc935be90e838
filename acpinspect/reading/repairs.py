"""Text that a recorder damaged in a known, undoable way.

JetBrains IDEs write each UTF-8 byte above 127 of a message as the character U+FF00 + byte (the byte, extended with
its sign): an en dash becomes U+FFE2 U+FF80 U+FF93. Real half-width text lives in the same range, so a run of such
characters is put back only where its bytes are UTF-8. Source: the example log of anna239/acp-replay.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from acpinspect.reading.frames import Frame

__all__ = ["repair", "repairable", "without_mojibake"]

_RUN: Final = re.compile("[\uff80-\uffff]{2,}")


def repairable(prefix: bytes) -> bool:
    """Whether the text before a message is of a writer that damages text.

    Examples:
        >>> repairable(b"2026-01-05 12:00:00,041 [ 75] FINE - AcpTransport - IN: ")
        True
    """
    return b"AcpTransport - " in prefix


def repair(frame: Frame) -> Frame:
    """The frame with its text put right, which its problem then says; the same frame where nothing is wrong."""
    raw = without_mojibake(frame.raw)
    return frame if raw == frame.raw else msgspec.structs.replace(frame, raw=raw, problem="repaired: mojibake")


def without_mojibake(text: str) -> str:
    """The text with sign-extended UTF-8 decoded.

    Examples:
        >>> without_mojibake("tide table \uffe2\uff80\uff93 one moment")
        'tide table – one moment'
        >>> without_mojibake("\uff8a\uff9d\uff76\uff78")
        'ﾊﾝｶｸ'
    """
    return text if text.isascii() else _RUN.sub(_decoded, text)


def _decoded(match: re.Match[str]) -> str:
    try:
        return bytes(ord(character) & 0xFF for character in match.group()).decode("utf-8")
    except UnicodeDecodeError:
        return match.group()
