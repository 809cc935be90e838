"""Folds whole conversations: which session and which request each message belongs to, then one step after another.

This is the plain reference: it keeps one state per session and walks the log once. The events table knows sessions
and answers better (rotated files, directions, snake case); `timeline` goes by that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from acpinspect.protocol import Version, result_methods
from acpinspect.reducer.frames import apply_frame
from acpinspect.reducer.keys import Label, MessageKey
from acpinspect.reducer.state import SessionState, empty_state
from acpinspect.reducer.steps import Place, Step

__all__ = ["Placed", "fold", "place_messages"]


class Placed(NamedTuple):
    """One message of a log, with what the messages before it say about it.

    Attributes:
        event: Its index.
        message: The message.
        session: Its session; ``None`` where it has none.
        request: The request that it answers.

    Examples:
        >>> placed, = place_messages([{"method": "session/cancel", "params": {"sessionId": "s"}}])
        >>> placed.event, placed.session, placed.request
        (0, 's', None)
    """

    event: int
    message: Mapping[str, object]
    session: str | None
    request: Mapping[str, object] | None


def place_messages(messages: Iterable[Mapping[str, object]]) -> Iterator[Placed]:
    """Tell the session and the request of each message.

    Both sides number their requests, so one id can wait for two answers; the shape of the result decides then.
    A response without a request in the log, but with a ``stopReason``, belongs to the session of the last update.

    Args:
        messages: JSON-RPC messages in order.

    Examples:
        >>> prompt = {"id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}
        >>> answer = {"id": 1, "result": {"stopReason": "end_turn"}}
        >>> [(placed.session, placed.request is not None) for placed in place_messages([prompt, answer])]
        [('s', False), ('s', True)]
    """
    waiting: dict[object, list[Mapping[str, object]]] = {}
    last: str | None = None
    for event, message in enumerate(messages):
        method, request = message.get("method"), None
        session = _text(_object(message.get("params")).get("sessionId"))
        if isinstance(method, str):
            if method == "initialize":
                waiting.clear()
            if "id" in message:
                waiting.setdefault(_id(message["id"]), []).append(message)
            last = session if method == "session/update" else last
        else:
            request = _answered(waiting.get(_id(message.get("id")), []), message)
            session = _session_of_answer(message, request, last)
        yield Placed(event, message, session, request)


def _id(value: object) -> tuple[str, object]:
    """An id that can be a key; 1 and "1" are two ids."""
    return type(value).__name__, value if isinstance(value, str | int) else repr(value)


def _answered(
    candidates: list[Mapping[str, object]], response: Mapping[str, object]
) -> Mapping[str, object] | None:
    """The request that a response answers, taken from those that wait under its id."""
    if not candidates:
        return None
    fitting = result_methods(response.get("result")) if "result" in response else frozenset[str]()
    index = next(
        (i for i, request in enumerate(candidates) if request.get("method") in fitting), len(candidates) - 1
    )
    return candidates.pop(index)


def _session_of_answer(
    response: Mapping[str, object], request: Mapping[str, object] | None, last: str | None
) -> str | None:
    result = _object(response.get("result"))
    if request is None:
        return last if "stopReason" in result else None
    created = _text(result.get("sessionId")) if request.get("method") in {"session/new", "session/fork"} else None
    return created or _text(_object(request.get("params")).get("sessionId"))


def fold(
    messages: Iterable[Mapping[str, object]],
    protocol: Version,
    labels: Mapping[int, Label | MessageKey] | None = None,
) -> dict[str, SessionState]:
    """The state of each session after a whole log.

    Args:
        messages: JSON-RPC messages in order.
        protocol: The version that the log speaks.
        labels: Which message each message update belongs to, by index, as a grouping says. Without one the id
            decides, and a chunk without an id continues the open message.

    Examples:
        >>> prompt = {"id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        >>> update = {"method": "session/update", "params": {"sessionId": "s", "update": chunk}}
        >>> state = fold([prompt, update, {"id": 1, "result": {"stopReason": "end_turn"}}], "v1")["s"]
        >>> [message.text for message in state.messages.values()], state.run.stop_reason
        (['Hi'], 'end_turn')
    """
    states: dict[str, SessionState] = {}
    for placed in place_messages(messages):
        if placed.message.get("method") == "initialize":
            states = {session: _step(state, placed, None).state for session, state in states.items()}
        elif placed.session is not None:
            before = states.get(placed.session) or empty_state(protocol, placed.session)
            states[placed.session] = _step(before, placed, (labels or {}).get(placed.event)).state
    return states


def _step(state: SessionState, placed: Placed, label: Label | MessageKey | None) -> Step:
    return apply_frame(state, placed.message, Place(event=placed.event, label=label), request=placed.request)


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
