"""What the two sides tell each other when they meet: versions, capabilities, ways to log in, servers.

v1 says what a side can do in truth values, v2 in objects that are there or not; what every v2 agent can do (list,
resume and close sessions) has no capability of its own there. What v2 did away with (files, client terminals, SSE)
is a loss where it is announced, and none where it isn't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from acpinspect.conversion.items import renamed
from acpinspect.conversion.steps import Json, Loss, Losses, as_object

__all__ = ["client_side", "agent_side", "servers_of"]  # noqa: RUF022  (the order of the exchange)

_UNKNOWN: Final[Json] = {"name": "unknown", "version": "unknown"}
"""v2 wants to know who is there; a v1 side that doesn't say is this."""

_PROMPT: Final = ("image", "audio", "embeddedContext")
_MCP: Final = ("http", "acp")
_SESSION: Final = ("delete", "additionalDirectories", "fork")
_BASELINE: Final = ("list", "resume", "close")
_GONE: Final = ("fs", "terminal", "session", "plan")
"""What a client of v1 can announce, and one of v2 not."""


def client_side(params: Json, to: str, losses: Losses) -> Json:
    """The params of `initialize` in the form of a version.

    >>> client_side({"protocolVersion": 1, "clientInfo": {"name": "z", "version": "1"}}, "v2", [])
    {'protocolVersion': 2, 'info': {'name': 'z', 'version': '1'}, 'capabilities': {}}
    """
    if to == "v1":
        made = _renamed_all(params, (("info", "clientInfo"), ("capabilities", "clientCapabilities")), losses)
        capabilities = _object(made.get("clientCapabilities"), "capabilities", losses)
        auth = _flags(capabilities.get("auth"), ("terminal",), "capabilities.auth", losses)
        return {**made, "protocolVersion": 1, "clientCapabilities": _with(capabilities, auth=auth)}
    made = _renamed_all(params, (("clientInfo", "info"), ("clientCapabilities", "capabilities")), losses)
    capabilities = _object(made.get("capabilities"), "clientCapabilities", losses)
    _announced(capabilities, _GONE, "clientCapabilities", losses)
    auth = _objects(capabilities.get("auth"), ("terminal",), "clientCapabilities.auth", losses)
    kept = _with(_without(capabilities, _GONE), auth=auth)
    return {**made, "protocolVersion": 2, "info": made.get("info") or _UNKNOWN, "capabilities": kept}


def agent_side(result: Json, to: str, losses: Losses) -> Json:
    """The result of `initialize` in the form of a version.

    >>> result = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"image": True}}}
    >>> agent_side(result, "v2", [])["capabilities"]
    {'session': {'prompt': {'image': {}}, 'mcp': {'stdio': {}}}}
    """
    if to == "v1":
        made = _renamed_all(result, (("info", "agentInfo"), ("capabilities", "agentCapabilities")), losses)
        told = _object(made.get("agentCapabilities"), "capabilities", losses)
        capabilities = _v1_agent(told, losses, methods=bool(made.get("authMethods")))
        made = {**made, "protocolVersion": 1, "agentCapabilities": capabilities}
    else:
        made = _renamed_all(result, (("agentInfo", "info"), ("agentCapabilities", "capabilities")), losses)
        capabilities = _v2_agent(_object(made.get("capabilities"), "agentCapabilities", losses), losses)
        made = {**made, "protocolVersion": 2, "info": made.get("info") or _UNKNOWN, "capabilities": capabilities}
    if "authMethods" in made:
        made["authMethods"] = _each(made["authMethods"], "authMethods", _LOGINS[to], losses)
    return made


def _v2_agent(v1: Json, losses: Losses) -> Json:
    path = "agentCapabilities"
    mcp = _object(v1.get("mcpCapabilities"), f"{path}.mcpCapabilities", losses)
    own = _object(v1.get("sessionCapabilities"), f"{path}.sessionCapabilities", losses)
    auth = _without(_object(v1.get("auth"), f"{path}.auth", losses), ("logout",))
    _announced(mcp, ("sse",), f"{path}.mcpCapabilities", losses)
    servers = _objects(_without(mcp, ("sse",)), _MCP, f"{path}.mcpCapabilities", losses) or {}
    prompts = _objects(v1.get("promptCapabilities"), _PROMPT, f"{path}.promptCapabilities", losses)
    session = _with(_without(own, _BASELINE), prompt=prompts, mcp={"stdio": {}, **servers})
    rest = _without(v1, ("loadSession", "promptCapabilities", "mcpCapabilities", "sessionCapabilities"))
    return _with({"session": session, **rest}, auth=auth or None)


def _v1_agent(v2: Json, losses: Losses, *, methods: bool) -> Json:
    rest = _without(v2, ("session",))
    auth: Json = {**_object(v2.get("auth"), "capabilities.auth", losses), **({"logout": {}} if methods else {})}
    if v2.get("session") is None:
        return _with(rest, auth=auth or None)
    session = _object(v2["session"], "capabilities.session", losses)
    mcp = _without(_object(session.get("mcp"), "capabilities.session.mcp", losses), ("stdio",))
    made: Json = {
        "loadSession": True,
        "sessionCapabilities": {**{name: {} for name in _BASELINE}, **_without(session, ("prompt", "mcp"))},
        **rest,
    }
    return _with(
        made,
        promptCapabilities=_flags(session.get("prompt"), _PROMPT, "capabilities.session.prompt", losses),
        mcpCapabilities=_flags(mcp, _MCP, "capabilities.session.mcp", losses) or None,
        auth=auth or None,
    )


# --- pieces -----------------------------------------------------------------------------------------------------


def _renamed_all(value: Json, names: Iterable[tuple[str, str]], losses: Losses) -> Json:
    """The keys of the other version under their new names; a side that negotiates may send both."""
    for old, new in names:
        if old in value and new in value:
            losses.append(Loss(old, f"{new} stands beside it"))
            value = _without(value, (old,))
        value = renamed(value, old, new)
    return value


def _without(value: Json, keys: Iterable[str]) -> Json:
    left_out = frozenset(keys)
    return {key: item for key, item in value.items() if key not in left_out}


def _with(value: Json, **more: Json | None) -> Json:
    """The object with the values that there are, in the place of those that it had."""
    return {**_without(value, more), **{key: item for key, item in more.items() if item is not None}}


def _object(value: object, path: str, losses: Losses) -> Json:
    """The value, empty where there is none; what is no object is lost."""
    if value is not None and not isinstance(value, dict):
        losses.append(Loss(path, "is no object"))
    return as_object(value)


def _flags(capabilities: object, names: Iterable[str], path: str, losses: Losses) -> Json | None:
    """Truth values of objects that are there or not; other keys stay as they are."""
    told = _object(capabilities, path, losses)
    known: Json = {name: True for name in names if told.get(name) is not None}
    return {**_without(told, names), **known} if isinstance(capabilities, dict) else None


def _objects(capabilities: object, names: Iterable[str], path: str, losses: Losses) -> Json | None:
    """Objects of truth values; other keys stay as they are."""
    told = _object(capabilities, path, losses)
    known: Json = {name: {} for name in names if told.get(name) is True}
    odd = [name for name in names if told.get(name) is not None and not isinstance(told[name], bool)]
    losses.extend(Loss(f"{path}.{name}", "is no truth value") for name in odd)
    return {**_without(told, names), **known} if isinstance(capabilities, dict) else None


def _announced(capabilities: Json, names: Iterable[str], path: str, losses: Losses) -> None:
    """A loss for each of the capabilities that v2 doesn't have, where it is said to be there."""
    for name in names:
        value = capabilities.get(name)
        if _says_something(value):
            losses.append(Loss(f"{path}.{name}", "v2 has no such capability"))


def _says_something(value: object) -> bool:
    if isinstance(value, dict):
        return not value or any(map(_says_something, value.values()))
    return value is not None and value is not False


# --- ways to log in, servers ------------------------------------------------------------------------------------


_Change: TypeAlias = Callable[[Json, str, Losses], Json | None]


def _each(items: object, path: str, change: _Change, losses: Losses) -> list[Json]:
    """The objects of a list, changed; all else is lost."""
    if not isinstance(items, list):
        if items is not None:
            losses.append(Loss(path, "is no array"))
        return []
    made: list[Json | None] = []
    for place, item in enumerate(items):
        if isinstance(item, dict):
            made.append(change(item, f"{path}[{place}]", losses))
        else:
            losses.append(Loss(f"{path}[{place}]", "is no object"))
    return [item for item in made if item is not None]


def _v2_login(method: Json, _path: str, _losses: Losses) -> Json:
    new = {"type": "agent", **renamed(method, "id", "methodId")}
    if isinstance(new.get("env"), dict):
        new["env"] = [{"name": name, "value": value} for name, value in as_object(new["env"]).items()]
    return new


def _v1_login(method: Json, path: str, losses: Losses) -> Json | None:
    kind = method.get("type")
    if kind not in {"agent", "terminal"}:
        losses.append(Loss(path, f"v1 has no way to log in that is {kind!r}"))
        return None
    new = renamed(_without(method, ("type",)) if kind == "agent" else method, "methodId", "id")
    env = new.get("env")
    if isinstance(env, list):
        pairs = [as_object(variable) for variable in env]
        new = {**new, "env": {str(pair.get("name")): pair.get("value") for pair in pairs}}
    return new


_LOGINS: Final[Mapping[str, _Change]] = {"v1": _v1_login, "v2": _v2_login}


def servers_of(servers: object, to: str, losses: Losses) -> list[Json]:
    """`mcpServers` in the form of a version.

    >>> servers_of([{"name": "n", "command": "/c", "args": [], "env": []}], "v2", [])
    [{'type': 'stdio', 'name': 'n', 'command': '/c', 'args': [], 'env': []}]
    """
    return _each(servers, "mcpServers", _v2_server if to == "v2" else _v1_server, losses)


def _v2_server(server: Json, path: str, losses: Losses) -> Json | None:
    if server.get("type") == "sse":
        losses.append(Loss(path, "v2 has no servers over SSE"))
        return None
    return {"type": "stdio", **server}


_V1_SERVERS: Final[dict[object, Json]] = {"http": {"headers": []}, "acp": {}, "stdio": {"args": [], "env": []}}
"""What v1 wants of each kind of server and v2 doesn't."""


def _v1_server(server: Json, path: str, losses: Losses) -> Json | None:
    kind = server.get("type")
    if kind not in _V1_SERVERS:
        losses.append(Loss(path, f"v1 has no servers of type {kind!r}"))
        return None
    return {**_V1_SERVERS[kind], **(_without(server, ("type",)) if kind == "stdio" else server)}
