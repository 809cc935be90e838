"""What the rules share: the columns of a table, and what is derived from them, each when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from acpinspect.diagnostics.columns import Ints, before, combined
from acpinspect.diagnostics.options import DiagnoseOptions
from acpinspect.diagnostics.table import Table
from acpinspect.grouping import group

if TYPE_CHECKING:
    from acpinspect.diagnostics.control import Control
    from acpinspect.diagnostics.findings import Hit
    from acpinspect.diagnostics.oddities import Oddities
    from acpinspect.diagnostics.replays import Replay
    from acpinspect.diagnostics.texts import Stretch
    from acpinspect.diagnostics.toolbook import ToolBook

__all__ = ["AGENT", "DESTROYED_MARK", "ESCAPE_MARK", "META_MARK", "THOUGHT", "USER", "Log"]

USER, AGENT, THOUGHT = 0, 1, 2
"""Roles, as numbers."""

META_MARK, ESCAPE_MARK, DESTROYED_MARK = b"_meta", b"\\u", "\ufffd".encode()
"""What `Log.marked` looks for: metadata, escaped characters, U+FFFD."""


class Log(Table):
    """An events table, as the rules of `diagnose` see it.

    Attributes:
        policy: The policy whose messages the rules look at.
        options: The thresholds.
    """

    def __init__(self, events: pd.DataFrame, policy: str, options: DiagnoseOptions) -> None:
        super().__init__(events)
        self.policy, self.options = policy, options
        self._hits: dict[str, list[Hit]] = {}

    @cached_property
    def label(self) -> Ints:
        """The message of each row, under the policy; -1 for none."""
        return group(self.events, self.policy).fillna(-1).to_numpy(dtype=np.int64)

    @cached_property
    def marked(self) -> dict[bytes, list[int]]:
        """Rows whose JSON text has certain signs, which few rows have."""
        return self.raw.rows_with(META_MARK, ESCAPE_MARK, DESTROYED_MARK)

    @cached_property
    def message_rows(self) -> Ints:
        """Rows of messages, message by message, each in the order of the table."""
        rows = np.flatnonzero(self.label >= 0)
        return rows[np.argsort(self.label[rows], kind="stable")]

    @cached_property
    def _message_starts(self) -> Ints:
        labels = self.label[self.message_rows]
        return np.searchsorted(labels, np.arange(int(labels.max(initial=-1)) + 2))

    def rows_of_message(self, label: int) -> list[int]:
        """The rows of one message, in order."""
        begin, end = self._message_starts[label : label + 2].tolist()
        return cast("list[int]", self.message_rows[begin:end].tolist())

    @cached_property
    def message_key(self) -> Ints:
        """Number of (session, epoch, role, id) of each message event with an id; else -1."""
        rows = np.flatnonzero(self.id >= 0)
        numbers = np.full(len(self), -1, dtype=np.int64)
        numbers[rows] = combined(
            self.session[rows], self.epoch[rows], self.role[rows].astype(np.int64), self.id[rows]
        )
        return numbers

    @cached_property
    def previous(self) -> Ints:
        """The event before it in its message; -1 for the first and for rows of no message."""
        rows = self.message_rows
        out = np.full(len(self), -1, dtype=np.int64)
        out[rows[1:]] = np.where(self.label[rows[1:]] == self.label[rows[:-1]], rows[:-1], -1)
        return out

    @cached_property
    def prompts_before(self) -> Ints:
        """Prompt requests of the session before each row."""
        return before(self.session, self.tokens.prompt)

    @cached_property
    def control(self) -> Control:
        """Prompts, loads, states and cancels, paired with their answers."""
        from acpinspect.diagnostics.control import read_control

        return read_control(self)

    @cached_property
    def stretches(self) -> list[Stretch]:
        """The text of each message, with where each event's part of it begins."""
        from acpinspect.diagnostics.texts import read_stretches

        return read_stretches(self)

    @cached_property
    def tools(self) -> ToolBook:
        """What became of each tool call, update by update."""
        from acpinspect.diagnostics.toolbook import read_tools

        return read_tools(self)

    @cached_property
    def replays(self) -> list[Replay]:
        """Each replay beside the epoch before it."""
        from acpinspect.diagnostics.replays import read_replays

        return read_replays(self)

    @cached_property
    def replay_faults(self) -> list[tuple[int, Hit, bool]]:
        """Loads whose replay is missing, late or lacks tool calls: request, finding, whether it is late."""
        from acpinspect.diagnostics.rules.history import read_faults

        return list(read_faults(self))

    @cached_property
    def oddities(self) -> Oddities:
        """Keys and values that the schema doesn't have."""
        from acpinspect.diagnostics.oddities import read_oddities

        return read_oddities(self)

    # --- findings of other rules --------------------------------------------------------------------------------

    def hits(self, code: str) -> list[Hit]:
        """The findings of a code, in order; each rule runs once."""
        if code not in self._hits:
            from acpinspect.diagnostics.engine import hits_of

            self._hits[code] = hits_of(self, code)
        return self._hits[code]

    def fired(self, *codes: str) -> frozenset[int]:
        """The rows at which one of these codes speaks."""
        return frozenset(hit.row for code in codes for hit in self.hits(code))
