"""Why a policy put a boundary before an event, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from acpinspect.comparison.truth import TrueMessages
from acpinspect.events import no_event
from acpinspect.grouping.applying import AnyPolicy, Shared, apply, name_of
from acpinspect.grouping.compiled import REASONS, chunk_bits, compiled
from acpinspect.grouping.marks import Marks
from acpinspect.grouping.parameters import RULES_VALUES, STREAM_VALUES
from acpinspect.grouping.policy import Policy, Rules, Stream
from acpinspect.grouping.registry import client_names, found
from acpinspect.grouping.vocabulary import BITS, ROLES, TOKENS, mask
from acpinspect.opening import Events, events_of

if TYPE_CHECKING:
    from acpinspect.grouping.engine import Outcome

__all__ = ["Explanation", "explain"]

_WHY_NOT: Final = {
    "hidden": "the client never shows such chunks",
    "empty": "the chunk is empty, and the client drops or hides such chunks",
    "blank": "the chunk holds nothing but white space, and the client doesn't show it there",
    "not text": "the chunk is no text, and the client doesn't show it",
    "late": "it arrived outside a turn",
    "echo": "it repeats what is there already",
    "invalid id": "its id is missing, or belongs to another role",
    "load": "the client drops replays",
    "rejected": "the update breaks the protocol",
    "other": "it is no part of a message",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an event stands where it stands.

    Attributes:
        event: The event.
        policy: The policy's name.
        verdict: ``boundary``, ``continues`` or ``not shown``.
        message: The label of its message; None where it is not shown.
        previous: The event of the same role before it that is shown; None for none.
        rule: The parameter that decided, such as ``agent.close_on``.
        because: Why, in a sentence.
        causes: The events that made it so.
        others: What other policies do there: policy -> boundary, continues, not shown.
    """

    event: int
    policy: str
    verdict: str
    message: int | None
    previous: int | None
    rule: str
    because: str
    causes: list[int]
    others: dict[str, str]

    def __str__(self) -> str:
        place = "" if self.message is None else f" (message {self.message})"
        lines = [f"{self.policy}, event {self.event}: {self.verdict}{place}.", f"  {self.because}"]
        if self.rule:
            lines.append(f"  Rule: {self.rule}.")
        if self.causes:
            lines.append(f"  Events: {', '.join(map(str, self.causes))}.")
        for verdict in ("boundary", "continues", "not shown"):
            names = [name for name, other in self.others.items() if other == verdict]
            lines += [f"  Others, {verdict}: {', '.join(names)}."] if names else []
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def explain(
    events: Events, policy: AnyPolicy, event: int, *, others: Sequence[AnyPolicy] | None = None
) -> Explanation:
    """Say why a policy put a boundary before an event, or none: the rule, the events, and what others do.

    Args:
        events: An events table, or the path of a log.
        policy: The policy.
        event: A label of the table's index.
        others: Policies to set beside it; all clients and spec, if none are named.

    Raises:
        EventsError: If the event isn't in the table.
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> tool = "s1", {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig"}
        >>> events = acpinspect.from_records([chunk("One"), tool, chunk("two")])
        >>> print(acpinspect.explain(events, "zed-v1", 2, others=["paseo", "vscode-acp-fh"]))
        zed-v1, event 2: boundary (message 1).
          The tool_call at event 1 closed the message: the first sight of a tool in the session, by call or update.
          Rule: agent.close_on has tool:new.
          Events: 1.
          Others, boundary: paseo.
          Others, continues: vscode-acp-fh.
    """
    events = events_of(events)
    shared = Shared(events)
    if event not in events.index:
        raise no_event(events.index, event)
    row = int(events.index.get_indexer(pd.Index([event]))[0])
    outcome = apply(policy, shared)
    names = [*client_names(), "spec"] if others is None else list(others)
    beside = {
        name_of(other): _verdict(shared, apply(other, shared), row)
        for other in names
        if name_of(other) != name_of(policy)
    }
    return _explained(shared, policy, outcome, row, beside)


def _explained(
    shared: Shared, policy: AnyPolicy, outcome: Outcome, row: int, beside: dict[str, str]
) -> Explanation:
    verdict = _verdict(shared, outcome, row)
    previous = _previous(shared, outcome, row)
    label = int(outcome.labels[row])
    rule, because, rows = _reason(shared, found(policy), outcome, row, previous, verdict)
    index = shared.events.index.to_numpy()
    return Explanation(
        event=int(index[row]),
        policy=name_of(policy),
        verdict=verdict,
        message=label if label >= 0 else None,
        previous=None if previous is None else int(index[previous]),
        rule=rule,
        because=because,
        causes=[int(index[cause]) for cause in rows],
        others=beside,
    )


def _verdict(shared: Shared, outcome: Outcome, row: int) -> str:
    if outcome.labels[row] < 0:
        return "not shown"
    first = int(np.argmax(outcome.labels == outcome.labels[row]))
    previous = _previous(shared, outcome, row)
    joins = first != row and (previous is None or outcome.labels[previous] == outcome.labels[row])
    return "continues" if joins or first != row else "boundary"


def _previous(shared: Shared, outcome: Outcome, row: int) -> int | None:
    """The shown event of the same role and session before a row."""
    seen = shared.tokens
    role = np.where(seen.prompt, 0, seen.role)
    before = (seen.session[:row] == seen.session[row]) & (role[:row] == role[row]) & (outcome.labels[:row] >= 0)
    rows = np.flatnonzero(before)
    return int(rows[-1]) if len(rows) else None


def _reason(
    shared: Shared, policy: object, outcome: Outcome, row: int, previous: int | None, verdict: str
) -> tuple[str, str, list[int]]:
    """The parameter, the sentence, and the rows that made it so."""
    if isinstance(policy, TrueMessages):
        return "", "No true message has its words." if verdict == "not shown" else "So the true messages are.", []
    if not isinstance(policy, Policy):
        return "", "The function gave it no label." if verdict == "not shown" else "The function said so.", []
    if verdict == "not shown":
        why = REASONS[outcome.reasons[row]]
        return "", f"It has no message: {_WHY_NOT[why]}.", []
    if shared.tokens.prompt[row]:
        rules = _rules(policy, shared, row)
        return f"prompt is {rules.prompt!r}", f"A prompt: {RULES_VALUES['prompt'][rules.prompt]}.", []
    role = int(shared.tokens.role[row])
    if role < 0:
        return "", "The policy says so.", []
    stream, name = _rules(policy, shared, row).streams[role], ROLES[role]
    if verdict == "continues":
        return _why_it_continues(shared, stream, name, outcome, row)
    if previous is None:
        return "", f"It is the first {name} chunk of the session that is shown.", []
    return _why_it_begins(shared, policy, stream, name, previous, row)


def _rules(policy: Policy, shared: Shared, row: int) -> Rules:
    return policy.load if shared.events["phase"].iloc[row] == "replay" else policy.live


def _why_it_continues(
    shared: Shared, stream: Stream, name: str, outcome: Outcome, row: int
) -> tuple[str, str, list[int]]:
    own = np.flatnonzero(outcome.labels[:row] == outcome.labels[row])
    last = int(own[-1])
    events = shared.events
    ident = events["message_id"].iloc[row]
    if stream.id in ("key", "key_then_compare") and not pd.isna(ident):
        return f"{name}.id is {stream.id!r}", f"It has the id {ident!r}: {STREAM_VALUES['id'][stream.id]}.", [last]
    rule, said = f"{name}.id is {stream.id!r}", STREAM_VALUES["id"][stream.id]
    if stream.id != "ignore" and pd.isna(ident):
        rule, said = f"{name}.null is {stream.null!r}", STREAM_VALUES["null"][stream.null]
    return rule, f"Nothing closed the message since event {events.index[last]}; {said}.", [last]


def _why_it_begins(
    shared: Shared, policy: Policy, stream: Stream, name: str, previous: int, row: int
) -> tuple[str, str, list[int]]:
    if stream.id == "each":
        return f"{name}.id is 'each'", "Every chunk is a message of its own.", []
    events = shared.events
    marks = shared.marks(policy)
    for parameter, tokens in (("close_on", stream.close_on), ("close_idless", stream.close_idless)):
        closer = _closer(marks, policy, tokens, shared, previous, row)
        if closer is not None:
            at, token = closer
            what = _name_of_row(events, at)
            sentence = f"The {what} at event {events.index[at]} closed the message: {TOKENS[token]}."
            return f"{name}.{parameter} has {token}", sentence, [at]
    before, here = (events["message_id"].iloc[place] for place in (previous, row))
    if stream.id != "ignore" and not (pd.isna(before) and pd.isna(here)):
        told = " and ".join("no id" if pd.isna(ident) else repr(str(ident)) for ident in (before, here))
        return (
            f"{name}.id is {stream.id!r}",
            f"The ids differ: {told}; {STREAM_VALUES['id'][stream.id]}.",
            [previous],
        )
    return f"{name}.null is {stream.null!r}", f"Without id: {STREAM_VALUES['null'][stream.null]}.", [previous]


def _closer(
    marks: Marks, policy: Policy, tokens: object, shared: Shared, previous: int, row: int
) -> tuple[int, str] | None:
    """The first row between two that has one of the tokens, and which."""
    wanted = mask(tokens)  # type: ignore[arg-type]
    firsts = marks.first_rows
    same = shared.tokens.session[firsts] == shared.tokens.session[row]
    bits = marks.bits | chunk_bits(marks, compiled(policy, marks))
    runs = np.flatnonzero(same & (firsts > previous) & (firsts <= row) & ((bits & wanted) > 0))
    if not len(runs):
        return None
    run = int(runs[0])
    token = next(name for name, bit in BITS.items() if name in tokens and bits[run] & bit)  # type: ignore[operator]
    return int(firsts[run]), token


def _name_of_row(events: pd.DataFrame, row: int) -> str:
    update = events["update"].iloc[row]
    if not pd.isna(update):
        return str(update)
    method, kind = events["method"].iloc[row], events["kind"].iloc[row]
    return f"{'request' if kind == 'request' else 'answer'} {method}"
