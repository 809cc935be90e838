"""Tool calls from v1 to v2: what was set before, a new `tool_call` puts back to its default.

v1 writes a null where nothing is said; v2 would clear the field, so nulls are left out, and where v1 does put a
field back, null is what says so.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from acpinspect.conversion.envelopes import params_of
from acpinspect.conversion.fitting import fit_update, note_issues
from acpinspect.conversion.items import tool_content_of
from acpinspect.conversion.steps import Event, Json, Loss, Losses, as_object, as_text
from acpinspect.protocol import read_permission
from acpinspect.reducer import FrozenMap

__all__ = ["Tool", "Tools", "ask", "call_tool", "update_tool"]


class Tool(NamedTuple):
    """What the v2 side has been told of a tool call.

    Attributes:
        fields: The fields that have a value.
        title: Its title.
    """

    fields: frozenset[str] = frozenset()
    title: str | None = None


Tools: TypeAlias = FrozenMap[tuple[int, str], Tool]

_PATCHED: Final = frozenset(
    {"title", "name", "kind", "status", "content", "locations", "rawInput", "rawOutput", "_meta"}
)


def call_tool(tools: Tools, epoch: int, update: Json, losses: Losses) -> tuple[Tools, Json]:
    """A `tool_call`, which overwrites what there was: null for the fields that it no longer has."""
    key = (epoch, str(update["toolCallId"]))
    before = tools.get(key) or Tool()
    written = _written({**update, "sessionUpdate": "tool_call_update"}, losses)
    gone = dict.fromkeys(sorted(before.fields - written.keys()))
    made = Tool(_PATCHED & written.keys(), as_text(written.get("title")))
    return tools.set(key, made), {**written, **gone}


def update_tool(tools: Tools, epoch: int, update: Json, losses: Losses) -> tuple[Tools, Json]:
    """A `tool_call_update`: what is there replaces, null is as good as nothing."""
    key = (epoch, str(update["toolCallId"]))
    before = tools.get(key) or Tool()
    written = _written(update, losses)
    made = Tool(before.fields | (_PATCHED & written.keys()), as_text(written.get("title")) or before.title)
    return tools.set(key, made), written


def _written(update: Json, losses: Losses) -> Json:
    written = {key: value for key, value in update.items() if value is not None}
    if "content" in written:
        written["content"] = tool_content_of(written["content"], "v2", losses)
    return written


def ask(tools: Tools, event: Event, losses: Losses) -> tuple[Tools, Json | None, Json | None]:
    """A permission request: v2 has a title for it, and the tool call as its subject.

    Args:
        tools: What the v2 side knows.
        event: The request.
        losses: Gets what can't be carried.

    Returns:
        What it knows then; the request; and, where v2 would refuse the request, the update of the tool call that
        the request also is.
    """
    params = params_of(event)
    permission = read_permission(params, "v1")
    note_issues(permission.issues, losses)
    if permission.tool_call is None:
        return tools, None, None
    patch = {"sessionUpdate": "tool_call_update", **permission.tool_call}
    inner: Losses = []
    tools, written = update_tool(tools, event.epoch, patch, inner)
    fitted = as_object(fit_update(written, "v2", inner))
    losses.extend(loss._replace(field=f"toolCall.{loss.field}") for loss in inner)
    if permission.rejected is not None or not permission.fields["options"]:
        if permission.rejected is None:
            losses.append(Loss("options", "v2 wants at least one"))
        return tools, None, fitted
    tool_call = {key: value for key, value in fitted.items() if key != "sessionUpdate"}
    known = tools.get((event.epoch, str(tool_call["toolCallId"]))) or Tool()
    title = known.title or as_text(tool_call.get("name")) or str(tool_call["toolCallId"])
    rest = {key: value for key, value in params.items() if key not in {"sessionId", "toolCall"}}
    session = {key: params[key] for key in ("sessionId",) if key in params}
    subject = {"type": "tool_call", "toolCall": tool_call}
    made: Json = {**session, "title": title, "subject": subject, **rest, "options": permission.fields["options"]}
    return tools, {**event.message, "params": made}, None
