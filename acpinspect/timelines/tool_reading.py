"""The updates of one tool call as few writes: of each field only the last value is read.

A tool call's updates repeat its output again and again, kilobytes each. Their fields are told apart without being
read; what a later update replaces is dropped, and the rest is one update. Where anything in that one doesn't fit
the schema, an earlier value may count, so each update is then read by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
import orjson

from acpinspect.protocol import Version, read_update
from acpinspect.reducer import Entity, Write
from acpinspect.timelines.acts import ACTS, codes_of
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.reading import writes_of

__all__ = ["tool_writes"]

_Raws = dict[str, msgspec.Raw]
_NULL: Final = b"null"
_CREATES: Final = ACTS.index("tool_call")
_MERGED: Final = frozenset(codes_of("tool_call", "tool_call_update", "permission"))


class _Subject(msgspec.Struct, gc=False):
    toolCall: _Raws  # noqa: N815


class _Params(msgspec.Struct, gc=False):
    """Where the fields of a tool call stand: in an update, or in a permission request of v1 or v2."""

    update: _Raws | None = None
    toolCall: _Raws | None = None  # noqa: N815
    subject: _Subject | None = None

    @property
    def fields(self) -> _Raws:
        """The fields; none are those of a request that carries no tool call."""
        return self.update or self.toolCall or (self.subject.toolCall if self.subject is not None else {})


class _Frame(msgspec.Struct, gc=False):
    params: _Params


_decode: Final = msgspec.json.Decoder(_Frame).decode


def tool_writes(log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32]) -> Iterator[Write]:
    """Writes that make of a tool call what all writes of these events would make of it.

    Args:
        log: The session.
        entity: The tool call.
        positions: Of the events.
    """
    acts = log.acts[positions].tolist()
    begin = 0
    for together, group in groupby(acts, key=_MERGED.__contains__):
        end = begin + len(list(group))
        write = _merged(log, entity, positions[begin:end], acts[begin:end]) if together else None
        if write is not None:
            yield write
        else:
            yield from writes_of(log, entity, positions[begin:end])
        begin = end


def _merged(log: SessionLog, entity: Entity, positions: npt.NDArray[np.int32], acts: list[int]) -> Write | None:
    """One write for all of these updates; ``None`` where they have to be read one by one."""
    creations = [at for at, act in enumerate(acts) if act == _CREATES]
    start = creations[-1] if creations else 0  # v1: it overwrites all that was before it
    try:
        texts = log.texts.slices(log.rows[positions[start:]])
        fields = _last([_decode(text).params.fields for text in texts], log.protocol)
        update = {key: orjson.loads(memoryview(raw)) for key, raw in fields.items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, orjson.JSONDecodeError):
        return None
    update["sessionUpdate"] = "tool_call" if creations else "tool_call_update"
    reading = read_update(update, log.protocol)
    if reading.variant is None or reading.rejected is not None or reading.issues:
        return None
    return Write(entity, reading.variant.shape, reading.fields, int(log.events[positions[-1]]))


def _last(updates: list[_Raws], version: Version) -> _Raws:
    """The last value of each field; in v1 null means that nothing is said."""
    fields = dict(updates[0])
    for update in updates[1:]:
        fields |= update if version == "v2" else {key: raw for key, raw in update.items() if bytes(raw) != _NULL}
    return fields
