"""A corpus at a glance: as values for programs, as text, and for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

import acpinspect

if TYPE_CHECKING:
    from acpinspect.collection.examples import Example

__all__ = ["Overview"]

_MOST: Final = 10


@dataclass(frozen=True)
class Overview:
    """What a run over a corpus came to.

    Attributes:
        recordings: How many recordings there are.
        size: Bytes of them.
        rows: Rows of each table.
        agents: One row an agent, the most frequent first.
        clients: Sums for each agent and client.
        matrix: Shares of wrong messages, agents by clients.
        codes: One row a code, the most frequent first.
        problems: What could not be opened, read or made.
        examples: The smallest log of some codes.
    """

    recordings: int
    size: int
    rows: dict[str, int]
    agents: pd.DataFrame
    clients: pd.DataFrame
    matrix: pd.DataFrame
    codes: pd.DataFrame
    problems: pd.DataFrame
    examples: dict[str, Example]

    @property
    def sentence(self) -> str:
        """The corpus in one sentence."""
        unread = self.problems.index.nunique()
        said = (
            f"{_count(self.recordings, 'recording')}, {self.size / 1e6:,.1f} MB: "
            f"{_count(self.rows.get('sessions', 0), 'session')} of {_count(len(self.agents), 'agent')}, "
            f"{_count(self.rows.get('events', 0), 'event')}, {_count(self.rows.get('messages', 0), 'message')}, "
            f"{_count(self.rows.get('findings', 0), 'finding')}."
        )
        return f"{said} {_count(unread, 'recording')} could not be read." if unread else said

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "acpinspect": acpinspect.__version__,
            "recordings": self.recordings,
            "size": self.size,
            "rows": self.rows,
            "agents": _records(self.agents.reset_index()),
            "clients": _records(self.clients.reset_index()),
            "findings": [
                row | {"example": self._example(row["code"])} for row in _records(self.codes.reset_index())
            ],
            "problems": _records(self.problems.reset_index()),
        }

    def _example(self, code: str) -> str | None:
        example = self.examples.get(code)
        return f"examples/{code}.jsonl" if example is not None and example.events else None

    def to_text(self) -> str:
        """The same for people to read."""
        parts = [self.sentence, *self._agents(), *self._clients(), *self._findings(), *self._problems()]
        return "\n".join(parts) + "\n"

    def _agents(self) -> list[str]:
        lines = [
            f"  {agent}: {_count(int(row['sessions']), 'session')}, ids always in {row['always']:,}, sometimes in "
            f"{row['sometimes']:,}, never in {row['never']:,}{_without_messages(row)}"
            for agent, row in self.agents.head(_MOST).iterrows()
        ]
        return _part("Agents and their ids", lines, len(self.agents))

    def _clients(self) -> list[str]:
        """The clients, the worst first: in how many agents' sessions they show something wrongly."""
        wrong = (self.matrix > 0).sum().sort_values(ascending=False, kind="stable")
        mean = self.matrix.mean().to_dict()
        lines = [
            f"  {name}: something wrong with {_count(int(count), 'agent')} of {len(self.matrix):,}, "
            f"{mean[name]:.0%} of the messages of an agent on average"
            for name, count in wrong.items()
            if count
        ]
        return _part("Clients that would show them wrongly", lines[:_MOST], len(lines))

    def _findings(self) -> list[str]:
        lines = [
            f"  {code} ({row['severity']}): {row['findings']:,} in {_count(int(row['recordings']), 'recording')} "
            f"of {_count(int(row['agents']), 'agent')}"
            for code, row in self.codes.head(_MOST).iterrows()
        ]
        return _part("Findings", lines, len(self.codes))

    def _problems(self) -> list[str]:
        lines = [f"  {row.recording}: {row.message}" for row in self.problems.head(_MOST).itertuples()]
        return _part("Not read", lines, len(self.problems))


def _without_messages(row: pd.Series) -> str:
    """The sessions that the other numbers leave out: nothing is said in them, with or without ids."""
    rest = int(row["sessions"] - row["always"] - row["sometimes"] - row["never"])
    return f", no messages in {rest:,}" if rest else ""


def _part(title: str, lines: list[str], number: int) -> list[str]:
    more = [f"  and {number - len(lines):,} more: corpus.html has all"] if number > len(lines) else []
    return ["", f"{title}:", *lines, *more] if lines else []


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    plain = table.astype(object).where(table.notna(), None)
    return [
        {str(key): value.item() if hasattr(value, "item") else value for key, value in row.items()}
        for row in plain.to_dict("records")
    ]
