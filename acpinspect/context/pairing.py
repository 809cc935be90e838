"""Which open request a response answers.

Both sides number their own requests, so one id is often open in both directions at once. Where the log gives
a direction, it decides; where it gives none, the shape of the result does. Cost: linear in the number of
requests and responses; notifications are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import AGENT, CLIENT, UNKNOWN, Facts, Ints, Mask
from acpinspect.context.holding import held, run_starts, spread
from acpinspect.protocol.methods import METHODS
from acpinspect.reading.results import methods_named, version_in

__all__ = ["Pairs", "pairs_of"]

_REQUEST: Final = 0
_RESPONSE: Final = 1
_ASKERS: Final = ((AGENT, UNKNOWN), (CLIENT, UNKNOWN), (CLIENT, AGENT, UNKNOWN))
"""Who may have asked what a side answers: the client, the agent, and last, at -1, who is not known."""

_Open = tuple[dict[str | None, int], ...]
"""What is open: for each side that asked, of an id the place of its last request."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Requests and responses, by row.

    Attributes:
        answers: Responses that answer a request of the log, ascending.
        requests: The request of each of them.
        orphans: Responses that answer none, ascending.
        unanswered: Requests that are open at the end, ascending.
        connection: Number of each row's connection, counted anew at each `initialize`.
        version: protocolVersion that a connection agreed on, by number of the connection.
        began: By the name of each connection: from which row on which number holds.
    """

    answers: Ints
    requests: Ints
    orphans: Ints
    unanswered: list[int]
    connection: npt.NDArray[np.int32]
    version: dict[int, int]
    began: dict[int, list[tuple[int, int]]]


@dataclass(slots=True)
class _Connection:
    number: int
    open: _Open = field(default_factory=lambda: ({}, {}, {}))


def pairs_of(facts: Facts, sender: npt.NDArray[np.int8], one_sided: Mask) -> Pairs:
    """Pair requests and responses of each connection, in order.

    Args:
        facts: The columns.
        sender: The side of each row; -1 where that is not known.
        one_sided: The recordings of one side's output alone.
    """
    return _Pairing(facts, sender, one_sided).run()


class _Pairing:
    """One pass over the requests and responses, with what is open on each connection.

    A request or response is told by its place among them.
    """

    def __init__(self, facts: Facts, sender: npt.NDArray[np.int8], one_sided: Mask) -> None:
        self.facts = facts
        self.rows = rows = facts.control
        self.asking = facts.kind[rows] == _REQUEST
        shapeless = ~self.asking & (facts.result_of.codes[rows] < 0) & (sender[rows] == UNKNOWN)
        self.sides = np.where(shapeless & one_sided[facts.recording[rows]], AGENT, sender[rows])
        self.names = _names(facts)
        self.connections: dict[int, _Connection] = {}
        self.began: dict[int, list[tuple[int, int]]] = {}
        self.version: dict[int, int] = {}
        self.count = 0

    def run(self) -> Pairs:
        requests = np.array(self._answered(), dtype=np.int64)
        answers = requests >= 0
        open_now = (place for one in self.connections.values() for side in one.open for place in side.values())
        return Pairs(
            answers=self.rows[answers],
            requests=self.rows[requests[answers]],
            orphans=self.rows[~answers & ~self.asking],
            unanswered=self.rows[sorted(open_now)].tolist(),
            connection=self._connections(),
            version=self.version,
            began=self.began,
        )

    def _answered(self) -> list[int]:
        """The request that each response answers; -1 for none, and for requests."""
        facts, rows = self.facts, self.rows
        names = self.names[rows].tolist()
        keys: list[str | None] = facts.key.take(rows).to_pylist()
        methods, opening = facts.method.codes[rows].tolist(), facts.method.code("initialize")
        requests, here, connection = [-1] * len(rows), None, _Connection(-1)
        columns = zip(names, keys, self.sides.tolist(), self._fits(), strict=True)
        for place, (name, key, side, fits) in enumerate(columns):
            if name != here:
                here, connection = name, self.connections.get(name) or self._connect(name, 0)
            if fits is None:
                if methods[place] == opening:
                    connection = self._open(name, place)
                connection.open[side][key] = place
                continue
            request, asker = _choose(connection.open, key, side, fits, methods)
            if request >= 0:
                del connection.open[asker][key]
                requests[place] = request
                if methods[request] == opening:
                    self._agree(connection, place)
            elif facts.result_of.at(int(rows[place])) == "initialize":
                connection = self._connect(name, int(rows[place]))
                self._agree(connection, place)
        return requests

    def _open(self, name: int, place: int) -> _Connection:
        """The connection that a request opens."""
        row = int(self.rows[place])
        connection = self._connect(name, row)
        version = version_in(self.facts.params(row))
        if version is not None:
            self.version[connection.number] = version
        return connection

    def _connect(self, name: int, row: int) -> _Connection:
        """A new connection: unanswered requests of the one before are forgotten."""
        self.connections[name] = connection = _Connection(self.count)
        self.began.setdefault(name, []).append((row, self.count))
        self.count += 1
        return connection

    def _agree(self, connection: _Connection, place: int) -> None:
        """What the result of an `initialize` says of the version."""
        version = self.facts.result_version[int(self.rows[place])].as_py()
        if version is not None:
            self.version[connection.number] = version

    def _connections(self) -> npt.NDArray[np.int32]:
        """Each number holds from the row on at which its connection began."""
        for name in np.unique(self.names[run_starts(self.names)]).tolist():
            if name not in self.began:
                self._connect(name, 0)
        changes = [(row, name, number) for name, began in self.began.items() for row, number in began]
        at, of, number = np.array(changes, dtype=np.int64).reshape(-1, 3).T
        starts, last = held(self.names, at, of)
        return spread(number[last].astype(np.int32), starts, len(self.facts))

    def _fits(self) -> list[list[int] | None]:
        """For each response how well it answers a request of each method; None for requests."""
        facts = self.facts
        methods = [*facts.method.names, None]
        shapes = [methods_named(joined) for joined in facts.result_of.names]
        table: list[list[int] | None] = [[_fit(method, shape) for method in methods] for shape in shapes]
        table += [[1 if _needs_keys(method) else 2 for method in methods], [1] * len(methods), None]
        shapeless, anything, nothing = range(len(shapes), len(shapes) + 3)
        code = facts.result_of.codes[self.rows]
        code = np.where(code >= 0, code, np.where(facts.kind[self.rows] == _RESPONSE, shapeless, anything))
        code = np.where(self.sides == UNKNOWN, code, anything)
        return [table[one] for one in np.where(self.asking, nothing, code).tolist()]


def _names(facts: Facts) -> npt.NDArray[np.signedinteger]:
    """A number for each connection of each recording; of the first recording that by which it names it."""
    width = int(facts.connection.max(initial=0)) + 1
    return facts.recording if width == 1 else facts.recording.astype(np.int64) * width + facts.connection


def _choose(opened: _Open, key: str | None, side: int, fits: list[int], methods: list[int]) -> tuple[int, int]:
    """The open request that a response of a side answers, and who asked it; -1 for none."""
    best, request, asker = 0, -1, UNKNOWN
    for one in _ASKERS[side]:
        candidate = opened[one].get(key)
        if candidate is None:
            continue
        fit = fits[methods[candidate]]
        # The agent's requests are short and lie within a long prompt: the later one is answered first.
        if fit > best or (fit == best != 0 and candidate > request):
            best, request, asker = fit, candidate, one
    return request, asker


def _fit(method: str | None, shape: frozenset[str]) -> int:
    """How well a method fits the shape of a result; those that the protocol doesn't know fit any, but not well."""
    return 2 if method in shape else 1 if method not in METHODS else 0


def _needs_keys(method: str | None) -> bool:
    """Whether the result of a method must have keys that would give it away."""
    known = METHODS.get(method or "")
    return known is not None and all(call.required_result for call in known.calls.values())
