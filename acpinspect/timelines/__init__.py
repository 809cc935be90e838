"""The timeline of a session: its state at any step, and which event made each piece of it."""

from __future__ import annotations

from acpinspect.timelines.blame import Blame, Overwritten, Piece
from acpinspect.timelines.difference import Diff, EntityDiff, FieldDiff
from acpinspect.timelines.edits import Edit
from acpinspect.timelines.naming import EntityLike, entity_name
from acpinspect.timelines.sequence import States, Timeline, timeline

__all__ = [
    "Blame",
    "Diff",
    "Edit",
    "EntityDiff",
    "EntityLike",
    "FieldDiff",
    "Overwritten",
    "Piece",
    "States",
    "Timeline",
    "entity_name",
    "timeline",
]
