"""The tables of a corpus: what each is made of, by which function, and which columns it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from acpinspect import message_table
from acpinspect.collection.comparing import CLIENTS, client_rows, comparison_row
from acpinspect.collection.comparing import COLUMNS as COMPARISON
from acpinspect.collection.session_table import COLUMNS as SESSIONS
from acpinspect.collection.session_table import IDS, session_table
from acpinspect.diagnostics import COLUMNS as FINDINGS
from acpinspect.diagnostics import SEVERITIES, diagnose
from acpinspect.events import COLUMNS as EVENTS
from acpinspect.events import Column

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.grouping.applying import AnyPolicy

__all__ = ["CATEGORIES", "KEY", "KINDS", "Ask", "Kind", "Subject", "columns_of", "made"]

KEY: Final[tuple[Column, ...]] = (
    Column("number", "int64", "Number of the recording in the corpus, from 0; the index of every table."),
    Column("recording", "category", "Name of the recording: the path or url of its file, or of its active file."),
)
"""What every table begins with: the index, and the first column."""

CATEGORIES: Final[Mapping[str, tuple[tuple[str, ...], bool]]] = {
    "severity": (SEVERITIES, True),
    "ids": (IDS, False),
}
"""Categories that are known without reading, and whether they are ordered."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of table.

    Attributes:
        columns: Its columns, without the index.
        index: What its index is called in the table of one recording; None where it says nothing.
        make: Makes it of a recording.
    """

    columns: tuple[Column, ...]
    index: str | None
    make: Callable[..., pd.DataFrame]


class Subject:
    """The events of one recording, and what several of its tables want.

    Args:
        events: The events.
    """

    def __init__(self, events: pd.DataFrame) -> None:
        self.events = events
        self._found: dict[object, pd.DataFrame] = {}

    def findings(self, **options: Any) -> pd.DataFrame:  # noqa: ANN401  (what `diagnose` takes)
        """The findings; looked for once, though sessions count them too."""
        key = tuple(options.items())
        if key not in self._found:
            self._found[key] = diagnose(self.events, **options)
        return self._found[key]


Options: TypeAlias = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Ask:
    """A table that is wanted of each recording.

    Attributes:
        table: Its kind.
        options: What its function takes beside the events.
    """

    table: str
    options: Options = field(default=())


def _messages(subject: Subject, policy: AnyPolicy) -> pd.DataFrame:
    return message_table.messages(subject.events, policy)


def _sessions(subject: Subject, **options: Any) -> pd.DataFrame:  # noqa: ANN401  (what `diagnose` takes)
    return session_table(subject.events, subject.findings(**options))


def _comparison(subject: Subject, a: AnyPolicy, b: AnyPolicy) -> pd.DataFrame:
    return comparison_row(subject.events, a, b)


def _clients(subject: Subject, policies: Sequence[AnyPolicy], truth: AnyPolicy) -> pd.DataFrame:
    return client_rows(subject.events, policies, truth)


KINDS: Final[Mapping[str, Kind]] = {
    "events": Kind(EVENTS, "event", lambda subject: subject.events),
    "messages": Kind(message_table.COLUMNS, "message", _messages),
    "findings": Kind(FINDINGS, "finding", Subject.findings),
    "sessions": Kind(SESSIONS, None, _sessions),
    "comparison": Kind(COMPARISON, None, _comparison),
    "clients": Kind(CLIENTS, None, _clients),
}


def columns_of(table: str) -> tuple[Column, ...]:
    """The columns of a table of the corpus, its index (`KEY`) left out.

    Example:
        >>> [column.name for column in columns_of("findings")][:4]
        ['recording', 'finding', 'code', 'severity']
    """
    kind = KINDS[table]
    own = () if kind.index is None else (Column(kind.index, "int64", f"The {kind.index} in its recording."),)
    return (KEY[1], *own, *kind.columns)


def made(ask: Ask, subject: Subject) -> pd.DataFrame:
    """The table that was asked for, of one recording."""
    return KINDS[ask.table].make(subject, **dict(ask.options))
