"""Which event wrote each piece of an entity, and what it wrote over."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from acpinspect.events import Column
from acpinspect.reducer import Change, Entity, Rope, joined_text
from acpinspect.reducer.ropes import ByteRope
from acpinspect.reducer.steps import Action
from acpinspect.timelines.changes import Told
from acpinspect.timelines.showing import as_text

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "Blame", "Overwritten", "Piece", "blame_of", "value_text", "written_by"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("field", "string", "The field of the entity; for a field of the session, the field itself."),
    Column("start", "Int64", "First item (block, byte) that the event wrote; NA where the field is one value."),
    Column("stop", "Int64", "The item after the last one."),
    Column("event", "Int64", "The event that wrote it."),
    Column("action", "string", "What it did there: appended, replaced, patched, cleared."),
    Column("text", "string", "What it wrote, as text."),
    Column("overwrote", "string", "What stood there before, as text; empty where nothing did."),
    Column("overwritten_events", "object", "The events that had written that (list of int)."),
)


class Overwritten(NamedTuple):
    """What stood at a place before: the event that had written it, and its value.

    Attributes:
        event: The event that had written it.
        value: What stood there: the items, or the value.
        text: The same as text.

    Examples:
        >>> import acpinspect
        >>> def update(name, content):
        ...     return "s1", {"sessionUpdate": name, "messageId": "m1", "content": content}
        >>> log = [update("agent_message_chunk", {"type": "text", "text": "A"}), update("agent_message", [])]
        >>> timeline = acpinspect.timeline(acpinspect.from_records(log, protocol="v2"))
        >>> [(old.event, old.text) for old in timeline.blame("m1").pieces[0].overwrote]
        [(0, 'A')]
    """

    event: int
    value: object
    text: str


class Piece(NamedTuple):
    """One piece of an entity.

    Attributes:
        field: The field that it is, or is a part of.
        start: First item (block, byte) that it is; ``None`` where the field is one value.
        stop: The item after its last one.
        event: The event that wrote it.
        action: What that event did there.
        value: The items, or the value.
        text: The same as text.
        overwrote: What stood there before.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": content}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> timeline.blame("m1").pieces[1].action
        'appended'
    """

    field: str
    start: int | None
    stop: int | None
    event: int
    action: Action
    value: object
    text: str
    overwrote: tuple[Overwritten, ...] = ()


@dataclass(frozen=True, slots=True)
class Blame:
    """Who wrote an entity.

    Attributes:
        entity: The entity.
        step: The step at which it is looked at.
        pieces: Its pieces: field by field, each in order. A field that nobody wrote has none.

    Examples:
        >>> import acpinspect
        >>> def chunk(text):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": content}
        >>> timeline = acpinspect.timeline(acpinspect.from_records([chunk("One "), chunk("message.")]))
        >>> [(piece.event, piece.text) for piece in timeline.blame("m1").pieces]
        [(0, 'One '), (1, 'message.')]
    """

    entity: Entity
    step: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The text of the pieces of its content, joined."""
        return "".join(piece.text for piece in self.pieces if piece.start is not None and piece.field in _TEXTS)

    @property
    def table(self) -> pd.DataFrame:
        """The pieces as a DataFrame; see `acpinspect.timelines.blame.COLUMNS`."""
        import pandas as pd

        rows = [
            (
                *piece[:5],
                piece.text,
                "".join(old.text for old in piece.overwrote),
                [old.event for old in piece.overwrote],
            )
            for piece in self.pieces
        ]
        table = pd.DataFrame(rows, columns=[column.name for column in COLUMNS])
        return table.astype({column.name: column.dtype for column in COLUMNS})

    def __repr__(self) -> str:
        from acpinspect.timelines.showing import blame_text

        return blame_text(self)

    def _repr_html_(self) -> str:
        from acpinspect.timelines.showing import blame_html

        return blame_html(self)


_TEXTS: Final = frozenset({"content", "summary", "written"})


@dataclass(slots=True)
class _Pieces:
    """The pieces of each field while the story is told."""

    events: Sequence[int]
    found: dict[str, list[Piece]] = field(default_factory=dict)

    def hear(self, told: Told, entity: Entity) -> None:
        for change in told.changes:
            if change.action in {"rejected", "ignored", "created", "removed"}:
                continue
            name = change.field or _main_field(entity, told.after)
            event = int(self.events[told.position])
            if change.field is None and entity.kind != "session":
                # A user's reducer replaces whole entities; an update that says nothing patches no field.
                if change.action == "replaced":
                    self._replace(told, event, name)
                continue
            value = written_by(told.after, change)
            known = self.found.setdefault(name, [])
            piece = Piece(name, change.start, change.stop, event, change.action, value, value_text(name, value))
            if change.action == "appended":
                known.append(piece)
                continue
            overwrote = tuple(Overwritten(old.event, old.value, old.text) for old in known if old.value)
            self.found[name] = [piece._replace(overwrote=overwrote)]

    def _replace(self, told: Told, event: int, name: str) -> None:
        """A user's reducer put another entity in its place: all that it shows is that event's."""
        old = tuple(
            Overwritten(piece.event, piece.value, piece.text) for known in self.found.values() for piece in known
        )
        whole = getattr(told.after, name, told.after)
        value = tuple(whole) if isinstance(whole, Rope) else whole
        start, stop = (0, len(value)) if isinstance(value, tuple) else (None, None)
        self.found.clear()
        self.found[name] = [Piece(name, start, stop, event, "replaced", value, value_text(name, value), old)]


def _main_field(entity: Entity, value: object) -> str:
    """What a change of no field in particular is a change of: a user's reducer replaces whole entities."""
    if entity.kind == "session":
        return str(entity.key)
    return next((name for name in ("content", "summary", "entries", "written") if hasattr(value, name)), "entity")


def written_by(entity: object, change: Change) -> object:
    """What a change wrote: the items, or the value."""
    whole = entity if change.field is None else getattr(entity, change.field, None)
    if change.start is None or change.stop is None:
        return whole
    if isinstance(whole, ByteRope):
        return whole.tail(change.stop - change.start)  # what a change writes stands at the end
    if not isinstance(whole, Rope):
        return whole
    return tuple([whole[place] for place in range(change.start, change.stop)])


def value_text(name: str, value: object) -> str:
    """What a change wrote to a field, as text."""
    if isinstance(value, bytes | ByteRope):
        return bytes(value).decode("utf-8", "replace")
    if name in {"content", "summary"} and isinstance(value, Sequence) and not isinstance(value, str):
        return joined_text(_blocks(value))
    return as_text(value)


def _blocks(items: Iterable[object]) -> Iterable[object]:
    for item in items:
        inner = item.get("content") if isinstance(item, dict) and item.get("type") == "content" else None
        yield inner if isinstance(inner, dict) else item


def blame_of(entity: Entity, step: int, story: Iterable[Told], events: Sequence[int]) -> Blame:
    """Find who wrote an entity.

    Args:
        entity: The entity, or the field of the session.
        step: The step at which it is looked at.
        story: Its events up to there.
        events: The label of each position in the events table.
    """
    pieces = _Pieces(events)
    for told in story:
        pieces.hear(told, entity)
    found = [piece for name, known in pieces.found.items() for piece in _as_read(name, known)]
    return Blame(entity, step, tuple(found))


def _as_read(name: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces with texts that join to the whole text: a character that two events made is the second one's."""
    if name not in _TEXTS or len(pieces) < 2:
        return pieces
    decoder = codecs.getincrementaldecoder("utf-8" if name == "written" else "utf-16-le")("replace")
    last = len(pieces) - 1
    return [
        piece._replace(text=decoder.decode(_coded(piece.value), at == last)) for at, piece in enumerate(pieces)
    ]


def _coded(value: object) -> bytes:
    if isinstance(value, bytes | ByteRope):
        return bytes(value)
    blocks = _blocks(value) if isinstance(value, Sequence) else ()
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "".join([text for text in texts if isinstance(text, str)]).encode("utf-16-le", "surrogatepass")
