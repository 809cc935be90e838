"""Seven ways to write a time, told apart by size and shape; what isn't said is not invented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.reading.clocks import NO_STAMP, stamp_in_prefix, stamp_of_number, stamp_of_text

AT = 1_767_610_802_480_000_000


@pytest.mark.parametrize(
    ("number", "clock", "time"),
    [
        ("1767610802", "epoch s", 1_767_610_802_000_000_000),
        ("1767610802.48", "epoch s", AT),
        ("1767610802.480000123", "epoch s", AT + 123),
        ("1.76761080248e9", "epoch s", AT),
        ("1767610802480", "epoch ms", AT),
        ("1767610802480.5", "epoch ms", AT + 500_000),
        ("1767610802480000", "epoch us", AT),
        ("1767610802480000001", "epoch ns", AT + 1),
    ],
)
def test_a_large_number_counts_from_the_epoch_in_the_unit_of_its_size(number: str, clock: str, time: int) -> None:
    assert stamp_of_number(number) == (time, None, clock)


@given(st.integers(1, 10**20))
def test_a_whole_number_is_what_it_is_with_a_fraction(number: int) -> None:
    assert stamp_of_number(str(number)) == stamp_of_number(f"{number}.0")


def test_a_small_number_is_relative_in_seconds_or_as_its_key_says_in_milliseconds() -> None:
    assert stamp_of_number("2.48") == (None, 2.48, "relative s")
    assert stamp_of_number("2480", milliseconds=True) == (None, 2.48, "relative ms")
    assert stamp_of_number("0") == (None, 0.0, "relative s")


@pytest.mark.parametrize("number", ["", "x", "1e99", "9" * 400, "NaN", "true", "1_0"])
def test_what_is_no_time_gives_none(number: str) -> None:
    assert stamp_of_number(number) == NO_STAMP


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-05T11:00:02.480Z",
        "2026-01-05T11:00:02.480000+00:00",
        "2026-01-05 11:00:02.48Z",
        "2026-01-05T12:00:02,480+01:00",
        "2026-01-05T05:30:02.480-0530",
        "2026-01-05T13:00:02.480+02",
        "2026-01-05 11:00:02.480 UTC",
    ],
)
def test_a_stamp_with_a_zone_is_a_time(text: str) -> None:
    assert stamp_of_text(text) == (AT, None, "ISO 8601")


@pytest.mark.parametrize("text", ["2026-01-05 11:00:02,480", "2026-01-05T11:00:02.480", "2026/01/05 11:00:02.48"])
def test_a_stamp_without_a_zone_is_local_and_no_time(text: str) -> None:
    assert stamp_of_text(text) == (None, AT / 1e9, "local")


def test_a_time_of_day_counts_from_midnight() -> None:
    assert stamp_of_text("11:00:02.480") == (None, 39_602.48, "time of day")


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-13-45T11:00:00Z", "2026-01-05", "x 2026-01-05T11:00:00Z", "25:00:00"]
)
def test_other_text_says_no_time(text: str) -> None:
    assert stamp_of_text(text) == NO_STAMP


@pytest.mark.parametrize(
    ("prefix", "clock"),
    [
        ("2026-01-05T11:00:02.480Z DEBUG acp ", "ISO 8601"),
        ("[2026-01-05T11:00:02Z] ", "ISO 8601"),
        ("INFO 2026-01-05 11:00:02,480 x.y ", "local"),
        ("ts=2026-01-05T11:00:02Z level=debug msg=", "ISO 8601"),
        ("1767610802.480 recv ", "epoch s"),
        ("[1767610802480] ", "epoch ms"),
        ("C ← +2480ms ", "relative ms"),
        ("[+1.5s] ", "relative s"),
        ("11:00:02 acp: ", "time of day"),
        ("no time here 12 ", None),
        ("id 1767610802480x ", None),
    ],
)
def test_a_time_is_found_in_the_text_before_a_message(prefix: str, clock: str | None) -> None:
    assert stamp_in_prefix(prefix).clock == clock
