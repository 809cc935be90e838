"""The chunks of a message, read together: a long run of plain text is one append."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

import msgspec

from acpinspect.reducer import BlockRope, Entity, Message, MessageKey
from acpinspect.timelines.logs import Excerpt
from acpinspect.timelines.reading import entity_after

__all__ = ["message_after"]


# What a chunk of plain text looks like, and nothing else: all other blocks take the long way, through the schema.
class _Text(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["text"]  # a tag would do without one that is missing
    text: str


class _Chunk(msgspec.Struct, gc=False):
    sessionUpdate: Literal["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"]  # noqa: N815
    content: _Text
    messageId: str | None = None  # noqa: N815


class _Params(msgspec.Struct, gc=False):
    update: _Chunk


class _Frame(msgspec.Struct, gc=False):
    params: _Params


_decode: Final = msgspec.json.Decoder(_Frame).decode


def message_after(entity: Entity, excerpt: Excerpt, old: object) -> object:
    """A message after some of its events: what the reducer makes of all their writes, one by one.

    Args:
        entity: The message.
        excerpt: The events.
        old: The message before them; ``None`` where it was not there.
    """
    try:
        chunks = [frame.params.update for frame in map(_decode, excerpt.texts)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return entity_after(entity, excerpt, old)
    return _with_chunks(entity, excerpt, chunks, old)  # type: ignore[arg-type]  # a message, by its kind


def _with_chunks(entity: Entity, excerpt: Excerpt, chunks: list[_Chunk], old: Message | None) -> Message:
    """All chunks appended at once; the message takes the first id that comes to it."""
    blocks = BlockRope.of_texts([chunk.content.text for chunk in chunks])
    message_id = old.message_id if old is not None else None
    if message_id is None:
        message_id = next((chunk.messageId for chunk in chunks if chunk.messageId is not None), None)
    last = excerpt.event(-1)
    if old is not None:
        return replace(old, content=old.content.extend(blocks), message_id=message_id, last_event=last)
    key = entity.key
    assert isinstance(key, MessageKey)  # noqa: S101 - a message's entity has such a key
    return Message(key.role, message_id, blocks, None, excerpt.event(0), last, key.epoch, key.label)
