"""Short words for the frames that tests are made of."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def request(rpc_id: int | str, method: str, **params: Any) -> Json:
    """A request."""
    return {"jsonrpc": "2.0", "id": rpc_id, "method": method, "params": params}


def notification(method: str, **params: Any) -> Json:
    """A notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(rpc_id: int | str, **value: Any) -> Json:
    """A response."""
    return {"jsonrpc": "2.0", "id": rpc_id, "result": value}


def error(rpc_id: int | str, code: int = -32000) -> Json:
    """An error response."""
    return {"jsonrpc": "2.0", "id": rpc_id, "error": {"code": code, "message": "failed"}}


def update(name: str, session: str = "s1", **fields: Any) -> Json:
    """A session/update."""
    return notification("session/update", sessionId=session, update={"sessionUpdate": name, **fields})


def text(value: str) -> Json:
    """A text block."""
    return {"type": "text", "text": value}


def chunk(value: str, message_id: str | None = None, role: str = "agent_message", session: str = "s1") -> Json:
    """A chunk of text; without `messageId` where none is given."""
    own = {} if message_id is None else {"messageId": message_id}
    return update(f"{role}_chunk", session, content=text(value), **own)


def whole(message_id: str, *values: str, role: str = "agent_message", **fields: Any) -> Json:
    """A whole-message update of protocol 2 with text blocks."""
    return update(role, messageId=message_id, content=[text(value) for value in values], **fields)


def prompt(rpc_id: int | str, value: str = "Go", session: str = "s1") -> Json:
    """A prompt."""
    return request(rpc_id, "session/prompt", sessionId=session, prompt=[text(value)])


def stop(rpc_id: int | str, reason: str = "end_turn") -> Json:
    """The response to a prompt of protocol 1."""
    return result(rpc_id, stopReason=reason)


def tool_call(tool: str = "t1", session: str = "s1", **fields: Any) -> Json:
    """A tool call of protocol 1."""
    return update("tool_call", session, toolCallId=tool, title="Dig", **fields)


def tool_update(tool: str = "t1", session: str = "s1", **fields: Any) -> Json:
    """A tool call update."""
    return update("tool_call_update", session, toolCallId=tool, **fields)


def permission(rpc_id: int | str, tool: str = "t1", session: str = "s1") -> Json:
    """A permission request of protocol 1."""
    return request(
        rpc_id, "session/request_permission", sessionId=session, toolCall={"toolCallId": tool}, options=[]
    )


def state(value: str, session: str = "s1", **fields: Any) -> Json:
    """A state update of protocol 2."""
    return update("state_update", session, state=value, **fields)


def initialize(rpc_id: int = 0, version: int = 1) -> list[Json]:
    """The exchange that opens a connection."""
    return [
        request(rpc_id, "initialize", protocolVersion=version),
        result(rpc_id, protocolVersion=version),
    ]
