"""A state as HTML for a notebook: what the session is doing, and its last entities; all text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Final

from acpinspect.reducer.access import get_entity
from acpinspect.reducer.blocks import joined_text
from acpinspect.reducer.entities import Compaction, Message, Plan, Terminal, ToolCall
from acpinspect.reducer.keys import Entity
from acpinspect.reducer.state import SessionState

__all__ = ["state_html"]

_LAST: Final = 20
_LONGEST: Final = 240
_LEFT: Final = ' style="text-align:left"'


def state_html(state: SessionState) -> str:
    """A state as a small table.

    Example:
        >>> from acpinspect.reducer import empty_state
        >>> "nothing yet" in state_html(empty_state("v1"))
        True
    """
    count = len(state.order)
    rows = [_row(state, entity) for entity in state.order[max(0, count - _LAST) :]]
    earlier = f"<p>{count - _LAST:,} earlier ones are not shown</p>" if count > _LAST else ""
    head = "".join(f"<th{_LEFT}>{name}</th>" for name in ("what", "id", "state", "text"))
    table = f"<table><tr>{head}</tr>{''.join(rows)}</table>" if rows else "<p>nothing yet</p>"
    return f"<p>{' · '.join(map(_shown, _facts(state)))}</p>{earlier}{table}"


def _facts(state: SessionState) -> Iterator[str]:
    yield f"session {state.session_id or 'without id'} ({state.protocol})"
    yield f"turn {state.turn:,}, {state.run.state or 'not begun'}"
    if state.run.stop_reason:
        yield f"stopped: {state.run.stop_reason}"
    if state.info.title:
        yield state.info.title
    if state.mode:
        yield f"mode {state.mode}"
    if state.usage is not None:
        yield f"{state.usage.used:,} of {state.usage.size:,} tokens"


def _row(state: SessionState, entity: Entity) -> str:
    value = get_entity(state, entity)
    cells = next(cells for kind, cells in _CELLS.items() if isinstance(value, kind))(value)
    return "<tr>" + "".join(f"<td{_LEFT}>{_shown(cell)}</td>" for cell in cells) + "</tr>"


def _message(one: Message) -> tuple[str, ...]:
    return one.role, one.message_id or "", "", one.text


def _tool(one: ToolCall) -> tuple[str, ...]:
    return "tool call", one.tool_call_id, one.status, one.title or ""


def _plan(one: Plan) -> tuple[str, ...]:
    done = sum(isinstance(entry, dict) and entry.get("status") == "completed" for entry in one.entries)
    return "plan", one.plan_id, f"{done} of {len(one.entries)} done", one.content or one.uri or ""


def _terminal(one: Terminal) -> tuple[str, ...]:
    output = (one.output or b"")[-4 * _LONGEST :].decode("utf-8", "replace")
    return "terminal", one.terminal_id, "runs" if one.exit_status is None else "ended", output


def _compaction(one: Compaction) -> tuple[str, ...]:
    return "compaction", one.compaction_id, one.status or "", joined_text(one.summary)


_CELLS: Final[dict[type, Callable[..., tuple[str, ...]]]] = {
    Message: _message,
    ToolCall: _tool,
    Plan: _plan,
    Terminal: _terminal,
    Compaction: _compaction,
}


def _shown(text: str) -> str:
    """The beginning of a text on one line, with what can't be printed made visible."""
    cut = text[:_LONGEST].replace("\n", "↵")
    if not cut.isprintable():
        cut = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in cut)
    return escape(cut) + ("…" if len(text) > _LONGEST else "")
