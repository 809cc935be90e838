"""Exports: one JSON value that holds many records in its lists. Where each record stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from acpinspect.reading.envelopes import STRONG_KEYS, is_message, open_value
from acpinspect.reading.jsontext import Slice, elements, members
from acpinspect.reading.siblings import Siblings, read_siblings

__all__ = ["Record", "records_in"]

_DEEPEST: Final = 5
_LOOKED_AT: Final = 5
_JSON_STRING: Final = b'"{\\"'


class Record(NamedTuple):
    """A record inside a value: where it stands there, and what the export says of all its records.

    Attributes:
        start: Its first byte, from the value's first byte on.
        end: The byte after it.
        session: The session's id as JSON text.
        connection: The connection's name.
    """

    start: int
    end: int
    session: str | None = None
    connection: str | None = None


def records_in(value: bytes) -> Iterator[Record]:
    """The records of a value: the elements of an array or of an export's lists, or the value itself.

    Args:
        value: A JSON object or array.

    Examples:
        >>> export = b'{"v":1,"history":[{"id":0,"result":{}},{"id":1,"result":{}}]}'
        >>> [(record.start, record.end) for record in records_in(export)]
        [(18, 38), (39, 59)]
        >>> [(record.start, record.end) for record in records_in(b'{"id":0,"result":{}}')]
        [(0, 20)]
    """
    yield from _records(value, 0, 0, Siblings())


def _records(value: bytes, base: int, depth: int, said: Siblings) -> Iterator[Record]:
    if depth < _DEEPEST:
        if value.startswith(b"["):
            yield from _of_array(value, base, depth, said)
            return
        keys = members(value)
        if keys is not None and _is_export(keys, depth):
            yield from _of_export(value, keys, base, depth, said)
            return
    yield Record(base, base + len(value), said.session, said.connection)


def _of_array(value: bytes, base: int, depth: int, said: Siblings) -> Iterator[Record]:
    end = 0
    for item in elements(value) or []:
        text = bytes(item)
        start = value.find(text, end)
        end = start + len(text)
        if text.startswith(b"{"):
            yield from _records(text, base + start, depth + 1, said)
        elif text.startswith(_JSON_STRING):
            yield Record(base + start, base + end, said.session, said.connection)


def _of_export(value: bytes, keys: Mapping[str, Slice], base: int, depth: int, said: Siblings) -> Iterator[Record]:
    here = read_siblings({key: item for key, item in keys.items() if not _is_container(item)}, said, weak=False)
    end = 0
    for item in keys.values():
        text = bytes(item)
        start = max(value.find(text, end), end)
        end = start + len(text)
        if _is_container(item) and _holds_records(item, depth):
            yield from _records(text, base + start, depth + 1, here)


def _is_export(keys: Mapping[str, Slice], depth: int) -> bool:
    """Whether an object is no record itself, but has lists of records."""
    if is_message(keys):
        return False
    return any(
        key not in STRONG_KEYS and _is_container(item) and _holds_records(item, depth)
        for key, item in keys.items()
    )


def _is_container(value: Slice) -> bool:
    return bytes(memoryview(value)[:1]) in (b"{", b"[")


def _holds_records(value: Slice, depth: int) -> bool:
    if depth >= _DEEPEST:
        return False
    if bytes(memoryview(value)[:1]) == b"{":
        keys = members(value)
        return keys is not None and _is_export(keys, depth + 1)
    return any(_is_record(item, depth) for item in islice(elements(value) or [], _LOOKED_AT))


def _is_record(item: Slice, depth: int) -> bool:
    if bytes(memoryview(item)[:1]) != b"{":
        return bytes(memoryview(item)[:3]) == _JSON_STRING
    return bool(open_value(item)) or _holds_records(item, depth + 1)
