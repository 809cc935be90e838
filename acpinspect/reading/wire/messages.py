"""JSON-RPC messages built from what a recording says of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from acpinspect.reading.notation.builder import Value

__all__ = ["as_message", "error", "notification", "request", "response", "snake_name", "type_message", "update"]

JSON_RPC = "2.0"
_VERSION: dict[str, Value] = {"jsonrpc": JSON_RPC}
_NOTIFICATIONS = {
    "SessionNotification": "session/update",
    "UpdateSessionNotification": "session/update",
    "CancelNotification": "session/cancel",
    "CancelSessionNotification": "session/cancel",
    "CancelRequestNotification": "$/cancel_request",
}
_CALLS = {
    "Initialize": "initialize",
    "Authenticate": "authenticate",
    "Login": "auth/login",
    "Logout": "logout",
    "NewSession": "session/new",
    "LoadSession": "session/load",
    "ResumeSession": "session/resume",
    "ForkSession": "session/fork",
    "ListSessions": "session/list",
    "CloseSession": "session/close",
    "DeleteSession": "session/delete",
    "SetSessionMode": "session/set_mode",
    "SetSessionModel": "session/set_model",
    "SetSessionConfigOption": "session/set_config_option",
    "Prompt": "session/prompt",
    "RequestPermission": "session/request_permission",
    "ReadTextFile": "fs/read_text_file",
    "WriteTextFile": "fs/write_text_file",
    "CreateTerminal": "terminal/create",
    "TerminalOutput": "terminal/output",
    "ReleaseTerminal": "terminal/release",
    "WaitForTerminalExit": "terminal/wait_for_exit",
    "KillTerminal": "terminal/kill",
    "KillTerminalCommand": "terminal/kill",
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake_name(name: str) -> str:
    """A type's or variant's name as the wire writes it.

    Examples:
        >>> snake_name("AgentMessageChunk"), snake_name("InProgress"), snake_name("END_TURN")
        ('agent_message_chunk', 'in_progress', 'end_turn')
    """
    return _HUMP.sub("_", name).lower()


def request(method: str, params: Value, rpc_id: Value) -> dict[str, Value]:
    """A request.

    Examples:
        >>> request("session/new", {"cwd": "/"}, 1)
        {'jsonrpc': '2.0', 'id': 1, 'method': 'session/new', 'params': {'cwd': '/'}}
    """
    return _VERSION | {"id": rpc_id, "method": method, "params": params}


def notification(method: str, params: Value) -> dict[str, Value]:
    """A notification.

    Examples:
        >>> notification("session/cancel", {"sessionId": "s"})
        {'jsonrpc': '2.0', 'method': 'session/cancel', 'params': {'sessionId': 's'}}
    """
    return _VERSION | {"method": method, "params": params}


def response(result: Value, rpc_id: Value) -> dict[str, Value]:
    """A response with a result.

    Examples:
        >>> response({"stopReason": "end_turn"}, 2)
        {'jsonrpc': '2.0', 'id': 2, 'result': {'stopReason': 'end_turn'}}
    """
    return _VERSION | {"id": rpc_id, "result": result}


def error(reason: Value, rpc_id: Value) -> dict[str, Value]:
    """A response with an error.

    Examples:
        >>> error({"code": -32603, "message": "no"}, 2)["error"]
        {'code': -32603, 'message': 'no'}
    """
    return _VERSION | {"id": rpc_id, "error": reason}


def update(body: Mapping[str, Value], session_id: str | None = None) -> dict[str, Value]:
    """A ``session/update`` of one update; without a session where the recording states none.

    Examples:
        >>> update({"sessionUpdate": "plan", "entries": []})["params"]
        {'update': {'sessionUpdate': 'plan', 'entries': []}}
    """
    session: dict[str, Value] = {} if session_id is None else {"sessionId": session_id}
    return notification("session/update", session | {"update": dict(body)})


def as_message(value: Value) -> dict[str, Value] | None:
    """The message that a value is, or that it is the params or the update of.

    Args:
        value: Any JSON-like value.

    Returns:
        The message; ``None`` where the value is none and stands for none.

    Examples:
        >>> as_message({"sessionId": "s", "update": {"sessionUpdate": "plan"}})["method"]
        'session/update'
        >>> as_message({"level": "debug"}) is None
        True
    """
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("method"), str) or ("id" in value and ("result" in value or "error" in value)):
        return value if "jsonrpc" in value else _VERSION | value
    if isinstance(value.get("sessionUpdate"), str):
        return notification("session/update", {"update": value})
    inner = value.get("update")
    if isinstance(inner, dict) and ("sessionId" in value or "sessionUpdate" in inner):
        return notification("session/update", value)
    return None


def type_message(name: str, body: Value) -> tuple[dict[str, Value], str] | None:
    """The message that an SDK's type stands for, by the type's name.

    Args:
        name: ``SessionNotification``, ``PromptRequest``, ``PromptResponse``, ...
        body: Its params or result.

    Returns:
        The message (the id, which the type doesn't hold, null) and its method, or that of its request; ``None``
        for other types.

    Examples:
        >>> type_message("PromptResponse", {"stopReason": "end_turn"})
        ({'jsonrpc': '2.0', 'id': None, 'result': {'stopReason': 'end_turn'}}, 'session/prompt')
    """
    if name in _NOTIFICATIONS:
        method = _NOTIFICATIONS[name]
        return notification(method, body), method
    for ending in ("Request", "Response"):
        called = name.removesuffix(ending)
        if name.endswith(ending) and called in _CALLS:
            method = _CALLS[called]
            return (request(method, body, None) if ending == "Request" else response(body, None)), method
    return None
