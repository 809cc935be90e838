"""Time: what the log says, in the unit in which it says it, and nothing that it doesn't say."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import acpinspect
from tests.wire import chunk, update

FRAME = json.dumps(update("plan", entries=[]))


@pytest.mark.parametrize(
    ("stamp", "clock"),
    [
        ("1767610800", "epoch s"),
        ("1767610800.0", "epoch s"),
        ("1767610800000", "epoch ms"),
        ("1767610800000000", "epoch us"),
        ("1767610800000000000", "epoch ns"),
        ('"2026-01-05T11:00:00Z"', "ISO 8601"),
        ('"2026-01-05T12:00:00+01:00"', "ISO 8601"),
    ],
)
def test_each_unit_is_recognised_and_named(stamp: str, clock: str) -> None:
    events = acpinspect.load(f'{{"ts":{stamp},"msg":{FRAME}}}\n')
    assert events["time"].tolist() == [pd.Timestamp("2026-01-05T11:00:00Z")]
    assert events["time_source"].tolist() == [clock]


def test_a_local_time_is_no_instant_but_gives_differences() -> None:
    log = f"2026-01-05 11:00:00,000 DEBUG {FRAME}\n2026-01-05 11:00:01,500 DEBUG {FRAME}\n"
    events = acpinspect.load(log)
    assert events["time"].isna().all()
    assert events["elapsed"].tolist() == [0.0, 1.5]
    assert events["time_source"].tolist() == ["local", "local"]


def test_a_zone_makes_local_times_instants() -> None:
    events = acpinspect.load(f"2026-01-05 11:00:00,250 DEBUG {FRAME}\n", tz="Europe/Berlin")
    assert events["time"].tolist() == [pd.Timestamp("2026-01-05T10:00:00.250Z")]


def test_a_run_time_is_elapsed_as_written() -> None:
    events = acpinspect.load(f'{{"ts":2.48,"msg":{FRAME}}}\n')
    assert events["elapsed"].tolist() == [2.48]
    assert events["time"].isna().all()


def test_elapsed_counts_from_the_first_message_of_the_recording() -> None:
    log = [{"ts": 1767610800 + second, "dir": "in", "msg": chunk("a")} for second in (5, 6, 8)]
    assert acpinspect.from_records(log)["elapsed"].tolist() == [0.0, 1.0, 3.0]


def test_without_times_there_are_none() -> None:
    events = acpinspect.load(FRAME)
    assert events[["time", "elapsed", "time_source"]].isna().all(axis=None)


def test_events_are_never_sorted_by_time() -> None:
    log = [{"ts": 1767610800 - second, "dir": "in", "msg": chunk(str(second))} for second in range(3)]
    assert acpinspect.from_records(log)["text"].tolist() == ["0", "1", "2"]


def test_a_time_that_64_bits_of_nanoseconds_cannot_hold_is_none() -> None:
    events = acpinspect.load(f'{{"ts":"6026-01-05T11:00:00Z","msg":{FRAME}}}\n')
    assert events["time"].isna().all()
