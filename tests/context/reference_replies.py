"""What each frame of a log answers and who sent it, frame by frame, with no column in sight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from acpinspect.protocol.methods import METHODS, result_methods

OTHER = {"client": "agent", "agent": "client"}


class Sent(NamedTuple):
    """A frame, and what its envelope says: the side that it came from, and the connection."""

    frame: dict[str, Any]
    side: str | None = None
    connection: str | None = None


@dataclass(frozen=True)
class Told:
    """What is known of a frame."""

    reply_to: int | None = None
    method: str | None = None
    session: str | None = None
    sender: str | None = None


class Asked(NamedTuple):
    row: int
    key: tuple[type, Any]
    asker: str | None
    method: str


def fixed_side(method: str | None) -> str | None:
    side = METHODS[method].sender if method in METHODS else None
    return side if side in OTHER else None


def told_of(log: list[Sent]) -> list[Told]:
    """What is known of each frame of a recording."""
    one_sided = not any(sent.side or fixed_side(sent.frame.get("method")) == "client" for sent in log)
    opened: dict[str | None, list[Asked]] = {}
    told: list[Told] = []
    latest = None
    for row, sent in enumerate(log):
        frame, waiting = sent.frame, opened.setdefault(sent.connection, [])
        method, session = frame.get("method"), frame.get("params", {}).get("sessionId")
        own = Told(None, method, session, fixed_side(method) or sent.side)
        if method is None:
            own = answered(sent, own, waiting, one_sided)
            if own.reply_to is None:
                own = orphaned(frame, own, latest, one_sided)
                if own.method == "initialize":
                    waiting.clear()
        elif "id" in frame:
            key = (type(frame["id"]), frame["id"])
            again = [one for one in waiting if (one.key, one.asker) == (key, own.sender)]
            for one in waiting[:] if method == "initialize" else again:
                waiting.remove(one)
            waiting.append(Asked(row, key, own.sender, method))
        elif own.sender is None:
            own = replace(own, sender="agent")
        if method == "session/update" and session is not None:
            latest = session
        told.append(own)
    return told


def shape(frame: dict[str, Any]) -> frozenset[str]:
    return result_methods(frame["result"]) if "result" in frame else frozenset()


def result_session(frame: dict[str, Any]) -> str | None:
    session: str | None = frame.get("result", {}).get("sessionId")
    return session


def answered(sent: Sent, own: Told, waiting: list[Asked], one_sided: bool) -> Told:
    """The response with what its request tells; the request waits no longer."""
    frame, shapes = sent.frame, shape(sent.frame)
    answerer = sent.side or ("agent" if one_sided and not shapes else None)
    key = (type(frame["id"]), frame["id"])
    possible = [one for one in waiting if one.key == key and (answerer is None or one.asker != answerer)]
    if answerer is None and shapes:
        named = [one for one in possible if one.method in shapes]
        possible = named or [one for one in possible if one.method not in METHODS]
    elif answerer is None and "result" in frame:
        possible = [one for one in possible if not needs_keys(one.method)] or possible
    if not possible:
        return own
    request = max(possible)
    waiting.remove(request)
    sender = OTHER[request.asker] if request.asker else own.sender
    return Told(request.row, request.method, own.session, sender)


def needs_keys(method: str) -> bool:
    return method in METHODS and all(call.required_result for call in METHODS[method].calls.values())


def orphaned(frame: dict[str, Any], own: Told, latest: str | None, one_sided: bool) -> Told:
    """A response with what its own shape tells."""
    shapes, session = shape(frame), result_session(frame)
    method = next(iter(shapes)) if len(shapes) == 1 else None
    if method is None and "session/new" in shapes and session is not None:
        method = "session/new"
    askers = {METHODS[name].sender for name in shapes}
    sender = own.sender or (OTHER[askers.pop()] if len(askers) == 1 else "agent" if one_sided else None)
    found = latest if method == "session/prompt" else session
    return Told(None, method, own.session if found is None else found, sender)


def sessions_of(log: list[Sent], told: list[Told]) -> list[str | None]:
    """The session of each frame: of a response that of its request, else the one in its result."""
    sessions = []
    for sent, one in zip(log, told, strict=True):
        asked = None if one.reply_to is None else told[one.reply_to].session or result_session(sent.frame)
        sessions.append(one.session if asked is None else asked)
    return sessions
