"""The usual records of our own recorder, taken off the lines of a block together.

Their form is fixed (`acpinspect.recording.records`), so one expression reads it. Records of any other form, of
standard error, of a part of a line or of the recorder itself are left to `recorded`, which tells what all mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.reading.arrays import Mask, category, constant
from acpinspect.reading.clocks import stamp_of_text
from acpinspect.reading.columns import Columns

__all__ = ["OwnRecords", "begin_as_own", "own_records"]

_BEGIN: Final = b'{"seq":'
_INTEGER: Final = rb"(?:0|[1-9]\d{0,17})"
_RECORD: Final = re.compile(
    rb'\{"seq":' + _INTEGER + rb","
    rb'"time":"((?:19|20)\d\d-\d\d-\d\dT\d\d:\d\d):(\d\d\.\d{9})Z",'
    rb'"mono":(' + _INTEGER + rb"(?:\.\d{1,18})?),"
    rb'"sender":"(client|agent)",'
    rb'"msg":(\{.*\})\}',
    re.DOTALL,
)
"""Minute, seconds, own clock, sender, and what may be the message; its decoder finds out whether it is one."""


class OwnRecords(NamedTuple):
    """Records of ours among the lines of a block.

    Attributes:
        rows: Which lines they are.
        texts: The message in each of them; one closing brace follows it.
        beside: What they say of the messages: columns for all lines, NA for the others. None without records.
    """

    rows: npt.NDArray[np.int64]
    texts: Sequence[bytes]
    beside: Columns | None


def begin_as_own(block: bytes, starts: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> Mask:
    """Which lines of a block begin as records of ours do."""
    data = np.frombuffer(block, np.uint8)
    own: Mask = sizes > len(_BEGIN)
    for step, byte in enumerate(_BEGIN):
        own[own] = data[starts[own] + step] == byte
    return own


def own_records(lines: Sequence[bytes], candidates: Mask) -> OwnRecords:
    """The usual records of ours among some lines.

    Args:
        lines: The lines of a block.
        candidates: Which of them may be one.

    Examples:
        >>> head = b'{"seq":7,"time":"2026-03-01T06:42:00.123456789Z","mono":5.25,"sender":"agent","msg":'
        >>> found = own_records([b"{}", head + b'{"id":1,"result":{}}}'], np.array([False, True]))
        >>> found.texts, found.beside["elapsed"].to_pylist()
        ((b'{"id":1,"result":{}}',), [None, 5.25])
    """
    matches = [(i, match) for i in np.flatnonzero(candidates).tolist() if (match := _RECORD.fullmatch(lines[i]))]
    if not matches:
        return OwnRecords(np.zeros(0, np.int64), (), None)
    rows = np.array([i for i, _ in matches])
    minutes, seconds, monos, senders, texts = zip(*(match.groups() for _, match in matches), strict=True)
    beside = _beside(minutes, seconds, monos, senders)
    if len(rows) < len(lines):
        order = np.full(len(lines), -1)
        order[rows] = np.arange(len(rows))
        beside = {name: column.take(pa.array(order, mask=order < 0)) for name, column in beside.items()}
    return OwnRecords(rows, texts, beside)


def _beside(
    minutes: Sequence[bytes], seconds: Sequence[bytes], monos: Sequence[bytes], senders: Sequence[bytes]
) -> Columns:
    """The columns of what records say of their messages."""
    n = len(minutes)
    begun = {minute: stamp_of_text(f"{minute.decode()}:00Z") for minute in set(minutes)}
    stamps = [begun[minute] for minute in minutes]
    within = np.rint(np.fromiter(map(float, seconds), float, n) * 1e9)  # eleven digits: exact
    sender = category(map(bytes.decode, senders), n).array
    return {
        "time": pc.add(pa.array([stamp.time for stamp in stamps], pa.int64()), pa.array(within.astype(np.int64))),
        "elapsed": pa.array(np.fromiter(map(float, monos), float, n)),
        "time_source": category([stamp.clock for stamp in stamps], n).array,
        "sender_label": sender,
        "_sender": sender,
        "_connection": constant(None, n),
    }
