"""Plain reducers, one a preset, written from the words of the rules: they share nothing with the engine.

Each reads one event after the other, as the client would, and keeps its texts in lists.
"""

from __future__ import annotations

from tests.grouping.references import apps, editors, kits, terminals, zed
from tests.grouping.references.client import groups

__all__ = ["REFERENCES", "groups"]

REFERENCES = {**zed.CLIENTS, **editors.CLIENTS, **apps.CLIENTS, **terminals.CLIENTS, **kits.CLIENTS}
"""Name of the preset -> its reducer for the live session, and its reducer for a replay."""
