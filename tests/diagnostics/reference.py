"""The rules about messages once more, event by event and without haste, to hold the ones in columns to."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

import acpinspect
from acpinspect.events import message_events

Found = set[int]


@dataclass
class Event:
    """What the rules look at."""

    row: int
    session: str | None
    epoch: int
    turn: int | None
    replay: bool
    kind: str
    method: str
    update: str | None
    role: str | None
    id: str | None
    has_id: bool
    text: str
    label: int | None
    tool: str | None
    params: str
    answer: str
    refused: bool
    block: bool

    @property
    def chunk(self) -> bool:
        return self.role is not None and str(self.update).endswith("_chunk")

    @property
    def place(self) -> tuple[Any, ...]:
        return (self.session, self.epoch, self.turn, self.replay)

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.session, self.epoch, self.role, self.id)


def events_of(table: pd.DataFrame) -> list[Event]:
    labels, parts = acpinspect.group(table), message_events(table)
    payloads = list(acpinspect.payloads(table))
    out = []
    for row in table.index:
        at = table.loc[row]

        def plain(name: str, at: Any = at) -> Any:
            return None if pd.isna(at[name]) else at[name]

        out.append(
            Event(
                row,
                plain("session_id"),
                int(plain("epoch") or 0),
                plain("turn"),
                plain("phase") == "replay",
                at["kind"],
                str(plain("method")),
                plain("update"),
                plain("role") if parts[row] else None,
                plain("message_id"),
                plain("message_id_state") == "present",
                plain("text") or "",
                None if pd.isna(labels[row]) else int(labels[row]),
                plain("tool_call_id"),
                json.dumps((payloads[row] or {}).get("params"), sort_keys=True),
                json.dumps((payloads[row] or {}).get("result")),
                str(plain("problem")).startswith("rejected: "),
                plain("content_type") not in (None, "text"),
            )
        )
    return out


ASKING = ("session/prompt", "session/load", "session/resume")


def mixed(events: list[Event]) -> Iterator[int]:
    prompts: dict[Any, int] = defaultdict(int)
    last: dict[Any, bool] = {}
    for e in events:
        if e.method == "session/prompt" and e.kind == "request":
            prompts[e.session] += 1
        if e.chunk:
            scope = (e.session, e.epoch, prompts[e.session], e.role)
            if last.setdefault(scope, e.has_id) != e.has_id:
                yield e.row
            last[scope] = e.has_id


def id_per_chunk(events: list[Event]) -> Iterator[int]:
    times: dict[Any, int] = defaultdict(int)
    for e in events:
        if e.chunk and e.id is not None:
            times[e.key] += 1
    run: dict[Any, list[Event]] = defaultdict(list)
    for e in events:
        ends = e.method in ASKING or str(e.update).startswith(("tool_call", "plan"))
        if e.chunk and e.id is not None and times[e.key] == 1:
            if run[e.session] and run[e.session][-1].role != e.role:
                yield from spoken(run.pop(e.session))
            run[e.session].append(e)
        elif e.role is not None or ends:
            yield from spoken(run.pop(e.session, []))
    for rest in run.values():
        yield from spoken(rest)


def spoken(run: list[Event]) -> Iterator[int]:
    inside = [e for e in run[:-1] if e.text.rstrip(" ") and e.text.rstrip(" ")[-1] not in ".!?:\n"]
    if len(run) >= 3 and 2 * len(inside) >= len(run) - 1:
        yield run[1].row


def reused(events: list[Event]) -> Iterator[int]:
    prompts: dict[Any, int] = defaultdict(int)
    seen: dict[Any, tuple[Event, int, bool]] = {}
    done = set()
    for e in events:
        if e.method == "session/prompt" and e.kind == "request":
            prompts[e.session] += 1
        if e.role is None or e.id is None:
            continue
        last, then, filled = seen.get(e.key, (e, prompts[e.session], False))
        old = last.replay or (last.turn is not None and last.turn != e.turn)
        if filled and old and prompts[e.session] > then and (*e.key, e.turn) not in done:
            done.add((*e.key, e.turn))
            yield e.row
        seen[e.key] = (e, prompts[e.session], filled or e.text != "" or e.block)


def interleaved(events: list[Event]) -> Iterator[int]:
    last: dict[Any, str] = {}
    seen, done = set(), set()
    for e in events:
        if not e.chunk or e.id is None:
            continue
        scope = (*e.place, e.role)
        if (scope, e.id) in seen and last[scope] != e.id and e.key not in done:
            done.add(e.key)
            yield e.row
        seen.add((scope, e.id))
        last[scope] = e.id


def spans(events: list[Event]) -> Iterator[int]:
    tools: dict[Any, set[str]] = defaultdict(set)
    created: dict[Any, int] = defaultdict(int)
    at: dict[Any, int] = {}
    done = set()
    for e in events:
        asks = e.method == "session/request_permission" and e.kind == "request"
        named = asks or str(e.update).startswith("tool_call")
        if named and e.tool is not None and e.tool not in tools[e.session, e.epoch]:
            tools[e.session, e.epoch].add(e.tool)
            created[e.session] += 1
        if e.chunk and e.id is not None:
            here = (e.place, e.role, e.id)
            if at.get(here, created[e.session]) < created[e.session] and e.key not in done:
                done.add(e.key)
                yield e.row
            at[here] = created[e.session]


def restated(events: list[Event]) -> Iterator[int]:
    kept: dict[Any, list[Event]] = defaultdict(list)
    opened: dict[int, int] = {}
    epoch: dict[Any, int] = {}
    first = {e.label: e.row for e in reversed(events)}
    for e in events:
        edge = e.method in ASKING and (e.kind == "request" or e.method != "session/prompt")
        if edge or (e.chunk and e.role == "user") or epoch.setdefault(e.session, e.epoch) != e.epoch:
            kept[e.session, "agent"], kept[e.session, "thought"] = [], []
        epoch[e.session] = e.epoch
        if not e.chunk or e.role == "user" or not e.text.strip():
            continue
        opened.setdefault(e.label or 0, e.row)
        x, mine = e.text.strip(), kept[e.session, e.role]
        for k in range(1, len(mine) + 1):
            part = mine[-k:]
            if "".join(p.text for p in part).strip() != x:
                continue
            same = all(p.id == e.id for p in part)
            other = all(p.id != e.id for p in part) and first[e.label] == e.row
            begins = opened[part[0].label or 0] == part[0].row
            if (k >= 2 and len(x) >= 12 and same) or (other and begins and len(x) >= 4):
                yield e.row
        mine.append(e)


def cumulative(events: list[Event]) -> Iterator[int]:
    texts: dict[Any, list[str]] = defaultdict(list)
    done = set()
    for e in events:
        if e.chunk and e.text:
            texts[e.label].append(e.text)
            *_, a, b, c = ["", "", "", *texts[e.label]]
            grows = len(a) < len(b) < len(c) and b.startswith(a) and c.startswith(b)
            if grows and len(a.strip()) >= 2 and e.label not in done:
                done.add(e.label)
                yield e.row


def duplicate(events: list[Event]) -> Iterator[int]:
    last: dict[Any, Any] = {}
    done = set()
    for e in events:
        if e.update is not None:
            if last.get(e.session) == e.params and e.chunk and len(e.text.strip()) >= 12:
                yield e.row
            if last.get(e.session) == e.params and e.update == "tool_call_update":
                if (e.session, e.epoch, e.tool) not in done:
                    yield e.row
                done.add((e.session, e.epoch, e.tool))
            last[e.session] = e.params
        elif e.method in (*ASKING, "session/cancel", "session/request_permission"):
            last.pop(e.session, None)


def glued(events: list[Event], silent: Found) -> Iterator[int]:
    messages: dict[int, list[Event]] = defaultdict(list)
    for e in events:
        if e.label is not None:
            messages[e.label].append(e)
    for own in messages.values():
        for i, e in enumerate(own):
            left, right = "".join(x.text for x in own[:i]), "".join(x.text for x in own[i:])
            last = max((j for j, x in enumerate(own[:i]) if x.text), default=0)
            silenced = e.row in silent or any(x.block for x in own[last:i])
            if not e.text or silenced:
                continue
            ended = re.search(r"[.!?:…][\"'”’»)\]]?\Z", left)
            begins = re.match(r"[A-Z]|#{1,6} |[-*>|] |\*\*\w", right)
            code = left.count("```") % 2 or left.rsplit("\n", 1)[-1].count("`") % 2
            if ended and begins and not code:
                yield e.row


def interrupted(events: list[Event]) -> Iterator[int]:
    tools: dict[Any, set[str]] = defaultdict(set)
    between: dict[Any, bool] = defaultdict(bool)
    heads: dict[Any, bool] = {}
    done = set()
    for e in events:
        known = e.update == "tool_call_update" and e.tool in tools[e.session, e.epoch]
        if not e.refused and (known or e.update in ("usage_update", "_acme")):
            for label, (session, _) in list(heads.items()):
                between[label] |= session == e.session
        if e.tool is not None:
            tools[e.session, e.epoch].add(e.tool)
        if e.chunk:
            continues = e.label in heads
            heads.setdefault(e.label, (e.session, e.has_id))
            if continues and not e.has_id and not heads[e.label][1] and between[e.label] and e.label not in done:
                done.add(e.label)
                yield e.row
            between[e.label] = False


REFERENCES: dict[str, Callable[[list[Event]], Iterator[int]]] = {
    "mixed-message-ids": mixed,
    "id-per-chunk": id_per_chunk,
    "id-reused-across-turns": reused,
    "interleaved-messages": interleaved,
    "message-spans-tool-call": spans,
    "restated-message": restated,
    "cumulative-chunks": cumulative,
    "duplicate-update": duplicate,
    "idless-run-interrupted": interrupted,
}


def findings_of(table: pd.DataFrame) -> dict[str, list[int]]:
    """The events at which each of these rules speaks."""
    events = events_of(table)
    found = {code: sorted(rule(events)) for code, rule in REFERENCES.items()}
    silent = {
        row for code in ("restated-message", "duplicate-update", "id-reused-across-turns") for row in found[code]
    }
    return found | {"glued-boundary": sorted(glued(events, silent))}
