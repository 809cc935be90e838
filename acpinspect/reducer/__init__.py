"""The state of a session, and the pure steps that make it: one reducer for each protocol version.

    state = empty_state("v2")
    state = v2.reduce(state, update)

`frames` has the steps for what acts on a state and is no `session/update`.
"""

from __future__ import annotations

from acpinspect.reducer import v1, v2
from acpinspect.reducer.access import get_entity, put_entity, remove_entity
from acpinspect.reducer.blocks import BlockRope, joined_text
from acpinspect.reducer.conversation import Placed, fold, place_messages
from acpinspect.reducer.entities import Compaction, Message, Plan, Terminal, ToolCall
from acpinspect.reducer.extensions import register_reducer, registered_reducers, unregister_reducer
from acpinspect.reducer.frames import apply_frame
from acpinspect.reducer.frozenmap import FrozenMap
from acpinspect.reducer.keys import Entity, EntityKey, EntityMap, MessageKey
from acpinspect.reducer.operations import fold_writes
from acpinspect.reducer.plain import plain_value
from acpinspect.reducer.ropes import Rope
from acpinspect.reducer.state import Cursor, Info, Notice, Run, SessionState, Usage, empty_state
from acpinspect.reducer.steps import Change, Place, Step
from acpinspect.reducer.writes import Write

__all__ = [
    "BlockRope",
    "Change",
    "Compaction",
    "Cursor",
    "Entity",
    "EntityKey",
    "EntityMap",
    "FrozenMap",
    "Info",
    "Message",
    "MessageKey",
    "Notice",
    "Place",
    "Placed",
    "Plan",
    "Rope",
    "Run",
    "SessionState",
    "Step",
    "Terminal",
    "ToolCall",
    "Usage",
    "Write",
    "apply_frame",
    "empty_state",
    "fold",
    "fold_writes",
    "get_entity",
    "joined_text",
    "place_messages",
    "plain_value",
    "put_entity",
    "register_reducer",
    "registered_reducers",
    "remove_entity",
    "unregister_reducer",
    "v1",
    "v2",
]
