"""Rules about loads and resumes: whether the history comes, in time, and only where it was asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

import numpy as np

from acpinspect.diagnostics.control import Load
from acpinspect.diagnostics.findings import Hit
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.session_rows import SessionRows

__all__: list[str] = []


@builtin("load-replay-missing")
def _load_replay_missing(log: Log) -> Iterator[Hit]:
    for _, hit, _ in log.replay_faults:
        yield hit


def read_faults(log: Log) -> Iterator[tuple[int, Hit, bool]]:
    """Request, finding, and whether the replay came late, for each load that went wrong."""
    loads = [load for load in log.control.loads if load.asked and load.ok]
    if not loads:
        return
    rows = SessionRows(log)
    old_tools = {replay.load.request: bool(replay.old.tools) for replay in log.replays}
    for load in loads:
        late = _late(log, rows, load)
        if late is not None:
            text = "The history comes after the response of the load."
            yield load.request, Hit(late, text, "error", (load.response,)), True
        elif not len(rows.transcript_between(load.session, load.request, load.response)):
            yield load.request, _never(rows, load), False
        elif old_tools.get(load.request) and _lost_tools(log, rows, load):
            text = "The replay brings the messages but none of the tool calls."
            yield load.request, Hit(load.response, text, "warning", (load.request,)), False


def _late(log: Log, rows: SessionRows, load: Load) -> int | None:
    """The first transcript update between the response and the next request; in v2 a turn may begin by itself."""
    end = rows.next_request(load.session, load.response)
    if log.v2[load.response]:
        states = log.control.states.get(load.session, [])
        first = bisect_right(states, load.response, key=lambda state: state.row)
        end = min(end, next((s.row for s in islice(states, first, None) if s.state == "running"), end))
    found = rows.transcript_between(load.session, load.response, end)
    return int(found[0]) if len(found) else None


def _never(rows: SessionRows, load: Load) -> Hit:
    history = len(rows.transcript_between(load.session, -1, load.request)) > 0
    history = history or rows.answered_before(load.session, load.request)
    if history:
        text = "The load was answered without a replay, though the session has a history in this log."
        return Hit(load.response, text, "error", (load.request,))
    return Hit(load.response, "The load was answered without a replay.", "warning", (load.request,))


def _lost_tools(log: Log, rows: SessionRows, load: Load) -> bool:
    """Messages were replayed, tool calls were not."""
    replayed = rows.transcript_between(load.session, load.request, load.response)
    return bool(np.any(log.role[replayed] >= 0)) and not bool(np.any(log.tool_update[replayed]))


@builtin("resume-replays-history")
def _resume_replays_history(log: Log) -> Iterator[Hit]:
    resumes = [load for load in log.control.loads if load.resume and not load.asked and load.response >= 0]
    rows = SessionRows(log)
    for load in resumes:
        replayed = rows.transcript_between(load.session, load.request, load.response)
        if len(replayed):
            text = f"The resume asked for no replay and gets {len(replayed)} updates of one."
            yield Hit(int(replayed[0]), text, related=(load.request, load.response))
