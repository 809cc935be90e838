"""What acts on a state beside `session/update`: prompts and their responses, permission requests, modes, loads.

A prompt that the client sends is not a message: the agent may show it as one, or not. It begins a turn.
Source: "Session traffic" in the semantics; ``PromptResponse``, ``RequestPermissionRequest``,
``NewSessionResponse`` and their like in the schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from acpinspect.protocol import Issue, read_permission, read_update, result_methods
from acpinspect.reducer.engine import apply_update, apply_writes, stepped
from acpinspect.reducer.keys import Entity, EntityKey
from acpinspect.reducer.state import SessionState
from acpinspect.reducer.steps import NOWHERE, Change, Place, Step
from acpinspect.reducer.writes import Write

__all__ = ["apply_frame"]

_RUN: Final = Entity("session", "run")
_MODE: Final = Entity("session", "mode")
_MODES: Final = Entity("session", "available_modes")
_CONFIG: Final = Entity("session", "config_options")
_TURN: Final = Entity("session", "turn")


class _Frame(NamedTuple):
    """One frame, as the functions below need it: the params of the request, and the result of a response."""

    params: Mapping[str, object]
    result: Mapping[str, object] | None
    place: Place


_Act: TypeAlias = Callable[[SessionState, _Frame], Step]


def apply_frame(
    state: SessionState,
    frame: Mapping[str, object],
    place: Place = NOWHERE,
    *,
    request: Mapping[str, object] | None = None,
) -> Step:
    """One JSON-RPC message of a session, with all that it did.

    Args:
        state: The state of the session before it.
        frame: The message.
        place: Event, label, epoch and turn, as far as the caller knows them.
        request: The request that a response answers. Without it, only a response that has a ``stopReason``
            has an effect: it answers a prompt.

    Returns:
        The step. A message that doesn't act on a state is ``ignored``.

    Examples:
        >>> from acpinspect.reducer import empty_state
        >>> prompt = {"id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}
        >>> running = apply_frame(empty_state("v1"), prompt).state
        >>> answer = {"id": 1, "result": {"stopReason": "end_turn"}}
        >>> idle = apply_frame(running, answer, request=prompt).state
        >>> running.run.state, idle.run.state, idle.run.stop_reason, idle.turn
        ('running', 'idle', 'end_turn', 1)
    """
    method = frame.get("method")
    if method == "session/update":
        return apply_update(state, _object(frame.get("params")).get("update"), place)
    if isinstance(method, str):
        act = _SENT.get(method)
        read = _Frame(_object(frame.get("params")), None, place)
    else:
        act, read = _answer(frame, request, place)
    if act is None:
        return stepped(Step(state, (Change("ignored", reason="it doesn't act on a session's state"),)), place)
    step = act(_in_epoch(state, place), read)
    changes = step.changes or (
        Change("ignored", reason="it only says that something begins, ends or was received"),
    )
    return stepped(replace(step, changes=changes), place)


def _answer(
    frame: Mapping[str, object], request: Mapping[str, object] | None, place: Place
) -> tuple[_Act | None, _Frame]:
    result = frame.get("result")
    method = request.get("method") if request is not None else None
    if request is None and result_methods(result) == {"session/prompt"} and "stopReason" in _object(result):
        method = "session/prompt"
    params = _object(request.get("params")) if request is not None else {}
    succeeded = _object(result) if "result" in frame else None
    return _ANSWERED.get(str(method)), _Frame(params, succeeded, place)


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _in_epoch(state: SessionState, place: Place) -> SessionState:
    return state if place.epoch in {None, state.epoch} else replace(state, epoch=place.epoch or 0)


def _event(state: SessionState, frame: _Frame) -> int:
    return state.cursor.step if frame.place.event is None else frame.place.event


def _closed(state: SessionState) -> SessionState:
    """The state with no message open: a v1 chunk without an id begins a new one."""
    return state if state.cursor.open is None else replace(state, cursor=replace(state.cursor, open=None))


# --- prompts ----------------------------------------------------------------------------------------------------


def _prompt(state: SessionState, frame: _Frame) -> Step:
    """A prompt request begins a turn; in v2 only where none is open, and it doesn't say that the agent works."""
    state, event, is_v1 = _closed(state), _event(state, frame), state.protocol == "v1"
    open_before = state.cursor.prompts
    state = replace(state, cursor=replace(state.cursor, prompts=open_before + 1 if is_v1 else 1, loading=False))
    turn = state.turn + 1 if frame.place.turn is None else frame.place.turn
    writes = [Write(_TURN, "turn", {"turn": turn}, event)] if is_v1 or not open_before else []
    if is_v1:
        writes.append(Write(_RUN, "prompted", {}, event))
    return apply_writes(state, writes)


def _prompt_answered(state: SessionState, frame: _Frame) -> Step:
    """v1: the turn is over, and the agent idle where no other prompt waits. v2: the prompt was received."""
    event, state = _event(state, frame), _closed(state)
    if state.protocol == "v2":
        return Step(state, ())
    waiting = max(state.cursor.prompts - 1, 0)
    state = replace(state, cursor=replace(state.cursor, prompts=waiting))
    if waiting:
        return Step(state, ())
    return apply_writes(state, [Write(_RUN, "answered", frame.result or {}, event)])


def _cancel(state: SessionState, frame: _Frame) -> Step:
    return apply_writes(state, [Write(_RUN, "cancel", {}, _event(state, frame))])


# --- tools, modes, options --------------------------------------------------------------------------------------


def _permission(state: SessionState, frame: _Frame) -> Step:
    """A permission request upserts the tool call that it carries, as an update of it would."""
    read = read_permission(frame.params, state.protocol)
    if read.tool_call is None:
        change = (
            Change("rejected", reason=read.rejected)
            if read.rejected is not None
            else Change("ignored", reason="it carries no tool call")
        )
        return Step(state, (change,), read.issues)
    entity = Entity("tool_call", EntityKey(state.epoch, str(read.tool_call["toolCallId"])))
    write = Write(entity, "tool_call_update", read.tool_call, _event(state, frame))
    return replace(apply_writes(state, [write]), issues=read.issues)


def _mode_granted(state: SessionState, frame: _Frame) -> Step:
    mode = frame.params.get("modeId")
    if frame.result is None or not isinstance(mode, str) or state.protocol != "v1":
        return Step(state, ())
    return apply_writes(state, [Write(_MODE, "mode", {"currentModeId": mode}, _event(state, frame))])


def _session_state(state: SessionState, frame: _Frame) -> Step:
    """What a result says of modes (v1) and options; what it doesn't have stays."""
    result, event = frame.result or {}, _event(state, frame)
    modes = _object(result.get("modes")) if state.protocol == "v1" else {}
    writes: list[Write] = []
    issues: tuple[Issue, ...] = ()
    if isinstance(modes.get("currentModeId"), str):
        writes.append(Write(_MODE, "mode", modes, event))
        writes.append(Write(_MODES, "modes", modes, event))
    if result.get("configOptions") is not None:
        update = {"sessionUpdate": "config_option_update", "configOptions": result["configOptions"]}
        reading = read_update(update, state.protocol)
        writes.append(Write(_CONFIG, "config", reading.fields, event))
        issues = reading.issues
    return replace(apply_writes(state, writes), issues=issues)


# --- beginnings -------------------------------------------------------------------------------------------------


def _load(state: SessionState, frame: _Frame) -> Step:
    """A replay begins with the request: what has an id is another entity from here on."""
    epoch = state.epoch + 1 if frame.place.epoch is None else state.epoch
    cursor = replace(state.cursor, open=None, prompts=0, loading=True, resuming=False)
    return Step(replace(state, epoch=epoch, cursor=cursor), ())


def _resume(state: SessionState, frame: _Frame) -> Step:
    """v2 can ask for a replay; elsewhere an update that belongs to the transcript would be an unasked one."""
    if state.protocol == "v2" and frame.params.get("replayFrom") is not None:
        return _load(state, frame)
    return Step(replace(state, cursor=replace(state.cursor, open=None, resuming=True)), ())


def _loaded(state: SessionState, frame: _Frame) -> Step:
    cursor = replace(state.cursor, open=None, loading=False, resuming=False)
    return _session_state(replace(state, cursor=cursor), frame)


def _made(state: SessionState, frame: _Frame) -> Step:
    session_id = _object(frame.result).get("sessionId")
    if state.session_id is None and isinstance(session_id, str):
        state = replace(state, session_id=session_id)
    return _session_state(state, frame)


def _initialize(state: SessionState, _frame: _Frame) -> Step:
    """Another connection: what was open on the one before gets no answer any more."""
    return Step(
        replace(state, cursor=replace(state.cursor, open=None, prompts=0, loading=False, resuming=False)), ()
    )


_SENT: Final[Mapping[str, _Act]] = {
    "initialize": _initialize,
    "session/prompt": _prompt,
    "session/cancel": _cancel,
    "session/request_permission": _permission,
    "session/load": _load,
    "session/resume": _resume,
}

_ANSWERED: Final[Mapping[str, _Act]] = {
    "session/prompt": _prompt_answered,
    "session/set_mode": _mode_granted,
    "session/set_config_option": _session_state,
    "session/new": _made,
    "session/fork": _made,
    "session/load": _loaded,
    "session/resume": _loaded,
}
