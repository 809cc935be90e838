"""What the explorer's panes hold at a step, put together as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from acpinspect.timelines import Diff
from acpinspect.widgets.change import change_html
from acpinspect.widgets.conversation import conversation_html, headline
from acpinspect.widgets.event_pane import event_html, event_title, findings_html
from acpinspect.widgets.markup import short
from acpinspect.widgets.verdicts import MOST_EVENTS, is_asked, verdicts_html

if TYPE_CHECKING:
    from acpinspect.widgets.model import ExplorerModel

__all__ = ["View", "view_of"]


class View(NamedTuple):
    """What the panes show at a step, as HTML.

    Attributes:
        position: Where we are, in a few words, as plain text.
        conversation: The left pane.
        detail: The right pane: findings, change, event.
    """

    position: str
    conversation: str
    detail: str


def view_of(model: ExplorerModel, step: int) -> View:
    """What the panes show at a step.

    Raises:
        ArgumentError: There is no such step.
    """
    model.checked(step)
    own = model.spine.timeline.diff(step)
    conversation = conversation_html(model.spine, step, own, model.codes_by_slot(), future=model.show_future)
    head = f'<p class="h acpi-top">{headline(model.spine, step, model.policy_name)}</p>'
    return View(model.position(step), head + conversation, _detail(model, step, own))


def _detail(model: ExplorerModel, step: int, own: Diff) -> str:
    diff = model.diff(step) if model.pinned is not None else own
    what = "what this event changed" if diff.after - diff.before == 1 else _between(diff)
    parts = [f'<p class="h"><span>{what}</span></p>{change_html(model.spine, diff)}']
    if step in model.bookmarks:
        parts.insert(0, f'<p class="marked">⚑ bookmark {short(model.bookmarks[step], 200)}</p>')
    if step == 0:
        return "".join(parts)
    found = model.found_at(step)
    parts.insert(0, "" if found is None else findings_html(found, model.spine))
    if model.show_clients and is_asked(model.spine, step - 1):
        parts.append(f'<p class="h"><span>which clients would show it so</span></p>{_verdicts(model, step)}')
    parts.append(f'<p class="h"><span>{event_title(model.spine, step - 1)}</span></p>')
    parts.append(event_html(model.spine, step - 1))
    return "".join(parts)


def _between(diff: Diff) -> str:
    return f"what changed from step {diff.before:,} (pinned) to step {diff.after:,}"


def _verdicts(model: ExplorerModel, step: int) -> str:
    if len(model.spine.events) > MOST_EVENTS:
        return f'<p class="empty">Only for logs up to {MOST_EVENTS:,} events.</p>'
    return verdicts_html(model.client_labels(), step - 1)
