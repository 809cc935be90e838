"""Reads `tests/data/rule_cases.txt`: small logs, each for one code, with marks where it speaks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acpinspect.diagnostics.sketch import sketched

SEVERITIES = {"e": "error", "w": "warning", "i": "info"}


@dataclass(frozen=True)
class Case:
    """One log and what the code says in it."""

    code: str
    version: str
    alone: bool
    shows: str
    lines: tuple[str, ...]
    told: tuple[tuple[int, str], ...]
    """Number of the frame, and what is said there, as it is written below it."""

    @property
    def frames(self) -> list[dict[str, Any]]:
        return sketched("\n".join(self._frame_lines), self.version)

    @property
    def marks(self) -> list[tuple[int, str, str]]:
        """Event, code and severity of each mark."""
        marked = [(i, line.split(" ")[0]) for i, line in enumerate(self.lines) if line.startswith(">")]
        return [(i, self.code, SEVERITIES[mark[1]]) for i, mark in marked for _ in range(int(mark[2:] or 1))]

    @property
    def sentences(self) -> list[tuple[int, list[int], str]]:
        """Event, other events of the evidence and message of each mark."""
        read = []
        for event, line in self.told:
            others, _, message = line.partition("] ") if line.startswith("[") else ("[", "", line)
            read.append((event, json.loads(f"{others}]"), message))
        return read

    @property
    def _frame_lines(self) -> list[str]:
        return [line.split(" ", 1)[1] if line.startswith(">") else line for line in self.lines]

    def __str__(self) -> str:
        return f"{self.code}-{self.version}-{self.shows}"


def read_cases() -> list[Case]:
    """All cases of the file."""
    path = Path(__file__).parents[1] / "data" / "rule_cases.txt"
    _, *blocks = ("\n" + path.read_text(encoding="utf-8")).split("\n== ")
    return [_case(block.splitlines()) for block in blocks]


def _case(block: list[str]) -> Case:
    code, version, shows = block[0].split(" ", 2)
    alone = shows.startswith("alone ")
    lines: list[str] = []
    told = []
    for line in filter(str.strip, block[1:]):
        if line.startswith("= "):
            told.append((len(lines) - 1, line.removeprefix("= ")))
        else:
            lines.append(line)
    return Case(code, version, alone, shows.removeprefix("alone "), tuple(lines), tuple(told))
