"""Timelines, differences and blames as text and as HTML. What a log says reaches HTML escaped, and cut short."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from acpinspect.reducer import plain_value
from acpinspect.reducer.ropes import ByteRope
from acpinspect.timelines.edits import Edit
from acpinspect.timelines.naming import entity_name

if TYPE_CHECKING:
    from acpinspect.reducer import SessionState
    from acpinspect.timelines.blame import Blame
    from acpinspect.timelines.difference import Diff, EntityDiff, FieldDiff

__all__ = [
    "as_text",
    "blame_html",
    "blame_text",
    "diff_html",
    "diff_text",
    "in_short",
    "timeline_html",
    "timeline_text",
]

_LONGEST: Final = 200
_MOST_ROWS: Final = 60
_STYLE: Final = (
    # Twice the class: JupyterLab aligns the cells of its own tables to the right with more weight than one has.
    "<style>table.acpi.acpi td,table.acpi.acpi th{text-align:left;vertical-align:top;white-space:pre-wrap}"
    ".acpi ins{background:#d7f5dd;color:#000;text-decoration:none}"
    ".acpi del{background:#fbdcdc;color:#000}</style>"
)


def as_text(value: object) -> str:
    """Any value of a state as text: a text as it is, anything else as JSON; lonely halves of pairs as U+FFFD."""
    if value is None:
        return ""
    plain = plain_value(value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False, default=str)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def in_short(value: object) -> str:
    """The same for people: of a record only what is said in it."""
    plain = plain_value(value)
    if not isinstance(plain, dict):
        return as_text(value)
    said = {name: item for name, item in plain.items() if item not in (None, False, [], {})}
    return ", ".join(f"{name} {as_text(item)}" for name, item in said.items())


def _cut(text: str) -> str:
    """The beginning of a text, on one line, with what can't be printed made visible."""
    shown = text[:_LONGEST].replace("\n", "↵")
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
    return shown + ("…" if len(text) > _LONGEST else "")


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of HTML cells; the cells are HTML already."""
    cells = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    more = len(cells) - _MOST_ROWS
    top = "<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>"
    last = f"<p>{more:,} more rows</p>" if more > 0 else ""
    return f'{_STYLE}<table class="acpi">{top}{"".join(cells[:_MOST_ROWS])}</table>{last}'


def _said(text: str) -> str:
    return escape(_cut(text))


# --- timelines --------------------------------------------------------------------------------------------------


def _facts(state: SessionState, steps: int) -> list[tuple[str, str]]:
    counted = ("messages", "tool_calls", "plans", "terminals", "compactions")
    held = [_counted(name, len(getattr(state, name))) for name in counted if getattr(state, name)]
    return [
        ("session", "no id" if state.session_id is None else _cut(state.session_id)),
        ("protocol", state.protocol),
        ("events", f"{steps:,}"),
        ("turns", f"{state.turn:,}"),
        ("at the end", ", ".join(held) or "nothing"),
    ]


def _counted(name: str, count: int) -> str:
    """A number of entities, such as "1 tool call"."""
    words = name.replace("_", " ")
    return f"{count:,} {words.removesuffix('s') if count == 1 else words}"


def timeline_text(last: SessionState, steps: int) -> str:
    """A timeline in a few words."""
    return "Timeline: " + "; ".join(f"{name} {value}" for name, value in _facts(last, steps))


def timeline_html(last: SessionState, steps: int) -> str:
    """A timeline as a small table."""
    return _rows(("Timeline", ""), [(escape(name), escape(value)) for name, value in _facts(last, steps)])


# --- differences ------------------------------------------------------------------------------------------------


def diff_text(diff: Diff) -> str:
    """A difference, one line for each thing that differs."""
    lines = [f"Diff of step {diff.before} and step {diff.after}:"]
    for each in diff.entities:
        sign = {"added": "+", "removed": "-", "changed": "~"}[each.kind]
        value = "" if each.kind == "changed" else f"  {_cut(_summary(each))}"
        lines.append(f"{sign} {_cut(entity_name(each.entity))}{value}")
        lines += [f"    {line}" for field in _told(each.fields) for line in _field_lines(field)]
    lines += [f"~ session {line}" for field in diff.session for line in _field_lines(field)]
    return "\n".join(lines) if len(lines) > 1 else f"{lines[0]} none"


def _summary(each: EntityDiff) -> str:
    from acpinspect.timelines.finding import shown_text

    return shown_text(each.value)


def _told(fields: Iterable[FieldDiff]) -> Iterable[FieldDiff]:
    """What a reader wants to know of: every event changes which event was the last."""
    return (field for field in fields if field.field != "last_event")


def _field_lines(field: FieldDiff) -> list[str]:
    if field.text:
        return [f"{field.field}: {_edit_line(edit)}" for edit in field.text]
    return [f"{field.field}: {_cut(_side(field.before))} -> {_cut(_side(field.after))}"]


def _edit_line(edit: Edit) -> str:
    at = f"at {edit.start:,}"
    if edit.kind == "insert":
        return f"{at} + {_cut(edit.new)!r}"
    return f"{at} - {_cut(edit.old)!r}" + (f" + {_cut(edit.new)!r}" if edit.new else "")


def _side(value: object) -> str:
    if isinstance(value, bytes | ByteRope):
        return bytes(value).decode("utf-8", "replace")
    return as_text(list(value)) if isinstance(value, tuple) else in_short(value)


def diff_html(diff: Diff) -> str:
    """A difference as a table, insertions and deletions marked."""
    rows: list[tuple[str, str, str]] = []
    for each in diff.entities:
        name = _said(entity_name(each.entity))
        if each.kind != "changed":
            tag = "ins" if each.kind == "added" else "del"
            rows.append((name, each.kind, f"<{tag}>{_said(_summary(each))}</{tag}>"))
        rows += [(name, escape(field.field), _field_cell(field)) for field in _told(each.fields)]
    rows += [("session", escape(field.field), _field_cell(field)) for field in diff.session]
    return _rows((f"step {diff.before} to {diff.after}", "what", "how"), rows)


def _field_cell(field: FieldDiff) -> str:
    if field.text:
        return " … ".join(_edit_cell(edit.old, edit.new) for edit in field.text)
    return _edit_cell(_side(field.before), _side(field.after))


def _edit_cell(old: str, new: str) -> str:
    gone = f"<del>{_said(old)}</del>" if old else ""
    return gone + (f"<ins>{_said(new)}</ins>" if new else "")


# --- blames -----------------------------------------------------------------------------------------------------


def blame_text(blame: Blame) -> str:
    """A blame, one line for each piece."""
    lines = [f"{_cut(entity_name(blame.entity))} at step {blame.step}:"]
    for piece in blame.pieces[:_MOST_ROWS]:
        old = "".join(each.text for each in piece.overwrote)
        events = ", ".join(str(each.event) for each in piece.overwrote[:10])
        over = f"   (was {_cut(old)!r}, by event {events})" if piece.overwrote else ""
        lines.append(f"  event {piece.event:>6}  {piece.field}: {_cut(piece.text)!r}{over}")
    if len(blame.pieces) > _MOST_ROWS:
        lines.append(f"  {len(blame.pieces) - _MOST_ROWS:,} more pieces")
    return "\n".join(lines)


def blame_html(blame: Blame) -> str:
    """A blame as a table."""
    rows = [
        (
            f"{piece.event}",
            escape(piece.field),
            escape(piece.action),
            _said(piece.text),
            f"<del>{_said(''.join(each.text for each in piece.overwrote))}</del>" if piece.overwrote else "",
        )
        for piece in blame.pieces
    ]
    return _rows(("event", _cut(entity_name(blame.entity)), "did", "text", "overwrote"), rows)
