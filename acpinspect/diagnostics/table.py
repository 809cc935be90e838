"""The columns of an events table as arrays, and which rows are what; the ground on which `Log` stands."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.diagnostics.columns import Ints, Mask, combined, first_of_each
from acpinspect.diagnostics.rawtext import RawTexts
from acpinspect.events import REJECTED, arrow_strings, parse
from acpinspect.grouping.tokens import Tokens, tokens
from acpinspect.protocol import VARIANTS, VERSIONS, Version
from acpinspect.reading.recordings import recording_of

__all__ = ["Table"]

_PLANS: Final = ("plan", "plan_update", "plan_removed")
_TOOLS: Final = ("tool_call", "tool_call_update", "tool_call_content_chunk")


class Table:
    """An events table as arrays; a row is a position in it, not a label of its index.

    Attributes:
        events: The table.
    """

    def __init__(self, events: pd.DataFrame) -> None:
        self.events = events
        self._values: dict[str, npt.NDArray[np.object_]] = {}

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
        return pc.fill_null(arrow_strings(self.events["text"]), "").combine_chunks()

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
    def raw(self) -> RawTexts:
        """The JSON texts."""
        return RawTexts(self.events["raw"])

    def has(self, column: str, *values: str) -> Mask:
        """Where a categorical column has one of these values."""
        categorical = self.events[column].cat
        hits = [value in values for value in categorical.categories]
        mask: Mask = np.array([*hits, False], dtype=bool)[categorical.codes.to_numpy()]
        return mask

    def name(self, column: str, row: int) -> str:
        """One value of a column of text, or an empty text."""
        if column not in self._values:
            values = self.events[column]
            self._values[column] = values.astype(object).where(values.notna(), "").to_numpy()
        return str(self._values[column][row])

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
