"""Tool calls from v2 to v1.

v1 announces a call with its title (`tool_call`) and then updates it, where null means nothing. So the first update
waits for a title. What v2 clears, v1 can say by sending the call anew without it, all but the title.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from acpinspect.conversion.envelopes import params_of, update_of
from acpinspect.conversion.fitting import fit_update, note_issues
from acpinspect.conversion.items import tool_content_of
from acpinspect.conversion.steps import Event, Json, Loss, Losses, as_object
from acpinspect.protocol import ENUMS, read_permission
from acpinspect.reducer import FrozenMap

__all__ = ["Tool", "Tools", "append_content", "ask", "never_titled", "patch_tool"]


class Tool(NamedTuple):
    """A tool call, as v1 can hold it.

    Attributes:
        fields: The fields that have a value; never changed in place.
        announced: The v1 side knows of it.
        held: The updates that wait for its title: event and variant.
    """

    fields: Json
    announced: bool = False
    held: tuple[tuple[int, str], ...] = ()


Tools: TypeAlias = FrozenMap[tuple[int, str], Tool]

_FIELDS: Final = ("title", "name", "kind", "status", "content", "locations", "rawInput", "rawOutput", "_meta")
_DEFAULTS: Final[Json] = {"kind": "other", "status": "pending", "content": [], "locations": []}
"""What v1 can say in an update in place of null."""
_OPTION_KINDS: Final = ENUMS["v1"]["PermissionOptionKind"].values


class _Patch(NamedTuple):
    """An update of v2 in the terms of v1: the values that it sets, the fields that it clears, foreign keys."""

    values: Json
    cleared: tuple[str, ...]
    extra: Json


def patch_tool(tools: Tools, event: Event, update: Json, losses: Losses) -> tuple[Tools, list[Json]]:
    """A `tool_call_update`: `tool_call` where v1 is told first or a field is cleared, else an update.

    Args:
        tools: What the v1 side knows.
        event: The event.
        update: The update, after it was read.
        losses: Gets what v1 can't hold.

    Returns:
        What it knows then, and the updates for it.
    """
    key = (event.epoch, str(update["toolCallId"]))
    before = tools.get(key) or Tool({})
    patch = _patch(before, update, losses)
    after = before._replace(fields=_patched(before.fields, patch))
    if not before.announced:
        after, written = _announced(after, key[1], event, patch.extra)
    else:
        written = _changed(after, key[1], patch, losses)
    return tools.set(key, after), written


def _patch(before: Tool, update: Json, losses: Losses) -> _Patch:
    values = {key: value for key, value in update.items() if value is not None}
    if "content" in values:
        values["content"] = tool_content_of(values["content"], "v1", losses)
    fitted = fit_update(values, "v1", losses) or {}
    nulls = [name for name in _FIELDS if name in update and update[name] is None and name in before.fields]
    if "title" in nulls:
        losses.append(Loss("title", "v1 can't clear it"))
        nulls.remove("title")
    known: Json = {name: fitted[name] for name in _FIELDS if name in fitted}
    others = {key: value for key, value in fitted.items() if key not in {*_FIELDS, "sessionUpdate", "toolCallId"}}
    return _Patch(known, tuple(nulls), others)


def _patched(fields: Json, patch: _Patch) -> Json:
    return {key: value for key, value in (fields | patch.values).items() if key not in patch.cleared}


def _announced(tool: Tool, tool_id: str, event: Event, extra: Json) -> tuple[Tool, list[Json]]:
    if "title" not in tool.fields:
        variant = str(update_of(event).get("sessionUpdate") or event.method)
        return tool._replace(held=(*tool.held, (event.event, variant))), []
    return tool._replace(announced=True, held=()), [_call(tool, tool_id, extra)]


def _call(tool: Tool, tool_id: str, extra: Json) -> Json:
    return {"sessionUpdate": "tool_call", "toolCallId": tool_id, **tool.fields, **extra}


def _changed(tool: Tool, tool_id: str, patch: _Patch, losses: Losses) -> list[Json]:
    unsayable = [name for name in patch.cleared if name not in _DEFAULTS]
    if unsayable and "title" in tool.fields:
        return [_call(tool, tool_id, patch.extra)]
    losses.extend(Loss(name, "v1 can clear it only of a tool call that has a title") for name in unsayable)
    defaults = {name: _DEFAULTS[name] for name in patch.cleared if name in _DEFAULTS}
    return [
        {"sessionUpdate": "tool_call_update", "toolCallId": tool_id, **patch.values, **defaults, **patch.extra}
    ]


def append_content(tools: Tools, event: Event, update: Json, losses: Losses) -> tuple[Tools, list[Json]]:
    """A `tool_call_content_chunk`: v1 is sent all that has come so far."""
    key = (event.epoch, str(update["toolCallId"]))
    before = tools.get(key) or Tool({})
    inner: Losses = []
    items = tool_content_of([update["content"]], "v1", inner)
    fitted = fit_update({"sessionUpdate": "tool_call_update", "toolCallId": "", "content": items}, "v1", inner)
    losses.extend(loss._replace(field=loss.field.replace("content[0]", "content", 1)) for loss in inner)
    if update.get("_meta") is not None:
        losses.append(Loss("_meta", "v1 has no place for the metadata of a part of the content"))
    appended = as_object(fitted).get("content")
    if not isinstance(appended, list) or not appended:
        return tools, []
    so_far = before.fields.get("content")
    content = [*so_far, *appended] if isinstance(so_far, list) else appended
    extra = {k: v for k, v in update.items() if k not in {"sessionUpdate", "toolCallId", "content", "_meta"}}
    after = before._replace(fields={**before.fields, "content": content})
    if not before.announced:
        after, written = _announced(after, key[1], event, extra)
    else:
        written = _changed(after, key[1], _Patch({"content": content}, (), extra), losses)
    return tools.set(key, after), written


def never_titled(tools: Tools) -> tuple[Loss, ...]:
    """The updates that were held back for a title that never came."""
    reason = "the tool call never gets a title, and v1 announces none without"
    return tuple(Loss("title", reason, *held) for tool in tools.values() for held in tool.held)


# --- permissions ------------------------------------------------------------------------------------------------


def ask(tools: Tools, event: Event, losses: Losses) -> tuple[Tools, list[Json], Json | None]:
    """A permission request: v1 has one only about a tool call, and no title for the request.

    Returns:
        What the v1 side knows then; updates of the tool call that it must be told before; and the request.
    """
    params = params_of(event)
    permission = read_permission(params, "v2")
    note_issues(permission.issues, losses)
    if permission.tool_call is None:
        if permission.rejected is None:
            losses.append(Loss("subject", "v1 asks only about a tool call"))
        return tools, [], None
    inner: Losses = []
    tools, updates, tool_call = _asked_about(tools, event, permission.tool_call, inner, permission.rejected)
    losses.extend(loss._replace(field=f"subject.toolCall.{loss.field}") for loss in inner)
    if tool_call is None:
        return tools, updates, None
    known = tools[event.epoch, str(tool_call["toolCallId"])].fields
    _compare_titles(params, known, tool_call, losses)
    left_out = {"sessionId", "title", "description", "subject", "options"}
    session = {key: params[key] for key in ("sessionId",) if key in params}
    rest = {key: value for key, value in params.items() if key not in left_out}
    options = _options(permission.fields["options"], losses)
    return (
        tools,
        updates,
        {**event.message, "params": {**session, "toolCall": tool_call, "options": options, **rest}},
    )


def _asked_about(
    tools: Tools, event: Event, update: Json, losses: Losses, rejected: str | None
) -> tuple[Tools, list[Json], Json | None]:
    """The tool call of a request: it carries all that was held back. Of a request that is refused, an update."""
    update = {"sessionUpdate": "tool_call_update", **update}
    if rejected is not None:
        tools, updates = patch_tool(tools, event, update, losses)
        return tools, updates, None
    key = (event.epoch, str(update["toolCallId"]))
    before = tools.get(key) or Tool({})
    patch = _patch(before, update, losses)
    after = Tool(_patched(before.fields, patch), announced=True)
    updates = _changed(after, key[1], patch, losses) if before.announced and patch.cleared else []
    values = patch.values if before.announced else after.fields
    return tools.set(key, after), updates, {"toolCallId": key[1], **values, **patch.extra}


def _compare_titles(params: Json, known: Json, tool_call: Json, losses: Losses) -> None:
    if params.get("title") not in (known.get("title"), known.get("name"), tool_call["toolCallId"]):
        losses.append(Loss("title", "v1 has no title for a request beside that of its tool call"))
    if params.get("description") is not None:
        losses.append(Loss("description", "v1 has no description of a request"))
    foreign = sorted(as_object(params.get("subject")).keys() - {"type", "toolCall"})
    losses.extend(Loss(f"subject.{name}", "v1 has no subject to hold it") for name in foreign)


def _options(options: object, losses: Losses) -> list[Json]:
    kept = []
    for place, option in enumerate(options if isinstance(options, list) else []):
        if option["kind"] in _OPTION_KINDS:
            kept.append(option)
        else:
            losses.append(Loss(f"options[{place}].kind", f"v1 has no options of kind {option['kind']!r}"))
    return kept
