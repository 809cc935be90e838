"""From batches of columns to the events table: put together, add the context, make it a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.arrays import ArrowStringArray

from acpinspect.context import Codes, Context, Facts, derive
from acpinspect.context.facts import UNKNOWN, Mask
from acpinspect.errors import ArgumentError
from acpinspect.events import COLUMNS
from acpinspect.protocol import VARIANTS, VERSIONS, Version
from acpinspect.reading.arrays import merged_views
from acpinspect.reading.batches import KINDS, STATES, Columns

__all__ = ["Part", "assemble", "check_zone"]

_SENDERS = ("client", "agent")
_ROLES = ("user", "agent", "thought")
_PHASES = ("live", "replay")
_NANOSECONDS = 1e9
_LAST_MESSAGE_KIND = KINDS.index("notification")


@dataclass(frozen=True, slots=True)
class Part:
    """The batches of one recording, in order."""

    recording: str
    batches: Sequence[Columns]


def assemble(parts: Sequence[Part], *, protocol: Version | None = None, tz: str | None = None) -> pd.DataFrame:
    """The events table of some recordings.

    Args:
        parts: The recordings, in order.
        protocol: The version to take, instead of what the log says.
        tz: Zone of the times that were written without one.

    The batches are used up, so that no column stands in memory twice.

    Raises:
        ArgumentError: If there is no such version or zone.
    """
    check_zone(tz)
    if protocol is not None and protocol not in VERSIONS:
        raise ArgumentError(f"protocol={protocol!r} is no version of the protocol; give {' or '.join(VERSIONS)}.")
    batches = [batch for part in parts for batch in part.batches if len(batch["kind"])]
    sizes = [sum(len(batch["kind"]) for batch in part.batches) for part in parts]
    recording = np.repeat(np.arange(len(parts), dtype=np.int32), sizes)
    table = _Table(batches)
    facts = _facts(table, recording)
    context = derive(facts, protocol=protocol)
    frame = _columns(table, facts, context)
    frame |= _times(table, facts, tz)
    columns = {column.name: frame.pop(column.name) for column in COLUMNS}
    return pd.DataFrame(columns, index=_index(len(facts)), copy=False)


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


def _index(n: int) -> pd.Index:
    return pd.RangeIndex(n, name="event")


class _Table:
    """Columns of all batches, put together one by one. Each can be taken once: what is taken is let go of."""

    def __init__(self, batches: Sequence[Columns]) -> None:
        self._batches = batches

    def _taken(self, name: str) -> list[pa.Array]:
        return [batch.pop(name) for batch in self._batches]

    def chunks(self, name: str, kind: pa.DataType) -> pa.ChunkedArray:
        return pa.chunked_array(self._taken(name), kind)

    def raw(self) -> pa.ChunkedArray:
        """The JSON texts, never copied together."""
        return merged_views(self._taken("raw"))

    def whole(self, name: str) -> pa.ChunkedArray:
        """A column of strings in one piece; small pieces cost an offset's look-up at every access."""
        return pa.chunked_array([self.array(name, pa.large_string())])

    def array(self, name: str, kind: pa.DataType) -> pa.Array:
        return self.chunks(name, kind).combine_chunks()

    def small(self, name: str) -> npt.NDArray[np.int8]:
        """A column of small numbers; -1 is NA."""
        column = self.array(name, pa.int8())
        numbers: npt.NDArray[np.int8] = (column.fill_null(-1) if column.null_count else column).to_numpy()
        return numbers

    def codes(self, name: str) -> Codes:
        if not self._batches:
            return Codes(np.zeros(0, np.int32), [])
        merged = pa.chunked_array(self._taken(name)).unify_dictionaries()
        indices = pa.chunked_array([chunk.indices for chunk in merged.chunks]).combine_chunks()
        codes = (indices.fill_null(-1) if indices.null_count else indices).to_numpy()
        return Codes(codes, merged.chunk(0).dictionary.to_pylist())


def _facts(table: _Table, recording: npt.NDArray[np.int32]) -> Facts:
    sides = table.codes("_sender")
    side_of = np.array([*(_SENDERS.index(name) for name in sides.names), UNKNOWN], dtype=np.int8)
    connection = table.codes("_connection").codes
    return Facts(
        recording=recording,
        connection=np.maximum(connection, 0),
        kind=table.small("kind"),
        method=table.codes("method"),
        session=table.codes("session_id"),
        update=table.codes("update"),
        id_state=table.small("message_id_state"),
        label=table.codes("sender_label"),
        sender=side_of[sides.codes],
        check=table.array("_check", pa.bool_()).to_numpy(zero_copy_only=False),
        key=table.chunks("_key", pa.large_string()),
        raw=table.raw(),
    )


def _columns(table: _Table, facts: Facts, context: Context) -> dict[str, object]:
    strings = {name: _string(table.whole(name)) for name in _PLAIN_STRINGS}
    categories = {name: _category(table.codes(name)) for name in _PLAIN_CATEGORIES}
    integers = {name: _integer(table.array(name, pa.int64())) for name in ("line", "offset", "length")}
    return {
        **strings,
        **categories,
        **integers,
        "raw": _string(facts.raw),
        "sender": _category(Codes(context.replies.sender, list(_SENDERS))),
        "sender_label": _category(facts.label),
        "kind": _category(Codes(facts.kind, list(KINDS))),
        "method": _category(context.method),
        "reply_to": _nullable(context.replies.reply_to),
        "session_id": _string_of(context.session),
        "protocol": _category(Codes(_of_messages(facts, context.version), list(VERSIONS))),
        "update": _category(facts.update),
        "role": _category(_roles(facts, context.version)),
        "message_id_state": _category(Codes(facts.id_state, list(STATES))),
        "turn": _nullable(context.turns.turn),
        "phase": _category(Codes(context.turns.phase, list(_PHASES))),
        "epoch": _nullable(context.turns.epoch),
        "problem": _category(_problems(table.codes("problem"), context.refused)),
    }


_PLAIN_STRINGS = ("rpc_id", "message_id", "text", "tool_call_id", "title")
_PLAIN_CATEGORIES = ("source", "content_type", "tool_kind", "tool_status")


def _of_messages(facts: Facts, codes: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The codes of JSON-RPC messages; noise speaks no version."""
    return np.where(facts.kind <= _LAST_MESSAGE_KIND, codes, -1)


def _roles(facts: Facts, version: npt.NDArray[np.int8]) -> Codes:
    codes = np.full(len(facts), -1, dtype=np.int8)
    for number, known in enumerate(VERSIONS):
        variants = VARIANTS[known]
        roles = [
            -1 if (variant := variants.get(name)) is None or variant.role is None else _ROLES.index(variant.role)
            for name in facts.update.names
        ]
        by_name = np.array([*roles, -1], dtype=np.int8)[facts.update.codes]
        codes = np.where(version == number, by_name, codes)
    return Codes(codes, list(_ROLES))


def _problems(column: Codes, refused: dict[int, str]) -> Codes:
    """The problems of the frames, with the reasons of refused updates before them."""
    if not refused:
        return column
    names = list(column.names)
    code_of = {name: code for code, name in enumerate(names)}
    codes = column.codes.copy()
    for row, reason in refused.items():
        said = column.at(row)
        text = reason if said is None else f"{reason}; {said}"
        code = code_of.setdefault(text, len(names))
        if code == len(names):
            names.append(text)
        codes[row] = code
    return Codes(codes, names)


def _times(table: _Table, facts: Facts, tz: str | None) -> dict[str, object]:
    """time, elapsed and time_source.

    Readers give either nanoseconds since the epoch, or seconds on the recorder's own clock: its run time, or
    the wall clock of a zone that the log doesn't tell.
    """
    recording, message = facts.recording, facts.kind <= _LAST_MESSAGE_KIND
    clock = table.codes("time_source")
    elapsed = table.array("elapsed", pa.float64()).to_numpy(zero_copy_only=False).copy()
    stamps = table.array("time", pa.int64())
    timed = stamps.is_valid().to_numpy(zero_copy_only=False)
    time = stamps.fill_null(0).to_numpy().copy()
    local = clock.where("local") & ~np.isnan(elapsed)
    if tz is not None and local.any():
        time[local], timed[local] = _in_zone(elapsed[local], tz)
    # Wall-clock seconds as floats are exact to a microsecond only.
    elapsed[local] = (elapsed - _first(elapsed, recording, local, message))[local].round(6)
    elapsed[timed] = (time - _first(time, recording, timed, message))[timed] / _NANOSECONDS
    stamped = np.where(timed, time.astype("datetime64[ns]"), np.datetime64("NaT", "ns"))
    return {
        "time": pd.DatetimeIndex(stamped).tz_localize("UTC"),
        "elapsed": elapsed.round(9),
        "time_source": _category(clock),
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
    values: npt.NDArray[Number], recording: npt.NDArray[np.int32], valid: npt.NDArray[np.bool_], message: Mask
) -> npt.NDArray[Number]:
    """For each row, the first valid value of its recording, a message's if it has one; 0 where it has none."""
    first = np.zeros(int(recording.max(initial=-1)) + 1, dtype=values.dtype)
    for candidates in (valid, valid & message):
        rows = np.flatnonzero(candidates)[::-1]
        first[recording[rows]] = values[rows]
    return first[recording]


def _category(column: Codes) -> pd.Categorical:
    """A categorical without unused or repeated categories, in the order in which the values first appear."""
    codes = column.codes.astype(np.int64)
    used, first = np.unique(codes[codes >= 0], return_index=True)
    used = used[np.argsort(np.flatnonzero(codes >= 0)[first], kind="stable")]
    renumber = np.full(len(column.names) + 1, -1, dtype=np.int64)
    renumber[used] = np.arange(len(used))
    categories = pd.Index([column.names[code] for code in used.tolist()], dtype=object)
    return pd.Categorical.from_codes(renumber[codes], categories=categories)


def _string(column: pa.ChunkedArray) -> ArrowStringArray:
    return ArrowStringArray(column)


def _string_of(column: Codes) -> ArrowStringArray:
    indices = pa.array(column.codes, mask=column.codes < 0)
    return _string(pa.chunked_array([pa.array(column.names, pa.large_string()).take(indices)]))


def _integer(column: pa.Array) -> pd.arrays.IntegerArray:
    missing = column.is_null().to_numpy(zero_copy_only=False)
    return pd.arrays.IntegerArray(pc.fill_null(column, 0).to_numpy(zero_copy_only=False).copy(), missing.copy())


def _nullable(numbers: npt.NDArray[np.int64]) -> pd.arrays.IntegerArray:
    missing = numbers < 0
    return pd.arrays.IntegerArray(np.where(missing, 0, numbers).astype(np.int64), missing)
