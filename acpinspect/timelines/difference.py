"""What is different between two states: entities that came, went or changed, down to content blocks and words.

A difference holds all that it takes to make the second state of the first one: `Diff.apply`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Final, NamedTuple

from acpinspect.reducer import (
    BlockRope,
    Entity,
    EntityKey,
    EntityMap,
    FrozenMap,
    Rope,
    SessionState,
    get_entity,
    joined_text,
    plain_value,
)
from acpinspect.reducer.ropes import ByteRope
from acpinspect.timelines.edits import Edit, changed_span, text_edits
from acpinspect.timelines.naming import entity_name

__all__ = ["Diff", "EntityDiff", "FieldDiff", "Touched", "diff_states"]

_MAPS: Final[Mapping[str, str]] = {
    "message": "messages",
    "tool_call": "tool_calls",
    "plan": "plans",
    "terminal": "terminals",
    "compaction": "compactions",
}
SESSION_FIELDS: Final = (
    "session_id",
    "turn",
    "epoch",
    "run",
    "mode",
    "available_modes",
    "config_options",
    "commands",
    "info",
    "usage",
    "notices",
)
_LONGEST_TEXT: Final = 200_000
"""Words are compared in texts up to this many characters."""


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """One field that has another value.

    Attributes:
        field: Its name: of the entity, or of the session.
        before: Its value before; of a sequence only the items that are gone.
        after: Its value after; of a sequence only the items that have come.
        start: Where those items stand; ``None`` for other values.
        text: What changed in the text, where it has one.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": content}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> change = timeline.diff(2).entities[0].fields[0]
        >>> change.field, change.start, [edit.new for edit in change.text]
        ('content', 1, ['message.'])
    """

    field: str
    before: object
    after: object
    start: int | None = None
    text: tuple[Edit, ...] = ()

    def applied(self, value: object) -> object:
        """The value after, made of the one before."""
        if self.start is None or not isinstance(value, Sequence):
            return self.after
        assert isinstance(self.before, tuple)  # noqa: S101 - of a sequence
        assert isinstance(self.after, tuple)  # noqa: S101 - of a sequence
        rest = value[self.start + len(self.before) :]
        return Rope([*value[: self.start], *self.after, *rest])


@dataclass(frozen=True, slots=True)
class EntityDiff:
    """One entity that came, went or changed.

    Attributes:
        entity: Its kind and key.
        kind: ``added``, ``removed`` or ``changed``.
        place: Where an added one stands in the order of the entities.
        value: An added or removed entity.
        fields: What changed.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": content}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> [(each.kind, each.entity.key.message_id) for each in timeline.diff(1).entities]
        [('added', 'm1')]
    """

    entity: Entity
    kind: str
    place: int | None = None
    value: object = None
    fields: tuple[FieldDiff, ...] = ()


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference between two steps of a timeline.

    Attributes:
        before: The first step.
        after: The second step.
        events: The events between them.
        entities: Entities that came, went or changed.
        session: Fields of the session that changed.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": content}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> diff = timeline.diff(0, 2)
        >>> diff.events, len(diff.added)
        ((0, 1), 1)
        >>> diff.apply(timeline[0]) == timeline[2]
        True
    """

    before: int
    after: int
    events: tuple[int, ...]
    entities: tuple[EntityDiff, ...]
    session: tuple[FieldDiff, ...]

    @property
    def added(self) -> tuple[Entity, ...]:
        """Entities that are there in the second state only."""
        return tuple(each.entity for each in self.entities if each.kind == "added")

    @property
    def removed(self) -> tuple[Entity, ...]:
        """Entities that are there in the first state only."""
        return tuple(each.entity for each in self.entities if each.kind == "removed")

    @property
    def changed(self) -> tuple[Entity, ...]:
        """Entities that are there in both and differ."""
        return tuple(each.entity for each in self.entities if each.kind == "changed")

    def __bool__(self) -> bool:
        return bool(self.entities or self.session)

    def apply(self, state: SessionState) -> SessionState:
        """Make the second state of the first one.

        Args:
            state: A state that is equal to the first one.
        """
        values = {entity: get_entity(state, entity) for entity in state.order}
        gone = {each.entity for each in self.entities if each.kind == "removed"}
        order = [entity for entity in values if entity not in gone]
        for each in self.entities:
            if each.kind == "added":
                order.insert(len(order) if each.place is None else each.place, each.entity)
                values[each.entity] = each.value
            elif each.kind == "changed":
                values[each.entity] = _patched(values[each.entity], each.fields)
        fields_of_session = {each.field: each.applied(getattr(state, each.field)) for each in self.session}
        return replace(state, order=Rope(order), **_maps(order, values), **fields_of_session)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, object]:
        """The difference as plain JSON."""
        return {
            "before": self.before,
            "after": self.after,
            "events": list(self.events),
            "entities": [_plain_entity(each) for each in self.entities],
            "session": [_plain_field(each) for each in self.session],
        }

    def __repr__(self) -> str:
        from acpinspect.timelines.showing import diff_text

        return diff_text(self)

    def _repr_html_(self) -> str:
        from acpinspect.timelines.showing import diff_html

        return diff_html(self)


def _maps(order: list[Entity], values: Mapping[Entity, object]) -> dict[str, object]:
    maps: dict[str, object] = {}
    for kind, name in _MAPS.items():
        items = [(entity.key, values[entity]) for entity in order if entity.kind == kind]
        if kind in {"message", "plan"}:
            maps[name] = FrozenMap(items)
        else:
            made: EntityMap[object] = EntityMap()
            for key, value in items:
                assert isinstance(key, EntityKey)  # noqa: S101 - of these kinds
                made = made.set(key, value)
            maps[name] = made
    return maps


def _patched(value: object, changes: tuple[FieldDiff, ...]) -> object:
    made = {each.field: each.applied(getattr(value, each.field)) for each in changes}
    return replace(value, **made)  # type: ignore[type-var]  # an entity is a dataclass


class Touched(NamedTuple):
    """An entity that may differ between two states.

    Attributes:
        entity: Its kind and key.
        place: Where it stands in the order of the second state; ``None`` where it isn't there.
        moved: It went and came again in between, and stands elsewhere now.
    """

    entity: Entity
    place: int | None
    moved: bool


def diff_states(
    before: SessionState,
    after: SessionState,
    touched: Iterable[Touched],
    *,
    steps: tuple[int, int],
    events: tuple[int, ...],
) -> Diff:
    """Compare two states.

    Args:
        before: The first state.
        after: The second state.
        touched: The entities that may differ, each once, in the order of the second state.
        steps: Their steps.
        events: The events between them.
    """
    entities = [each for one in touched for each in _entity_diffs(before, after, one)]
    return Diff(*steps, events, tuple(entities), tuple(_session_diffs(before, after)))


def _entity_diffs(before: SessionState, after: SessionState, touched: Touched) -> Iterator[EntityDiff]:
    entity = touched.entity
    old, new = get_entity(before, entity), get_entity(after, entity)
    if old is not None and (new is None or touched.moved):
        yield EntityDiff(entity, "removed", value=old)
    if new is not None and (old is None or touched.moved):
        yield EntityDiff(entity, "added", touched.place, new)
    elif old is not None and old is not new and new is not None:
        changes = _field_diffs(old, new)
        if changes:
            yield EntityDiff(entity, "changed", fields=changes)


def _session_diffs(before: SessionState, after: SessionState) -> Iterable[FieldDiff]:
    for name in SESSION_FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if old is not new and old != new:
            yield _items_diff(name, old, new) if name == "notices" else FieldDiff(name, old, new)


def _field_diffs(old: object, new: object) -> tuple[FieldDiff, ...]:
    assert is_dataclass(old)  # noqa: S101 - an entity
    found = []
    for field in fields(old):
        if field.name == "written":
            a, b = getattr(old, "output", None), getattr(new, "output", None)
            if a != b:
                found.append(_bytes_diff(a, b))
            continue
        a, b = getattr(old, field.name), getattr(new, field.name)
        if a is not b and a != b:
            found.append(_items_diff(field.name, a, b) if isinstance(a, Rope) else _value_diff(field.name, a, b))
    return tuple(found)


def _value_diff(name: str, before: object, after: object) -> FieldDiff:
    both = isinstance(before, str) and isinstance(after, str)
    edits = text_edits(before, after) if both and len(before) + len(after) < _LONGEST_TEXT else ()  # type: ignore[arg-type]
    return FieldDiff(name, before, after, None, edits)


def _items_diff(name: str, before: Sequence[object], after: Sequence[object]) -> FieldDiff:
    before, after = (items if isinstance(items, Rope) else Rope(items) for items in (before, after))
    same = type(before) is type(after)
    start, old_end, new_end = changed_span(*(rope.kept() if same else tuple(rope) for rope in (before, after)))
    gone, come = before[start:old_end], after[start:new_end]
    return FieldDiff(name, gone, come, start, _text_of_items(gone, come, before.part(0, start)))


def _text_of_items(gone: tuple[object, ...], come: tuple[object, ...], kept: Rope[object]) -> tuple[Edit, ...]:
    """The edits of the text, counted from the beginning of the whole text."""
    old, new = joined_text(_blocks(gone)), joined_text(_blocks(come))
    if len(old) + len(new) > _LONGEST_TEXT:
        return ()
    offset = len(joined_text(kept if isinstance(kept, BlockRope) else _blocks(kept)))
    return tuple(edit._replace(start=edit.start + offset) for edit in text_edits(old, new))


def _blocks(items: Iterable[object]) -> Iterable[object]:
    """Content blocks; of a tool's content items, the blocks in them."""
    for item in items:
        inner = item.get("content") if isinstance(item, dict) else None
        yield inner if isinstance(inner, dict) else item


def _bytes_diff(before: bytes | None, after: bytes | None) -> FieldDiff:
    made = None if after is None else ByteRope(after)
    shown = (before or b"").decode("utf-8", "replace"), (after or b"").decode("utf-8", "replace")
    edits = text_edits(*shown) if sum(map(len, shown)) < _LONGEST_TEXT else ()
    return FieldDiff("written", before, made, None, edits)


def _plain_entity(each: EntityDiff) -> dict[str, object]:
    plain: dict[str, object] = {"entity": entity_name(each.entity), "kind": each.kind}
    if each.kind == "changed":
        plain["fields"] = [_plain_field(field) for field in each.fields]
    else:
        plain["value"] = plain_value(each.value)
    return plain


def _plain_field(each: FieldDiff) -> dict[str, object]:
    plain: dict[str, object] = {
        "field": each.field,
        "before": _plain(each.before),
        "after": _plain(each.after),
    }
    if each.start is not None:
        plain["start"] = each.start
    if each.text:
        plain["text"] = [edit._asdict() for edit in each.text]
    return plain


def _plain(value: object) -> object:
    if isinstance(value, bytes | ByteRope):
        return bytes(value).decode("utf-8", "replace")
    return [plain_value(item) for item in value] if isinstance(value, tuple | Rope) else plain_value(value)
