"""Rules about tool calls: how they begin, and output that is sent again and again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from acpinspect.diagnostics.columns import Mask, by_group, first_of_each
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.toolbook import FINAL, PERMISSION, Step

__all__: list[str] = []


@builtin("tool-update-before-create")
def _tool_update_before_create(log: Log) -> Iterator[Hit]:
    begun = _begun(log)
    for steps in log.tools.calls:
        first = steps[0]
        if not log.v2[first.row]:
            if first.name != "tool_call" and begun[first.row]:
                permission = first.name == PERMISSION
                what = "Permission is asked" if permission else "An update comes"
                text = f"{what} for tool call {_tool(log, first.row)}, which was never announced."
                yield Hit(first.row, text, "warning" if permission else "error")
            continue
        update = next((step for step in steps if step.name == "tool_call_update"), None)
        if update is not None and update.title is None and begun[update.row]:
            yield Hit(update.row, f"The first report of tool call {_tool(log, update.row)} has no title.", "info")


def _begun(log: Log) -> Mask:
    """Rows before which the log shows how the session began: it doesn't start in the middle of it."""
    rows = np.arange(len(log))
    starts = np.flatnonzero(log.has("method", "initialize") & ~log.is_update)
    starts = first_of_each(log.recording[starts], starts)
    connected = np.full(int(log.recording.max(initial=-1)) + 2, len(log), dtype=np.int64)
    connected[log.recording[starts]] = starts
    first = np.full(int(log.session.max(initial=-1)) + 2, len(log), dtype=np.int64)
    for session, bringing in log.control.brought.items():
        first[session] = bringing[0]
    return (connected[log.recording] < rows) | ((log.session >= 0) & (first[log.session] < rows))


@builtin("duplicate-tool-call")
def _duplicate_tool_call(log: Log) -> Iterator[Hit]:
    for steps in log.tools.calls:
        yield from _recreated(log, steps) if log.v2[steps[0].row] else _created_twice(log, steps)


def _created_twice(log: Log, steps: list[Step]) -> Iterator[Hit]:
    """v1: a second tool_call."""
    creations = [step for step in steps if step.name == "tool_call"]
    for step in creations[1:]:
        first = creations[0].row
        earlier = log.turn[first] != log.turn[step.row] or log.replay[first] != log.replay[step.row]
        tool = _tool(log, step.row)
        if step.before in FINAL:
            yield Hit(
                step.row, f"Tool call {tool} is created again after it was {step.before}.", "error", (first,)
            )
        elif earlier:
            yield Hit(step.row, f"Tool call {tool} of an earlier turn is created again.", "error", (first,))
        else:
            yield Hit(step.row, f"Tool call {tool} is created again while it is open.", "warning", (first,))


def _recreated(log: Log, steps: list[Step]) -> Iterator[Hit]:
    """v2: a new title for a call that was over in an earlier turn."""
    ended: int | None = None
    told: set[int] = set()
    for step in steps:
        turn = int(log.turn[step.row])
        retitled = step.name == "tool_call_update" and step.title is not None and step.title_before is not None
        changed = retitled and step.title != step.title_before and turn not in told
        if changed and ended is not None and log.turn[ended] != turn:
            told.add(turn)
            was, now = quote(step.title_before or ""), quote(step.title or "")
            text = f"Tool call {_tool(log, step.row)}, which was over, becomes another: {was}, now {now}."
            yield Hit(step.row, text, "warning", (ended,))
        if ended is None and step.status in FINAL:
            ended = step.row


@builtin("permission-without-tool")
def _permission_without_tool(log: Log) -> Iterator[Hit]:
    for steps in log.tools.calls:
        if all(step.name == PERMISSION for step in steps):
            row = steps[0].row
            yield Hit(row, f"Permission is asked for tool call {_tool(log, row)}, which no update names.")


@builtin("cumulative-tool-content")
def _cumulative_tool_content(log: Log) -> Iterator[Hit]:
    rows = np.flatnonzero(log.tool_update & log.has("update", "tool_call_update"))
    for _, own in by_group(log.tool[rows], rows):
        if len(own) > 2:
            yield from _growing(log, own)


def _growing(log: Log, rows: list[int]) -> Iterator[Hit]:
    before: list[tuple[int, str]] = []
    for row in rows:
        content = log.part(row, "params", "update", "content")
        if not isinstance(content, list) or not content:
            continue
        text = "".join(map(_item_text, content))
        if len(before) == 2:
            (_, first), (_, second) = before
            if first and _grows(first, second) and _grows(second, text):
                told = (
                    f"The output of tool call {_tool(log, row)} is sent in full for the third time, ever longer."
                )
                yield Hit(row, told, related=(before[0][0], before[1][0]))
                return
        before = [*before[-1:], (row, text)]


def _grows(old: str, new: str) -> bool:
    return len(new) > len(old) and new.startswith(old)


def _item_text(item: Any) -> str:  # noqa: ANN401  (JSON is anything)
    block = item.get("content") if isinstance(item, dict) else None
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def _tool(log: Log, row: int) -> str:
    return quote(log.name("tool_call_id", row))
