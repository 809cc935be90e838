"""JSON documents: arrays, exports, pretty-printed values one after another."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from acpinspect.reading.documents import document_frames
from acpinspect.reading.exports import Record, records_in
from acpinspect.reading.jsontext import scan, soundness
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff

__all__: list[str] = []

_ZED: Final = re.compile(r'\A\s*\[\s*\{[^{}]*"_(?:direction|type)"\s*:')
_ACPX: Final = re.compile(r'\A\s*\{.*?"(?:format_version|exported_by)"\s*:.*?"history"\s*:\s*\[', re.DOTALL)
_ACPX_HEAD: Final = re.compile(r'\A\s*\{\s*"format_version"\s*:')
_DEVTOOLS: Final = re.compile(r'\A\s*\{.{0,400}?"name"\s*:\s*"acp-devtools"', re.DOTALL)
_OPENCLAW: Final = re.compile(
    r'\A\s*\{\s*(?:"version"\s*:\s*\d+\s*,\s*)?"sessions"\s*:\s*\{.*?"events"\s*:\s*\[', re.DOTALL
)


def _matching(pattern: re.Pattern[str], said: str) -> Callable[[Sniff], str | None]:
    return lambda head: said if pattern.search(head.text) else None


def _is_document(head: Sniff) -> bool:
    """Whether the first value isn't finished on its line, or is all there is."""
    if head.first not in ("{", "["):
        return False
    first = head.lines[0].strip().encode("utf-8", "backslashreplace")
    if soundness(first).sound:
        return len(head.lines) == 1 and next(records_in(first), Record(0, 0)) != Record(0, len(first))
    return first.endswith((b"{", b"[", b",")) or (len(head.lines) == 1 and not head.whole)


def _array(head: Sniff) -> str | None:
    return "one JSON array of records" if head.first == "[" and _is_document(head) else None


def _concatenated(head: Sniff) -> str | None:
    if head.first != "{" or not _is_document(head):
        return None
    data = head.text.encode("utf-8", "backslashreplace")
    span = scan(data, data.index(b"{"))
    rest = data[span.end :].lstrip()
    return "pretty-printed JSON values one after another" if span.whole and rest.startswith((b"{", b"[")) else None


def _object(head: Sniff) -> str | None:
    return "one JSON value over the whole document" if head.first == "{" and _is_document(head) else None


def _document(name: str, title: str, writer: str, order: int, sniff: Callable[[Sniff], str | None]) -> Dialect:
    return Dialect(name=name, title=title, writer=writer, sniff=sniff, frames=document_frames, order=order)


register(
    _document(
        "zed-acp-logs-copy",
        "array of entries with _direction and _type",
        "Zed, Copy in dev: open acp logs",
        10,
        _matching(_ZED, "a JSON array of entries with _direction and _type"),
    ),
    _document(
        "acpx-export",
        "export with a history of messages",
        "acpx sessions export",
        11,
        lambda head: (
            _matching(_ACPX_HEAD, "a JSON object with format_version and a history")(head)
            or _matching(_ACPX, "a JSON object with a history of messages")(head)
        ),
    ),
    _document(
        "acp-devtools-export",
        "export with messages, raw and parsed",
        "maksugr/acp-devtools",
        11,
        _matching(_DEVTOOLS, "a JSON object of the tool acp-devtools"),
    ),
    _document(
        "openclaw-event-ledger",
        "updates by session",
        "OpenClaw",
        11,
        _matching(_OPENCLAW, "a JSON object with sessions and their events"),
    ),
    _document("json-array", "one JSON array of records", "exports of other kinds", 36, _array),
    _document("json-concatenated-pretty", "pretty-printed values in a row", "jq and the like", 37, _concatenated),
    _document("json-document", "one JSON value with records in its lists", "exports of other kinds", 38, _object),
)
