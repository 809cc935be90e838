"""The two halves of one connection, each in a file of its own: which is whose, and how they are merged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

import msgspec

from acpinspect.reading.document import Document, Role
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.jsontext import members
from acpinspect.reading.recordings import part_of

__all__ = ["assign_roles", "merged"]

_METHOD: Final = re.compile(rb'"method"\s*:\s*"([^"\\]{1,80})"')
_OF_AGENT: Final = re.compile(rb"session/update|session/request_permission|(?:fs|terminal|elicitation)/")
_OF_CLIENT: Final = re.compile(
    rb"initialize\Z|authenticate\Z|session/(?:new|load|resume|list|prompt|cancel|set_|fork|close)"
)
_HEAD: Final = 262_144


def assign_roles(documents: list[Document]) -> bool:
    """Say of each document which half it is, by what stands in it and then by its name.

    Args:
        documents: The documents of one name; their roles are set.

    Returns:
        Whether both halves are there. Where not, no role is set.
    """
    roles = [_role_of(document) for document in documents]
    if "both" in roles or not {"agent", "client"} <= set(roles):
        return False
    for document, role in zip(documents, roles, strict=True):
        document.role = role  # type: ignore[assignment] # "both" is excluded above
    return True


def _role_of(document: Document) -> Role | str | None:
    named = part_of(document.name).role
    if named == "stderr":
        return named
    votes: Counter[str] = Counter()
    for method in _METHOD.findall(document.head(_HEAD)):
        if _OF_AGENT.match(method):
            votes["agent"] += 1
        elif _OF_CLIENT.match(method):
            votes["client"] += 1
    if len(votes) == 2:
        return "both"
    return next(iter(votes), named)


_Half = tuple[Role | None, Iterable[Frame]]


def merged(halves: Iterable[_Half]) -> Iterator[Frame]:
    """The frames of both halves in one order that could have been.

    Each half keeps its own order. An answer comes after its request; a client's request waits for the answers to
    its earlier ones; a client's notification comes as late as it can, before the answer to the request that was
    open when it was sent. Standard error comes last, as rows that are no messages.

    Args:
        halves: Each half's role and frames.

    Examples:
        >>> asked = [Frame(raw='{"id":0,"method":"initialize"}', source="in")]
        >>> answered = [Frame(raw='{"id":0,"result":{}}', source="out")]
        >>> [frame.sender for frame in merged([("agent", answered), ("client", asked)])]
        ['client', 'agent']
    """
    lists: dict[str, list[Frame]] = {"client": [], "agent": [], "stderr": []}
    for role, frames in halves:
        lists[role or "agent"] += frames
    yield from _Merge(
        [_part(f, "client") for f in lists["client"]], [_part(f, "agent") for f in lists["agent"]]
    ).run()
    for frame in lists["stderr"]:
        yield msgspec.structs.replace(frame, kind="other", problem="stderr")


class _Part(NamedTuple):
    """A frame of a half: what it is, and its id as JSON text."""

    frame: Frame
    kind: Literal["request", "answer", "notification", "odd"]
    rpc_id: bytes


def _part(frame: Frame, sender: Sender) -> _Part:
    if frame.kind is not None:
        return _Part(frame, "odd", b"")
    frame = msgspec.structs.replace(frame, sender=sender)
    keys = members(frame.raw.encode("utf-8", "backslashreplace")) or {}
    rpc_id = bytes(keys.get("id", b""))
    if "method" not in keys:
        return _Part(frame, "answer", rpc_id)
    return _Part(frame, "request" if rpc_id not in (b"", b"null") else "notification", rpc_id)


class _Merge:
    """Takes from the two halves in turn, as their ids allow."""

    def __init__(self, client: list[_Part], agent: list[_Part]) -> None:
        self._client = client
        self._agent = agent
        self._next_client = self._next_agent = 0
        self._to_answer = Counter(part.rpc_id for part in agent if part.kind == "answer")
        self._to_ask = Counter(part.rpc_id for part in client if part.kind == "request")
        self._asked_by_agent = Counter(part.rpc_id for part in agent if part.kind == "request")
        self._open: Counter[bytes] = Counter()

    def run(self) -> Iterator[Frame]:
        """All frames, merged."""
        while self._next_client < len(self._client) or self._next_agent < len(self._agent):
            yield self._take_client() if self._client_is_next() else self._take_agent()

    def _client_is_next(self) -> bool:
        if self._next_agent == len(self._agent):
            return True
        if self._next_client == len(self._client):
            return False
        head = self._client[self._next_client]
        if self._agent_answers_unasked():
            return True
        if head.kind == "request":
            return not self._open
        if head.kind == "answer":
            return not self._asked_by_agent[head.rpc_id]
        return head.kind == "odd" or not self._open or self._agent_answers_open()

    def _agent_answers_unasked(self) -> bool:
        """The agent's next frame answers a request that still waits in the client's half."""
        head = self._agent[self._next_agent]
        return head.kind == "answer" and not self._open[head.rpc_id] and self._to_ask[head.rpc_id] > 0

    def _agent_answers_open(self) -> bool:
        head = self._agent[self._next_agent]
        return head.kind == "answer" and self._open[head.rpc_id] > 0

    def _take_client(self) -> Frame:
        part = self._client[self._next_client]
        self._next_client += 1
        if part.kind == "request":
            self._to_ask[part.rpc_id] -= 1
            if self._to_answer[part.rpc_id] > 0:
                self._open[part.rpc_id] += 1
        return part.frame

    def _take_agent(self) -> Frame:
        part = self._agent[self._next_agent]
        self._next_agent += 1
        if part.kind == "request":
            self._asked_by_agent[part.rpc_id] -= 1
        elif part.kind == "answer":
            self._to_answer[part.rpc_id] -= 1
            if self._open[part.rpc_id] > 0:
                self._open[part.rpc_id] -= 1
            self._open += Counter()
        return part.frame
