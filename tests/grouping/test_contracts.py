"""Tables keep to their columns, in order and by type, whatever they were made of."""

from __future__ import annotations

import pandas as pd

from acpinspect.events import Column
from acpinspect.grouping.contracts import typed

COLUMNS = (
    Column("name", "string", "A name."),
    Column("count", "int64", "A number."),
    Column("all", "object", "."),
)


def test_a_table_has_its_columns_in_their_order_and_no_others() -> None:
    table = typed(pd.DataFrame({"count": [1.0], "more": [2], "all": [[1]], "name": ["a"]}), COLUMNS)
    assert {name: str(kind) for name, kind in table.dtypes.items()} == {
        "name": "string",
        "count": "int64",
        "all": "object",
    }
    assert table.columns.tolist() == ["name", "count", "all"]
    assert table.iloc[0].tolist() == ["a", 1, [1]]


def test_an_empty_table_has_them_too() -> None:
    assert typed(pd.DataFrame(), COLUMNS).columns.tolist() == ["name", "count", "all"]
