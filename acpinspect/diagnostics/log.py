"""What the rules share: the columns of a table as arrays, and what is derived from them when it is asked for.

A row is a position in the table, not a label of its index.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.diagnostics.columns import Ints, Mask, before, combined, first_of_each
from acpinspect.diagnostics.options import DiagnoseOptions
from acpinspect.diagnostics.rawtext import RawTexts
from acpinspect.events import REJECTED, parse
from acpinspect.grouping import group
from acpinspect.grouping.tokens import Tokens, tokens
from acpinspect.protocol import VARIANTS, VERSIONS, Version
from acpinspect.reading.recordings import recording_of

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

_PLANS = ("plan", "plan_update", "plan_removed")
_TOOLS = ("tool_call", "tool_call_update", "tool_call_content_chunk")


class Log:
    """An events table, as the rules of `diagnose` see it.

    Attributes:
        events: The table.
        policy: The policy whose messages the rules look at.
        options: The thresholds.
    """

    def __init__(self, events: pd.DataFrame, policy: str, options: DiagnoseOptions) -> None:
        self.events, self.policy, self.options = events, policy, options
        self._hits: dict[str, list[Hit]] = {}

    def __len__(self) -> int:
        return len(self.events)

    # --- columns ------------------------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> Tokens:
        """Session, epoch, role and id of each row, as numbers."""
        return tokens(self.events)

    @property
    def session(self) -> Ints:
        """Number of the session, one for each recording and id; -1 for none."""
        return self.tokens.session

    @property
    def epoch(self) -> Ints:
        """Loads of the session so far."""
        return self.tokens.epoch

    @property
    def role(self) -> npt.NDArray[np.int8]:
        """`USER`, `AGENT`, `THOUGHT`; -1 where a row is no accepted part of a message."""
        return self.tokens.role

    @property
    def id(self) -> Ints:
        """Number of the message id; -1 without one."""
        return self.tokens.id

    @property
    def whole(self) -> Mask:
        """Whole-message updates."""
        return self.tokens.whole

    @cached_property
    def chunk(self) -> Mask:
        """Accepted message chunks."""
        return (self.role >= 0) & ~self.whole

    @cached_property
    def turn(self) -> Ints:
        """Turn of the session; -1 before the first and in a replay."""
        return self.events["turn"].fillna(-1).to_numpy(dtype=np.int64)

    @cached_property
    def replay(self) -> Mask:
        """Rows inside a replay."""
        return self.has("phase", "replay")

    @cached_property
    def v2(self) -> Mask:
        """Rows of a v2 connection."""
        return self.has("protocol", "v2")

    @cached_property
    def v1(self) -> Mask:
        """Rows of a v1 connection."""
        return self.has("protocol", "v1")

    @cached_property
    def recording(self) -> Ints:
        """Number of the recording."""
        source = self.events["source"].cat
        names = {name: n for n, name in enumerate(dict.fromkeys(map(recording_of, source.categories)))}
        numbers = [names[recording_of(category)] for category in source.categories]
        recording: Ints = np.array([*numbers, -1], dtype=np.int64)[source.codes.to_numpy()]
        return recording

    @cached_property
    def texts(self) -> pa.Array:
        """The text of each row's content, as a column; empty where it has none."""
        return pc.fill_null(_arrow(self.events["text"]), "").combine_chunks()

    @cached_property
    def text(self) -> list[str]:
        """The text of each row's content; empty where it has none."""
        return cast("list[str]", self.texts.to_pylist())

    @cached_property
    def size(self) -> Ints:
        """Code points of the text; 0 where there is none."""
        sizes: Ints = pc.utf8_length(self.texts).to_numpy().astype(np.int64)
        return sizes

    @cached_property
    def label(self) -> Ints:
        """The message of each row, under the policy; -1 for none."""
        return group(self.events, self.policy).fillna(-1).to_numpy(dtype=np.int64)

    @cached_property
    def raw(self) -> RawTexts:
        """The JSON texts."""
        return RawTexts(self.events["raw"])

    @cached_property
    def marked(self) -> dict[bytes, list[int]]:
        """Rows whose JSON text has certain signs, which few rows have."""
        return self.raw.rows_with(META_MARK, ESCAPE_MARK, DESTROYED_MARK)

    def has(self, column: str, *values: str) -> Mask:
        """Where a categorical column has one of these values."""
        categorical = self.events[column].cat
        hits = [value in values for value in categorical.categories]
        mask: Mask = np.array([*hits, False], dtype=bool)[categorical.codes.to_numpy()]
        return mask

    def name(self, column: str, row: int) -> str:
        """One value of a column of text, or an empty text."""
        value = self.events[column].iloc[row]
        return "" if pd.isna(value) else str(value)

    def version(self, row: int) -> Version:
        """The protocol version of a row."""
        return VERSIONS[int(self.v2[row])]

    def payload(self, row: int) -> dict[str, Any]:
        """The JSON of a row; empty if it is no object."""
        try:
            value = parse(self.raw[row])
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def part(self, row: int, *keys: str) -> Any:  # noqa: ANN401  (JSON is anything)
        """What stands under some keys of a row's JSON, one in the other; None if there is nothing."""
        value: Any = self.payload(row)
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    # --- kinds of rows ------------------------------------------------------------------------------------------

    @cached_property
    def is_update(self) -> Mask:
        """session/update notifications."""
        return self.has("method", "session/update") & self.has("kind", "notification", "request")

    @cached_property
    def request(self) -> Mask:
        """Requests."""
        return self.has("kind", "request")

    @cached_property
    def accepted(self) -> Mask:
        """Updates of known variants that no client refuses, extensions left out."""
        known = np.zeros(len(self), dtype=bool)
        for version in VERSIONS:
            known |= self.has("update", *VARIANTS[version]) & (self.v2 if version == "v2" else self.v1)
        return known & ~self.rejected & self.is_update

    @cached_property
    def rejected(self) -> Mask:
        """Updates that a client refuses."""
        problem = self.events["problem"].cat
        refused = [str(category).startswith(REJECTED) for category in problem.categories]
        mask: Mask = np.array([*refused, False], dtype=bool)[problem.codes.to_numpy()]
        return mask

    @cached_property
    def transcript(self) -> Mask:
        """Accepted updates that are part of the conversation."""
        names = {name for table in VARIANTS.values() for name, variant in table.items() if variant.transcript}
        return self.accepted & self.has("update", *sorted(names))

    @cached_property
    def tool_update(self) -> Mask:
        """Accepted updates of a tool call."""
        return self.accepted & self.has("update", *_TOOLS)

    @cached_property
    def plan_update(self) -> Mask:
        """Accepted updates of a plan."""
        return self.accepted & self.has("update", *_PLANS)

    @cached_property
    def permission(self) -> Mask:
        """Permission requests."""
        return self.has("method", "session/request_permission") & self.request

    @cached_property
    def tool(self) -> Ints:
        """Number of the tool call of each row, one for each session, epoch and id; -1 for none."""
        codes, _ = pd.factorize(self.events["tool_call_id"].array)
        known = (codes >= 0) & (self.tool_update | self.permission)
        rows = np.flatnonzero(known)
        numbers = np.full(len(self), -1, dtype=np.int64)
        numbers[rows] = combined(self.session[rows], self.epoch[rows], codes[rows].astype(np.int64))
        return numbers

    @cached_property
    def tool_created(self) -> Mask:
        """First sight of each tool call, by an update or a permission request."""
        rows = np.flatnonzero(self.tool >= 0)
        mask = np.zeros(len(self), dtype=bool)
        mask[first_of_each(self.tool[rows], rows)] = True
        return mask

    @cached_property
    def has_content(self) -> Mask:
        """Message events that bring a text that is not empty, or a block that is none."""
        return (self.role >= 0) & ((self.size > 0) | self.non_text)

    @cached_property
    def non_text(self) -> Mask:
        """Message events with a block that is no text."""
        blocks = [
            any(block not in ("text", "null", "[]") for block in str(kind).split("+"))
            for kind in self.events["content_type"].cat.categories
        ]
        codes = self.events["content_type"].cat.codes.to_numpy()
        flags: Mask = np.array([*blocks, False], dtype=bool)[codes]
        return flags & (self.role >= 0)

    @cached_property
    def visible(self) -> Mask:
        """Message events that bring text other than whitespace, or a block that is no text."""
        texts = self.text
        rows = np.flatnonzero((self.role >= 0) & (self.size > 0))
        mask = self.non_text.copy()
        mask[rows[[not texts[row].isspace() for row in rows.tolist()]]] = True
        return mask

    # --- derived from several rows ------------------------------------------------------------------------------

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


def _arrow(column: pd.Series) -> pa.ChunkedArray:
    values = column.array
    return values._pa_array if len(column) else pa.chunked_array([pa.array([], pa.large_string())])
