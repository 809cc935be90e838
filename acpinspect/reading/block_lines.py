"""The lines of a block, measured: where each stands, whether it may be plain, and what to decode of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from acpinspect.reading.arrays import Mask
from acpinspect.reading.columns import Columns
from acpinspect.reading.jsontext import MAX_DEPTH, MAX_VALUE, may_be_too_deep
from acpinspect.reading.own_records import BEGIN, own_records
from acpinspect.reading.plain_records import plain_records

__all__ = ["BlockLines", "block_lines"]

_DEEP_PARSER: Final = sys.version_info >= (3, 12)
"""The typed parser goes deeper than we do; before that its limit was the interpreter's, which is ours."""

_BARE: Final = b'{"j'
"""How most bare messages begin."""

Numbers = npt.NDArray[np.int64]


class BlockLines(NamedTuple):
    """The lines of a block and what may be the messages on them, in columns.

    Attributes:
        lines: The lines, without a carriage return at the end.
        starts: Where they begin in the block.
        sizes: Their bytes.
        plain: Which may be a bare message or a record around one; all others are none.
        records: Those that are taken for such records, by position.
        texts: What to decode: the line, or the message in a record.
        places: Where that begins in the block.
        text_sizes: Its bytes.
        beside: What the records say of the messages; None where there are none.
    """

    lines: Sequence[bytes]
    starts: Numbers
    sizes: Numbers
    plain: Mask
    records: Numbers
    texts: Sequence[bytes]
    places: Numbers
    text_sizes: Numbers
    beside: Columns | None


def block_lines(block: bytes, lines: Sequence[bytes]) -> BlockLines:
    r"""Measure the lines of a block, and take off what recorders have put around the messages.

    Args:
        block: The lines, with a line feed between them and none at the end.
        lines: The block, split at its line feeds.

    Examples:
        >>> block = b'{"id":1,"result":{}}\r\nready'
        >>> found = block_lines(block, block.split(b"\n"))
        >>> found.starts.tolist(), found.sizes.tolist(), found.plain.tolist()
        ([0, 22], [20, 5], [True, False])
    """
    sizes = _sizes(lines)
    ends = np.cumsum(sizes + 1) - 1
    starts = ends - sizes
    plain = _in_braces(block, starts, ends)
    if not plain.all():
        # A carriage return at the end is no part of a line; other blanks around it are the line reader's.
        lines = [line.removesuffix(b"\r") for line in lines]
        sizes = _sizes(lines)
        plain = _in_braces(block, starts, starts + sizes)
    # A log is written by one recorder: where records of ours are, others are left to the line reader.
    ours = plain & _begin(block, starts, sizes, BEGIN)
    of_ours = bool(ours.any())
    around = ours if of_ours else plain & ~_begin(block, starts, sizes, _BARE)
    # Around a record's message is one level more, which the parser doesn't see.
    for i in np.flatnonzero((sizes > 2 * MAX_DEPTH) & (plain if _DEEP_PARSER else around)).tolist():
        plain[i] = not may_be_too_deep(lines[i])
    records = (own_records if of_ours else plain_records)(lines, around & plain & (sizes <= MAX_VALUE))
    plain &= ~ours
    plain[records.rows] = True
    if records.beside is None:
        return BlockLines(lines, starts, sizes, plain, records.rows, lines, starts, sizes, None)
    texts, text_sizes, places = list(lines), sizes.copy(), starts.copy()
    for i, text in zip(records.rows.tolist(), records.texts, strict=True):
        texts[i] = text
    text_sizes[records.rows] = _sizes(records.texts)
    places[records.rows] += (sizes - text_sizes)[records.rows] - 1
    return BlockLines(lines, starts, sizes, plain, records.rows, texts, places, text_sizes, records.beside)


def _begin(block: bytes, starts: Numbers, sizes: Numbers, text: bytes) -> Mask:
    """Which lines begin with a text."""
    data = np.frombuffer(block, np.uint8)
    rows = np.flatnonzero(sizes > len(text))
    for step, byte in enumerate(text):
        rows = rows[data[starts[rows] + step] == byte]
    begun: Mask = np.zeros(len(starts), bool)
    begun[rows] = True
    return begun


def _sizes(texts: Sequence[bytes]) -> Numbers:
    return np.fromiter(map(len, texts), np.int64, len(texts))


def _in_braces(block: bytes, starts: Numbers, ends: Numbers) -> Mask:
    """Which lines begin with a brace and end with one."""
    data = np.frombuffer(block, np.uint8)
    long = ends - starts >= 2
    within: Mask = long.copy()
    within[long] = (data[starts[long]] == ord("{")) & (data[ends[long] - 1] == ord("}"))
    return within
