"""One thing of the conversation as HTML: a message as a bubble, a tool call, a plan, a terminal, a compaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from acpinspect.reducer import Compaction, Message, Plan, Terminal, ToolCall, joined_text
from acpinspect.widgets.markup import chip, identifier, short, visible
from acpinspect.widgets.passages import Span, passage

__all__ = ["Card", "card_of"]

_STATUS: Final = {"pending": "◌", "in_progress": "◐", "completed": "●", "failed": "✕", "cancelled": "✕"}
_MOST_ENTRIES: Final = 12
_STEERING: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""Colours and moves of a terminal: they are no part of what it shows. The event's raw text has them."""


class Card(NamedTuple):
    """What is shown of one entity.

    Attributes:
        kind: The class of its look: user, agent, thought, tool, plan, other.
        name: What it is, as escaped HTML.
        chips: Labels beside the name, as HTML.
        body: Its content, as HTML.
    """

    kind: str
    name: str
    chips: str
    body: str


def card_of(value: object, longest: int, marks: Sequence[Span] = ()) -> Card:
    """What is shown of an entity.

    Args:
        value: The entity.
        longest: About how many characters of its text are shown.
        marks: What is marked in its text.
    """
    for kind, make in _MAKERS.items():
        if isinstance(value, kind):
            return make(value, longest, marks)
    return Card("other", "nothing", "", "")


def _message(message: Message, longest: int, marks: Sequence[Span]) -> Card:
    named = "" if message.message_id is None else identifier(message.message_id)
    text = message.text
    body = passage(text, longest, marks) if text else ""
    body += "".join(_block(block) for block in message.content[:20] if not _is_text(block))
    return Card(message.role, message.role, named, body or '<span class="none">no text</span>')


def _is_text(block: object) -> bool:
    return isinstance(block, Mapping) and block.get("type") == "text"


def _block(block: object) -> str:
    """A block that is no text: its type, and what it names."""
    if not isinstance(block, Mapping):
        return chip("no block")
    resource = block.get("resource")
    inner = resource if isinstance(resource, Mapping) else {}
    said = [block.get("name"), block.get("uri"), inner.get("uri"), block.get("mimeType")]
    words = " ".join(short(word, 80) for word in said if isinstance(word, str))
    return f'<div class="block">{chip(str(block.get("type")))} {words}</div>'


def _tool(call: ToolCall, longest: int, marks: Sequence[Span]) -> Card:
    status = f"{_STATUS.get(call.status, '○')} {call.status}"
    chips = identifier(call.tool_call_id) + chip(call.kind) + chip(status, f"status {_known(call.status)}")
    body = f'<div class="title">{short(call.title or "no title", 300)}</div>'
    body += "".join(f'<div class="where">{short(_place(place), 120)}</div>' for place in call.locations[:4])
    body += "".join(_tool_content(item) for item in call.content[:6] if not _is_content(item))
    if text := call.text:
        body += f'<div class="out">{passage(text, longest, marks)}</div>'
    return Card("tool", "tool", chips, body)


def _known(status: str) -> str:
    return status if status in _STATUS else ""


def _place(place: object) -> str:
    if not isinstance(place, Mapping):
        return ""
    line = place.get("line")
    return str(place.get("path")) + (f":{line}" if isinstance(line, int) else "")


def _is_content(item: object) -> bool:
    return isinstance(item, Mapping) and item.get("type") == "content" and _is_text(item.get("content"))


def _tool_content(item: object) -> str:
    if not isinstance(item, Mapping):
        return ""
    if item.get("type") == "content":
        return _block(item.get("content"))
    named = item.get("path") or item.get("terminalId") or ""
    return f'<div class="block">{chip(str(item.get("type")))} {short(str(named), 120)}</div>'


def _plan(plan: Plan, longest: int, _: Sequence[Span]) -> Card:
    rows = [_entry(entry) for entry in plan.entries[:_MOST_ENTRIES]]
    more = len(plan.entries) - _MOST_ENTRIES
    body = "".join(rows) + (f'<div class="cut">{more:,} more entries</div>' if more > 0 else "")
    if plan.content is not None:
        body += passage(plan.content, longest)
    if plan.uri is not None:
        body += short(plan.uri)
    named = identifier(plan.plan_id) if plan.plan_id else ""
    return Card("plan", "plan", named + chip(f"{len(plan.entries):,} entries"), body)


def _entry(entry: object) -> str:
    if not isinstance(entry, Mapping):
        return ""
    status = str(entry.get("status"))
    sign = _STATUS.get(status, "○")
    said = short(str(entry.get("content")), 160)
    return f'<div class="entry"><span title="{_known(status)}">{sign}</span> {said}</div>'


def _terminal(terminal: Terminal, longest: int, _: Sequence[Span]) -> Card:
    output = _STEERING.sub("", (terminal.output or b"")[-4 * longest :].decode("utf-8", "replace"))
    ended = terminal.exit_status
    chips = identifier(terminal.terminal_id)
    chips += chip("running" if ended is None else f"exit {ended.get('exitCode')}")
    body = f'<div class="title">{short(terminal.command or "", 200)}</div>'
    body += f'<div class="out">{visible(output[-longest:])}</div>' if output else ""
    return Card("tool", "terminal", chips, body)


def _compaction(one: Compaction, longest: int, marks: Sequence[Span]) -> Card:
    body = passage(joined_text(one.summary), longest, marks) + short(one.error or "")
    return Card("other", "compaction", identifier(one.compaction_id) + chip(one.status or "no status"), body)


_MAKERS: Final[dict[type, Callable[..., Card]]] = {
    Message: _message,
    ToolCall: _tool,
    Plan: _plan,
    Terminal: _terminal,
    Compaction: _compaction,
}
