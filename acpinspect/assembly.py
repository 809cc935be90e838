"""From batches of columns to the events table: put together, add the context, make it a DataFrame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.arrays import ArrowStringArray

from acpinspect.batch_columns import Batches, category
from acpinspect.context import Codes, Context, Facts, derive
from acpinspect.context.facts import UNKNOWN
from acpinspect.errors import ArgumentError
from acpinspect.events import COLUMNS
from acpinspect.file_texts import Left, left_texts
from acpinspect.protocol import VARIANTS, VERSIONS, Version
from acpinspect.reading.batches import KINDS, STATES, Columns
from acpinspect.time_columns import check_zone, time_columns

__all__ = ["Part", "assemble", "check_version", "events_table", "facts_of"]

_SENDERS = ("client", "agent")
_ROLES = ("user", "agent", "thought")
_PHASES = ("live", "replay")
_LAST_MESSAGE_KIND = KINDS.index("notification")


@dataclass(frozen=True, slots=True)
class Part:
    """The batches of one recording, in order."""

    recording: str
    batches: Sequence[Columns]


def assemble(
    parts: Sequence[Part],
    *,
    protocol: Version | None = None,
    tz: str | None = None,
    files: Mapping[str, Left] | None = None,
) -> pd.DataFrame:
    """The events table of some recordings.

    Args:
        parts: The recordings, in order.
        protocol: The version to take, instead of what the log says.
        tz: Zone of the times that were written without one.
        files: Sources whose JSON texts are left in their files, where they stand there as they are.

    The batches are used up, so that no column stands in memory twice.

    Raises:
        ArgumentError: If there is no such version or zone.
    """
    check_zone(tz)
    check_version(protocol)
    batches = [batch for part in parts for batch in part.batches if len(batch["kind"])]
    sizes = [sum(len(batch["kind"]) for batch in part.batches) for part in parts]
    recording = np.repeat(np.arange(len(parts), dtype=np.int32), sizes)
    table = Batches(batches)
    facts = facts_of(table, recording)
    with ThreadPoolExecutor(1) as beside:
        # Arrow and NumPy put columns together without the GIL, which deriving the context needs all the time.
        plain = beside.submit(_plain_columns, table, facts)
        context = derive(facts, protocol=protocol)
        derived = _derived_columns(table, facts, context)
        times, _ = time_columns(table, recording, facts.kind, tz)
    events = _in_order(plain.result() | derived | times, len(facts))
    if files:
        places, sizes = (table.array(name, pa.int64()) for name in ("_raw_at", "_raw_size"))
        events["raw"] = left_texts(events, places, sizes, files)
    return events


def check_version(protocol: str | None) -> None:
    """Refuse what is no version of the protocol.

    Raises:
        ArgumentError: If there is no such version.
    """
    if protocol is not None and protocol not in VERSIONS:
        raise ArgumentError(f"protocol={protocol!r} is no version of the protocol; give {' or '.join(VERSIONS)}.")


def facts_of(table: Batches, recording: npt.NDArray[np.int32]) -> Facts:
    """What the context is derived from.

    Args:
        table: The columns.
        recording: Number of the recording of each row.
    """
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
        result_of=table.codes("_result_of"),
        result_session=table.codes("_result_session"),
        result_ends=table.codes("_result_ends"),
        result_version=table.chunks("_result_version", pa.int64()),
    )


def events_table(table: Batches, facts: Facts, context: Context, times: dict[str, object]) -> pd.DataFrame:
    """The events table of what was read and derived; rows are numbered from 0."""
    return _in_order(_plain_columns(table, facts) | _derived_columns(table, facts, context) | times, len(facts))


def _in_order(columns: dict[str, object], n: int) -> pd.DataFrame:
    ordered = {column.name: columns.pop(column.name) for column in COLUMNS}
    return pd.DataFrame(ordered, index=pd.RangeIndex(n, name="event"), copy=False)


def _plain_columns(table: Batches, facts: Facts) -> dict[str, object]:
    """The columns that are as they were read."""
    return {
        **{name: _string(table.whole(name)) for name in _PLAIN_STRINGS},
        **{name: category(table.codes(name)) for name in _PLAIN_CATEGORIES},
        **{name: _integer(table.array(name, pa.int64())) for name in _PLAIN_INTEGERS},
        "raw": _string(facts.raw),
        "sender_label": category(facts.label),
        "kind": category(Codes(facts.kind, list(KINDS))),
        "update": category(facts.update),
        "message_id_state": category(Codes(facts.id_state, list(STATES))),
    }


def _derived_columns(table: Batches, facts: Facts, context: Context) -> dict[str, object]:
    """The columns that other rows have a say in."""
    return {
        "sender": category(Codes(context.replies.sender, list(_SENDERS))),
        "method": category(context.replies.method),
        "reply_to": _nullable(context.replies.reply_to),
        "session_id": _string_of(context.replies.session),
        "protocol": category(Codes(_of_messages(facts, context.version), list(VERSIONS))),
        "role": category(_roles(facts, context.version)),
        "turn": _nullable(context.turns.turn),
        "phase": category(Codes(context.turns.phase, list(_PHASES))),
        "epoch": _nullable(context.turns.epoch),
        "problem": category(_problems(table.codes("problem"), context.refused)),
    }


_PLAIN_STRINGS = ("rpc_id", "message_id", "text", "tool_call_id", "title")
_PLAIN_INTEGERS = ("line", "offset", "length")
_PLAIN_CATEGORIES = ("source", "content_type", "tool_kind", "tool_status")


def _of_messages(facts: Facts, codes: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """The codes of JSON-RPC messages; noise speaks no version."""
    return np.where(facts.kind <= _LAST_MESSAGE_KIND, codes, -1)


def _roles(facts: Facts, version: npt.NDArray[np.int8]) -> Codes:
    codes = np.full(len(facts), -1, dtype=np.int8)
    for number, known in enumerate(VERSIONS):
        of_version = version == number
        if not of_version.any():
            continue
        variants = VARIANTS[known]
        roles = [
            -1 if (variant := variants.get(name)) is None or variant.role is None else _ROLES.index(variant.role)
            for name in facts.update.names
        ]
        by_name = np.array([*roles, -1], dtype=np.int8)[facts.update.codes]
        codes = np.where(of_version, by_name, codes)
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


def _string(column: pa.ChunkedArray) -> ArrowStringArray:
    return ArrowStringArray(column)


def _string_of(column: Codes) -> ArrowStringArray:
    indices = pa.array(column.codes, mask=column.codes < 0)
    return _string(pa.chunked_array([pa.array(column.names, pa.large_string()).take(indices)]))


def _integer(column: pa.Array) -> pd.arrays.IntegerArray:
    missing = column.is_null().to_numpy(zero_copy_only=False)
    return pd.arrays.IntegerArray(pc.fill_null(column, 0).to_numpy(zero_copy_only=False).copy(), missing.copy())


def _nullable(numbers: npt.NDArray[np.int64] | npt.NDArray[np.int32]) -> pd.arrays.IntegerArray:
    return pd.arrays.IntegerArray(np.maximum(numbers, 0, dtype=np.int64), numbers < 0)
