"""The columns of every table of policies and comparisons, also where it is empty."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

import acpinspect
from acpinspect.comparison import boundaries, clients, kinds
from acpinspect.events import Column
from acpinspect.grouping import meta_ids, registry
from tests.grouping.sequences import read, table_of
from tests.wire import text, update

TABLES: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], tuple[Column, ...]]] = {
    "boundaries": (lambda events: acpinspect.compare(events, "spec", "toad").boundaries, boundaries.COLUMNS),
    "kinds": (lambda events: acpinspect.compare(events, "spec", "toad").kinds, kinds.COLUMNS),
    "clients": (acpinspect.compare_clients, clients.COLUMNS),
    "meta ids": (acpinspect.discover_meta_ids, meta_ids.COLUMNS),
    "policies": (lambda events: acpinspect.policies(), registry.COLUMNS),  # noqa: ARG005
}


def full() -> pd.DataFrame:
    return table_of([read("> a@m1 c1 a@m1 t a@m2 <")])[0]


def with_meta() -> pd.DataFrame:
    chunks = [update("agent_message_chunk", content=text("w "), _meta={"id": ident}) for ident in "aabb"]
    return acpinspect.from_records(chunks)


@pytest.mark.parametrize(
    "make", [full, with_meta, lambda: acpinspect.from_records([])], ids=["full", "meta", "empty"]
)
@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_has_its_columns(name: str, make: Callable[[], pd.DataFrame]) -> None:
    tell, columns = TABLES[name]
    table = tell(make())
    assert table.columns.tolist() == [column.name for column in columns]
    assert {n: str(d) for n, d in table.dtypes.items()} == {column.name: column.dtype for column in columns}


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_column_says_what_it_means(name: str) -> None:
    assert all(column.meaning.endswith((".", ")")) for column in TABLES[name][1])
