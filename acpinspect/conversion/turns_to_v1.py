"""Turns from v2 to v1: prompts wait for the idle state that becomes their response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from acpinspect.conversion.envelopes import result_of
from acpinspect.conversion.steps import Event, Json, Loss, Losses, Out, as_object, as_text
from acpinspect.protocol import ENUMS

__all__ = ["Prompt", "Turns", "acknowledge", "fail", "prompt", "tell_state", "unanswered"]


class Prompt(NamedTuple):
    """A prompt without a response in v1.

    Attributes:
        event: The request.
        rpc_id: Its id.
        acknowledged: The event of the response of v2, once it came.
        response: That response.
    """

    event: int
    rpc_id: object
    acknowledged: int | None = None
    response: Json | None = None


@dataclass(frozen=True, slots=True)
class Turns:
    """The prompts that wait, and what the v1 side thinks that the agent does.

    Attributes:
        waiting: The prompts, in order.
        run: As the v1 side has it; ``None`` before anything was said.
    """

    waiting: tuple[Prompt, ...] = ()
    run: Literal["running", "idle"] | None = None


_STOPS: Final = ENUMS["v1"]["StopReason"].values
_NEUTRAL: Final = "end_turn"
_OF_RESPONSE: Final = frozenset({"stopReason", "usage"})
_OF_STATE: Final = frozenset({"sessionUpdate", "state"})


def prompt(turns: Turns, event: Event) -> Turns:
    """A prompt was sent; it waits, unless it will be refused."""
    if event.answer is not None and "error" in event.answer and "result" not in event.answer:
        return replace(turns, run="running")
    return Turns((*turns.waiting, Prompt(event.event, event.message.get("id"))), "running")


def acknowledge(turns: Turns, event: Event, losses: Losses) -> tuple[Turns, tuple[Out, ...]]:
    """The response of v2 is held back until the turn is over."""
    result = result_of(event, losses)
    losses.extend(Loss(key, "it says nothing in v2") for key in sorted(_OF_RESPONSE & result.keys()))
    known = [waiting.event for waiting in turns.waiting]
    if event.request not in known:
        # Idle came first and has made the response, or the log begins after the prompt.
        kept = sorted(key for key in result.keys() - _OF_RESPONSE if result[key] is not None)
        losses.extend(Loss(key, "v1 has answered the prompt before") for key in kept)
        if event.request is None:
            losses.append(Loss("result", "the prompt that it answers isn't in the log"))
        return turns, ()
    place = known.index(event.request)
    held = turns.waiting[place]._replace(acknowledged=event.event, response=event.message)
    return replace(turns, waiting=(*turns.waiting[:place], held, *turns.waiting[place + 1 :])), ()


def fail(turns: Turns, event: Event) -> Turns:
    """A prompt was refused: v1 says idle of it, where no other waits."""
    waiting = tuple(one for one in turns.waiting if one.event != event.request)
    return Turns(waiting, "running" if waiting else "idle")


def unanswered(turns: Turns) -> tuple[Turns, tuple[Loss, ...]]:
    """No response comes any more: acknowledgements that were held back are lost."""
    reason = "v1 answers a prompt at the end of its turn, and the log has no end of it"
    losses = [Loss("result", reason, one.acknowledged, "session/prompt") for one in turns.waiting]
    return replace(turns, waiting=()), tuple(loss for loss in losses if loss.event is not None)


def tell_state(turns: Turns, update: Json, losses: Losses) -> tuple[Turns, tuple[Out, ...]]:
    """A `state_update`, after it was read: what v1 says by prompts and responses, and what it can't say.

    Args:
        turns: The prompts that wait.
        update: The update.
        losses: Gets what can't be said.
    """
    state = str(update["state"])
    if state == "idle":
        return _idle(turns, update, losses)
    if state != "running":
        losses.append(Loss("state", f"v1 has no state {state!r}"))
        return turns, ()
    if turns.run != "running":
        losses.append(Loss("state", "v1 says that the agent runs by a prompt, and none waits"))
        return turns, ()
    rest = sorted(key for key in update.keys() - _OF_STATE if update[key] is not None)
    losses.extend(Loss(key, "v1 has no message to carry it") for key in rest)
    return turns, ()


def _idle(turns: Turns, update: Json, losses: Losses) -> tuple[Turns, tuple[Out, ...]]:
    said: Json = {key: value for key, value in update.items() if key not in _OF_STATE and value is not None}
    ended = [one for one in turns.waiting if one.acknowledged is not None] or list(turns.waiting)
    stop = as_text(said.get("stopReason"))
    if not ended:
        if turns.run != "idle" or said:
            losses.append(
                Loss("stopReason" if stop is not None else "state", "no prompt waits for a response in v1")
            )
        return turns, ()
    if stop not in _STOPS:
        # Without a response v1 would have the agent run for ever.
        reason = "it is missing" if stop is None else f"v1 has no {stop!r}"
        losses.append(Loss("stopReason", f"{reason}, and no response without one: {_NEUTRAL} stands there"))
        said["stopReason"] = _NEUTRAL
    out = tuple(Out(_response(one, said, losses)) for one in ended)
    waiting = tuple(one for one in turns.waiting if one not in ended)
    return Turns(waiting, "running" if waiting else "idle"), out


def _response(one: Prompt, said: Json, losses: Losses) -> Json:
    """The response of v1: what the acknowledgement has beside its metadata, and what the idle state says."""
    response = one.response or {"jsonrpc": "2.0", "id": one.rpc_id}
    given = as_object(response.get("result"))
    kept = {key: value for key, value in given.items() if key not in _OF_RESPONSE and value is not None}
    for key in sorted(kept.keys() & said.keys()):
        losses.append(
            Loss(key, "v1 has one response for the start and the end", one.acknowledged, "session/prompt")
        )
    return {**response, "result": {**kept, **said}}
