"""Requests and responses whose ids a recording has lost.

JSON-RPC can't say "request" without an id, so one is made up for each such request, ``"lost-1"``, ``"lost-2"``
and so on, and the row's ``problem`` says it. A response takes the id of the first open request of the other side
that its result fits. Where no request fits, its id is null.
"""

from __future__ import annotations

from acpinspect.protocol.methods import METHODS, result_methods
from acpinspect.reading.frames import Sender
from acpinspect.reading.notation.builder import Value

__all__ = ["ID_LOST", "LostIds", "lost_id_problem"]

ID_LOST = "request id lost"
"""What the ``problem`` of a row says whose id is made up or matched."""

_MADE_UP = "lost-"
_MOST_OPEN = 256
_OTHER: dict[Sender, Sender] = {"agent": "client", "client": "agent"}


class LostIds:
    """Gives ids to the requests of one recording, and to the responses the ids of what they answer.

    Examples:
        >>> ids = LostIds()
        >>> ids.request("client", "session/prompt"), ids.request("client", "session/new")
        ('lost-1', 'lost-2')
        >>> ids.response("agent", {"sessionId": "s"}), ids.response("agent", {"stopReason": "end_turn"})
        ('lost-2', 'lost-1')
        >>> ids.response("agent", {"stopReason": "end_turn"}) is None
        True
    """

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[Sender, list[tuple[Value, str]]] = {"agent": [], "client": []}

    def request(self, sender: Sender, method: str) -> str:
        """A new id for a request."""
        self._count += 1
        rpc_id = f"{_MADE_UP}{self._count}"
        self.know(sender, method, rpc_id)
        return rpc_id

    def know(self, sender: Sender, method: str, rpc_id: Value) -> None:
        """Take note of a request whose id is known."""
        requests = self._open[sender]
        requests.append((rpc_id, method))
        if len(requests) > _MOST_OPEN:
            del requests[0]

    def answered(self, sender: Sender, rpc_id: Value) -> None:
        """Take note of a response whose id is known."""
        requests = self._open[_OTHER[sender]]
        requests[:] = [one for one in requests if one[0] != rpc_id]

    def response(self, sender: Sender, result: Value) -> Value:
        """The id of the request that a result answers, or ``None``."""
        return self._take(_OTHER[sender], result_methods(result))

    def error(self, sender: Sender) -> Value:
        """The id of the request that an error answers: the oldest open one."""
        return self._take(_OTHER[sender], frozenset())

    def fill(self, message: dict[str, Value], method: str) -> None:
        """Give a message an id whose own is null; `method` is its own, or that of the request that it answers."""
        known = METHODS.get(method)
        sender: Sender = "agent" if known is not None and known.sender == "agent" else "client"
        if "method" in message:
            message["id"] = self.request(sender, method)
        else:
            message["id"] = self._take(sender, frozenset({method}))

    def _take(self, sender: Sender, methods: frozenset[str]) -> Value:
        requests = self._open[sender]
        for place, (rpc_id, method) in enumerate(requests):
            if not methods or method in methods:
                del requests[place]
                return rpc_id
        return None


def lost_id_problem(message: dict[str, Value]) -> str | None:
    """What to say of a message whose id is made up, matched to such a one, or null; ``None`` for others.

    Examples:
        >>> lost_id_problem({"id": "lost-1", "method": "initialize"})
        'request id lost'
        >>> lost_id_problem({"method": "session/update"}) is None
        True
    """
    rpc_id = message.get("id", 0)
    made_up = rpc_id is None or (isinstance(rpc_id, str) and rpc_id.startswith(_MADE_UP))
    return ID_LOST if made_up else None
