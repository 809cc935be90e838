"""The unit that every reader yields: one JSON-RPC message, and where, when and from whom it came."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

__all__ = ["Frame", "Place", "Sender"]

Sender = Literal["agent", "client"]


class Place(NamedTuple):
    """Where a piece of a document stands: its source, 1-based line, byte offset and length."""

    source: str
    line: int
    offset: int
    length: int


class Frame(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One record of a recording.

    Attributes:
        raw: JSON text of one JSON-RPC message; for the kinds ``unreadable`` and ``other`` the text as written.
        source: Name of the file, stream or object that the record was read from.
        line: 1-based line at which the record begins, where the source has lines.
        offset: First byte of the whole record (its wrapper included) in the decompressed source.
        length: Size of the whole record in bytes.
        time: Nanoseconds since the epoch, UTC; ``None`` where the record doesn't say.
        elapsed: Seconds on the recorder's own relative clock.
        clock: How the time was written (``"epoch ms"``, ``"ISO 8601"``, ``"local"``, ...).
        label: The direction label, as written.
        sender: The sending side, only where the format itself fixes it.
        kind: ``None`` for a JSON-RPC message, else ``"unreadable"`` or ``"other"``.
        problem: Why the record is unreadable or odd.
        connection: Name of the connection, where a recording holds several.
    """

    raw: str
    source: str
    line: int | None = None
    offset: int | None = None
    length: int | None = None
    time: int | None = None
    elapsed: float | None = None
    clock: str | None = None
    label: str | None = None
    sender: Sender | None = None
    kind: Literal["unreadable", "other"] | None = None
    problem: str | None = None
    connection: str | None = None
