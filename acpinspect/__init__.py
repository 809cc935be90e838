"""acpinspect: find out what really happened in an Agent Client Protocol log."""

from __future__ import annotations

__version__ = "0.1.0"
