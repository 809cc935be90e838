"""Tables as contracts: the columns in their order, each of its type, also where the table is empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acpinspect.events import Column

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["typed"]


def typed(table: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """The table with just these columns, each of its type.

    Args:
        table: A table that has the columns, or an empty one.
        columns: The columns, in order.
    """
    names = [column.name for column in columns]
    types = {column.name: column.dtype for column in columns if column.dtype != "object"}
    return table.reindex(columns=names).astype(types)
