"""Traffic that acp.el and agent-shell (Emacs) save: one list of alists, each a message with its direction.

Source: ``acp-traffic.el`` of acp.el (``pp`` with ``print-circle``). Emacs is the client, so ``incoming`` is the
agent's. Its JSON parser gives nil for false, null and the empty object alike; which one it was is settled by the
schema's keys (`acpinspect.reading.wire.empties`), and is null where they don't tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.notation.builder import NotationError, Value
from acpinspect.reading.notation.sexpr import as_json, read_sexpr
from acpinspect.reading.printed import Opened, frame_of, open_printed, torn_frame, unread_frame
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.wire.empties import settle

_BETWEEN = re.compile(r"(?:[\s)]|;[^\n]*)*")
_KEY = r":(?:direction|kind|object)\b"
_LIST_OF_RECORDS = re.compile(r"\(\s*(?=(?:#\d+=)?\(\s*(?:#\d+=)?\(\s*:)")
_LOOKS_LIKE = re.compile(rf"(?:\s|;[^\n]*)*\(\s*(?:(?:#\d+=)?\(\s*)*{_KEY}")
_NEXT_ALIST = re.compile(rf"\n\s*(?=\(\({_KEY})")
_NEXT_PLIST = re.compile(rf"\n\s*(?=\({_KEY})")
_SENDERS: dict[object, Sender] = {"incoming": "agent", "outgoing": "client"}


@dataclass
class _Record:
    """One record of the list, and what it holds."""

    start: int
    end: int
    found: Opened = field(default_factory=list)
    label: str | None = None
    problem: str | None = None
    torn: bool = False


def _frames(document: Document) -> Iterator[Frame]:
    """The list's own brackets belong to the record before them, or to the first."""
    text = document.text
    held: _Record | None = None
    for record in _records(text):
        if held is None:
            record.start = len(text) - len(text.lstrip())
        else:
            held.end += len(text[held.end : record.start].rstrip())
            yield from _rows(document, held)
        held = record
    if held is not None:
        held.end = max(held.end, len(text.rstrip()))
        yield from _rows(document, held)


def _records(text: str) -> Iterator[_Record]:
    labels: dict[int, Value] = {}
    position = 0
    while (start := _next_start(text, position)) < len(text):
        record = _record(text, start, labels)
        yield record
        position = record.end


def _next_start(text: str, position: int) -> int:
    """Where the next record begins: after blanks, comments, and the brackets around lists of records."""
    between = _BETWEEN.match(text, position)
    start = between.end() if between else position
    opening = _LIST_OF_RECORDS.match(text, start)
    return opening.end() if opening else start


def _record(text: str, start: int, labels: dict[int, Value]) -> _Record:
    try:
        expression, end = read_sexpr(text, start, labels)
    except NotationError as error:
        following = (_NEXT_ALIST if text.startswith("((", start) else _NEXT_PLIST).search(text, start)
        end = following.start() if following else len(text)
        return _Record(start, end, problem=str(error), torn=error.torn)
    record = _Record(start, end)
    try:
        value = settle(as_json(expression))
    except NotationError as error:
        record.problem = str(error)
        return record
    if isinstance(value, dict):
        parts = {key.removeprefix(":"): part for key, part in value.items()}
        record.found = open_printed(parts.get("object", value))
        label = parts.get("direction")
        record.label = label if isinstance(label, str) else None
    return record


def _rows(document: Document, record: _Record) -> Iterator[Frame]:
    start, end = record.start, record.end
    if record.problem is not None:
        problem = "torn: the record ends early" if record.torn else record.problem
        yield torn_frame(document, start, end, problem)
    elif not record.found:
        yield unread_frame(document, start, end)
    for found in record.found:
        found.beside.label = record.label
        yield frame_of(document, found, start, end, sender=_SENDERS.get(record.label))


def _sniff(sniff: Sniff) -> str | None:
    if _LOOKS_LIKE.match(sniff.text):
        return "a Lisp list of records with :direction, :kind and :object"
    return None


register(
    Dialect(
        name="acp-el",
        title="Traffic saved by acp.el or agent-shell",
        writer="acp.el, agent-shell (Emacs)",
        sniff=_sniff,
        frames=_frames,
        order=20,
    )
)
