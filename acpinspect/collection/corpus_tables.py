"""A corpus: many recordings as one thing, and the tables of all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pandas as pd

from acpinspect.collection.asks import (
    EVENTS,
    ask_clients,
    ask_comparison,
    ask_findings,
    ask_messages,
    ask_sessions,
)
from acpinspect.collection.engines import Engine, Table
from acpinspect.collection.entries import Entry, Reopener
from acpinspect.collection.kinds import KEY, Ask
from acpinspect.collection.recording_events import Reading, recording_events
from acpinspect.diagnostics.options import OptionsLike
from acpinspect.errors import ArgumentError, SourceError
from acpinspect.events import Column

if TYPE_CHECKING:
    from acpinspect.collection.overview import Overview
    from acpinspect.diagnostics.findings import Severity
    from acpinspect.grouping.applying import AnyPolicy

__all__ = ["COLUMNS", "Corpus"]

COLUMNS: Final[tuple[Column, ...]] = (
    Column("recording", "string", "Name of the recording: the path or url of its file, or of its active file."),
    Column("files", "int64", "How many files it is made of."),
    Column("size", "int64", "Bytes of these files; members of an archive share its size."),
)


class Corpus:
    """Many recordings as one thing. `corpus` makes it.

    Every table has the number of the recording as its index and its name as the first column. Events keep the
    numbers that they have in the table of their own recording, which `events_of` gives. With ``engine="local"``
    tables are pandas' and are made when they are asked for; with ``engine="dask"`` they are Dask's, made when they
    are computed, with the same rows.

    Args:
        entries: The recordings.
        reading: How they are read.
        engine: What makes the tables.

    Example:
        >>> import acpinspect, pathlib, tempfile
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in "ab":
        ...         events = acpinspect.from_records([chunk("I am done."), chunk("Now I write.")])
        ...         acpinspect.write(events, pathlib.Path(folder) / f"{name}.jsonl")
        ...     logs = acpinspect.corpus(folder)
        ...     findings = logs.findings(severity="warning")
        >>> findings["code"].tolist(), findings.index.tolist(), findings["event"].tolist()
        (['glued-boundary', 'glued-boundary'], [0, 1], [1, 1])
    """

    def __init__(self, entries: Sequence[Entry], reading: Reading, engine: Engine) -> None:
        self._entries, self._reading, self._engine = tuple(entries), reading, engine
        self._asked: dict[Ask, None] = {}

    @property
    def recordings(self) -> pd.DataFrame:
        """The recordings that were found, nothing of which has been read yet.

        The index is their number; the columns are `recording`, `files`, `size` (bytes). What could not be opened
        is among them, with the size 0, and in `problems`.
        """
        rows = [(one.label, len(one.files), one.size) for one in self._entries]
        table = pd.DataFrame(rows, columns=[column.name for column in COLUMNS])
        table.index.name = KEY[0].name
        return table.astype({column.name: column.dtype for column in COLUMNS})

    @cached_property
    def sessions(self) -> Table:
        """One row a session: agent, client, protocol, ids, counts, findings by severity, times.

        The columns are those of `acpinspect.collection.session_table.COLUMNS`, after `recording`.
        """
        return self._table(ask_sessions())

    @property
    def problems(self) -> Table:
        """One row for what can't be opened, read or made, as far as tables were asked for; at first, `sessions`.

        Columns: `recording`, `stage` (``open``, ``read``, or the table), `error`, `message`.
        """
        if not self._asked:
            _ = self.sessions
        return self._engine.problems(list(self._asked))

    def events(self) -> Table:
        """The events tables of all recordings: `recording`, `event`, and the columns of `load`."""
        return self._table(EVENTS)

    def messages(self, policy: AnyPolicy = "spec") -> Table:
        """The messages of all recordings: `recording`, `message`, and the columns of `acpinspect.messages`.

        Args:
            policy: What `acpinspect.messages` takes.

        Raises:
            ArgumentError: If there is no such policy.
        """
        return self._table(ask_messages(policy))

    def findings(
        self,
        *,
        codes: Iterable[str] | str | None = None,
        severity: Severity | None = None,
        policy: AnyPolicy = "spec",
        options: OptionsLike = None,
    ) -> Table:
        """The findings in all recordings: `recording`, `finding`, and the columns of `acpinspect.diagnose`.

        Args:
            codes: As `acpinspect.diagnose` takes them, like all that follow.
            severity: Only findings at least as grave.
            policy: The policy whose messages the rules look at.
            options: Thresholds.

        Raises:
            ArgumentError: If there is no such code, severity, policy or option.
        """
        return self._table(ask_findings(codes, severity, policy, options))

    def compare(self, a: AnyPolicy = "ids", b: AnyPolicy = "heuristic") -> Table:
        """How two groupings of each recording differ: one row a recording.

        Args:
            a: The policy that is taken as right.
            b: The policy that is held against it.

        Returns:
            `recording`, and the columns of `acpinspect.collection.comparing.COLUMNS`.

        Raises:
            ArgumentError: If there is no such policy.
        """
        return self._table(ask_comparison(a, b))

    def compare_clients(self, policies: Sequence[AnyPolicy] | None = None, truth: AnyPolicy = "spec") -> Table:
        """What each client makes of each recording: one row for each client, of each agent in it.

        Args:
            policies: The clients; all that there are, if none are named.
            truth: The policy that is taken as right.

        Returns:
            `recording`, `agent`, `policy`, and the columns of `acpinspect.compare_clients`.

        Raises:
            ArgumentError: If there is no such policy.
        """
        return self._table(ask_clients(policies, truth))

    def events_of(self, recording: int | str) -> pd.DataFrame:
        """The events table of one recording, as `load` gives it: to step through it, report it, minimize it.

        Args:
            recording: Its number or its name.

        Raises:
            ArgumentError: If there is none.
            SourceError: If it can't be read, or holds no ACP traffic.
        """
        entry = self._entry(recording)
        if entry.problem is not None:
            raise SourceError(entry.problem.message)
        return recording_events(Reopener()(entry), self._reading)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        policies: Sequence[AnyPolicy] | None = None,
        examples: int = 10,
        overwrite: bool = False,
    ) -> Overview:
        """Write all tables as Parquet, with a summary, a page, and examples of the most frequent findings.

        The tables `sessions`, `events`, `messages` and `findings` lie in folders named ``agent=.../date=...`` (the
        day on which a session began, UTC), which DuckDB, Polars, Spark and PyArrow read as columns; what a log
        doesn't tell is NULL there. See the page "Many logs" of the documentation.

        Args:
            folder: Where to; new or empty. It is there as a whole in the end, or not at all.
            policies: The clients of the table `clients`; all, if none are named. An empty list leaves it out.
            examples: Of how many codes, the most frequent first, the smallest log is cut out.
            overwrite: Whether the tables of an earlier run may be replaced.

        Returns:
            What the summary holds. Memory: some recordings at a time, and a row for each session, code and client.

        Raises:
            ArgumentError: If the folder holds something else.
            SourceError: If it can't be written.
            WorkerError: If the worker processes can't begin.
        """
        from acpinspect.collection.output import Output, write_output

        asks = [ask_sessions(), EVENTS, ask_messages("spec"), ask_findings()]
        if policies is None or len(policies):
            asks.append(ask_clients(policies, "spec"))
        output = Output(self.recordings, self._entries, self._reading, asks, examples)
        return write_output(output, self._engine, Path(folder), overwrite=overwrite)

    def _entry(self, recording: int | str) -> Entry:
        for entry in self._entries:
            if recording in (entry.number, entry.name, entry.label):
                return entry
        raise ArgumentError(f"There is no recording {recording!r} in this corpus; `recordings` lists them.")

    def _table(self, ask: Ask) -> Table:
        self._asked[ask] = None
        return self._engine.table(ask)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        size = sum(entry.size for entry in self._entries)
        return f"<Corpus of {len(self._entries):,} recordings, {size / 1e6:,.1f} MB>"
