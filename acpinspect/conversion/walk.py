"""One pass over a log: each message goes through the steps of its session, and what they say is put together."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import orjson

from acpinspect.conversion import to_v1, to_v2
from acpinspect.conversion.log import Log, Row, SessionKey
from acpinspect.conversion.steps import Event, Loss, Out, Step
from acpinspect.protocol import Version

__all__ = ["Lost", "Placed", "walk"]


class Placed(NamedTuple):
    """A message of the converted log, at the place of a row of the other.

    Attributes:
        position: The row.
        text: Its JSON; ``None`` where it is that of the row.
        sender: Who sends it, where that is not who sent the row.
    """

    position: int
    text: str | None = None
    sender: Literal["agent", "client"] | None = None


class Lost(NamedTuple):
    """A loss, with where it is."""

    event: int
    session_id: str | None
    variant: str | None
    field: str
    reason: str


class _Side(NamedTuple):
    """The steps of one direction. The state is the direction's own."""

    begin: Callable[[], Any]
    step: Callable[[Any, Event], Step[Any]]
    reconnect: Callable[[Any], Step[Any]]
    close: Callable[[Any], Step[Any]]


def walk(log: Log, to: Version) -> tuple[list[Placed], list[Lost]]:
    """Convert a log.

    Returns:
        The messages of the converted log, in order; and the losses, in the order of the events.
    """
    if to == "v2":
        plan_id = log.plan_id()
        side = _Side(lambda: to_v2.begin(plan_id), to_v2.step, to_v2.reconnect, to_v2.close)
    else:
        side = _Side(to_v1.begin, to_v1.step, to_v1.reconnect, to_v1.close)
    return _Walk(log, to, side).run()


@dataclass(slots=True)
class _Walk:
    log: Log
    to: Version
    side: _Side
    states: dict[SessionKey, Any] = field(default_factory=dict)
    unsent: set[int] = field(default_factory=set)
    """Requests that have no form in the other version; their responses have none either."""
    placed: list[Placed] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)

    def run(self) -> tuple[list[Placed], list[Lost]]:
        for row in self.log.rows():
            if row.event is None:
                self._no_message(row)
            elif row.event.version == self.to:
                self.placed.append(Placed(row.position))
            else:
                self._message(row, row.event)
        for key in self.states:
            self._changed(key, self.side.close(self.states[key]))
        return self.placed, sorted(self.lost, key=lambda loss: loss.event)

    def _no_message(self, row: Row) -> None:
        """What is unreadable is lost; what never was a message (stderr, markers) is left out."""
        if row.kind != "other":
            self.lost.append(Lost(row.label, row.key[1], None, "raw", "it can't be read"))

    def _message(self, row: Row, event: Event) -> None:
        if event.request is not None and event.request in self.unsent:
            reason = f"the request that it answers has no form in {self.to}"
            self._lose(row, event, Loss(event.kind if event.kind == "error" else "result", reason))
            return
        if event.method == "initialize" and event.kind == "request":
            self._reconnect(row.key[0])
        try:
            step = self._step(row, event)
            placed = [Placed(row.position, _text(out, event), out.sender) for out in step.out]
        except RecursionError:
            step, placed = Step(None, (), (Loss("raw", "it is nested too deeply"),)), []
        self.placed += placed
        for loss in step.losses:
            self._lose(row, event, loss)
        if event.kind == "request" and not any(
            "method" in out.message and "id" in out.message for out in step.out
        ):
            self.unsent.add(event.event)

    def _step(self, row: Row, event: Event) -> Step[Any]:
        state = self.states.get(row.key)
        step = self.side.step(self.side.begin() if state is None else state, event)
        self.states[row.key] = step.state
        return step

    def _reconnect(self, recording: str) -> None:
        for key, state in self.states.items():
            if key[0] == recording:
                self._changed(key, self.side.reconnect(state))

    def _changed(self, key: SessionKey, step: Step[Any]) -> None:
        """A step that no message of the session made: all of its losses name their events."""
        self.states[key] = step.state
        for loss in step.losses:
            if loss.event is not None:
                self.lost.append(Lost(loss.event, key[1], loss.variant, loss.field, loss.reason))

    def _lose(self, row: Row, event: Event, loss: Loss) -> None:
        label = event.event if loss.event is None else loss.event
        variant = loss.variant or self._variant(event)
        self.lost.append(Lost(label, row.key[1], variant, loss.field, loss.reason))

    @staticmethod
    def _variant(event: Event) -> str | None:
        params = event.message.get("params")
        update = params.get("update") if isinstance(params, dict) else None
        name = update.get("sessionUpdate") if isinstance(update, dict) else None
        return name if isinstance(name, str) and event.method == "session/update" else event.method


def _text(out: Out, event: Event) -> str | None:
    """A message as JSON; ``None`` where it is that of the event, so that its text can stay as it is.

    What the fast writer refuses (long integers, lone surrogates, depth) the standard one writes.
    """
    message = out.message
    if message.get("jsonrpc") != "2.0":
        message = {**message, "jsonrpc": "2.0"}
    elif message == event.message:
        return None
    try:
        return orjson.dumps(message).decode()
    except TypeError:
        return json.dumps(message, separators=(",", ":"))
