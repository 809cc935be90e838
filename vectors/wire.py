# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""Frames as they stand on the wire: requests, answers, notifications, and what they often carry."""

from __future__ import annotations

from typing import Any

from .language import JSON, Case, Version, chunk, frames, message, run, state, text, up

OPTIONS = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
PERMISSION = "session/request_permission"


def c(version: Version, name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return frames(f"{version}/conversation/{name}", version, tests, source, *steps)


def S(version: Version, **parts: Any) -> JSON:  # noqa: N802 - a state, as short as can be
    return state(version, session_id="s", **parts)


def asks(method: str, request_id: int = 1, **params: Any) -> JSON:
    return {"id": request_id, "method": method, "params": {"sessionId": "s", **params}}


def gets(result: JSON, request_id: int = 1) -> JSON:
    return {"id": request_id, "result": result}


def fails(request_id: int = 1) -> JSON:
    return {"id": request_id, "error": {"code": -32000, "message": "no"}}


def sends(update: JSON) -> JSON:
    return {"method": "session/update", "params": {"sessionId": "s", "update": update}}


def prompt(request_id: int = 1) -> JSON:
    return asks("session/prompt", request_id, prompt=[text("Go")])


def bare(value: str) -> JSON:
    return sends(chunk(value, None))


def idless(label: int, *content: str, epoch: int = 0) -> JSON:
    return message("agent", None, *content, label=label, epoch=epoch)


CANCEL = {"method": "session/cancel", "params": {"sessionId": "s"}}
RUNNING, IDLE = sends(up("state_update", state="running")), sends(up("state_update", state="idle"))
RUNS = run("running")
ENDED = run("idle", "end_turn")
MODES = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}
V1_OPTION = {"id": "f", "name": "Fast", "type": "boolean", "currentValue": True}
V2_OPTION = {"configId": "f", "name": "Fast", "type": "boolean", "currentValue": True}
