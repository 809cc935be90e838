"""The usual records of any recorder, read without detours: plain values, and beside them one bare message.

What these lines mean is told in `envelopes` and `siblings`; here they are only read sooner. Any doubt leaves a
line to those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np
from msgspec import UNSET, Raw

from acpinspect.reading.arrays import Mask
from acpinspect.reading.block_records import BlockRecords, block_records
from acpinspect.reading.columns import Columns, beside_columns
from acpinspect.reading.envelopes import RPC_KEYS, candidates, shaping_keys
from acpinspect.reading.extract import Message, decode_bare
from acpinspect.reading.frames import Frame, Place
from acpinspect.reading.jsontext import may_be_too_deep
from acpinspect.reading.siblings import Siblings, placed, read_siblings

__all__ = ["plain_record", "plain_records"]

_MAY_SAY_MORE: Final = RPC_KEYS | {"update", "sessionUpdate", "session_update"}
_IN_TEXT: Final = (b"{", b"[", b"\\", b'"eyJ')

_decode: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_all: Final = msgspec.json.Decoder(list[dict[str, Raw]]).decode

_NAME: Final = rb'[^"\\\x00-\x1f\x7f-\xff]+'
_SCALAR: Final = rb'(?:"(?!eyJ)[^"\\\x00-\x1f]*+"|-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][-+]?\d++)?|true|false|null)'
_MEMBER: Final = rb'"' + _NAME + rb'":[ ]?' + _SCALAR
_FLAT: Final = re.compile(
    rb'\{(?!"(?:jsonrpc|id|method|params|result|error)")'
    rb"(" + _MEMBER + rb"(?:,[ ]?" + _MEMBER + rb")*+)"
    rb',[ ]?"(' + _NAME + rb')":[ ]?(\{.*\})\}',
    re.DOTALL,
).fullmatch
"""Plain members, a key, and what may be the message under it. No string in them can hold a message: it would need
quotes, or be in base64."""


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


def plain_records(lines: Sequence[bytes], candidates: Mask) -> BlockRecords:
    """The records among some lines whose last member is the message, and all others plain values.

    Args:
        lines: The lines of a block.
        candidates: Which of them may be one.

    Examples:
        >>> lines = [b'{"ts":12.5,"dir":"in","msg":{"id":1,"result":{}}}', b'{"id":1,"result":{}}']
        >>> found = plain_records(lines, np.array([True, True]))
        >>> found.texts, found.beside["sender_label"].to_pylist()
        ([b'{"id":1,"result":{}}'], ['in', None])
    """
    matches = [(i, match) for i in np.flatnonzero(candidates).tolist() if (match := _FLAT(lines[i]))]
    heads = _decode_all(b"[%b]" % b",".join([b"{%b}" % match[1] for _, match in matches]))
    forms = [(*head, match[2].decode()) for head, (_, match) in zip(heads, matches, strict=True)]
    usual = {form: len({*form}) == len(form) and _may_hold(form) for form in {*forms}}
    found = [
        (i, match[3], said)
        for form, head, (i, match) in zip(forms, heads, matches, strict=True)
        if usual[form] and not _says_more(said := read_siblings(head, Siblings()), match[3])
    ]
    rows, texts = [i for i, _, _ in found], [text for _, text, _ in found]
    beside = _columns([said for _, _, said in found]) if found else None
    return block_records(len(lines), rows, texts, beside)


def _columns(said: Sequence[Siblings]) -> Columns:
    """What siblings say, in columns."""
    return beside_columns(
        [one.stamp for one in said],
        [one.label for one in said],
        [None] * len(said),
        [one.connection for one in said],
    )


def _usual(value: bytes, place: Place) -> Frame | None:
    keys = _decode(value)
    key = _holder(keys)
    if key is None or not _is_plain(decode_bare(keys[key])):
        return None
    raw = bytes(keys[key])
    said = read_siblings(keys, Siblings())
    return None if _says_more(said, raw) else placed(raw.decode(), place, said)


def _says_more(said: Siblings, raw: bytes) -> bool:
    """Whether what stands beside a message changes what it is, or the message what stands beside it."""
    if said.stderr or said.base64 or said.label == "upstream":
        return True
    return said.stamp.clock == "epoch s" and b"agentTimestampMs" in raw


def _may_hold(keys: Iterable[str]) -> bool:
    """Whether an object with these keys is neither a message nor a record of a form of its own."""
    return _MAY_SAY_MORE.isdisjoint(keys) and shaping_keys().isdisjoint(keys)


def _holder(keys: Mapping[str, Raw]) -> str | None:
    """The key under which the message stands, if nothing else can hold one or be one."""
    if not _may_hold(keys):
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
