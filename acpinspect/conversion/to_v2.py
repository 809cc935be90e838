"""v1 to v2: one step for each message of a session.

A prompt is acknowledged at once and the agent said to run; the response of v1 becomes the idle state. No
`user_message` is made of a prompt: the agent showed none, and the session would have a message more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from acpinspect.conversion.calls import convert_call
from acpinspect.conversion.envelopes import made_update, of_updates, params_of, refused, result_of, update_of
from acpinspect.conversion.fitting import fit_update, read_source
from acpinspect.conversion.items import commands_of, options_of
from acpinspect.conversion.steps import Event, Json, Loss, Losses, Out, Step, as_object, as_text
from acpinspect.conversion.tools_to_v2 import Tools, ask, call_tool, update_tool
from acpinspect.protocol import UpdateShape
from acpinspect.reducer import FrozenMap

__all__ = ["State", "begin", "close", "reconnect", "step"]


@dataclass(frozen=True, slots=True)
class State:
    """What the steps of a session pass on.

    Attributes:
        plan_id: The id of the session's one plan.
        session: The session's id, as it was last written.
        running: The v2 side has been told that the agent runs.
        waiting: How many prompts have had no response.
        tools: What the v2 side has been told of each tool call.
    """

    plan_id: str
    session: str | None = None
    running: bool = False
    waiting: int = 0
    tools: Tools = field(default_factory=FrozenMap)


_Act: TypeAlias = Callable[[State, Event, Losses], tuple[State, tuple[Out, ...]]]


def begin(plan_id: str) -> State:
    """The state before the first event of a session."""
    return State(plan_id)


def reconnect(state: State) -> Step[State]:
    """Another connection: what was asked on the one before gets no response any more."""
    return Step(replace(state, waiting=0))


def close(state: State) -> Step[State]:
    """The end of the log: nothing was held back."""
    return Step(state)


def step(state: State, event: Event) -> Step[State]:
    """The messages of v2 that stand for one message of v1.

    Args:
        state: The session's state before it.
        event: The message.
    """
    losses: Losses = []
    session = as_text(params_of(event).get("sessionId"))
    if session is not None and session != state.session:
        state = replace(state, session=session)
    act = _ACTS.get((event.kind, event.method or ""))
    if act is not None:
        state, out = act(state, event, losses)
        return Step(state, out, tuple(losses))
    message = convert_call(event, "v2", losses)
    return Step(state, () if message is None else (Out(message),), tuple(losses))


# --- turns ------------------------------------------------------------------------------------------------------

_RUNNING: Final[Json] = {"sessionUpdate": "state_update", "state": "running"}
_OF_IDLE: Final = ("stopReason", "usage", "_meta")


def _prompt(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    message = convert_call(event, "v2", losses)
    if message is None:
        return state, ()
    out = [Out(message)]
    if event.answer is not None and "result" in event.answer:
        out.append(Out(_acknowledgement(event.answer), "agent"))
    if not state.running:
        out.append(made_update(state.session, _RUNNING))
    return replace(state, running=True, waiting=state.waiting + 1), tuple(out)


def _acknowledgement(response: Json) -> Json:
    """The response of v2: what v1 says of the end stands in the idle state."""
    result = as_object(response.get("result"))
    return {**response, "result": {key: value for key, value in result.items() if key not in _OF_IDLE}}


def _stopped(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    result = result_of(event, losses)
    idle: Json = {"sessionUpdate": "state_update", "state": "idle"}
    idle |= {key: result[key] for key in _OF_IDLE if result.get(key) is not None}
    if "stopReason" not in idle:
        losses.append(Loss("stopReason", "is missing, so that v1 would reject the response"))
    return _idle(state, () if event.request is not None else (Out(_acknowledgement(event.message)),), idle, losses)


def _failed(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    return _idle(state, (Out(event.message),), {"sessionUpdate": "state_update", "state": "idle"}, losses)


def _idle(state: State, before: tuple[Out, ...], idle: Json, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    """The agent has ended one prompt; where another waits, it runs on."""
    waiting = max(state.waiting - 1, 0)
    states = [fit_update(idle, "v2", losses), _RUNNING if waiting else None]
    out = [made_update(state.session, update) for update in states if update is not None]
    return replace(state, running=bool(waiting), waiting=waiting), (*before, *out)


def _load(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    message = convert_call(event, "v2", losses)
    return replace(state, waiting=0), () if message is None else (Out(message),)


# --- updates ----------------------------------------------------------------------------------------------------


def _update(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    sent = params_of(event).get("update")
    if isinstance(sent, dict) and sent.get("sessionUpdate") == "tool_call":
        # Its schema allows no null, but agents write them, and they say nothing.
        sent = {key: value for key, value in sent.items() if value is not None}
    reading = read_source(sent, "v1", losses)
    if reading.variant is None or reading.rejected is not None:
        return state, refused(event, reading, "v2", losses)
    fields = {**update_of(event), **reading.fields}
    known = reading.fields.keys() | reading.extra.keys() | {"sessionUpdate"}
    read = {key: value for key, value in fields.items() if key in known}
    state, written = _SHAPES.get(reading.variant.shape, _as_it_is)(state, event, read, losses)
    fitted = None if written is None else fit_update(written, "v2", losses)
    return state, () if fitted is None else of_updates(event, [fitted])


_Change: TypeAlias = Callable[[State, Event, Json, Losses], tuple[State, Json | None]]


def _as_it_is(state: State, _event: Event, update: Json, _losses: Losses) -> tuple[State, Json]:
    return state, update


def _chunk(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, Json | None]:
    if isinstance(update.get("messageId"), str):
        return state, update
    if event.own_id is None:
        losses.append(Loss("messageId", "is missing, and the policy makes no message of the chunk"))
        return state, None
    named = {key: value for key, value in update.items() if key != "messageId"}
    return state, {"sessionUpdate": named.pop("sessionUpdate"), "messageId": event.own_id, **named}


def _tool_call(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, Json]:
    tools, written = call_tool(state.tools, event.epoch, update, losses)
    return replace(state, tools=tools), written


def _tool_update(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, Json]:
    tools, written = update_tool(state.tools, event.epoch, update, losses)
    return replace(state, tools=tools), written


def _plan(state: State, _event: Event, update: Json, _losses: Losses) -> tuple[State, Json]:
    rest = {key: value for key, value in update.items() if key not in {"sessionUpdate", "entries"}}
    plan = {"type": "items", "planId": state.plan_id, "entries": update["entries"]}
    return state, {"sessionUpdate": "plan_update", "plan": plan, **rest}


def _commands(state: State, _event: Event, update: Json, losses: Losses) -> tuple[State, Json]:
    commands = commands_of(update["availableCommands"], "v2", losses)
    return state, {**update, "availableCommands": commands}


def _options(state: State, _event: Event, update: Json, _losses: Losses) -> tuple[State, Json]:
    return state, {**update, "configOptions": options_of(update["configOptions"], "v2")}


def _mode(state: State, _event: Event, _update: Json, losses: Losses) -> tuple[State, None]:
    losses.append(Loss("sessionUpdate", "v2 has no modes"))
    return state, None


_SHAPES: Final[Mapping[UpdateShape, _Change]] = {
    "chunk": _chunk,
    "tool_call": _tool_call,
    "tool_call_update": _tool_update,
    "plan": _plan,
    "commands": _commands,
    "config": _options,
    "mode": _mode,
}


# --- permissions ------------------------------------------------------------------------------------------------


def _permission(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    tools, message, update = ask(state.tools, event, losses)
    out: tuple[Out, ...] = () if message is None else (Out(message),)
    if update is not None:
        out = (*out, made_update(state.session, update))
    return replace(state, tools=tools), out


_ACTS: Final[Mapping[tuple[str, str], _Act]] = {
    ("notification", "session/update"): _update,
    ("request", "session/update"): _update,
    ("request", "session/prompt"): _prompt,
    ("response", "session/prompt"): _stopped,
    ("error", "session/prompt"): _failed,
    ("request", "session/load"): _load,
    ("request", "session/request_permission"): _permission,
}
