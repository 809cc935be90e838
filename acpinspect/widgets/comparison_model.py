"""Two policies over one session, without a widget: both conversations at a step, and why they differ there."""

from __future__ import annotations

from typing import Final, NamedTuple

import pandas as pd

from acpinspect.comparison import Comparison, Explanation, compare_clients, explain
from acpinspect.errors import ArgumentError
from acpinspect.grouping import get_policy
from acpinspect.widgets.event_pane import event_title
from acpinspect.widgets.jumps import after, before
from acpinspect.widgets.markup import go_to, short
from acpinspect.widgets.model import ExplorerModel

__all__ = ["ComparisonModel", "SideBySide"]

_MEASURES: Final = ("split", "merged", "shear", "reordered", "lost", "duplicated", "absorbed", "leaked")
_SIGNS: Final = {
    "boundary": "┃ begins a message",
    "continues": "→ joins the message before",
    "not shown": "∅ not shown",
}


class SideBySide(NamedTuple):
    """What is shown at a step, as HTML.

    Attributes:
        position: Where we are, as plain text.
        a: The conversation as the reference shows it.
        b: The conversation as the other policy shows it.
        why: What each does with the event, and the reason where they differ.
    """

    position: str
    a: str
    b: str
    why: str


class ComparisonModel:
    """Two policies, side by side.

    Args:
        comparison: Two policies over one log.
        session_id: The session; the biggest one without it.

    Raises:
        ArgumentError: It is no comparison of two policies over one log, or a policy can't be found by its name.

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
        sides = comparison._pairing.a, comparison._pairing.b
        if sides[0].events is not sides[1].events:
            raise ArgumentError("Only two policies over one log can be stepped through side by side.")
        for side in sides:
            get_policy(side.name)
        self.events = sides[0].events
        self.a = ExplorerModel(self.events, session_id, comparison.a, against=comparison.b)
        self.b = ExplorerModel(self.events, session_id, comparison.b, against=comparison.a)
        self._reasons: dict[tuple[str, int], Explanation] = {}
        self._clients: pd.DataFrame | None = None

    @property
    def last(self) -> int:
        """The last step."""
        return self.a.last

    @property
    def names(self) -> tuple[str, str]:
        """The two policies."""
        return self.a.policy_name, self.b.policy_name

    def choose(self, a: str, b: str) -> None:
        """Set other policies side by side.

        Raises:
            ArgumentError: There is no such policy.
        """
        get_policy(a), get_policy(b)
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
        count = len(self.a.apart)
        position = f"of {self.last:,} · {count:,} {'difference' if count == 1 else 'differences'}"
        return SideBySide(position, left, right, self._why(step))

    def _why(self, step: int) -> str:
        if step == 0:
            return '<p class="empty">Before the first event.</p>'
        title = f'<p class="h"><span>{event_title(self.a.spine, step - 1)}</span></p>'
        if step not in self.a.apart:
            return f'{title}<p class="empty">Both do the same with this event.</p>'
        event = int(self.a.spine.numbers[step - 1])
        return title + "".join(self._reason(name, event) for name in self.names)

    def _reason(self, name: str, event: int) -> str:
        if (name, event) not in self._reasons:
            self._reasons[name, event] = explain(self.events, name, event, others=[])
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
            self._clients = compare_clients(self.events, truth=self.names[0])
        table = self._clients
        kinds = [kind for kind in _MEASURES if table[kind].any()]
        head = "".join(f"<th>{short(name)}</th>" for name in ("client", "right", *kinds, "boundary F1", "first"))
        rows = [self._client(str(name), row, kinds) for name, row in table.iterrows()]
        return f'<table class="clients"><tr>{head}</tr>{"".join(rows)}</table>'

    def forget_clients(self) -> None:
        """The table is one against the reference: another reference needs another table."""
        self._clients = None

    def _client(self, name: str, row: pd.Series, kinds: list[str]) -> str:
        at = None if pd.isna(row["first_event"]) else self.a.spine.position_of(int(row["first_event"]))
        lead = "" if at is None else go_to(at + 1, f"event {int(row['first_event'])}")
        numbers = [f"{row['right']} of {row['messages']}", *(str(row[kind] or "") for kind in kinds)]
        cells = "".join(f"<td>{short(number)}</td>" for number in numbers)
        return f"<tr><th>{short(name)}</th>{cells}<td>{row['boundary_f1']:.2f}</td><td>{lead}</td></tr>"
