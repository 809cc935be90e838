"""Which request a response answers.

Both sides number their own requests, so one id is often open in both directions at once. Where the log gives
a direction, it decides; where it gives none, the shape of the result does. Cost: linear in the number of
requests and responses; notifications are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.carry import NOTHING, Carry
from acpinspect.context.facts import AGENT, CLIENT, NO_VERSION, UNKNOWN, Facts, Ints, Mask
from acpinspect.protocol.methods import METHODS
from acpinspect.reading.results import methods_named, version_in

__all__ = ["Replies", "pair", "shows_two_sides"]

_REQUEST: Final = 0
_RESPONSE: Final = 1


@dataclass(slots=True)
class Replies:
    """What pairing found out, by row.

    Attributes:
        reply_to: The request's row; -1 where a row is no response, or its request is not in the log.
        method: Methods of responses (of their requests, or told by the shape), by row.
        session: Sessions of responses, by row.
        sender: The side of requests, responses and notifications; -1 where nothing tells.
        connection: Number of the connection, counted anew at each `initialize`.
        version: protocolVersion that a connection agreed on, by number of the connection.
        began: For each recording and connection as it names them: from which row on which number holds.
        unanswered: Rows of the requests that are open at the end, ascending.
    """

    reply_to: Ints
    method: dict[int, str]
    session: dict[int, str]
    sender: npt.NDArray[np.int8]
    connection: npt.NDArray[np.int32]
    version: dict[int, int]
    began: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    unanswered: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Connection:
    number: int
    open: dict[tuple[int, str | None], int] = field(default_factory=dict)


def pair(
    facts: Facts, by_method: npt.NDArray[np.int8], by_label: npt.NDArray[np.int8], carry: Carry = NOTHING
) -> Replies:
    """Pair requests and responses of each connection, in order.

    Args:
        facts: The columns.
        by_method: The side that each row's method fixes.
        by_label: The side that each row's calibrated label stands for.
        carry: What the frames before left behind.
    """
    n = len(facts)
    fixed = facts.sender.copy()
    side = np.where(fixed != UNKNOWN, fixed, np.where(by_method != UNKNOWN, by_method, by_label)).astype(np.int8)
    replies = Replies(np.full(n, -1, np.int64), {}, {}, side, np.zeros(n, np.int32), {})
    _Pairing(facts, replies, carry).run()
    _guess_extensions(facts, replies)
    return replies


def _guess_extensions(facts: Facts, replies: Replies) -> None:
    """A notification of a foreign method without any direction is taken to be the agent's.

    All recordings that we know agree on this; a label, where there is one, overrules it.
    """
    unknown = (facts.kind == 3) & (replies.sender == UNKNOWN)
    replies.sender[unknown & (facts.label.codes < 0)] = AGENT


class _Pairing:
    """One pass over the requests and responses, with what is open on each connection."""

    def __init__(self, facts: Facts, replies: Replies, carry: Carry) -> None:
        self.facts, self.replies, self.carry = facts, replies, carry
        self.shapes = [*map(methods_named, facts.result_of.names), frozenset[str]()]
        self.updates = np.flatnonzero((facts.update.codes >= 0) & (facts.session.codes >= 0))
        self.one_sided = _one_sided(facts, carry)
        self.connections: dict[tuple[int, int], _Connection] = {}
        self.changes = replies.began
        self.count = 0

    def run(self) -> None:
        facts, rows = self.facts, self.facts.control
        names = zip(facts.recording[rows].tolist(), facts.connection[rows].tolist(), strict=True)
        keys: list[str | None] = facts.key.take(rows).to_pylist()
        asks, opens = facts.kind[rows] == _REQUEST, facts.method.where("initialize")[rows]
        senders = self.replies.sender[rows]
        control = (column.tolist() for column in (rows, asks, opens, senders))
        for name, key, row, asking, opening, sender in zip(names, keys, *control, strict=True):
            connection = self.connections.get(name) or self._connect(name, 0)
            if asking:
                if opening:
                    connection = self._connect(name, row)
                    self._agree(connection, version_in(facts.params(row)))
                connection.open[sender, key] = row
            else:
                self._answer(row, key, name, connection)
        open_now = (row for connection in self.connections.values() for row in connection.open.values())
        self.replies.unanswered = sorted(open_now)
        self._number_connections()

    def _connect(self, name: tuple[int, int], row: int) -> _Connection:
        """A new connection: unanswered requests of the one before are forgotten."""
        self.connections[name] = connection = _Connection(self.count)
        self.changes.setdefault(name, []).append((row, self.count))
        self.count += 1
        return connection

    def _agree(self, connection: _Connection, version: int | None) -> None:
        if version is not None:
            self.replies.version[connection.number] = version

    def _answer(self, row: int, key: str | None, name: tuple[int, int], connection: _Connection) -> None:
        shapes = self.shapes[self.facts.result_of.codes[row]]
        request = self._choose(row, key, connection, shapes)
        if request is None:
            self._adopt(row, name, shapes)
            return
        method, asker = self.facts.method.at(request), int(self.replies.sender[request])
        del connection.open[asker, key]
        self.replies.reply_to[row] = request
        if method is not None:
            self.replies.method[row] = method
        if self.facts.sender[row] == UNKNOWN and asker != UNKNOWN:
            self.replies.sender[row] = 1 - asker
        session = self.facts.session.at(request) or self.facts.result_session.at(row)
        if session is not None:
            self.replies.session[row] = session
        if method == "initialize":
            self._agree(connection, self._version(row))

    def _version(self, row: int) -> int | None:
        version = int(self.facts.result_version[row])
        return None if version == NO_VERSION else version

    def _choose(self, row: int, key: str | None, connection: _Connection, shapes: frozenset[str]) -> int | None:
        """The open request that a response answers."""
        answerer = int(self.replies.sender[row])
        if answerer == UNKNOWN and not shapes and self.one_sided[self.facts.recording[row]]:
            answerer = AGENT
        askers = (CLIENT, AGENT, UNKNOWN) if answerer == UNKNOWN else (1 - answerer, UNKNOWN)
        candidates = [connection.open[asker, key] for asker in askers if (asker, key) in connection.open]
        if answerer != UNKNOWN or not candidates:
            return max(candidates, default=None)
        method = self.facts.method.at
        fitting = [c for c in candidates if method(c) in shapes]
        if not fitting and shapes:
            fitting = [c for c in candidates if method(c) not in METHODS]
        elif not fitting and self.facts.kind[row] == _RESPONSE:
            fitting = [c for c in candidates if not _needs_keys(method(c))] or candidates
        elif not fitting:
            fitting = candidates
        # The agent's requests are short and lie within a long prompt: the later one is answered first.
        return max(fitting, default=None)

    def _adopt(self, row: int, name: tuple[int, int], shapes: frozenset[str]) -> None:
        """A response whose request is not in the log: its result may still say what it answers."""
        own_session = self.facts.result_session.at(row)
        method = next(iter(shapes)) if len(shapes) == 1 else None
        if method is None and "session/new" in shapes and own_session is not None:
            method = "session/new"
        if method is not None:
            self.replies.method[row] = method
        if self.replies.sender[row] == UNKNOWN:
            self.replies.sender[row] = _answering_side(shapes, self.one_sided[self.facts.recording[row]])
        session = self._last_session(row) if method == "session/prompt" else own_session
        if session is not None:
            self.replies.session[row] = session
        if method == "initialize":
            self._agree(self._connect(name, row), self._version(row))

    def _last_session(self, row: int) -> str | None:
        """The session of the last update before a row of the same recording."""
        position = int(np.searchsorted(self.updates, row)) - 1
        if position < 0:
            return self.carry.last_session
        update = int(self.updates[position])
        same = self.facts.recording[update] == self.facts.recording[row]
        return self.facts.session.at(update) if same else None

    def _number_connections(self) -> None:
        """Spread the numbers over all rows: each holds from the row on at which its connection began."""
        recording, connection = self.facts.recording, self.facts.connection
        recordings, starts = np.unique(recording, return_index=True)
        ends = np.append(starts, len(recording))[1:]
        for number, start, end in zip(recordings.tolist(), starts.tolist(), ends.tolist(), strict=True):
            for name in np.unique(connection[start:end]).tolist():
                if (number, name) not in self.changes:
                    self._connect((number, name), start)
                rows = np.flatnonzero(connection[start:end] == name) + start
                changes = self.changes[number, name]
                positions = np.searchsorted([row for row, _ in changes], rows, side="right") - 1
                self.replies.connection[rows] = np.array([count for _, count in changes])[np.maximum(positions, 0)]


def _one_sided(facts: Facts, carry: Carry) -> list[bool]:
    """Recordings of one side's output alone."""
    n = int(facts.recording.max(initial=-1)) + 1
    seen = np.bincount(facts.recording[shows_two_sides(facts)], minlength=n)
    return [count == 0 and not carry.two_sided for count in seen.tolist()]


def shows_two_sides(facts: Facts) -> Mask:
    """Rows that only a recording of both sides has: a method that only the client sends, or a label."""
    client = [name in METHODS and METHODS[name].sender == "client" for name in facts.method.names]
    shows: Mask = facts.method.flags(client) | (facts.label.codes >= 0)
    return shows


def _needs_keys(method: str | None) -> bool:
    """Whether the result of a method must have keys that would give it away."""
    known = METHODS.get(method or "")
    return known is not None and all(call.required_result for call in known.calls.values())


def _answering_side(shapes: frozenset[str], one_sided: bool) -> int:
    askers = {METHODS[name].sender for name in shapes if name in METHODS}
    if askers == {"client"}:
        return AGENT
    if askers == {"agent"}:
        return CLIENT
    return AGENT if one_sided else UNKNOWN
