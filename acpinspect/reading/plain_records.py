"""The usual line of a recorder, read without detours: plain values, and beside them one bare message.

What these lines mean is told in `envelopes` and `siblings`; here they are only read sooner. Any doubt leaves a
line to those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import UNSET, Raw

from acpinspect.reading.envelopes import RPC_KEYS, candidates, shaping_keys
from acpinspect.reading.extract import Message, decode_bare
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.jsontext import may_be_too_deep
from acpinspect.reading.siblings import Siblings, placed, read_siblings

__all__ = ["plain_record"]

_MAY_SAY_MORE: Final = RPC_KEYS | {"update", "sessionUpdate", "session_update"}
_IN_TEXT: Final = (b"{", b"[", b"\\", b'"eyJ')

_decode: Final = msgspec.json.Decoder(dict[str, Raw]).decode


def plain_record(value: bytes, place: Place) -> Frame | None:
    """The frame in a line that is a usual record; None for all others.

    Args:
        value: The line, without blanks around it.
        place: Where it stands.

    Examples:
        >>> line = b'{"ts":1767610800041,"dir":"in","msg":{"jsonrpc":"2.0","id":0,"result":{}}}'
        >>> frame = plain_record(line, Place("a.log", 1, 0, len(line)))
        >>> frame.raw, frame.label, frame.clock
        ('{"jsonrpc":"2.0","id":0,"result":{}}', 'in', 'epoch ms')
        >>> plain_record(b'{"ts":1767610800041,"level":"info"}', Place("a.log", 2, 76, 35))
    """
    if may_be_too_deep(value):
        return None
    try:
        return _usual(value, place)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _usual(value: bytes, place: Place) -> Frame | None:
    keys = _decode(value)
    key = _holder(keys)
    if key is None or not _is_plain(decode_bare(keys[key])):
        return None
    raw = bytes(keys[key]).decode()
    said = read_siblings(keys, Siblings())
    if said.stderr or said.base64 or said.label == "upstream":
        return None
    if said.stamp.clock == "epoch s" and "agentTimestampMs" in raw:
        return None
    return placed(raw, place, said)


def _holder(keys: Mapping[str, Raw]) -> str | None:
    """The key under which the message stands, if nothing else can hold one or be one."""
    if not _MAY_SAY_MORE.isdisjoint(keys) or not shaping_keys().isdisjoint(keys):
        return None
    for key in candidates(keys):
        value = bytes(keys[key])
        if value.startswith(b"{"):
            return key
        if value.startswith(b"[") or (value.startswith(b'"') and any(mark in value for mark in _IN_TEXT)):
            return None
    return None


def _is_plain(message: Message) -> bool:
    """Whether it is a message wherever it stands, with its update where the protocol has it."""
    if message.method is None:
        return message.result is not UNSET or message.error is not UNSET
    return "session/update" not in message.method or message.params.update.sessionUpdate is not None
