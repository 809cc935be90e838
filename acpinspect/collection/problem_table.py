"""What could not be opened, read or made, as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pandas as pd

from acpinspect.collection.entries import Entry, Problem
from acpinspect.collection.kinds import KEY
from acpinspect.events import Column
from acpinspect.grouping.contracts import typed

__all__ = ["COLUMNS", "problem_table"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("recording", "string", "Name of the recording, or the path that led nowhere."),
    Column("stage", "string", "open, read, or the table that could not be made of it."),
    Column("error", "string", "The kind of error, such as NotACPError or SourceError."),
    Column("message", "string", "What was wrong."),
)


def problem_table(problems: Iterable[tuple[Entry, Problem]]) -> pd.DataFrame:
    """The problems in order; the index is the recordings' number."""
    found = list(problems)
    rows = [(entry.label, problem.stage, problem.error, problem.message) for entry, problem in found]
    index = pd.Index([entry.number for entry, _ in found], dtype="int64", name=KEY[0].name)
    names = [column.name for column in COLUMNS]
    return typed(pd.DataFrame(rows, columns=names, index=index), COLUMNS)
