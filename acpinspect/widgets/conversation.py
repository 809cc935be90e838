"""The conversation at a step, as HTML: what a client with the chosen policy shows then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from acpinspect.events import parse
from acpinspect.reducer import joined_text
from acpinspect.timelines import Diff
from acpinspect.widgets.cards import Card, card_of
from acpinspect.widgets.event_pane import Found, found_chip
from acpinspect.widgets.items import Item, Window, window_at
from acpinspect.widgets.markup import chip, go_to, number, short
from acpinspect.widgets.passages import Span, passage, spans_of
from acpinspect.widgets.spine import Spine

__all__ = ["conversation_html"]

_LONGEST_FOCUS: Final = 1_800
_LONGEST: Final = 420
_LONGEST_FUTURE: Final = 120
_MARKED: Final = frozenset({"content", "summary"})


def conversation_html(
    spine: Spine, step: int, diff: Diff, findings: Mapping[int, Sequence[Found]], *, future: bool = True
) -> str:
    """The part of the conversation around what the event of a step did.

    Args:
        spine: The session.
        step: The step.
        diff: What the step changed.
        findings: What was found in the events of each entity.
        future: Show, dimmed, what comes next.
    """
    window = window_at(spine, step)
    parts = [_hidden(window.hidden_before, "earlier", window)]
    for item in window.items:
        marks = _marks(spine, item, diff) if item == window.focus else ()
        parts.append(_item(spine, item, step, marks, findings, focus=item == window.focus))
    if window.hidden_after:
        parts.append(f'<p class="more">{number(window.hidden_after, "later item")} not shown</p>')
    if not window.items:
        parts.append('<p class="empty">Nothing is in the conversation yet.</p>')
    if future:
        parts += [_coming(spine, item) for item in window.future]
    return "".join(parts)


def _hidden(count: int, which: str, window: Window) -> str:
    if not count:
        return ""
    lead = go_to(window.items[0].position + 1, "go there", "go to the first item that is shown")
    return f'<p class="more">{number(count, f"{which} item")} not shown · {lead}</p>'


def _marks(spine: Spine, item: Item, diff: Diff) -> tuple[Span, ...]:
    """What the step wrote into the text of the thing that it is about."""
    if item.slot < 0:
        return ()
    entity = spine.timeline.lives.entity(item.slot)
    for each in diff.entities:
        if each.entity == entity and each.kind == "added":
            return (Span(0, 1 << 40),)
        if each.entity == entity:
            fields = [field for field in each.fields if field.field in _MARKED]
            return spans_of(fields[0].text) if fields else ()
    return ()


def _item(
    spine: Spine,
    item: Item,
    step: int,
    marks: tuple[Span, ...],
    findings: Mapping[int, Sequence[Found]],
    *,
    focus: bool,
) -> str:
    longest = _LONGEST_FOCUS if focus else _LONGEST
    if item.slot < 0:
        card = _prompt(spine, item.position, longest)
        count = ""
    else:
        card = card_of(spine.value(item.slot, step), longest, marks)
        count = number(spine.writes(item.slot, step)[0], "event")
    event = int(spine.numbers[item.position])
    opened = spine.opener(item.position) if card.kind in _ROLES else ""
    known = [
        found for found in findings.get(item.slot, ()) if found.position < step and _own(item, found.position)
    ]
    latest = {found.code: found for found in known[-3:]}
    found = "".join(map(found_chip, latest.values()))
    meta = f'<b>{card.name}</b>{card.chips}{_opened(opened)}<span class="count">{count}</span>'
    meta += go_to(item.position + 1, f"event {event}", "go to its first event") + found
    meta += '<span class="chip now">◀ this event</span>' if focus else ""
    return (
        f'<div class="item {card.kind}{" focus" if focus else ""}" data-slot="{item.slot}">'
        f'<div class="meta">{meta}</div><div class="body" dir="auto">{card.body}</div></div>'
    )


def _own(item: Item, position: int) -> bool:
    """Prompts have no number of their own."""
    return item.slot >= 0 or item.position == position


_ROLES: Final = frozenset({"user", "agent", "thought"})
_REASONS: Final = {
    "start": "the first message",
    "turn": "a turn began",
    "load": "a replay began or ended",
    "tool_call": "a tool call came before it",
    "plan": "a plan came before it",
    "role": "the role changed",
    "whole-message": "a whole message was sent",
    "id": "the id changed",
    "policy": "the policy begins a message here",
}


def _opened(reason: str) -> str:
    return (
        chip(f"by {reason}", "why", f"why a message begins here: {_REASONS.get(reason, reason)}") if reason else ""
    )


def _prompt(spine: Spine, position: int, longest: int) -> Card:
    text = prompt_text(spine.raw(position))
    said = "sent by the client" if spine.shows_prompt else "sent by the client; this policy doesn't show it"
    return Card("user sent", "prompt", chip(said, "why"), passage(text, longest))


def prompt_text(raw: str) -> str:
    """The text of a prompt request."""
    try:
        value = parse(raw)
    except (ValueError, RecursionError):
        return ""
    params = value.get("params") if isinstance(value, dict) else None
    blocks = params.get("prompt") if isinstance(params, dict) else None
    return joined_text(blocks) if isinstance(blocks, list) else ""


def _coming(spine: Spine, item: Item) -> str:
    if item.slot < 0:
        card = _prompt(spine, item.position, _LONGEST_FUTURE)
        said = ""
    else:
        card = card_of(spine.value(item.slot, item.position + 1), _LONGEST_FUTURE)
        total = spine.writes(item.slot, 0)[1]
        said = f'<span class="count">{number(total, "event")} to come</span>'
    lead = go_to(item.position + 1, f"event {int(spine.numbers[item.position])}")
    return (
        f'<div class="item {card.kind} future"><div class="meta"><b>{card.name}</b>{said}{lead}</div>'
        f'<div class="body" dir="auto">{card.body}</div></div>'
    )


def headline(spine: Spine, step: int, policy: str) -> str:
    """What the pane is, in a line."""
    if step == 0:
        return f"<span>before the first event, as <b>{short(policy)}</b> shows it</span>"
    turn, phase = spine.fact("turn", step - 1), spine.fact("phase", step - 1)
    facts = ", ".join([*([] if turn is None else [f"turn {turn}"]), *([] if phase is None else [str(phase)])])
    event = int(spine.numbers[step - 1])
    return f"<span>conversation at event {event:,}, as <b>{short(policy)}</b> shows it</span><span>{facts}</span>"
