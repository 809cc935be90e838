"""What a rule finds, and the table of findings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import pandas as pd

from acpinspect.diagnostics.findings_html import SHOWN, findings_html
from acpinspect.events import Column

if TYPE_CHECKING:
    from acpinspect.diagnostics.catalogue import Code

__all__ = [
    "COLUMNS",
    "SEVERITIES",
    "SHOWN_TEXT",
    "Findings",
    "Hit",
    "Severity",
    "findings_table",
    "quote",
    "together",
]

Severity: TypeAlias = Literal["info", "warning", "error"]

SEVERITIES: Final[tuple[Severity, ...]] = ("info", "warning", "error")
"""From the mildest to the gravest."""

SHOWN_TEXT: Final = 40
"""Code points of a text or an id that a finding's message shows."""

COLUMNS: Final[tuple[Column, ...]] = (
    Column("code", "category", "Which rule spoke; `explain_code` says more."),
    Column("severity", "category", "info, warning or error, in this order."),
    Column("session_id", "string", "The session; NA where the event belongs to none."),
    Column("event", "int64", "The event at which the fault shows: a label of the events table."),
    Column("related", "object", "Other events that are part of the evidence, in order (list of int)."),
    Column("message", "string", "What is wrong, in one sentence, with the ids and texts in question, shortened."),
    Column("remedy", "string", "What to do about it."),
    Column("spec", "string", "Where the specification speaks of it."),
)

_STRING: Final = pd.StringDtype("pyarrow", na_value=pd.NA)


class Hit(NamedTuple):
    """One finding of one rule.

    Attributes:
        row: The event, as its position in the events table (`0` for the first row).
        message: What is wrong, in one sentence.
        severity: Where it is another one than the code's usual severity.
        related: Positions of other events that are part of the evidence.

    Examples:
        >>> Hit(3, "This is loud.", related=(1, 2)).related
        (1, 2)
    """

    row: int
    message: str
    severity: Severity | None = None
    related: tuple[int, ...] = ()


class Findings(pd.DataFrame):
    """The table of findings: a DataFrame in all, but that a notebook shows its sentences whole.

    What is taken of its rows is one too; what lacks a column is shown as any table is.
    """

    @property
    def _constructor(self) -> type[Findings]:
        return Findings

    def _repr_html_(self) -> str | None:
        if set(SHOWN) <= set(self.columns):
            return findings_html(self)
        return cast("str | None", super()._repr_html_())  # type: ignore[misc]  # pandas has it


def quote(text: str, longest: int = SHOWN_TEXT) -> str:
    """A text or an id as a message shows it: in quotes, its end cut off if it is long.

    Example:
        >>> quote("two messages", 5)
        '"two m…"'
    """
    return f'"{text[:longest]}…"' if len(text) > longest else f'"{text}"'


def findings_table(events: pd.DataFrame, found: Sequence[tuple[Code, Hit]]) -> pd.DataFrame:
    """The table of some findings, sorted by event; those of one event by severity, gravest first, then by code."""
    ordered = sorted(found, key=_place)
    rows = np.array([hit.row for _, hit in ordered], dtype=np.int64)
    labels = events.index.to_numpy()
    related = np.empty(len(ordered), dtype=object)
    for i, (_, hit) in enumerate(ordered):
        related[i] = [int(labels[row]) for row in hit.related]
    codes = [code.code for code, _ in ordered]
    table = {
        "code": pd.Categorical(codes, categories=sorted(set(codes))),
        "severity": pd.Categorical(
            [hit.severity or code.severity for code, hit in ordered], categories=list(SEVERITIES), ordered=True
        ),
        "session_id": events["session_id"].array.take(rows).astype(_STRING),
        "event": labels[rows].astype(np.int64),
        "related": related,
        "message": pd.array([_writable(hit.message) for _, hit in ordered], dtype=_STRING),
        "remedy": pd.array([code.remedy for code, _ in ordered], dtype=_STRING),
        "spec": pd.array([code.spec for code, _ in ordered], dtype=_STRING),
    }
    return Findings(table, index=pd.RangeIndex(len(ordered), name="finding"))


def together(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tables of findings in a row as one; at least one table."""
    codes = [code for table in tables for code in table["code"].tolist()]
    columns = {name: pd.concat([table[name] for table in tables]).array for name in tables[0].columns}
    columns["code"] = pd.Categorical(codes, categories=sorted(set(codes)))
    return Findings(columns, index=pd.RangeIndex(len(codes), name="finding"))


def _place(item: tuple[Code, Hit]) -> tuple[int, int, str, str]:
    code, hit = item
    return hit.row, -SEVERITIES.index(hit.severity or code.severity), code.code, hit.message


def _writable(message: str) -> str:
    """Arrow can't hold lone surrogates."""
    return message if message.isascii() else message.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
