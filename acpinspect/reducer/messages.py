"""What updates do to messages and compactions: chunks append a block, whole updates patch.

Source: both design documents; ``ContentChunk``, ``UserMessage``, ``CompactionUpdate`` in the schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from acpinspect.reducer.blocks import NO_BLOCKS, frozen_blocks
from acpinspect.reducer.entities import Compaction, Message
from acpinspect.reducer.keys import EntityKey, MessageKey
from acpinspect.reducer.patching import FieldChange, Patched, PatchField, patch
from acpinspect.reducer.values import freeze
from acpinspect.reducer.writes import Write

__all__ = ["append_blocks", "append_summary", "patch_compaction", "patch_message"]

_CREATED: Final = FieldChange("created")
_META: Final = PatchField("_meta", "meta")
_MESSAGE: Final = (PatchField("content", "content", NO_BLOCKS, frozen_blocks, len), _META)  # type: ignore[arg-type]
_COMPACTION: Final = (
    PatchField("status", "status"),
    PatchField("summary", "summary", NO_BLOCKS, frozen_blocks, len),  # type: ignore[arg-type]
    PatchField("error", "error"),
    _META,
)


def _message(old: Message | None, write: Write) -> tuple[Message, tuple[FieldChange, ...]]:
    """The message that a write is about, made where it is new; it takes the first id that comes to it."""
    sent = write.fields.get("messageId")
    message_id = sent if isinstance(sent, str) else None
    if old is None:
        key = write.entity.key
        assert isinstance(key, MessageKey)  # noqa: S101 - a message's entity has such a key
        new = Message(
            role=write.role or key.role,
            message_id=message_id,
            first_event=write.event,
            last_event=write.event,
            epoch=key.epoch,
            label=key.label,
        )
        return new, (_CREATED,)
    if old.message_id is None and message_id is not None:
        return replace(old, message_id=message_id), ()
    return old, ()


def append_blocks(old: Message | None, writes: Sequence[Write]) -> Patched[Message]:
    """Append the block of each chunk. A chunk's ``_meta`` belongs to the chunk and goes nowhere."""
    message, created = _message(old, writes[0])
    if message.message_id is None:
        # A policy that doesn't look at ids can put a chunk without one before a chunk that has one.
        sent = (write.fields.get("messageId") for write in writes)
        message = replace(message, message_id=next((name for name in sent if isinstance(name, str)), None))
    content = message.content.extend([freeze(write.fields["content"]) for write in writes])
    change = FieldChange("appended", "content", len(message.content), len(content))
    return Patched(replace(message, content=content, last_event=writes[-1].event), (*created, change))


def patch_message(old: Message | None, write: Write) -> Patched[Message]:
    """Upsert a message: ``content`` and ``_meta`` are patch fields."""
    message, created = _message(old, write)
    patched = patch(replace(message, last_event=write.event), write.fields, _MESSAGE)
    return Patched(patched.value, (*created, *patched.changes) or (FieldChange("patched"),))


def _compaction(old: Compaction | None, write: Write) -> tuple[Compaction, tuple[FieldChange, ...]]:
    if old is not None:
        return old, ()
    key = write.entity.key
    assert isinstance(key, EntityKey)  # noqa: S101 - a compaction's entity has such a key
    return Compaction(key.id, epoch=key.epoch), (_CREATED,)


def patch_compaction(old: Compaction | None, write: Write) -> Patched[Compaction]:
    """Upsert a compaction: ``status`` is always there; ``summary``, ``error`` and ``_meta`` are patch fields."""
    compaction, created = _compaction(old, write)
    patched = patch(compaction, write.fields, _COMPACTION)
    return Patched(patched.value, (*created, *patched.changes))


def append_summary(old: Compaction | None, writes: Sequence[Write]) -> Patched[Compaction]:
    """Append one block of each chunk to the summary."""
    compaction, created = _compaction(old, writes[0])
    summary = compaction.summary.extend([freeze(write.fields["content"]) for write in writes])
    change = FieldChange("appended", "summary", len(compaction.summary), len(summary))
    return Patched(replace(compaction, summary=summary), (*created, change))
