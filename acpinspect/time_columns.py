"""The columns `time`, `elapsed` and `time_source`, from the clocks that the readers found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.batch_columns import Batches, category
from acpinspect.context.facts import Codes, Mask
from acpinspect.errors import ArgumentError
from acpinspect.reading.batches import KINDS

__all__ = ["Clocks", "check_zone", "time_columns"]

_NANOSECONDS: Final = 1e9
_NAT: Final = np.datetime64("NaT", "ns")
_LAST_MESSAGE_KIND: Final = KINDS.index("notification")


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a clock begins.

    Attributes:
        value: What it showed.
        by_message: A message showed it; else that of a later message will take its place.
    """

    value: int | float
    by_message: bool


@dataclass(frozen=True, slots=True)
class Clocks:
    """Where the clocks of one recording begin; None until a frame tells.

    Attributes:
        local: Wall-clock seconds of an unknown zone.
        stamp: Nanoseconds since the epoch.
        steady: Seconds on a clock that nobody sets, beside such stamps.
    """

    local: Beginning | None = None
    stamp: Beginning | None = None
    steady: Beginning | None = None


def check_zone(tz: str | None) -> None:
    """Refuse what is no time zone.

    Raises:
        ArgumentError: If there is no zone of this name.
    """
    if tz is None:
        return
    try:
        ZoneInfo(tz)
    except (ValueError, OSError, KeyError, TypeError) as error:
        raise ArgumentError(f"tz={tz!r} is no time zone; give a name such as 'Europe/Berlin'.") from error


def time_columns(
    table: Batches,
    recording: npt.NDArray[np.int32],
    kind: npt.NDArray[np.int8],
    tz: str | None,
    clocks: Clocks | None = None,
) -> tuple[dict[str, object], Clocks]:
    """The three columns, and where the clocks began.

    Readers give either nanoseconds since the epoch, or seconds on the recorder's own clock: its run time, or
    the wall clock of a zone that the log doesn't tell. Of a recorder that gives both, `elapsed` follows its own
    clock: nobody sets that one.

    Args:
        table: The columns.
        recording: Number of the recording of each row.
        kind: Index into `KINDS` of each row.
        tz: Zone of the times that were written without one.
        clocks: Where they began, if the rows are a later piece of one recording.
    """
    clocks = clocks or Clocks()
    message = kind <= _LAST_MESSAGE_KIND
    clock = table.codes("time_source")
    seconds, nanoseconds = table.chunks("elapsed", pa.float64()), table.chunks("time", pa.int64())
    n = len(seconds)
    if seconds.null_count == nanoseconds.null_count == n:
        return _columns(np.full(n, _NAT), np.full(n, np.nan), clock), clocks
    elapsed = seconds.combine_chunks().to_numpy(zero_copy_only=False).copy()
    stamps = nanoseconds.combine_chunks()
    timed = stamps.is_valid().to_numpy(zero_copy_only=False)
    time = stamps.fill_null(0).to_numpy().copy()
    local = clock.where("local") & ~np.isnan(elapsed)
    steady = timed & ~np.isnan(elapsed)
    if tz is not None and local.any():
        time[local], timed[local] = _in_zone(elapsed[local], tz)
    walls, first_local = _first(elapsed, recording, local, message, clocks.local)
    begun, first_stamp = _first(time, recording, timed, message, clocks.stamp)
    own, first_steady = _first(elapsed, recording, steady, message, clocks.steady)
    known = Clocks(first_local, first_stamp, first_steady)
    # Wall-clock seconds as floats are exact to a microsecond only.
    elapsed[local] = (elapsed - walls)[local].round(6)
    elapsed[steady] = (elapsed - own)[steady]
    stamped_only = timed & ~steady
    elapsed[stamped_only] = (time - begun)[stamped_only] / _NANOSECONDS
    stamped = np.where(timed, time.astype("datetime64[ns]"), _NAT)
    return _columns(stamped, elapsed.round(9), clock), known


def _columns(
    time: npt.NDArray[np.datetime64], elapsed: npt.NDArray[np.float64], clock: Codes
) -> dict[str, object]:
    return {
        "time": pd.DatetimeIndex(time).tz_localize("UTC"),
        "elapsed": elapsed,
        "time_source": category(clock),
    }


def _in_zone(walls: npt.NDArray[np.float64], tz: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Wall-clock seconds of a zone, as nanoseconds since the epoch; and which of them exist only once."""
    stamps = pd.DatetimeIndex(
        (walls * 1e6).round().astype("int64").astype("datetime64[us]").astype("datetime64[ns]")
    )
    zoned = stamps.tz_localize(tz, ambiguous="NaT", nonexistent="shift_forward").tz_convert("UTC")
    return zoned.tz_localize(None).to_numpy().astype("datetime64[ns]").astype("int64"), ~np.asarray(zoned.isna())


Number = TypeVar("Number", np.int64, np.float64)


def _first(
    values: npt.NDArray[Number],
    recording: npt.NDArray[np.int32],
    valid: npt.NDArray[np.bool_],
    message: Mask,
    known: Beginning | None,
) -> tuple[npt.NDArray[Number], Beginning | None]:
    """For each row, the first valid value of its recording, a message's if it has one; 0 where it has none.

    And, if all rows are of one recording, where that begins.
    """
    first = np.zeros(int(recording.max(initial=-1)) + 1, dtype=values.dtype)
    by_message = bool((valid & message).any())
    if known is not None and (known.by_message or not by_message):
        first[:] = known.value
        return first[recording], known
    for candidates in (valid, valid & message):
        rows = np.flatnonzero(candidates)[::-1]
        first[recording[rows]] = values[rows]
    begun = first[recording]
    return begun, Beginning(begun[0].item(), by_message) if valid.any() else None
