"""The unit of work: one update's (or one frame's) effect on one entity, before it is applied.

Because a write names its entity, an entity can be made from its own writes alone, without a state around it.
That is how a timeline looks at one message of a million events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from acpinspect.protocol import Role, UpdateShape
from acpinspect.reducer.keys import Entity

__all__ = ["FrameShape", "Shape", "Write"]

FrameShape: TypeAlias = Literal["modes", "prompted", "answered", "cancel", "turn"]
"""What acts on a state and is no `session/update`: see `acpinspect.reducer.frames`."""

Shape: TypeAlias = UpdateShape | FrameShape


class Write(NamedTuple):
    """What one event does to one entity.

    Attributes:
        entity: What it changes.
        shape: The operation.
        fields: The usable fields of the update, as `read_update` left them.
        event: The number of the event.
        role: Of message updates.

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> step = v1.apply(empty_state("v1"), {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Read"})
        >>> [(write.entity.kind, write.shape) for write in step.writes]
        [('tool_call', 'tool_call')]
    """

    entity: Entity
    shape: Shape
    fields: Mapping[str, object]
    event: int
    role: Role | None = None
