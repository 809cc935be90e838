"""When a record was written: numbers by their size, ISO 8601, local wall clocks, times since the start."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import NamedTuple

__all__ = ["NO_STAMP", "Stamp", "stamp_in_prefix", "stamp_of_number", "stamp_of_text"]


class Stamp(NamedTuple):
    """What a record says of its time.

    Attributes:
        time: Nanoseconds since the epoch, UTC; ``None`` where the record doesn't say.
        elapsed: Seconds on the recorder's own clock. A local wall clock counts from the epoch as if it
            were UTC, so that differences are right and a time zone can be put to it later.
        clock: How the time was written.
    """

    time: int | None = None
    elapsed: float | None = None
    clock: str | None = None


NO_STAMP = Stamp()

_NS = 1_000_000_000
_EPOCH = date(1970, 1, 1).toordinal()
_SIZES = ((1e11, "epoch s", 0), (1e14, "epoch ms", 3), (1e17, "epoch us", 6), (1e20, "epoch ns", 9))
_RELATIVE_BELOW = 1e8
_USUAL = {10: ("epoch s", _NS), 13: ("epoch ms", 1_000_000), 16: ("epoch us", 1_000), 19: ("epoch ns", 1)}
"""Clocks of whole numbers of this century by their digits, and the nanoseconds in one."""

_NUMBER = re.compile(r"[+-]?(\d{1,25})(?:\.(\d{1,25}))?(?:[eE]([+-]?\d{1,2}))?\Z")
_DATE_TIME = re.compile(
    r"(?P<year>\d{4})[-/.](?P<month>\d\d)[-/.](?P<day>\d\d)[T ]\s?"
    r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,12})\d*)?"
    r"\s?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d(?![\d:]))?"
)
_CLOCK_ONLY = re.compile(
    r"(?<![\d:.])(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)(?:[.,](?P<fraction>\d{1,9}))?(?![\d:])"
)
_EPOCH_IN_PREFIX = re.compile(
    r"^[\s\[(<]*(?:ts|t|time|timestamp)?\s*[=:]?\s*(\d{10}(?:\.\d+)?|\d{13}|\d{16}|\d{19})(?![\w.])"
)
_RELATIVE_IN_PREFIX = re.compile(r"(?:^|[\s\[(])\+(\d+(?:\.\d+)?)\s?(ms|us|µs|s)\b")
_UNITS = {"ms": 1e-3, "us": 1e-6, "µs": 1e-6, "s": 1.0}


def stamp_of_number(text: str, *, milliseconds: bool = False) -> Stamp:
    """The time that a number tells, by its size: below 1e8 it is relative, then s, ms, us, ns since the epoch.

    Args:
        text: The number as written, so that no digit is lost.
        milliseconds: A relative number counts milliseconds.

    Examples:
        >>> stamp_of_number("1767610802.48")
        Stamp(time=1767610802480000000, elapsed=None, clock='epoch s')
        >>> stamp_of_number("1767610802480").clock
        'epoch ms'
        >>> stamp_of_number("2.48")
        Stamp(time=None, elapsed=2.48, clock='relative s')
    """
    usual = _USUAL.get(len(text))
    if usual is not None and text.isdecimal() and text.isascii() and text[0] != "0":
        clock, unit = usual
        return Stamp(int(text) * unit, None, clock)
    match = _NUMBER.match(text)
    if match is None:
        return NO_STAMP
    value = abs(float(text))
    if value < _RELATIVE_BELOW:
        return (
            Stamp(None, float(text) / 1000, "relative ms")
            if milliseconds
            else Stamp(None, float(text), "relative s")
        )
    for limit, clock, digits in _SIZES:
        if value < limit:
            sign = -1 if text.startswith("-") else 1
            return Stamp(sign * _shifted(match, 9 - digits), None, clock)
    return NO_STAMP


def _shifted(match: re.Match[str], digits: int) -> int:
    """The number times ten to the power of ``digits``, cut to an integer, exactly."""
    whole, fraction, exponent = match.group(1), match.group(2) or "", int(match.group(3) or 0)
    places = digits + exponent - len(fraction)
    number = int(whole + fraction)
    return number * _power(places) if places >= 0 else number // _power(-places)


def _power(exponent: int) -> int:
    return int(10**exponent)


def stamp_of_text(text: str, *, milliseconds: bool = False) -> Stamp:
    """The time that a string tells: a number, ISO 8601 with a zone, a local date and time, or a time of day.

    Examples:
        >>> stamp_of_text("2026-01-05T11:00:02.480Z")
        Stamp(time=1767610802480000000, elapsed=None, clock='ISO 8601')
        >>> stamp_of_text("2026-01-05 11:00:02,480")
        Stamp(time=None, elapsed=1767610802.48, clock='local')
    """
    match = _DATE_TIME.match(text)
    if match is not None:
        return _of_date(match)
    if _NUMBER.match(text):
        return stamp_of_number(text, milliseconds=milliseconds)
    clock = _CLOCK_ONLY.match(text)
    return _of_clock(clock) if clock else NO_STAMP


def _of_date(match: re.Match[str]) -> Stamp:
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    days = _days(year, month, day)
    if days is None:
        return NO_STAMP
    seconds = days * 86_400 + int(hour) * 3_600 + int(minute) * 60 + int(second)
    nanos = int(fraction[:9].ljust(9, "0")) if fraction else 0
    if zone is None:
        return Stamp(None, seconds + nanos / _NS, "local")
    return Stamp((seconds - _zone_seconds(zone)) * _NS + nanos, None, "ISO 8601")


@lru_cache(maxsize=64)
def _days(year: str, month: str, day: str) -> int | None:
    """Days since the epoch; None for a date that doesn't exist. A log holds few dates."""
    try:
        return date(int(year), int(month), int(day)).toordinal() - _EPOCH
    except ValueError:
        return None


def _zone_seconds(zone: str) -> int:
    if not zone.startswith(("+", "-")):
        return 0
    seconds = int(zone[1:3]) * 3_600 + int(zone[3:].lstrip(":") or 0) * 60
    return -seconds if zone[0] == "-" else seconds


def _of_clock(match: re.Match[str]) -> Stamp:
    """A time of day without a date."""
    hour, minute, second, fraction = match.groups()
    seconds = int(hour) * 3_600 + int(minute) * 60 + int(second)
    return Stamp(None, seconds + (float(f"0.{fraction}") if fraction else 0.0), "time of day")


def _of_relative(match: re.Match[str]) -> Stamp:
    unit = "relative s" if match.group(2) == "s" else "relative ms"
    return Stamp(None, float(match.group(1)) * _UNITS[match.group(2)], unit)


_IN_PREFIX: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Stamp]], ...] = (
    (_DATE_TIME, _of_date),
    (_EPOCH_IN_PREFIX, lambda match: stamp_of_number(match.group(1))),
    (_RELATIVE_IN_PREFIX, _of_relative),
    (_CLOCK_ONLY, _of_clock),
)


def stamp_in_prefix(prefix: str) -> Stamp:
    """The time in the text that stands before a message on its line.

    Examples:
        >>> stamp_in_prefix("2026-01-05 11:00:02,480 [   2514]   FINE - AcpTransport - IN: ").clock
        'local'
        >>> stamp_in_prefix("C ← +2480ms ")
        Stamp(time=None, elapsed=2.48, clock='relative ms')
    """
    for pattern, read in _IN_PREFIX:
        match = pattern.search(prefix)
        if match is not None:
            return read(match)
    return NO_STAMP
