"""Requests and their results that depend on nothing before them, from one version to the other.

What isn't named here (extensions, unknown methods, elicitation, MCP over ACP) is written the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from acpinspect.conversion.fitting import fit_blocks, fit_list
from acpinspect.conversion.items import options_of, renamed
from acpinspect.conversion.setup import agent_side, client_side, servers_of
from acpinspect.conversion.steps import Event, Json, Loss, Losses, as_object
from acpinspect.protocol import METHODS, Version

__all__ = ["convert_call", "convert_params"]

_Change: TypeAlias = Callable[[Json, Version, Losses], Json | None]


def _same(value: Json, _to: Version, _losses: Losses) -> Json:
    return value


class _Rule(NamedTuple):
    params: _Change = _same
    result: _Change = _same


# --- params and results -----------------------------------------------------------------------------------------


def _setup(params: Json, to: Version, losses: Losses) -> Json:
    """session/new, load, resume and fork; v1 wants a list of servers where v2 can do without."""
    if "mcpServers" in params or to == "v1":
        params = {**params, "mcpServers": servers_of(params.get("mcpServers"), to, losses)}
    return params


def _resumed(params: Json, to: Version, losses: Losses) -> Json:
    """v2 says in the params whether it replays, v1 by the method."""
    params = _setup(params, to, losses)
    if to == "v2":
        return params
    start = as_object(params.get("replayFrom"))
    if start and start.get("type") != "start":
        losses.append(Loss("replayFrom", "v1 replays from the start or not at all"))
    elif start.get("_meta") is not None:
        losses.append(Loss("replayFrom._meta", "v1 has no place for it"))
    return {key: value for key, value in params.items() if key != "replayFrom"}


def _loaded(params: Json, to: Version, losses: Losses) -> Json:
    params = _setup(params, to, losses)
    return {**params, "replayFrom": {"type": "start"}} if to == "v2" else params


def _session(result: Json, to: Version, losses: Losses) -> Json:
    """The results of what opens a session, and of a change of its options."""
    made = dict(result)
    if to == "v2" and made.pop("modes", None) is not None:
        losses.append(Loss("modes", "v2 has no modes"))
    if "configOptions" not in made:
        return made
    options = made.pop("configOptions")
    if options is not None:
        listed = fit_list("configOptions", options_of(options, to), "config_option_update", to, losses)
        if listed is not None:
            made["configOptions"] = listed
    return made


def _option_set(params: Json, to: Version, losses: Losses) -> Json | None:
    """session/set_config_option: v2 says of which type the value is, v1 only of a truth value."""
    value, kind = params.get("value"), params.get("type")
    if to == "v2":
        if not isinstance(value, str | bool):
            losses.append(Loss("value", "is neither a string nor a truth value"))
            return None
        return {**params, "type": "boolean" if isinstance(value, bool) else "id"}
    if kind not in {"id", "boolean"}:
        losses.append(Loss("type", f"v1 has no values of type {kind!r}"))
        return None
    return params if kind == "boolean" else {key: item for key, item in params.items() if key != "type"}


def _prompted(params: Json, to: Version, losses: Losses) -> Json:
    return {**params, "prompt": fit_blocks(params.get("prompt"), to, losses, "prompt")}


def _outcome(result: Json, to: Version, losses: Losses) -> Json | None:
    outcome = as_object(result.get("outcome")).get("outcome")
    if to == "v1" and outcome not in {"selected", "cancelled"}:
        losses.append(Loss("outcome", f"v1 has no outcome {outcome!r}"))
        return None
    return result


def _suggestion_id(params: Json, to: Version, _: Losses) -> Json:
    return renamed(params, "id", "suggestionId") if to == "v2" else renamed(params, "suggestionId", "id")


def _suggestions(result: Json, to: Version, losses: Losses) -> Json:
    items = result.get("suggestions")
    if not isinstance(items, list):
        return result
    return {**result, "suggestions": [_suggestion_id(as_object(item), to, losses) for item in items]}


_RULES: Final[Mapping[str, _Rule]] = {
    "initialize": _Rule(client_side, agent_side),
    "session/new": _Rule(_setup, _session),
    "session/fork": _Rule(_setup, _session),
    "session/load": _Rule(_loaded, _session),
    "session/resume": _Rule(_resumed, _session),
    "session/prompt": _Rule(_prompted),
    "session/set_config_option": _Rule(_option_set, _session),
    "session/request_permission": _Rule(result=_outcome),
    "nes/accept": _Rule(_suggestion_id),
    "nes/reject": _Rule(_suggestion_id),
    "nes/suggest": _Rule(result=_suggestions),
}

_NAMES: Final[Mapping[Version, Mapping[str, str]]] = {
    "v1": {"auth/login": "authenticate", "auth/logout": "logout"},
    "v2": {"authenticate": "auth/login", "logout": "auth/logout", "session/load": "session/resume"},
}


def _name(method: str, params: Json, to: Version) -> str:
    if method == "session/resume" and to == "v1" and params.get("replayFrom") is not None:
        return "session/load"
    return _NAMES[to].get(method, method)


# --- frames -----------------------------------------------------------------------------------------------------


def convert_call(event: Event, to: Version, losses: Losses) -> Json | None:
    """A request, notification, response or error in the form of a version; ``None`` where it has none.

    Args:
        event: The event; not a session/update.
        to: The version.
        losses: Gets what the version can't hold.
    """
    message, method = event.message, event.method
    if "method" in message:
        return _converted_request(message, str(message["method"]), to, losses)
    if method is None or event.kind == "error":
        return message
    return _converted_result(message, method, to, losses)


def _converted_request(message: Json, method: str, to: Version, losses: Losses) -> Json | None:
    raw = message.get("params")
    name = _name(method, as_object(raw), to)
    known = METHODS.get(name)
    if known is not None and to not in known.calls:
        losses.append(Loss("method", f"{to} has no method {method}"))
        return None
    if known is None or (raw is None and not known.calls[to].required_params):
        return {**message, "method": name}
    if raw is not None and not isinstance(raw, dict):
        losses.append(Loss("params", "is no object"))
        return None
    params = convert_params(as_object(raw), method, to, losses)
    if params is None:
        return None
    # Traffic that names no session is read as that of one session, here and there.
    if _missing(known.calls[to].required_params - {"sessionId"}, params, losses, to):
        return None
    return {**message, "method": name, "params": params}


def convert_params(params: Json, method: str, to: Version, losses: Losses) -> Json | None:
    """The params of a request in the form of a version.

    >>> convert_params({"sessionId": "s", "cwd": "/", "mcpServers": []}, "session/load", "v2", [])["replayFrom"]
    {'type': 'start'}
    """
    return _RULES.get(method, _Rule()).params(params, to, losses)


def _converted_result(message: Json, method: str, to: Version, losses: Losses) -> Json | None:
    known = METHODS.get(_NAMES[to].get(method, method))
    call = None if known is None else known.calls.get(to)
    if call is None or call.result is None:
        return message
    result = message.get("result")
    # Some agents write null for an empty result.
    if result is not None and not isinstance(result, dict):
        losses.append(Loss("result", "is no object"))
        return None
    made = _RULES.get(method, _Rule()).result(as_object(result), to, losses)
    if made is None or _missing(call.required_result, made, losses, to):
        return None
    return {**message, "result": made}


def _missing(required: frozenset[str], value: Json, losses: Losses, to: Version) -> bool:
    missing = sorted(required - value.keys())
    losses.extend(Loss(key, f"is missing, and {to} wants it") for key in missing)
    return bool(missing)
