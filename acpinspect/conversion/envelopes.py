"""Messages made of parts of others: an update in the envelope of its event, or one that the log doesn't have."""

from __future__ import annotations

from collections.abc import Iterable

from acpinspect.conversion.steps import Event, Json, Loss, Losses, Out, as_object
from acpinspect.protocol import VARIANTS, Reading, Version

__all__ = ["made_update", "of_updates", "params_of", "refused", "result_of", "update_of"]


def params_of(event: Event) -> Json:
    """The params of a request or notification."""
    return as_object(event.message.get("params"))


def result_of(event: Event, losses: Losses) -> Json:
    """The result of a response; some agents write null for an empty one."""
    result = event.message.get("result")
    if result is not None and not isinstance(result, dict):
        losses.append(Loss("result", "is no object"))
    return as_object(result)


def update_of(event: Event) -> Json:
    """The update of a session/update; empty where there is none."""
    return as_object(params_of(event).get("update"))


def of_updates(event: Event, updates: Iterable[Json]) -> tuple[Out, ...]:
    """A message for each update, otherwise like that of the event."""
    params = params_of(event)
    return tuple(Out({**event.message, "params": {**params, "update": update}}) for update in updates)


def made_update(session: str | None, update: Json) -> Out:
    """A session/update that the log doesn't have."""
    params: Json = {} if session is None else {"sessionId": session}
    message: Json = {"jsonrpc": "2.0", "method": "session/update", "params": {**params, "update": update}}
    return Out(message, "agent")


def refused(event: Event, reading: Reading, to: Version, losses: Losses) -> tuple[Out, ...]:
    """What stands for an update that its own version refuses: it has no effect, and may have none after.

    v2 lets names pass that it doesn't know, v1 doesn't. A name that only the other version knows would come to
    mean something. A malformed update would not be valid.
    """
    name = update_of(event).get("sessionUpdate")
    if reading.variant is None and isinstance(name, str):
        if to == "v2" and name not in VARIANTS["v2"]:
            return (Out(event.message),)
        losses.append(Loss("sessionUpdate", _unknown(name, to)))
        return ()
    path = reading.issues[-1].path if reading.issues else ""
    losses.append(Loss(path or "update", f"malformed: {reading.rejected}"))
    return ()


def _unknown(name: str, to: Version) -> str:
    if name in VARIANTS[to]:
        return f"it has no effect where it was sent, and would have one in {to}"
    return f"{to} takes no extensions here" if name.startswith("_") else f"{to} has no such update"
