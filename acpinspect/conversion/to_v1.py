"""v2 to v1: one step for each message of a session.

v1 answers a prompt at the end of its turn. So the acknowledgement of v2 is held back, and the idle state becomes
the response. That the agent runs, v1 says by the prompt it has not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from acpinspect.conversion.calls import convert_call
from acpinspect.conversion.envelopes import of_updates, params_of, refused, update_of
from acpinspect.conversion.fitting import fit_blocks, fit_update, read_source
from acpinspect.conversion.items import commands_of, options_of
from acpinspect.conversion.steps import Event, Json, Loss, Losses, Out, Step
from acpinspect.conversion.tools_to_v1 import Tools, append_content, ask, never_titled, patch_tool
from acpinspect.conversion.turns_to_v1 import Turns, acknowledge, fail, prompt, tell_state, unanswered
from acpinspect.protocol import Role, UpdateShape
from acpinspect.reducer import FrozenMap

__all__ = ["State", "begin", "close", "reconnect", "step"]

_Sent: TypeAlias = FrozenMap[tuple[int, Role | None, str], bool]


@dataclass(frozen=True, slots=True)
class State:
    """What the steps of a session pass on.

    Attributes:
        sent: The messages (epoch, role, id) whose content the v1 side has had.
        plan_id: The plan that is the one plan of v1.
        tools: What the v1 side has been told of each tool call.
        turns: Prompts that wait for their response.
    """

    sent: _Sent = field(default_factory=FrozenMap)
    plan_id: str | None = None
    tools: Tools = field(default_factory=FrozenMap)
    turns: Turns = field(default_factory=Turns)


_Act: TypeAlias = Callable[[State, Event, Losses], tuple[State, tuple[Out, ...]]]


def begin() -> State:
    """The state before the first event of a session."""
    return State()


def reconnect(state: State) -> Step[State]:
    """Another connection: what was asked on the one before gets no response any more."""
    turns, losses = unanswered(state.turns)
    return Step(replace(state, turns=turns), (), losses)


def close(state: State) -> Step[State]:
    """The end of the log: what is still held back is lost."""
    turns, losses = unanswered(state.turns)
    return Step(replace(state, turns=turns), (), (*losses, *never_titled(state.tools)))


def step(state: State, event: Event) -> Step[State]:
    """The messages of v1 that stand for one message of v2.

    Args:
        state: The session's state before it.
        event: The message.
    """
    losses: Losses = []
    act = _ACTS.get((event.kind, event.method or ""))
    if act is not None:
        state, out = act(state, event, losses)
        return Step(state, out, tuple(losses))
    message = convert_call(event, "v1", losses)
    return Step(state, () if message is None else (Out(message),), tuple(losses))


# --- turns ------------------------------------------------------------------------------------------------------


def _prompt(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    message = convert_call(event, "v1", losses)
    if message is None:
        return state, ()
    return replace(state, turns=prompt(state.turns, event)), (Out(message),)


def _acknowledged(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    turns, out = acknowledge(state.turns, event, losses)
    return replace(state, turns=turns), out


def _failed(state: State, event: Event, _losses: Losses) -> tuple[State, tuple[Out, ...]]:
    return replace(state, turns=fail(state.turns, event)), (Out(event.message),)


# --- updates ----------------------------------------------------------------------------------------------------

_Change: TypeAlias = Callable[[State, Event, Json, Losses], tuple[State, list[Json]]]


def _update(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    reading = read_source(params_of(event).get("update"), "v2", losses)
    if reading.variant is None or reading.rejected is not None:
        return state, refused(event, reading, "v1", losses)
    update = {"sessionUpdate": reading.variant.name, **reading.fields, **reading.extra}
    if reading.variant.shape == "state":
        turns, out = tell_state(state.turns, update, losses)
        return replace(state, turns=turns), out
    read = {key: update[key] for key in update_of(event) if key in update}
    if reading.variant.role is not None:
        state, written = _message(state, event, reading.variant.role, read, losses)
    else:
        state, written = _SHAPES.get(reading.variant.shape, _fitted)(state, event, read, losses)
    return state, of_updates(event, written)


def _fitted(state: State, _event: Event, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    """What both versions write in the same way."""
    fitted = fit_update(update, "v1", losses)
    return state, [] if fitted is None else [fitted]


def _message(state: State, event: Event, role: Role, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    key = (event.epoch, role, str(update["messageId"]))
    if str(update["sessionUpdate"]).endswith("_chunk"):
        fitted = fit_update(update, "v1", losses)
        return (state, []) if fitted is None else (_with_content(state, key), [fitted])
    if "_meta" in update and update["_meta"] is None:
        losses.append(Loss("_meta", "v1 can't clear it"))
    if not update.get("content"):
        losses.append(Loss("content", _no_content(update)))
        return state, []
    if key in state.sent:
        losses.append(Loss("content", "v1 can't replace what it has had of the message"))
        return state, []
    chunks = _fanned_out(update, losses)
    return (_with_content(state, key) if chunks else state), chunks


def _with_content(state: State, key: tuple[int, Role | None, str]) -> State:
    return state if key in state.sent else replace(state, sent=state.sent.set(key, True))


def _no_content(update: Json) -> str:
    if "content" not in update:
        return "it is omitted, and v1 can only append"
    return f"it is {'null' if update['content'] is None else '[]'}, and v1 can't clear a message"


def _fanned_out(update: Json, losses: Losses) -> list[Json]:
    """A chunk for each block, with what else the update has."""
    blocks = fit_blocks(update["content"], "v1", losses, "content")
    name = f"{update['sessionUpdate']}_chunk"
    return [_chunk({**update, "sessionUpdate": name, "content": block}) for block in blocks]


def _chunk(update: Json) -> Json:
    return update if update.get("_meta") is not None else {k: v for k, v in update.items() if k != "_meta"}


def _tool_update(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    tools, written = patch_tool(state.tools, event, update, losses)
    return replace(state, tools=tools), written


def _tool_chunk(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    tools, written = append_content(state.tools, event, update, losses)
    return replace(state, tools=tools), written


def _plan(state: State, _event: Event, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    plan = update["plan"]
    assert isinstance(plan, dict)  # noqa: S101  (it was read as one)
    if plan["type"] != "items":
        losses.append(Loss("plan.type", f"a plan of v1 is a list of entries, not {plan['type']!r}"))
        return state, []
    if state.plan_id not in {None, plan["planId"]}:
        losses.append(Loss("plan.planId", "v1 has one plan, and it is another one"))
        return state, []
    rest = {key: value for key, value in update.items() if key not in {"sessionUpdate", "plan"}}
    inner = {key: value for key, value in plan.items() if key not in {"type", "planId", "entries"}}
    if inner.get("_meta") is not None and rest.get("_meta") is not None:
        losses.append(Loss("plan._meta", "v1 has one place for the metadata of the plan and of the update"))
    merged = {"sessionUpdate": "plan", "entries": plan["entries"], **inner, **rest}
    fitted = fit_update(merged, "v1", losses, "plan.")
    return replace(state, plan_id=str(plan["planId"])), [] if fitted is None else [fitted]


def _plan_removed(state: State, _event: Event, _update: Json, losses: Losses) -> tuple[State, list[Json]]:
    losses.append(Loss("sessionUpdate", "v1 can't remove its one plan"))
    return state, []


def _commands(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    commands = commands_of(update["availableCommands"], "v1", losses)
    return _fitted(state, event, {**update, "availableCommands": commands}, losses)


def _options(state: State, event: Event, update: Json, losses: Losses) -> tuple[State, list[Json]]:
    return _fitted(state, event, {**update, "configOptions": options_of(update["configOptions"], "v1")}, losses)


def _terminal(state: State, _event: Event, _update: Json, losses: Losses) -> tuple[State, list[Json]]:
    losses.append(Loss("sessionUpdate", "v1 has no terminals of the agent"))
    return state, []


_SHAPES: Final[Mapping[UpdateShape, _Change]] = {
    "tool_call_update": _tool_update,
    "tool_content_chunk": _tool_chunk,
    "terminal": _terminal,
    "terminal_chunk": _terminal,
    "plan_update": _plan,
    "plan_removed": _plan_removed,
    "commands": _commands,
    "config": _options,
}


# --- permissions ------------------------------------------------------------------------------------------------


def _permission(state: State, event: Event, losses: Losses) -> tuple[State, tuple[Out, ...]]:
    tools, updates, message = ask(state.tools, event, losses)
    envelope = {key: value for key, value in params_of(event).items() if key == "sessionId"}
    out = [
        Out({"jsonrpc": "2.0", "method": "session/update", "params": {**envelope, "update": update}})
        for update in updates
    ]
    return replace(state, tools=tools), (*out, *(() if message is None else (Out(message),)))


_ACTS: Final[Mapping[tuple[str, str], _Act]] = {
    ("notification", "session/update"): _update,
    ("request", "session/update"): _update,
    ("request", "session/prompt"): _prompt,
    ("response", "session/prompt"): _acknowledged,
    ("error", "session/prompt"): _failed,
    ("request", "session/request_permission"): _permission,
}
