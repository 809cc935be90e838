"""The usual records of our own recorder, taken off the lines of a block together.

Their form is fixed (`acpinspect.recording.records`), so one expression reads it. Records of any other form, of
standard error, of a part of a line or of the recorder itself are left to `recorded`, which tells what all mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.reading.arrays import Mask, category, constant
from acpinspect.reading.block_records import BlockRecords, block_records
from acpinspect.reading.clocks import stamp_of_text
from acpinspect.reading.columns import Columns

__all__ = ["BEGIN", "own_records"]

BEGIN: Final = b'{"seq":'
"""How records of ours begin."""

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


def own_records(lines: Sequence[bytes], candidates: Mask) -> BlockRecords:
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
        return block_records(len(lines), (), (), None)
    rows = [i for i, _ in matches]
    minutes, seconds, monos, senders, texts = zip(*(match.groups() for _, match in matches), strict=True)
    return block_records(len(lines), rows, texts, _beside(minutes, seconds, monos, senders))


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
