"""Logs of Python programs that print messages as ``repr`` does: dicts, SDK objects, Toad's log.

Sources: agent-client-protocol 0.12.1 (its models' ``repr`` and ``str``); Toad ``src/toad/acp/agent.py``, which
prints what it sends as Python (``[client]``) and what it gets as the JSON that it is (``[agent]``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.notation.builder import Named, NotationError, Value
from acpinspect.reading.notation.python_repr import read_python, read_python_fields
from acpinspect.reading.printed import NAME_BEGINS, Opened, Printed, open_printed, printed_frames, read_json
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.wire.lost_ids import LostIds, lost_id_problem
from acpinspect.reading.wire.python_types import python_message, python_value

_OBJECT = NAME_BEGINS + r"[A-Z]\w*\((?=[a-z_]\w*=)"
_DICT = r"\{(?=')|\[(?=\s*\{')"
_FIELDS = (
    NAME_BEGINS + r"(?<![.(])(?=(?:session_id|field_meta|update|content|message_id|sessionId|session_update)=)"
)
_BEGINS = re.compile(f"{_OBJECT}|{_DICT}|{_FIELDS}", re.MULTILINE)
_BEGINS_OR_JSON = re.compile(rf'{_BEGINS.pattern}|\{{(?=")|\[(?=\s*\{{")', re.MULTILINE)
_JSON = re.compile(r'\{\s*"|\[\s*\{\s*"')
_SIDE = re.compile(r"\[(client|agent)\](?:\s|\x1b\[[\d;]*m)*\Z")
_TOAD = re.compile(r"^.{0,60}?\[(client|agent)\] [\[{]", re.MULTILINE)
_LINES_TO_SNIFF = 200


def _read(text: str, position: int, ids: LostIds) -> tuple[Opened, int]:
    if _JSON.match(text, position):
        try:
            return read_json(text, position)
        except NotationError:
            pass
    if text[position] in "{[" or text[position].isupper():
        value, end = read_python(text, position)
    else:
        fields, end = read_python_fields(text, position)
        value = Named("", (), fields)
    return _opened(value, ids), end


def _opened(value: Value, ids: LostIds) -> Opened:
    if isinstance(value, Named):
        message = python_message(value, ids)
        if message is not None:
            return open_printed(message, lost_id_problem(message))
    return open_printed(python_value(value))


def _toad_side(prefix: str) -> Sender | None:
    match = _SIDE.search(prefix)
    if match is None:
        return None
    return "client" if match.group(1) == "client" else "agent"


def _sniff(sniff: Sniff) -> str | None:
    """More lines with a message in Python than lines that are JSON."""
    seen = sum(1 for line in sniff.lines[:_LINES_TO_SNIFF] if _holds_message(line))
    if seen <= len(sniff.objects):
        return None
    return "lines with messages as Python's repr prints them"


def _holds_message(line: str) -> bool:
    for match in _BEGINS.finditer(line):
        try:
            if _read(line, match.start(), LostIds())[0]:
                return True
        except NotationError:
            continue
    return False


def _sniff_toad(sniff: Sniff) -> str | None:
    sides = {match.group(1) for match in _TOAD.finditer(sniff.text)}
    if not sides or "jsonrpc" not in sniff.text:
        return None
    return "lines that begin with [client] (Python) and [agent] (JSON)"


def _frames(document: Document) -> Iterator[Frame]:
    ids = LostIds()
    return printed_frames(document, Printed(_BEGINS_OR_JSON, partial(_read, ids=ids)))


def _toad_frames(document: Document) -> Iterator[Frame]:
    ids = LostIds()
    return printed_frames(document, Printed(_BEGINS_OR_JSON, partial(_read, ids=ids), _toad_side))


register(
    Dialect(
        name="toad-log",
        title="Toad's log: [client] Python, [agent] JSON",
        writer="Toad",
        sniff=_sniff_toad,
        frames=_toad_frames,
        order=30,
    ),
    Dialect(
        name="python-repr",
        title="Messages as Python's repr: dicts, SDK objects",
        writer="Python programs (agent-client-protocol SDK)",
        sniff=_sniff,
        frames=_frames,
        order=40,
    ),
)
