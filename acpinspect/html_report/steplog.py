"""What each event of a session did to its state, so that JavaScript can make any state of it.

Not the states are written down, which would take the square of the log, but the operations of each event, each on
one slot (a life of an entity, or a field of the session). The state of an entity at a step is the fold of its own
operations up to there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from acpinspect.events import REJECTED as REFUSED
from acpinspect.html_report.blocks import Shower
from acpinspect.reducer import Change, Entity, EntityKey, MessageKey
from acpinspect.timelines import timeline
from acpinspect.timelines.acts import ACTS, REJECTED
from acpinspect.timelines.blame import written_by
from acpinspect.timelines.changes import Told, told
from acpinspect.timelines.index import NEVER, Index, Track
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.naming import entity_name

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.grouping import AnyPolicy

__all__ = ["Operation", "SessionSteps", "Slot", "session_steps"]

_WHOLE: Final = ACTS.index("whole")
_SILENT: Final = frozenset({"first_event", "last_event"})


class Slot(NamedTuple):
    """One life of an entity, or a field of the session.

    Attributes:
        kind: message, tool_call, plan, terminal, compaction or session.
        role: Of a message.
        id: As the log has it; the name of a field of the session.
        name: What people call it.
        epoch: Replays before it.
        born: The position of the event that made it; ``None`` for none.
        died: The position of the event that removed it; ``None`` for none.
    """

    kind: str
    role: str | None
    id: str | None
    name: str
    epoch: int
    born: int | None
    died: int | None


class Operation(NamedTuple):
    """One thing that one event did.

    Attributes:
        slot: To which slot.
        action: What; ``kept`` where an update of a message changed nothing in it.
        field: To which field; ``None`` for the slot as a whole.
        value: What was appended, or what stands there now; the reason of what was ignored or rejected.
    """

    slot: int
    action: str
    field: str | None = None
    value: object = None


class SessionSteps(NamedTuple):
    """One session.

    Attributes:
        session_id: Its id.
        protocol: Its version.
        events: The label of each position in the events table.
        slots: All slots, in the order in which they begin.
        operations: What each position did, where it did anything.
        refused: Why an event was refused, by position.
    """

    session_id: str | None
    protocol: str
    events: list[int]
    slots: list[Slot]
    operations: dict[int, list[Operation]]
    refused: dict[int, str]


def session_steps(events: pd.DataFrame, policy: AnyPolicy, longest: int) -> SessionSteps:
    """The steps of the only session of a table.

    Args:
        events: The events of one session.
        policy: The grouping that says where chunks without an id go.
        longest: Characters of one text; longer ones are cut.
    """
    states = timeline(events, policy=policy)
    log, index = states.columns, states.lives
    tracks = [*index.tracks()]
    slots = [_slot(index, number, track.entity) for number, track in enumerate(tracks)]
    slots += [Slot("session", None, name, name, 0, 0, None) for name in index.fields]
    tracks += list(index.fields.values())
    operations: dict[int, list[Operation]] = defaultdict(list)
    # A content of a wrong type counts as absent, and has no type in the table.
    whole = (log.acts == _WHOLE) & events["content_type"].notna().to_numpy()[log.rows]
    for number, track in enumerate(tracks):
        shown = Shower(longest)
        for event in told(log, index, track):
            done = list(_operations(number, track, event, shown))
            operations[event.position] += done + _without_effect(
                number, track, done, is_whole=bool(whole[event.position])
            )
    return SessionSteps(log.session_id, log.protocol, log.events.tolist(), slots, dict(operations), _refused(log))


def _slot(index: Index, number: int, entity: Entity) -> Slot:
    born, died = int(index.born[number]), int(index.died[number])
    return Slot(
        entity.kind,
        entity.key.role if isinstance(entity.key, MessageKey) else None,
        _id(entity),
        entity_name(entity),
        getattr(entity.key, "epoch", 0),
        None if born == NEVER else born,
        None if died == NEVER else died,
    )


def _id(entity: Entity) -> str | None:
    key = entity.key
    if isinstance(key, MessageKey):
        return key.message_id
    return key.id if isinstance(key, EntityKey) else key


def _refused(log: SessionLog) -> dict[int, str]:
    refused = (log.acts == REJECTED).nonzero()[0].tolist()
    reasons = {position: log.problem(position) or "it doesn't fit the schema" for position in refused}
    return {position: reason.removeprefix(REFUSED) for position, reason in reasons.items()}


def _operations(number: int, track: Track, event: Told, shown: Shower) -> Iterator[Operation]:
    if event.position in track.values and track.entity.kind != "session":
        yield from _rewritten(number, event, shown)
        return
    for change in event.changes:
        if change.action in ("ignored", "rejected"):
            yield Operation(number, change.action, change.field, change.reason)
        elif change.action in ("created", "removed"):
            yield Operation(number, change.action)
        elif track.entity.kind == "session":
            yield Operation(number, change.action, None, _written(track, event.after, change, shown))
        elif change.field is not None:
            yield Operation(number, change.action, change.field, _written(track, event.after, change, shown))


def _without_effect(number: int, track: Track, done: list[Operation], *, is_whole: bool) -> list[Operation]:
    """A message update that changed no content: another policy may put it where it does."""
    if track.entity.kind != "message" or any(operation.field == "content" for operation in done):
        return []
    if is_whole:
        return [Operation(number, "kept", "content")]
    return [] if done else [Operation(number, "kept")]


def _rewritten(number: int, event: Told, shown: Shower) -> Iterator[Operation]:
    """What a user's reducer made of an entity: all fields that are other ones now."""
    if event.after is None:
        yield Operation(number, "removed")
        return
    if event.before is None:
        yield Operation(number, "created")
    assert is_dataclass(event.after)  # noqa: S101 - an entity
    for name in [field.name for field in fields(event.after) if field.name not in _SILENT]:
        value = getattr(event.after, name)
        if event.before is None or value != getattr(event.before, name, None):
            yield Operation(number, "patched", name, shown(name, value))


def _written(track: Track, after: object, change: Change, shown: Shower) -> object:
    """What was appended; of all other changes the whole value. A field of the session has no fields of its own."""
    if change.action == "appended":
        return shown(change.field, written_by(after, change), appended=True)
    whole = after if track.entity.kind == "session" else getattr(after, change.field or "", None)
    return shown(change.field, whole)
