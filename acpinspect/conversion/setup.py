"""What the two sides tell each other when they meet: versions, capabilities, ways to log in, servers.

v1 says what a side can do in truth values, v2 in objects that are there or not; what every v2 agent can do (list,
resume and close sessions) has no capability of its own there. What v2 did away with (files, client terminals, SSE)
is a loss where it is announced, and none where it isn't.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from acpinspect.conversion.items import renamed
from acpinspect.conversion.steps import Json, Loss, Losses, as_object

__all__ = ["client_side", "agent_side", "servers_of"]  # noqa: RUF022  (the order of the exchange)

_UNKNOWN: Final[Json] = {"name": "unknown", "version": "unknown"}
"""v2 wants to know who is there; a v1 side that doesn't say is this."""

_PROMPT: Final = ("image", "audio", "embeddedContext")
_MCP: Final = ("http", "acp")
_SESSION: Final = ("delete", "additionalDirectories", "fork")
_BASELINE: Final = ("list", "resume", "close")


def client_side(params: Json, to: str, losses: Losses) -> Json:
    """The params of `initialize` in the form of a version.

    >>> client_side({"protocolVersion": 1, "clientInfo": {"name": "z", "version": "1"}}, "v2", [])
    {'protocolVersion': 2, 'info': {'name': 'z', 'version': '1'}, 'capabilities': {}}
    """
    if to == "v1":
        made = _renamed_all(params, (("info", "clientInfo"), ("capabilities", "clientCapabilities")))
        capabilities = as_object(made.get("clientCapabilities"))
        auth = _flags(capabilities.get("auth"), ("terminal",))
        return {**made, "protocolVersion": 1, "clientCapabilities": _with(capabilities, auth=auth)}
    made = _renamed_all(params, (("clientInfo", "info"), ("clientCapabilities", "capabilities")))
    capabilities = as_object(made.get("capabilities"))
    _announced(capabilities, ("fs", "terminal", "session", "plan"), "clientCapabilities", losses)
    kept = _without(capabilities, ("fs", "terminal", "session", "plan"))
    kept = _with(kept, auth=_objects(capabilities.get("auth"), ("terminal",)))
    return {**made, "protocolVersion": 2, "info": made.get("info") or _UNKNOWN, "capabilities": kept}


def agent_side(result: Json, to: str, losses: Losses) -> Json:
    """The result of `initialize` in the form of a version.

    >>> result = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"image": True}}}
    >>> agent_side(result, "v2", [])["capabilities"]
    {'session': {'prompt': {'image': {}}, 'mcp': {'stdio': {}}}}
    """
    if to == "v1":
        made = _renamed_all(result, (("info", "agentInfo"), ("capabilities", "agentCapabilities")))
        capabilities = _v1_agent(as_object(made.get("agentCapabilities")), methods=bool(made.get("authMethods")))
        made = {**made, "protocolVersion": 1, "agentCapabilities": capabilities}
    else:
        made = _renamed_all(result, (("agentInfo", "info"), ("agentCapabilities", "capabilities")))
        capabilities = _v2_agent(as_object(made.get("capabilities")), losses)
        made = {**made, "protocolVersion": 2, "info": made.get("info") or _UNKNOWN, "capabilities": capabilities}
    if "authMethods" in made:
        made["authMethods"] = _login_methods(made["authMethods"], to, losses)
    return made


def _v2_agent(v1: Json, losses: Losses) -> Json:
    mcp, own = as_object(v1.get("mcpCapabilities")), as_object(v1.get("sessionCapabilities"))
    _announced(mcp, ("sse",), "agentCapabilities.mcpCapabilities", losses)
    servers: Json = {"stdio": {}, **as_object(_objects(_without(mcp, ("sse",)), _MCP))}
    session: Json = _with(
        _without(own, _BASELINE), prompt=_objects(v1.get("promptCapabilities"), _PROMPT), mcp=servers
    )
    rest = _without(v1, ("loadSession", "promptCapabilities", "mcpCapabilities", "sessionCapabilities", "auth"))
    auth = _without(as_object(v1.get("auth")), ("logout",))
    return _with({"session": session, **rest}, auth=auth or None)


def _v1_agent(v2: Json, *, methods: bool) -> Json:
    rest = _without(v2, ("session", "auth"))
    auth: Json = {**as_object(v2.get("auth")), **({"logout": {}} if methods else {})}
    if not isinstance(v2.get("session"), dict):
        return _with(rest, auth=auth or None)
    session = as_object(v2["session"])
    mcp = _without(as_object(session.get("mcp")), ("stdio",))
    made: Json = {
        "loadSession": True,
        "sessionCapabilities": {**{name: {} for name in _BASELINE}, **_without(session, ("prompt", "mcp"))},
        **rest,
    }
    prompts = _flags(session.get("prompt"), _PROMPT)
    return _with(made, promptCapabilities=prompts, mcpCapabilities=_flags(mcp, _MCP) or None, auth=auth or None)


# --- pieces -----------------------------------------------------------------------------------------------------


def _renamed_all(value: Json, names: Iterable[tuple[str, str]]) -> Json:
    for old, new in names:
        value = renamed(value, old, new)
    return value


def _without(value: Json, keys: Iterable[str]) -> Json:
    left_out = frozenset(keys)
    return {key: item for key, item in value.items() if key not in left_out}


def _with(value: Json, **more: Json | None) -> Json:
    """The object with the values that there are, in the place of those that it had."""
    return {**_without(value, more), **{key: item for key, item in more.items() if item is not None}}


def _flags(capabilities: object, names: Iterable[str]) -> Json | None:
    """Truth values of objects that are there or not; other keys stay as they are."""
    if not isinstance(capabilities, dict):
        return None
    known = {name: True for name in names if isinstance(capabilities.get(name), dict)}
    return {**_without(capabilities, names), **known}


def _objects(capabilities: object, names: Iterable[str]) -> Json | None:
    """Objects of truth values; other keys stay as they are."""
    if not isinstance(capabilities, dict):
        return None
    known: Json = {name: {} for name in names if capabilities.get(name) is True}
    return {**_without(capabilities, names), **known}


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


def _login_methods(methods: object, to: str, losses: Losses) -> object:
    if not isinstance(methods, list):
        return []
    change = _v2_login if to == "v2" else _v1_login
    made = [change(method, place, losses) for place, method in enumerate(methods) if isinstance(method, dict)]
    return [method for method in made if method is not None]


def _v2_login(method: Json, _: int, __: Losses) -> Json:
    new = {"type": "agent", **renamed(method, "id", "methodId")}
    if isinstance(new.get("env"), dict):
        new["env"] = [{"name": name, "value": value} for name, value in as_object(new["env"]).items()]
    return new


def _v1_login(method: Json, place: int, losses: Losses) -> Json | None:
    kind = method.get("type")
    if kind not in {"agent", "terminal"}:
        losses.append(Loss(f"authMethods[{place}]", f"v1 has no way to log in that is {kind!r}"))
        return None
    new = renamed(_without(method, ("type",)) if kind == "agent" else method, "methodId", "id")
    env = new.get("env")
    if isinstance(env, list):
        pairs = [as_object(variable) for variable in env]
        new = {**new, "env": {str(pair.get("name")): pair.get("value") for pair in pairs}}
    return new


def servers_of(servers: object, to: str, losses: Losses) -> object:
    """`mcpServers` in the form of a version.

    >>> servers_of([{"name": "n", "command": "/c", "args": [], "env": []}], "v2", [])
    [{'type': 'stdio', 'name': 'n', 'command': '/c', 'args': [], 'env': []}]
    """
    if not isinstance(servers, list):
        return []
    change = _v2_server if to == "v2" else _v1_server
    made = [change(server, place, losses) for place, server in enumerate(servers) if isinstance(server, dict)]
    return [server for server in made if server is not None]


def _v2_server(server: Json, place: int, losses: Losses) -> Json | None:
    if server.get("type") == "sse":
        losses.append(Loss(f"mcpServers[{place}]", "v2 has no servers over SSE"))
        return None
    return {"type": "stdio", **server}


_V1_SERVERS: Final[dict[object, Json]] = {"http": {"headers": []}, "acp": {}, "stdio": {"args": [], "env": []}}
"""What v1 wants of each kind of server and v2 doesn't."""


def _v1_server(server: Json, place: int, losses: Losses) -> Json | None:
    kind = server.get("type")
    if kind not in _V1_SERVERS:
        losses.append(Loss(f"mcpServers[{place}]", f"v1 has no servers of type {kind!r}"))
        return None
    return {**_V1_SERVERS[kind], **(_without(server, ("type",)) if kind == "stdio" else server)}
