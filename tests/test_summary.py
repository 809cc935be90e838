"""The summary: one row for each source, with what is in it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import acpinspect
from acpinspect.errors import ArgumentError, EventsError
from acpinspect.summary import COLUMNS, summarize

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs"


def row(*names: str, policy: str = "spec") -> pd.Series:
    return summarize(acpinspect.load([SAMPLES / name for name in names]), policy).iloc[0]


def dtypes(table: pd.DataFrame) -> list[tuple[str, str]]:
    return [(str(name), str(dtype)) for name, dtype in table.dtypes.items()]


@pytest.mark.parametrize("name", ["v1_with_ids.ndjson", "recorder.jsonl", "broken.log"])
def test_columns_and_types_are_those_of_the_contract(name: str) -> None:
    table = summarize(acpinspect.load(SAMPLES / name))
    assert dtypes(table) == [(column.name, column.dtype) for column in COLUMNS]


def test_an_empty_table_gives_no_row_and_the_same_types() -> None:
    table = summarize(acpinspect.load(SAMPLES / "v1_with_ids.ndjson").head(0))
    assert table.empty
    assert dtypes(table) == [(column.name, column.dtype) for column in COLUMNS]


def test_sources_stand_in_the_order_of_the_table() -> None:
    names = ["v2_turn.ndjson", "broken.log", "v1_replay.ndjson"]
    table = summarize(acpinspect.load([SAMPLES / name for name in names]))
    assert [Path(source).name for source in table["source"]] == names


def test_the_sums_over_the_sources_are_those_of_the_whole() -> None:
    events = acpinspect.load(SAMPLES)
    table = summarize(events)
    assert table["events"].sum() == len(events)
    assert table["messages"].sum() == len(acpinspect.messages(events))
    assert table["no_ids"].sum() == len(acpinspect.messages(events, "heuristic"))
    assert (table[["user", "agent", "thought"]].sum(axis=1) == table["messages"]).all()


def test_a_source_counts_the_same_alone_and_among_others() -> None:
    alone = row("v1_subagents.ndjson")
    among = summarize(acpinspect.load(SAMPLES)).set_index("source")
    assert alone.drop("source").equals(among.loc[alone["source"]])


def test_tools_are_counted_once_each() -> None:
    assert row("v1_subagents.ndjson")["tools"] == 2


def test_messages_follow_the_policy() -> None:
    found = row("v1_with_ids.ndjson", policy="heuristic")
    assert (found["messages"], found["by_ids"], found["no_ids"]) == (3, 4, 3)


def test_duration_is_from_the_first_time_to_the_last() -> None:
    events = acpinspect.load(SAMPLES / "recorder.jsonl")
    found = row("recorder.jsonl")
    assert found["started"] == events["time"].iloc[0]
    assert found["duration"] == pytest.approx((events["time"].iloc[-1] - events["time"].iloc[0]).total_seconds())


def test_without_times_there_is_neither_start_nor_duration() -> None:
    found = row("v1_with_ids.ndjson")
    assert pd.isna(found["started"])
    assert pd.isna(found["duration"])


def test_noise_is_nothing_odd_but_what_could_not_be_read_is() -> None:
    assert row("zed_copy.json")["odd"] == 0
    broken = row("broken.log")
    assert (broken["unreadable"], broken["odd"]) == (1, 4)


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ArgumentError, match="telepathy"):
        row("v1_with_ids.ndjson", policy="telepathy")


def test_another_table_is_refused() -> None:
    with pytest.raises(EventsError):
        summarize(pd.DataFrame({"a": [1]}))
