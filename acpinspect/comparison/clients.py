"""Which clients show a log wrongly, and where it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from acpinspect.comparison.alignment import Pairing, pairings
from acpinspect.comparison.boundaries import boundary_table
from acpinspect.comparison.kinds import KINDS, kind_table
from acpinspect.comparison.measures import measured
from acpinspect.events import Column
from acpinspect.grouping.applying import name_of
from acpinspect.grouping.contracts import typed
from acpinspect.grouping.registry import client_names
from acpinspect.opening import Events, events_of

if TYPE_CHECKING:
    from acpinspect.grouping.applying import AnyPolicy

__all__ = ["COLUMNS", "compare_clients"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("messages", "int64", "How many messages the truth has."),
    Column("right", "int64", "How many of them the client shows right."),
    *(
        Column(kind, "int64", f"Of how many it is so: {KINDS[kind]}.")
        for kind in reversed(KINDS)
        if kind != "same"
    ),
    Column("boundary_f1", "float64", "Precision and recall of its boundaries in one; 1 is perfect."),
    Column("over_split_bits", "float64", "How much it splits, by characters; 0 is perfect."),
    Column("over_merge_bits", "float64", "How much it merges, by characters; 0 is perfect."),
    Column("first_event", "Int64", "The first event at which it goes wrong; NA where it doesn't."),
    Column("kind", "string", "What happens to the message there."),
    Column("after", "string", "The last update, request or answer before that event; NA where text is before it."),
    Column("text_before", "string", "The text before it."),
    Column("text_after", "string", "The text of that event."),
)

_MEASURES = ("boundary_f1", "over_split_bits", "over_merge_bits")


def compare_clients(
    events: Events, policies: Sequence[AnyPolicy] | None = None, truth: AnyPolicy = "spec"
) -> pd.DataFrame:
    """Say of each client how many messages it shows wrongly, and where that begins.

    Args:
        events: An events table, or the path of a log.
        policies: The policies; all clients that there are, if none are named.
        truth: The policy that is taken as right.

    Returns:
        One row per policy: `messages` (of the truth), `right`, then the messages that are `split`, `merged`,
        `shear`, `reordered`, `lost`, `duplicated`, `absorbed`, `leaked` (a message can be several of these);
        `boundary_f1`, `over_split_bits`, `over_merge_bits`; `first_event` where it goes wrong, `kind` of what
        happens there, `after` (the update before it), `text_before`, `text_after`.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
        >>> table = acpinspect.compare_clients(events, ["zed-v1", "toad"])
        >>> table[["right", "merged", "first_event"]].values.tolist()
        [[2, 0, <NA>], [0, 2, 1]]
    """
    chosen = client_names() if policies is None else list(policies)
    known: dict[bytes, dict[str, object]] = {}  # many clients group most logs alike
    rows = []
    for policy, alike, pairing in pairings(events_of(events), truth, chosen):
        if alike not in known:
            known[alike] = _row(pairing())
        rows.append({"policy": name_of(policy), **known[alike]})
    names = ["policy", *(column.name for column in COLUMNS)]
    return typed(pd.DataFrame(rows, columns=names).set_index("policy"), COLUMNS)


def _row(pairing: Pairing) -> dict[str, object]:
    kinds = kind_table(pairing)
    values = measured(pairing)
    row: dict[str, object] = {
        "messages": len(kinds),
        "right": int((kinds["kind"] == "same").sum()),
    }
    also = kinds["also"].explode()
    for kind in KINDS:
        if kind != "same":
            row[kind] = int((kinds["kind"] == kind).sum() + (also == kind).sum())
    row |= {measure: round(values[measure], 4) for measure in _MEASURES}
    return row | _first(pairing, kinds)


def _first(pairing: Pairing, kinds: pd.DataFrame) -> dict[str, object]:
    """Where it goes wrong first, and what stands around it."""
    wrong = kinds[kinds["wrong_event"].notna()]
    if wrong.empty:
        return dict.fromkeys(("first_event", "kind", "after", "text_before", "text_after"), pd.NA)
    worst = wrong.sort_values("wrong_event", kind="stable").iloc[0]
    event = int(worst["wrong_event"])
    gaps = boundary_table(pairing)
    at = np.flatnonzero((gaps["event"] == event).to_numpy())
    found = gaps.iloc[at[0]] if len(at) else None
    return {
        "first_event": event,
        "kind": str(worst["kind"]),
        "after": pd.NA if found is None else found["after"],
        "text_before": pd.NA if found is None else found["text_before"],
        "text_after": pairing.a.events.at[event, "text"] if found is None else found["text_after"],
    }
