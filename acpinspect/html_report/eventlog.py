"""The log as the explorer in the page reads it: events in columns, sessions with their steps, findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd

from acpinspect.events import parse
from acpinspect.html_report.readings import readings
from acpinspect.html_report.sessions import outside, parts
from acpinspect.html_report.shortening import shorten_text, shortened_json
from acpinspect.html_report.steplog import Operation, SessionSteps, session_steps

if TYPE_CHECKING:
    from acpinspect.grouping import AnyPolicy

__all__ = ["Json", "event_log", "source_names", "without_shared_folders"]

Json = dict[str, object]

_CATEGORIES: Final = ("kind", "method", "update", "sender", "problem")
_TEXT: Final = 20_000
"""Characters of one piece of text in the conversation, whatever the rest of the page takes."""


def event_log(
    events: pd.DataFrame, findings: pd.DataFrame, messages: pd.DataFrame, policy: AnyPolicy, longest: int
) -> Json:
    """Everything that the explorer shows, as plain JSON.

    Args:
        events: An events table.
        findings: What `diagnose` found in it.
        messages: Its messages by the policy.
        policy: The grouping.
        longest: Characters of one text of an event's JSON; longer ones are cut.
    """
    opened = dict(zip(messages["first_event"].tolist(), messages["boundary"].astype(str).tolist(), strict=True))
    operations: dict[int, list[list[object]]] = {}
    sessions = [
        _session(events, part.rows.tolist(), steps, opened, operations)
        for part in parts(events)
        for steps in [session_steps(part.events, policy, min(longest * 4, _TEXT))]
    ]
    rest = outside(events).tolist()
    if rest:
        sessions.append({"name": None, "rows": rest, "slots": [], "prompts": [], "refused": {}})
    body, cut = _body(events, operations, longest)
    return {
        "labels": events.index.tolist(),
        **{name: _coded(events[name]) for name in _CATEGORIES},
        "source": _coded(events["source"].cat.rename_categories(source_names(events))),
        "line": _numbers(events["line"]),
        "turn": _numbers(events["turn"]),
        "elapsed": [None if np.isnan(x) else round(x, 6) for x in events["elapsed"].tolist()],
        "replay": np.flatnonzero((events["phase"] == "replay").to_numpy(dtype=bool)).tolist(),
        "body": body,
        "cut": cut,
        "sessions": sessions,
        "findings": _findings(events, findings),
        "readings": readings(events, policy),
    }


def source_names(events: pd.DataFrame) -> dict[str, str]:
    """The names of the sources without the folders that they share: those are nobody's business.

    Example:
        >>> import acpinspect
        >>> events = acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}])
        >>> events["source"] = events["source"].cat.rename_categories(["/home/ada/logs/one.ndjson"])
        >>> source_names(events)
        {'/home/ada/logs/one.ndjson': 'one.ndjson'}
    """
    return without_shared_folders([str(name) for name in events["source"].cat.categories])


def without_shared_folders(names: Sequence[str]) -> dict[str, str]:
    """Names of files, each without the folders that all of them share.

    Example:
        >>> without_shared_folders(["/logs/a/x.ndjson", "/logs/b/x.ndjson"])
        {'/logs/a/x.ndjson': 'a/x.ndjson', '/logs/b/x.ndjson': 'b/x.ndjson'}
    """
    split = [name.replace("\\", "/").split("/") for name in names]
    shared = 0
    while split and all(len(one) > shared + 1 and one[shared] == split[0][shared] for one in split):
        shared += 1
    return {name: "/".join(one[shared:]) for name, one in zip(names, split, strict=True)}


def _coded(column: pd.Series) -> Json:
    """A category column as names and numbers; -1 for none."""
    names = [shorten_text(str(name), 300) for name in column.cat.categories]
    return {"names": names, "codes": column.cat.codes.tolist()}


def _numbers(column: pd.Series) -> list[int | None]:
    numbers = column.to_numpy(dtype=np.int64, na_value=-1).tolist()
    return [None if number < 0 else number for number in numbers]


def _session(
    events: pd.DataFrame,
    rows: list[int],
    steps: SessionSteps,
    opened: dict[int, str],
    operations: dict[int, list[list[object]]],
) -> Json:
    """One session; its operations are put beside the JSON of their events, which they repeat."""
    # Operations are by position among the session's events, which are the rows.
    for position, done in steps.operations.items():
        operations[rows[position]] = [_packed(operation) for operation in done]
    slots = [
        [*slot, opened.get(steps.events[slot.born]) if slot.kind == "message" and slot.born is not None else None]
        for slot in steps.slots
    ]
    return {
        "name": steps.session_id,
        "protocol": steps.protocol,
        "rows": rows,
        "slots": slots,
        "prompts": _prompts(events, rows),
        "refused": {str(position): shorten_text(why, 300) for position, why in steps.refused.items()},
    }


def _packed(operation: Operation) -> list[object]:
    packed: list[object] = list(operation)
    while packed[-1] is None:
        packed.pop()
    return packed


def _prompts(events: pd.DataFrame, rows: list[int]) -> list[list[object]]:
    """What the user asked, by position."""
    asked = ((events["method"] == "session/prompt") & (events["kind"] == "request")).to_numpy(dtype=bool)
    raw = events["raw"].array
    return [[position, _prompt(str(raw[row]))] for position, row in enumerate(rows) if asked[row]]


def _prompt(raw: str) -> str:
    try:
        params = parse(raw)["params"]
        blocks = params.get("prompt")
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return ""
    items = blocks if isinstance(blocks, list) else []
    texts = [block.get("text") or f"[{block.get('type')}]" for block in items if isinstance(block, dict)]
    return shorten_text("".join(str(text) for text in texts), _TEXT)


def _body(
    events: pd.DataFrame, operations: dict[int, list[list[object]]], longest: int
) -> tuple[list[object], list[int]]:
    """The JSON text of each event, and beside it what it did: neighbours that repeat each other pack well."""
    body: list[object] = []
    cut = []
    for row, raw in enumerate(events["raw"].tolist()):
        short = shortened_json(raw, longest)
        if short is not raw:
            cut.append(row)
        body += (short, operations.get(row, 0))
    return body, cut


def _findings(events: pd.DataFrame, findings: pd.DataFrame) -> Json:
    remedies = dict(zip(findings["code"].astype(str), findings["remedy"].astype(str), strict=True))
    codes = {code: number for number, code in enumerate(remedies)}
    rows = events.index.get_indexer(pd.Index(findings["event"])).tolist()
    columns = zip(
        rows, findings["severity"], findings["code"], findings["message"], findings["related"], strict=True
    )
    return {
        "codes": [[code, remedy] for code, remedy in remedies.items()],
        "rows": [
            [row, str(severity), codes[str(code)], shorten_text(str(message), 1_000), related[:20]]
            for row, severity, code, message, related in columns
        ],
    }
