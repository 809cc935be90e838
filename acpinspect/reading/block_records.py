"""Records among the lines of a block whose messages were taken off together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from acpinspect.reading.columns import Columns

__all__ = ["BlockRecords", "block_records"]


class BlockRecords(NamedTuple):
    """Records among the lines of a block.

    Attributes:
        rows: Which lines they are.
        texts: The message in each of them; one closing brace follows it.
        beside: What they say of the messages: columns for all lines, NA for the others. None without records.
    """

    rows: npt.NDArray[np.int64]
    texts: Sequence[bytes]
    beside: Columns | None


def block_records(n: int, rows: Sequence[int], texts: Sequence[bytes], beside: Columns | None) -> BlockRecords:
    """Records among n lines.

    Args:
        n: How many lines.
        rows: Which lines the records are.
        texts: The message in each record.
        beside: What each record says; None where there are no records.

    Examples:
        >>> block_records(3, [1], [b"{}"], {"elapsed": pa.array([5.25])}).beside["elapsed"].to_pylist()
        [None, 5.25, None]
    """
    if beside is not None and len(rows) < n:
        order = np.full(n, -1)
        order[rows] = np.arange(len(rows))
        beside = {name: column.take(pa.array(order, mask=order < 0)) for name, column in beside.items()}
    return BlockRecords(np.array(rows, np.int64), texts, beside)
