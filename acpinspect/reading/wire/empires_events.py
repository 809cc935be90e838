"""What agent-of-empires keeps of ACP traffic: events of its own, each an object with one key.

Source: ``src/cockpit/event_store.rs`` and the ``Event`` enum of agent-of-empires. ``RawAgentUpdate`` holds a
real update; the others hold what its view needed, and are put back into the update that they came from. Prompts
and their ends become the request and its answer. What came from no ACP message (approvals, rate limits, its own
state) is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from acpinspect.protocol.variants import VARIANTS
from acpinspect.reading.notation.builder import Value
from acpinspect.reading.wire.lost_ids import LostIds
from acpinspect.reading.wire.messages import notification, request, response, snake_name, update

__all__ = ["empires_message"]

_Fields = Mapping[str, Value]
_STOP_REASONS = frozenset(("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"))


def empires_message(event: Value, session_id: str | None, ids: LostIds) -> dict[str, Value] | None:
    """The message that an event came from.

    Args:
        event: The event.
        session_id: The session's id in the store.
        ids: Gives ids to prompts and their ends.

    Returns:
        The message; ``None`` for an event that came from none.

    Examples:
        >>> empires_message({"AgentMessageChunk": {"text": "Hi"}}, "aoe-1", LostIds())["params"]["update"]
        {'sessionUpdate': 'agent_message_chunk', 'content': {'type': 'text', 'text': 'Hi'}}
        >>> empires_message("ThinkingStarted", "aoe-1", LostIds()) is None
        True
    """
    if not isinstance(event, dict) or len(event) != 1:
        return None
    name, fields = next(iter(event.items()))
    if not isinstance(fields, dict):
        return None
    if name in _UPDATES:
        body = _UPDATES[name](fields)
        return None if body is None else update(body, session_id)
    return _prompt_message(name, fields, session_id, ids)


def _prompt_message(name: str, fields: _Fields, session_id: str | None, ids: LostIds) -> dict[str, Value] | None:
    session: dict[str, Value] = {} if session_id is None else {"sessionId": session_id}
    if name == "UserPromptSent":
        params = session | {"prompt": [_text(fields.get("text"))]}
        return request("session/prompt", params, ids.request("client", "session/prompt"))
    if name == "CancelRequested":
        return notification("session/cancel", session)
    reason = snake_name(str(fields.get("reason", "")))
    if name == "Stopped" and reason in _STOP_REASONS:
        result: dict[str, Value] = {"stopReason": reason}
        return response(result, ids.response("agent", result))
    return None


def _text(value: Value) -> dict[str, Value]:
    return {"type": "text", "text": value if isinstance(value, str) else ""}


def _raw(fields: _Fields) -> dict[str, Value] | None:
    payload = fields.get("payload")
    return payload if isinstance(payload, dict) and isinstance(payload.get("sessionUpdate"), str) else None


def _chunk(name: str) -> Callable[[_Fields], dict[str, Value]]:
    return lambda fields: {"sessionUpdate": name, "content": _text(fields.get("text"))}


def _started(fields: _Fields) -> dict[str, Value] | None:
    call = fields.get("tool_call")
    if not isinstance(call, dict):
        return None
    kind = call.get("kind")
    return {
        "sessionUpdate": "tool_call",
        "toolCallId": call.get("id"),
        "title": call.get("title", call.get("name")),
        **({"kind": snake_name(kind)} if isinstance(kind, str) else {}),
    }


def _tool(fields: _Fields) -> dict[str, Value]:
    """What changed of a tool call: its title, its text so far, its end."""
    body: dict[str, Value] = {"sessionUpdate": "tool_call_update", "toolCallId": fields.get("tool_call_id")}
    if isinstance(fields.get("title"), str):
        body["title"] = fields["title"]
    if "is_error" in fields:
        body["status"] = "failed" if fields["is_error"] else "completed"
    if fields.get("content"):
        body["content"] = [{"type": "content", "content": _text(fields["content"])}]
    return body


def _renamed(name: str, **keys: str) -> Callable[[_Fields], dict[str, Value] | None]:
    """An update whose fields have other names in the store; none where one is missing."""

    def made(fields: _Fields) -> dict[str, Value] | None:
        if any(key not in fields for key in keys.values()):
            return None
        return {"sessionUpdate": name} | {wire: fields[key] for wire, key in keys.items()}

    return made


def _plan(fields: _Fields) -> dict[str, Value] | None:
    plan = fields.get("plan")
    entries = plan.get("entries", plan.get("steps")) if isinstance(plan, dict) else None
    if not isinstance(entries, list):
        return None
    return {"sessionUpdate": "plan", "entries": [_entry(entry) for entry in entries]}


def _entry(entry: Value) -> Value:
    """An entry of a plan; the store writes words as Rust does, and may call the content a title."""
    if not isinstance(entry, dict):
        return entry
    made = dict(entry)
    for key in ("status", "priority"):
        if isinstance(made.get(key), str):
            made[key] = snake_name(str(made[key]))
    if "content" not in made and "title" in made:
        made["content"] = made.pop("title")
    return made


def _usage(fields: _Fields) -> dict[str, Value] | None:
    usage = fields.get("usage")
    known = {field.name for field in VARIANTS["v1"]["usage_update"].fields}
    if not isinstance(usage, dict) or not {"used", "size"} <= usage.keys():
        return None
    return {"sessionUpdate": "usage_update"} | {key: value for key, value in usage.items() if key in known}


_UPDATES: dict[str, Callable[[_Fields], dict[str, Value] | None]] = {
    "RawAgentUpdate": _raw,
    "AgentMessageChunk": _chunk("agent_message_chunk"),
    "AgentThoughtChunk": _chunk("agent_thought_chunk"),
    "UserMessageChunk": _chunk("user_message_chunk"),
    "ToolCallStarted": _started,
    "ToolCallUpdated": _tool,
    "ToolCallContent": _tool,
    "ToolCallCompleted": _tool,
    "PlanUpdated": _plan,
    "UsageUpdated": _usage,
    "CurrentModeChanged": _renamed("current_mode_update", currentModeId="current_mode_id"),
    "AvailableCommandsUpdated": _renamed("available_commands_update", availableCommands="commands"),
    "ConfigOptionsUpdated": _renamed("config_option_update", configOptions="options"),
    "SessionTitleSuggested": _renamed("session_info_update", title="title"),
}
