"""Two groupings of one session, without a widget: both conversations at a step, and why they differ there."""

from __future__ import annotations

from typing import Final, NamedTuple

import pandas as pd

from acpinspect.comparison import Comparison, Explanation, compare_clients, explain
from acpinspect.errors import ArgumentError
from acpinspect.grouping import AnyPolicy
from acpinspect.widgets.clients_table import clients_html
from acpinspect.widgets.event_pane import event_title
from acpinspect.widgets.jumps import after, before
from acpinspect.widgets.markup import go_to, number, short
from acpinspect.widgets.model import ExplorerModel
from acpinspect.widgets.policy_choices import PolicyChoices

__all__ = ["ComparisonModel", "SideBySide"]

_SIGNS: Final = {
    "boundary": "┃ begins a message",
    "continues": "→ joins the message before",
    "not shown": "∅ not shown",
}


class SideBySide(NamedTuple):
    """What is shown at a step, as HTML.

    Attributes:
        position: Where we are, as plain text.
        differences: In how many places the two differ, as plain text.
        a: The conversation as the reference shows it.
        b: The conversation as the other policy shows it.
        why: What each does with the event, and the reason where they differ.
    """

    position: str
    differences: str
    a: str
    b: str
    why: str


class ComparisonModel:
    """Two groupings, side by side.

    Args:
        comparison: Two groupings of one log: policies by name or as objects, functions, or true messages.
        session_id: The session; the biggest one without it.

    Raises:
        ArgumentError: It is a comparison of two logs, or there is no such session.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
        >>> model = ComparisonModel(acpinspect.compare(events, "spec", "heuristic"))
        >>> model.jump(0, forward=True)
        2
    """

    def __init__(self, comparison: Comparison, session_id: str | None = None) -> None:
        events = comparison.events
        if events is None:
            raise ArgumentError(
                "Only two groupings of one log can be stepped through side by side, not two logs. "
                "Step through each of them with explore, or look at the comparison's own tables."
            )
        a, b = comparison.policies
        self.events = events
        self.choices = PolicyChoices(a, b)
        self.a = ExplorerModel(events, session_id, a, against=b, choices=self.choices)
        self.b = ExplorerModel(events, session_id, b, against=a, choices=self.choices)
        self._reasons: dict[tuple[str, int], Explanation] = {}
        self._clients: pd.DataFrame | None = None

    @property
    def last(self) -> int:
        """The last step."""
        return self.a.last

    @property
    def names(self) -> tuple[str, str]:
        """What the two policies are called."""
        return self.a.policy_name, self.b.policy_name

    def look_for_findings(self) -> None:
        """Find what is wrong in the log, once for both."""
        self.b.know_findings(self.a.look_for_findings())

    def choose(self, a: AnyPolicy, b: AnyPolicy) -> None:
        """Set other policies side by side.

        Raises:
            ArgumentError: There is no such policy.
        """
        a, b = self.choices.add(a), self.choices.add(b)
        if a != self.a.policy:
            self._clients = None  # the table is one against the reference
        self.a.choose_policy(a)
        self.b.choose_policy(b)
        self.a.choose_against(b)
        self.b.choose_against(a)

    def choose_session(self, wanted: str | None) -> None:
        """Look at another session.

        Raises:
            ArgumentError: There is none.
        """
        self.a.choose_session(wanted)
        self.b.choose_session(wanted)

    def jump(self, step: int, *, forward: bool) -> int | None:
        """The next or previous step at which the two differ; ``None`` where there is none."""
        return after(self.a.apart, step) if forward else before(self.a.apart, step)

    def view(self, step: int) -> SideBySide:
        """What is shown at a step.

        Raises:
            ArgumentError: There is no such step.
        """
        left, right = self.a.view(step).conversation, self.b.view(step).conversation
        return SideBySide(
            f"of {self.last:,}", number(len(self.a.apart), "difference"), left, right, self._why(step)
        )

    def _why(self, step: int) -> str:
        if step == 0:
            return '<p class="empty">Before the first event.</p>'
        title = f'<p class="h"><span>{event_title(self.a.spine, step - 1)}</span></p>'
        if step not in self.a.apart:
            return f'{title}<p class="empty">Both do the same with this event.</p>'
        event = int(self.a.spine.numbers[step - 1])
        return title + f'<div class="reasons">{self._reason(self.a, event)}{self._reason(self.b, event)}</div>'

    def _reason(self, side: ExplorerModel, event: int) -> str:
        name = side.policy_name
        if (name, event) not in self._reasons:
            self._reasons[name, event] = explain(self.events, side.policy, event, others=[])
        why = self._reasons[name, event]
        causes = [self.a.spine.position_of(cause) for cause in why.causes[:6]]
        leads = " ".join(
            go_to(at + 1, f"event {int(self.a.spine.numbers[at])}") for at in causes if at is not None
        )
        rule = f'<div class="remedy">Rule: {short(why.rule)}</div>' if why.rule else ""
        said = _SIGNS.get(why.verdict, why.verdict)
        return (
            f'<div class="finding reason"><b>{short(name)}</b>: {said}'
            f"<div>{short(why.because, 400)} {leads}</div>{rule}</div>"
        )

    def clients(self) -> str:
        """The table of all clients against the reference, as HTML."""
        if self._clients is None:
            self._clients = compare_clients(self.events, truth=self.a.policy)
        return clients_html(self._clients, self.a.spine, self.a.policy_name)
