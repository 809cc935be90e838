"""The updates of one tool call as one write: what a later update replaces is dropped before it is looked at.

A tool call's updates repeat its status and its output again and again. Their fields are put together, last value
wins, and the rest is read as one update. Where anything in that one doesn't fit the schema, an earlier value may
count, so each update is then read by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from acpinspect.protocol import Version, read_update
from acpinspect.reducer import Entity, Write
from acpinspect.reducer.operations import value_after
from acpinspect.reducer.writes import Shape
from acpinspect.timelines.acts import ACTS, PERMISSION, codes_of
from acpinspect.timelines.logs import Excerpt
from acpinspect.timelines.plain_tools import plain_fields
from acpinspect.timelines.reading import entity_after
from acpinspect.timelines.texts import parsed

__all__ = ["tool_after"]

_CREATES: Final = ACTS.index("tool_call")
_MERGED: Final = frozenset(codes_of("tool_call", "tool_call_update", "permission"))


def tool_after(entity: Entity, excerpt: Excerpt, old: object) -> object:
    """A tool call after some of its events: what the reducer makes of all their writes, one by one.

    Args:
        entity: The tool call.
        excerpt: The events.
        old: The tool call before them; ``None`` where it was not there.
    """
    acts = excerpt.acts()
    if _MERGED.issuperset(acts):
        return _after_merged(entity, excerpt, acts, old)
    value, begin = old, 0
    for together, group in groupby(acts, key=_MERGED.__contains__):
        some = list(group)
        part = excerpt.part(begin, begin + len(some))
        value = _after_merged(entity, part, some, value) if together else entity_after(entity, part, value)
        begin += len(some)
    return value


def _after_merged(entity: Entity, excerpt: Excerpt, acts: list[int], old: object) -> object:
    """A tool call after updates that patch it: one write for all, if they can be put together."""
    if _CREATES in acts[1:]:  # v1: it overwrites all that was before it
        start = len(acts) - 1 - acts[::-1].index(_CREATES)
        excerpt, acts = excerpt.part(start), acts[start:]
    fields = plain_fields(excerpt.protocol, acts, excerpt.texts)
    if fields is None:
        fields = _read_fields(excerpt.protocol, acts, excerpt.texts)
    if fields is None:
        return entity_after(entity, excerpt, old)
    shape: Shape = "tool_call" if acts[0] == _CREATES else "tool_call_update"
    return value_after(excerpt.protocol, old, Write(entity, shape, fields, excerpt.event(-1)))


def _read_fields(version: Version, acts: list[int], texts: list[memoryview]) -> Mapping[str, object] | None:
    """The last value of each field; ``None`` where anything in them doesn't fit the schema."""
    fields: dict[str, object] = {}
    for act, text in zip(acts, texts, strict=True):
        update = _update(version, act, text)
        # In v1 null means that nothing is said.
        said = version == "v2" or act == _CREATES
        fields |= update if said else {key: value for key, value in update.items() if value is not None}
    fields["sessionUpdate"] = "tool_call" if acts[0] == _CREATES else "tool_call_update"
    reading = read_update(fields, version)
    return None if reading.variant is None or reading.rejected is not None or reading.issues else reading.fields


def _update(version: Version, act: int, text: memoryview) -> Mapping[str, object]:
    """The fields of a tool call: of an update, or of a permission request."""
    frame = parsed(text)
    carrier = frame.get("params") if isinstance(frame, dict) else None
    if act == PERMISSION and version == "v2":
        carrier = carrier.get("subject") if isinstance(carrier, dict) else None
    found = carrier.get("toolCall" if act == PERMISSION else "update") if isinstance(carrier, dict) else None
    return found if isinstance(found, dict) else {}
