"""What a step changed, as HTML: only that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from acpinspect.events import REJECTED
from acpinspect.reducer import plain_value
from acpinspect.timelines import Diff, EntityDiff, FieldDiff, entity_name
from acpinspect.timelines.finding import shown_text
from acpinspect.timelines.showing import as_text
from acpinspect.widgets.markup import number, short, visible
from acpinspect.widgets.spine import Spine

__all__ = ["change_html"]

_MOST_LINES: Final = 24
_LONGEST: Final = 280
_SIGNS: Final = {"added": "+", "removed": "−", "changed": "~"}
_DULL: Final = frozenset({"first_event", "last_event"})


def change_html(spine: Spine, diff: Diff) -> str:
    """The difference between two steps; between neighbours, also why nothing changed where nothing did."""
    lines = list(_lines(diff))
    if not lines:
        why = _why_nothing(spine, diff)
        return f'<p class="empty">Nothing changed{f": {visible(why)}" if why else ""}.</p>'
    more = len(lines) - _MOST_LINES
    last = f'<div class="more">{number(more, "more line")}</div>' if more > 0 else ""
    return f'<div class="diff">{"".join(lines[:_MOST_LINES])}{last}</div>'


def _lines(diff: Diff) -> Iterator[str]:
    for each in diff.entities:
        yield from _entity(each)
    for field in diff.session:
        yield _line("~", "chg", f"session {field.field}", _field(field))


def _entity(each: EntityDiff) -> Iterator[str]:
    kind = {"added": "add", "removed": "del", "changed": "chg"}[each.kind]
    said = {"added": "created", "removed": "removed", "changed": ""}[each.kind]
    yield _line(_SIGNS[each.kind], kind, entity_name(each.entity), said)
    if each.kind == "changed":
        for field in each.fields:
            if field.field not in _DULL:
                yield _line("", "chg in", field.field, _field(field))
    elif text := shown_text(each.value):
        tag = "ins" if each.kind == "added" else "del"
        yield _line("", f"{kind} in", "text", f"<{tag}>{short(text, _LONGEST)}</{tag}>")


def _line(sign: str, kind: str, name: str, value: str) -> str:
    head = f'<span class="sign">{sign}</span>' if sign else ""
    return f'<div class="line {kind}">{head}<b>{short(name, 90)}</b> {value}</div>'


def _field(field: FieldDiff) -> str:
    if field.text:
        shown = [_edit(edit.old, edit.new) for edit in field.text[:8]]
        return " … ".join(shown) + (" …" if len(field.text) > 8 else "")
    before, after = plain_value(field.before), plain_value(field.after)
    if isinstance(before, dict) and isinstance(after, dict):
        return _record(before, after)
    return _edit(_side(field.before), _side(field.after))


def _record(before: Mapping[str, object], after: Mapping[str, object]) -> str:
    """Of a record only what is another in it."""
    changed = [name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)]
    shown = [f"{short(name, 60)} {_edit(_side(before.get(name)), _side(after.get(name)))}" for name in changed[:8]]
    return ", ".join(shown) + (" …" if len(changed) > 8 else "")


def _edit(old: str, new: str) -> str:
    gone = f"<del>{short(old, _LONGEST)}</del> " if old else ""
    return gone + (f"<ins>{short(new, _LONGEST)}</ins>" if new else "")


def _side(value: object) -> str:
    if isinstance(value, bytes):
        return value[: 4 * _LONGEST].decode("utf-8", "replace")
    return as_text(list(value) or None) if isinstance(value, tuple) else as_text(value)


def _why_nothing(spine: Spine, diff: Diff) -> str:
    if diff.after - diff.before != 1:
        return ""
    act = spine.acting[diff.before]
    problem = spine.timeline.columns.problem(diff.before)
    if act == "rejected":
        return "rejected, " + (problem or "it doesn't fit the schema").removeprefix(REJECTED)
    if act == "left out":
        return "the policy leaves the chunk out"
    if act == "unreadable":
        return problem or "it is no message"
    return "this event doesn't act on the session's state" if act in ("nothing", "control", "extension") else ""
