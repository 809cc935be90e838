"""What became of each tool call: its status and title before and after every update and permission request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from acpinspect.diagnostics.columns import by_group
from acpinspect.protocol import ENUMS, read_permission

if TYPE_CHECKING:
    from acpinspect.diagnostics.log import Log

__all__ = ["FINAL", "OPEN", "PERMISSION", "Step", "ToolBook", "read_tools"]

OPEN: Final = frozenset({"pending", "in_progress"})
FINAL: Final = frozenset({"completed", "failed", "cancelled"})

PERMISSION: Final = "permission"
"""The name of a step that a permission request makes; those of the others are names of updates."""

_DEFAULT: Final = "pending"
_V1_STATUSES: Final = frozenset(ENUMS["v1"]["ToolCallStatus"].values)
_NULLED: Final = re.compile(r'"(?:status|title)"\s*:\s*null')


class Step(NamedTuple):
    """One sight of a tool call.

    Attributes:
        row: Where.
        name: Name of the update, or `PERMISSION`.
        sent: The status that it carries, if it carries a usable one.
        status: The status after it.
        before: The status before it; None at first sight.
        title: The title that it carries, if any.
        title_before: The title before it.
    """

    row: int
    name: str
    sent: str | None
    status: str
    before: str | None
    title: str | None
    title_before: str | None


@dataclass(frozen=True, slots=True)
class ToolBook:
    """The steps of each tool call (one for each session, epoch and id), in the order of their first sight."""

    calls: list[list[Step]]


class _Patch(NamedTuple):
    status: str | None
    title: str | None
    nulled: frozenset[str] = frozenset()


def read_tools(log: Log) -> ToolBook:
    """Follow every tool call. Cost: linear in the tool updates."""
    rows = np.flatnonzero(log.tool >= 0)
    reader = _Reader(log)
    calls = [reader.follow(own) for _, own in by_group(log.tool[rows], rows)]
    return ToolBook(sorted(calls, key=lambda steps: steps[0].row))


class _Reader:
    def __init__(self, log: Log) -> None:
        self.log = log
        events = log.events
        self.status = events["tool_status"].astype(object).where(events["tool_status"].notna(), None).to_numpy()
        self.title = events["title"].astype(object).where(events["title"].notna(), None).to_numpy()
        self.update = events["update"].astype(object).to_numpy()

    def follow(self, rows: list[int]) -> list[Step]:
        """The steps of one tool call."""
        steps: list[Step] = []
        status: str | None = None
        title: str | None = None
        for row in rows:
            permission = bool(self.log.permission[row])
            name = PERMISSION if permission else str(self.update[row])
            patch = self._permission(row) if permission else self._update(row)
            after, shown = self._applied(name, patch, status, title)
            steps.append(Step(row, name, patch.status, after, status, patch.title, title))
            status, title = after, shown
        return steps

    def _applied(self, name: str, patch: _Patch, status: str | None, title: str | None) -> tuple[str, str | None]:
        if name == "tool_call":
            return patch.status or _DEFAULT, patch.title
        status = _DEFAULT if "status" in patch.nulled else patch.status or status or _DEFAULT
        return status, None if "title" in patch.nulled else patch.title or title

    def _update(self, row: int) -> _Patch:
        status, title = self.status[row], self.title[row]
        if not self.log.v2[row]:
            return _Patch(status if status in _V1_STATUSES else None, title)
        if (status is None or title is None) and _NULLED.search(self.log.raw[row]):
            update = self.log.part(row, "params", "update")
            return _Patch(status, title, _nulls(update))
        return _Patch(status, title)

    def _permission(self, row: int) -> _Patch:
        version = self.log.version(row)
        tool = read_permission(self.log.part(row, "params"), version).tool_call or {}
        status, title = tool.get("status"), tool.get("title")
        return _Patch(
            status if isinstance(status, str) else None,
            title if isinstance(title, str) else None,
            _nulls(tool) if version == "v2" else frozenset(),
        )


def _nulls(update: dict[str, object]) -> frozenset[str]:
    return frozenset(key for key in ("status", "title") if key in update and update[key] is None)
