"""What updates and frames do to plans and to what belongs to the session as a whole.

Source: ``Plan``, ``PlanUpdate``, ``PlanRemoved``, ``SessionInfoUpdate``, ``UsageUpdate``, ``StateUpdate``,
``Notice`` and the list updates in the schemas of both versions; "Session traffic" in the semantics for prompts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar

from acpinspect.reducer.entities import Plan
from acpinspect.reducer.patching import FieldChange, Patched, PatchField, patch
from acpinspect.reducer.ropes import Rope
from acpinspect.reducer.state import Info, Notice, Run, Usage
from acpinspect.reducer.values import FrozenDict, freeze
from acpinspect.reducer.writes import Write

__all__ = [
    "add_notice",
    "answered",
    "cancel",
    "patch_info",
    "prompted",
    "remove_plan",
    "replace_plan",
    "replace_v1_plan",
    "set_commands",
    "set_config",
    "set_mode",
    "set_modes",
    "set_run",
    "set_turn",
    "set_usage",
]

T = TypeVar("T")

_CREATED: Final = FieldChange("created")
_REMOVED: Final = FieldChange("removed")
_PATCHED: Final = FieldChange("patched")
_INFO: Final = (
    PatchField("title", "title"),
    PatchField("updatedAt", "updated_at"),
    PatchField("_meta", "meta"),
)
_SHOWN_IN: Final = {"items": "entries", "markdown": "content", "file": "uri"}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: object) -> FrozenDict | None:
    frozen = freeze(value)
    return frozen if isinstance(frozen, FrozenDict) else None


def _items(value: object) -> tuple[object, ...]:
    return tuple([freeze(item) for item in value]) if isinstance(value, list | tuple) else ()


def _set(value: T) -> Patched[T]:
    return Patched(value, (_PATCHED,))


def _plan(old: Plan | None, plan: Plan) -> Patched[Plan]:
    """A plan in place of the old one: it is replaced where it showed something, else set."""
    field = _SHOWN_IN.get(plan.type, "other")
    start, stop = (0, len(plan.entries)) if field == "entries" else (None, None)
    shown = old is not None and (old.entries or old.content or old.uri or old.other)
    change = FieldChange("replaced" if shown else "patched", field, start, stop)
    return Patched(plan, (change,) if old is not None else (_CREATED, change))


def replace_v1_plan(old: Plan | None, write: Write) -> Patched[Plan]:
    """v1 `plan`: the session's one plan, all of its entries."""
    fields = write.fields
    return _plan(old, Plan("", entries=_items(fields.get("entries")), meta=_object(fields.get("_meta"))))


def replace_plan(old: Plan | None, write: Write) -> Patched[Plan]:
    """`plan_update`: the whole of one plan; a custom type keeps its payload as it was sent."""
    sent = write.fields["plan"]
    content: Mapping[str, object] = sent if isinstance(sent, Mapping) else {}
    known = content.get("type") in _SHOWN_IN
    plan = Plan(
        plan_id=str(content.get("planId")),
        type=str(content.get("type")),
        entries=_items(content.get("entries")) if known else (),
        content=_text(content.get("content")) if known else None,
        uri=_text(content.get("uri")) if known else None,
        other=None if known else _object(content),
        meta=_object(content.get("_meta")) or _object(write.fields.get("_meta")),
    )
    return _plan(old, plan)


def remove_plan(old: Plan | None, _write: Write) -> Patched[Plan]:
    """`plan_removed`: the plan is gone; an id that comes again is a new plan."""
    if old is None:
        return Patched(None, (FieldChange("ignored", reason="there is no plan of this id"),))
    return Patched(None, (_REMOVED,))


def set_mode(_old: str | None, write: Write) -> Patched[str]:
    """`current_mode_update`, and a `session/set_mode` that was granted."""
    return _set(str(write.fields["currentModeId"]))


def set_modes(_old: tuple[object, ...], write: Write) -> Patched[tuple[object, ...]]:
    """The modes that a session's result lists."""
    return _set(_items(write.fields.get("availableModes")))


def set_config(_old: tuple[object, ...], write: Write) -> Patched[tuple[object, ...]]:
    """`config_option_update`, and results that list the options: the whole list."""
    return _set(_items(write.fields.get("configOptions")))


def set_commands(_old: tuple[object, ...], write: Write) -> Patched[tuple[object, ...]]:
    """`available_commands_update`: the whole list."""
    return _set(_items(write.fields.get("availableCommands")))


def patch_info(old: Info | None, write: Write) -> Patched[Info]:
    """`session_info_update`: each field for itself; null clears in v1 too."""
    patched = patch(old or Info(), write.fields, _INFO)
    return Patched(patched.value, patched.changes or (_PATCHED,))


def set_usage(_old: Usage | None, write: Write) -> Patched[Usage]:
    """`usage_update`: all of it; a cost that isn't sent is not known."""
    used, size = write.fields["used"], write.fields["size"]
    cost, meta = _object(write.fields.get("cost")), _object(write.fields.get("_meta"))
    return _set(Usage(_count(used), _count(size), cost, meta))


def _count(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0


def add_notice(old: Rope[Notice] | None, write: Write) -> Patched[Rope[Notice]]:
    """`notice`: one more."""
    before = old if old is not None else Rope[Notice]()
    notice = Notice(
        severity=str(write.fields["severity"]),
        title=str(write.fields["title"]),
        description=_text(write.fields.get("description")),
        meta=_object(write.fields.get("_meta")),
    )
    change = FieldChange("appended", start=len(before), stop=len(before) + 1)
    return Patched(before.append(notice), (change,))


def set_run(old: Run | None, write: Write) -> Patched[Run]:
    """v2 `state_update`: the state, and the stop reason only where this update says it."""
    state = str(write.fields["state"])
    cancelling = bool(old and old.cancelling and state != "idle")
    stop_reason = _text(write.fields.get("stopReason"))
    return _set(Run(state, stop_reason, cancelling, _object(write.fields.get("usage"))))


def prompted(_old: Run | None, _write: Write) -> Patched[Run]:
    """v1: a prompt request starts the work."""
    return _set(Run("running"))


def answered(_old: Run | None, write: Write) -> Patched[Run]:
    """v1: the response to a prompt ends the work; an error ends it without a stop reason."""
    return _set(Run("idle", _text(write.fields.get("stopReason")), usage=_object(write.fields.get("usage"))))


def cancel(old: Run | None, _write: Write) -> Patched[Run]:
    """`session/cancel`: asked for; the work ends when the agent says so."""
    run = old or Run()
    if run.state in {None, "idle"}:
        return Patched(run, (FieldChange("ignored", reason="nothing is running"),))
    return Patched(replace(run, cancelling=True), (FieldChange("patched", "cancelling"),))


def set_turn(_old: int | None, write: Write) -> Patched[int]:
    """The number of the turn that begins."""
    return _set(_count(write.fields["turn"]))
