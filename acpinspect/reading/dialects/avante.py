r"""The ACP debug log of avante.nvim: what it sends as JSON, what it gets as ``vim.inspect`` prints it.

Source: ``lua/avante/libs/acp_client.lua`` (``_debug_log``). A record is a word and a value, then a bar of ``=``::

    request: {json}\n====          a request, or the result of one that the agent sent
    notification: {json}====\n     no newline before the bar
    response: <lua>\n====          what the agent answers
    method: NAME\n<lua>\n====      the params of the agent's requests and notifications; their ids are not written

The log is appended to by every run. Ids of the agent's requests are taken from the answers further down, in order;
where there is none, one is made up (`acpinspect.reading.wire.lost_ids`). What an empty table was is settled by the
schema's keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from acpinspect.protocol.methods import METHODS, result_methods
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.notation.builder import NotationError, Value
from acpinspect.reading.notation.lua import read_lua
from acpinspect.reading.printed import Opened, frame_of, open_printed, read_json, torn_frame, unread_frame
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.wire.empties import settle
from acpinspect.reading.wire.lost_ids import ID_LOST, LostIds
from acpinspect.reading.wire.messages import notification, request

_HEAD = re.compile(r"(?:(request|notification|response):[ \t]*|method:[ \t]*([^\n]*?)[ \t]*\r?\n)")
_BAR = re.compile(r"\s*={20,}[ \t]*(?:\r?\n)?")
_LONG_BAR = re.compile(r"={80}")
_NEXT = re.compile(r"(?<=\n)(?=(?:request|notification|response): ?\{|method: [^\n]*\r?\n)")
_LOOKS_LIKE = re.compile(r"^(?:request|notification|response): ?\{|^method: \S+\r?\n\{", re.MULTILINE)
_MOST_OPEN = 256
_SENDERS: dict[str, Sender] = {
    "request": "client",
    "notification": "client",
    "response": "agent",
    "method": "agent",
}


@dataclass
class _Record:
    """One record of the log.

    Attributes:
        start: Where it begins.
        end: Where it ends, its bar included.
        word: ``request``, ``notification``, ``response`` or ``method``.
        method: The method that stands after ``method:``.
        value: What stands there as Lua.
        found: What stands there as JSON.
        rpc_id: For a request of the agent, the id of its answer.
        problem: Why the record can't be read.
    """

    start: int
    end: int
    word: str = ""
    method: str = ""
    value: Value = None
    found: Opened | None = None
    rpc_id: Value = None
    problem: str | None = None

    @property
    def is_call(self) -> bool:
        """Whether it is a request of the agent, whose id isn't written."""
        known = METHODS.get(self.method)
        return self.word == "method" and known is not None and known.kind == "request"


def _frames(document: Document) -> Iterator[Frame]:
    records = list(_records(document.text))
    _find_ids(records)
    ids = LostIds()
    for record in records:
        yield from _rows(document, record, ids)


def _records(text: str) -> Iterator[_Record]:
    position = 0
    while position < len(text):
        head = _HEAD.match(text, position)
        if head is None:
            following = _NEXT.search(text, position + 1)
            if following is None:
                return
            position = following.start()
            continue
        record = _record(text, head)
        yield record
        position = record.end


def _record(text: str, head: re.Match[str]) -> _Record:
    record = _Record(head.start(), head.end(), word=head.group(1) or "method", method=head.group(2) or "")
    try:
        if _SENDERS[record.word] == "client":
            record.found, end = read_json(text, head.end())
        else:
            record.value, end = read_lua(text, head.end())
    except NotationError as error:
        following = _NEXT.search(text, head.end())
        record.end = following.start() if following else len(text)
        record.problem = "torn: the record ends early" if error.torn else str(error)
        return record
    bar = _BAR.match(text, end)
    record.end = bar.end() if bar else end
    return record


def _find_ids(records: list[_Record]) -> None:
    """Give the agent's requests the ids of the client's answers, in order, by the shape of the result."""
    waiting: list[_Record] = []
    for record in records:
        if record.is_call:
            waiting.append(record)
            del waiting[:-_MOST_OPEN]
        for found in record.found or ():
            message = _parsed(found.raw)
            if message.get("method") == "initialize":
                waiting.clear()
            elif "method" not in message and "id" in message:
                _answer(waiting, message)


def _parsed(raw: str) -> dict[str, Value]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _answer(waiting: list[_Record], message: dict[str, Value]) -> None:
    methods = result_methods(message["result"]) if "result" in message else frozenset()
    for place, record in enumerate(waiting):
        if not methods or record.method in methods:
            record.rpc_id = message["id"]
            del waiting[place]
            return


def _rows(document: Document, record: _Record, ids: LostIds) -> Iterator[Frame]:
    start, end = record.start, record.start + len(document.text[record.start : record.end].rstrip())
    if record.problem is not None:
        yield torn_frame(document, start, end, record.problem)
        return
    found = record.found if record.found is not None else _opened(record, ids)
    if not found:
        yield unread_frame(document, start, end)
    for one in found:
        one.beside.label = record.word
        yield frame_of(document, one, start, end, sender=_SENDERS[record.word])


def _opened(record: _Record, ids: LostIds) -> Opened:
    value = settle(record.value)
    if record.word == "response":
        return open_printed(value)
    if not record.is_call:
        return open_printed(notification(record.method, value))
    if record.rpc_id is not None:
        return open_printed(request(record.method, value, record.rpc_id), f"{ID_LOST}: taken from the answer")
    return open_printed(request(record.method, value, ids.request("agent", record.method)), ID_LOST)


def _sniff(sniff: Sniff) -> str | None:
    if _LOOKS_LIKE.search(sniff.text) and _LONG_BAR.search(sniff.text):
        return "records request:, response:, method: with bars of = between"
    return None


register(
    Dialect(
        name="avante-acp-session",
        title="The ACP debug log of avante.nvim",
        writer="avante.nvim",
        sniff=_sniff,
        frames=_frames,
        order=20,
    )
)
