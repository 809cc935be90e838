"""What the context is derived from: columns of a whole table, as codes and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from acpinspect.events import parse

__all__ = ["AGENT", "CLIENT", "UNKNOWN", "Codes", "Facts", "Ints", "Mask"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

UNKNOWN: Final = -1
CLIENT: Final = 0
AGENT: Final = 1
"""Sides of a connection. ``1 - side`` is the other one."""

_NO_CODE: Final = -2


@dataclass(frozen=True, slots=True)
class Codes:
    """A column as codes into its values; -1 is NA."""

    codes: npt.NDArray[np.signedinteger]
    names: list[str]

    def where(self, *values: str) -> Mask:
        """The rows that have one of these values."""
        return self.flags([name in values for name in self.names])

    def at(self, row: int) -> str | None:
        """The value of one row."""
        code = self.codes[row]
        return None if code < 0 else self.names[code]

    def code(self, value: str) -> int:
        """The code of a value; one that no row has, where it isn't among the names."""
        return self.names.index(value) if value in self.names else _NO_CODE

    def wider(self, names: Iterable[str]) -> Codes:
        """A copy of the column, which may get values beyond its own."""
        wider = list(dict.fromkeys([*self.names, *names]))
        return Codes(self.codes.astype(np.min_scalar_type(-len(wider) - 1)), wider)

    def flags(self, names: Sequence[bool]) -> Mask:
        """Spread a flag per name over the rows; NA has none."""
        hits = [code for code, flag in enumerate(names) if flag]
        if len(hits) < 2:
            few: Mask = self.codes == hits[0] if hits else np.zeros(len(self.codes), dtype=bool)
            return few
        flagged: Mask = np.append(np.array(names, dtype=bool), False)[self.codes]
        return flagged


@dataclass(frozen=True, slots=True)
class Facts:
    """The columns that the context needs, over all recordings of a table.

    Attributes:
        recording: Number of the recording, ascending; recordings are contiguous.
        connection: Number of the connection as the recording names it.
        kind: Index into `batches.KINDS`.
        method: The method, as written.
        session: The session, as written.
        update: sessionUpdate, as written.
        id_state: Index into `batches.STATES`; -1 where it does not apply.
        label: The direction label, as written.
        sender: The side that the format itself fixes; -1 elsewhere.
        check: Updates that need a look at their payload before they count as well-formed.
        key: JSON-RPC id with its type; null for notifications.
        raw: JSON text.
        result_of: The methods whose result a response's may be, joined; NA where it tells nothing.
        result_session: The session in a result.
        result_ends: How a result ends a prompt, if it is that of one.
        result_version: The protocolVersion in a result; null where it has none.
    """

    recording: npt.NDArray[np.int32]
    connection: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    method: Codes
    session: Codes
    update: Codes
    id_state: npt.NDArray[np.int8]
    label: Codes
    sender: npt.NDArray[np.int8]
    check: Mask
    key: pa.ChunkedArray
    raw: pa.ChunkedArray
    result_of: Codes
    result_session: Codes
    result_ends: Codes
    result_version: pa.ChunkedArray

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def control(self) -> Ints:
        """Requests, responses and errors, in order."""
        return np.flatnonzero(self.kind <= 2)

    def payloads(self, rows: Ints) -> Iterator[tuple[int, dict[str, object]]]:
        """The parsed JSON of some rows (ascending), one at a time; rows whose JSON is no object are left out."""
        for row, text in zip(rows.tolist(), self._texts(rows), strict=True):
            value = parse(text)
            if isinstance(value, dict):
                yield row, value

    def params(self, row: int) -> dict[str, object]:
        """The params of one row; empty where it has none."""
        for _, message in self.payloads(np.array([row])):
            params = message.get("params")
            return params if isinstance(params, dict) else {}
        return {}

    def _texts(self, rows: Ints) -> Iterator[memoryview]:
        """The JSON text of some rows, read in place: `take` would first copy the whole column together."""
        bounds = np.cumsum([0, *(len(chunk) for chunk in self.raw.chunks)])
        of_chunk = np.searchsorted(bounds, rows, side="right") - 1
        for number in np.unique(of_chunk).tolist():
            chunk = self.raw.chunk(number)
            _, offsets, data = chunk.buffers()
            ends = np.frombuffer(offsets, np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
            inside = rows[of_chunk == number] - bounds[number]
            text = memoryview(data)
            for start, end in zip(ends[inside].tolist(), ends[inside + 1].tolist(), strict=True):
                yield text[start:end]
