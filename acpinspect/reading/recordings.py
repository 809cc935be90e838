"""Which recording a source belongs to, told from its name."""

from __future__ import annotations

__all__ = ["recording_of"]


def recording_of(source: str) -> str:
    """The recording that a source is a part of."""
    return source
