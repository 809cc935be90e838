"""The rules, by theme; each stands in the module of its theme and says by `builtin` which code it has."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Final

__all__ = ["THEMES", "register_all"]

THEMES: Final = (
    "boundaries",
    "conversion",
    "copies",
    "history",
    "ids",
    "plans",
    "replays",
    "schema",
    "sessions",
    "states",
    "texts",
    "tool_status",
    "tools",
    "turns",
)


@cache
def register_all() -> None:
    """Import all modules, which registers their rules."""
    for theme in THEMES:
        importlib.import_module(f"{__name__}.{theme}")
