"""What entities are called where people read and write: in tables, on the command line, in arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from acpinspect.errors import ArgumentError
from acpinspect.reducer import Entity, EntityKey, MessageKey
from acpinspect.reducer.keys import EntityKind, SessionField

__all__ = ["EntityLike", "entity_name", "resolve"]

EntityLike = str | Entity | MessageKey | EntityKey
_FIELDS: Final[tuple[str, ...]] = get_args(SessionField)
_KINDS: Final[tuple[str, ...]] = get_args(EntityKind)
_MOST_NAMED: Final = 6


def entity_name(entity: Entity) -> str:
    """The name of an entity; two entities of one session never share one.

    Args:
        entity: Its kind and key.

    Examples:
        >>> entity_name(Entity("message", MessageKey(0, "agent", "m1")))
        'agent message m1'
        >>> entity_name(Entity("message", MessageKey(1, "user", None, 4)))
        'user message number 4 (epoch 1)'
        >>> entity_name(Entity("session", "run")), entity_name(Entity("plan", ""))
        ('session run', 'plan ')
    """
    key = entity.key
    if isinstance(key, MessageKey):
        name = f"number {key.label!r}" if key.message_id is None else _quoted(key.message_id)
        return f"{key.role} message {name}{_epoch(key.epoch)}"
    if isinstance(key, EntityKey):
        return f"{entity.kind} {_quoted(key.id)}{_epoch(key.epoch)}"
    return f"{entity.kind} {_quoted(key) if key else ''}"  # v1's plan has no name


def _quoted(name: str) -> str:
    """An id as it is, but in quotes where it could be taken for something else."""
    odd = (
        not name or name.startswith("number ") or name.endswith(")") or name[0] in "'\"" or not name.isprintable()
    )
    return repr(name) if odd else name


def _epoch(epoch: int) -> str:
    return f" (epoch {epoch})" if epoch else ""


def resolve(given: EntityLike, entities: Iterable[Entity]) -> Entity:
    """The entity that an argument means.

    Args:
        given: An entity or its key; or as text its id, its name as the tables show it, or a field of the session.
        entities: All entities of the session.

    Returns:
        The entity; of an id that came back after a load, the last one.

    Raises:
        ArgumentError: There is no such entity, or the id belongs to several (roles or kinds).
    """
    known = dict.fromkeys(entities)
    if isinstance(given, str):
        return _by_text(given, known)
    found = [entity for entity in known if given in (entity, entity.key)]
    if isinstance(given, Entity) and given.kind == "session" and given.key in _FIELDS:
        found = [given]
    if not found:
        raise ArgumentError(f"There is no {given!r} in this session.")
    return found[0]


def _by_text(given: str, known: dict[Entity, None]) -> Entity:
    found: dict[tuple[str, str], Entity] = {}
    for entity in known:
        key = entity.key
        if entity_name(entity) == given:
            return entity
        name = key.message_id if isinstance(key, MessageKey) else key.id if isinstance(key, EntityKey) else key
        if name == given:
            # A later epoch takes the place of an earlier one.
            found[entity.kind, key.role if isinstance(key, MessageKey) else ""] = entity
    field = given.removeprefix("session ")
    if field in _FIELDS and not found:
        return Entity("session", field)
    if len(found) == 1:
        return next(iter(found.values()))
    names = ", ".join([entity_name(entity) for entity in (found.values() or known)][:_MOST_NAMED])
    if found:
        raise ArgumentError(f"{given!r} can mean any of these: {names}.")
    raise ArgumentError(f"There is nothing called {given!r} in this session. There is: {names or 'nothing yet'}.")
