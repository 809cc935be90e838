"""A corpus as a folder: Parquet tables, a summary, a page, and the smallest example of each frequent finding."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from acpinspect.collection.examples import Example, Wanted, example_of
from acpinspect.collection.hive import Folders, places_of, write_parquet
from acpinspect.collection.overview import Overview
from acpinspect.collection.own_rules import own_rules
from acpinspect.collection.page import page
from acpinspect.collection.problem_table import problem_table
from acpinspect.collection.totals import Totals, agents_table, clients_table, codes_table, matrix
from acpinspect.errors import ArgumentError, SourceError

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.collection.engines import Engine
    from acpinspect.collection.entries import Entry
    from acpinspect.collection.kinds import Ask
    from acpinspect.collection.recording_events import Reading

__all__ = ["Output", "write_output"]

_MARK: Final = "summary.json"
"""A folder that holds this file is one that was written here."""


@dataclass(frozen=True)
class Output:
    """What is to be written.

    Attributes:
        recordings: The recordings, as `Corpus.recordings` lists them.
        entries: The recordings themselves.
        reading: How they are read.
        asks: The tables; `sessions` and `events` among them.
        examples: Of how many codes an example is wanted.
    """

    recordings: pd.DataFrame
    entries: Sequence[Entry]
    reading: Reading
    asks: Sequence[Ask]
    examples: int


def write_output(output: Output, engine: Engine, folder: Path, *, overwrite: bool) -> Overview:
    """Write all of it into a folder that is there as a whole or not at all.

    Raises:
        ArgumentError: If the folder holds something else, or holds an earlier run and may not be overwritten.
        SourceError: If it can't be written.
    """
    _check(folder, overwrite=overwrite)
    try:
        with _in_one_go(folder) as partial:
            overview = _written(output, engine, partial)
    except (OSError, pa.ArrowException) as error:
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else error
        raise SourceError(f"{folder} can't be written: {reason}. Nothing was left behind.") from error
    return overview


def _check(folder: Path, *, overwrite: bool) -> None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir() or not _is_ours(folder):
        raise ArgumentError(f"{folder} holds something else. Name a folder that is new or empty.")
    if not overwrite:
        raise ArgumentError(
            f"{folder} holds the tables of an earlier run. Say to overwrite it, or name another one."
        )


def _is_ours(folder: Path) -> bool:
    try:
        return "acpinspect" in json.loads((folder / _MARK).read_bytes())
    except (OSError, ValueError, TypeError):
        return False


@contextmanager
def _in_one_go(folder: Path) -> Iterator[Path]:
    """A folder beside the one that is meant, which takes its place in the end."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        partial.chmod(0o755)
        yield partial
        if folder.exists():
            folder.replace(old := partial.with_name(f"{partial.name}-old"))
            partial.replace(folder)
            shutil.rmtree(old)
        else:
            partial.replace(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _written(output: Output, engine: Engine, folder: Path) -> Overview:
    totals, folders = Totals(), Folders(folder)
    names = [ask.table for ask in output.asks]
    for outcome in engine.outcomes(output.asks):
        made = {name: table for name, table in zip(names, outcome.tables, strict=True) if table is not None}
        totals.problems += [(outcome.entry, problem) for problem in outcome.problems]
        totals.add(outcome.entry, made)
        places = places_of(made.get("sessions"), made.get("events"))
        for name, table in made.items():
            folders.add(outcome.entry, name, table, None if name == "clients" else places)
    folders.flush()
    totals.settle()
    problems = problem_table(totals.problems)
    for name, table in (("problems", problems), ("recordings", output.recordings)):
        write_parquet(pa.Table.from_pandas(table), folder / f"{name}.parquet")
    codes = codes_table(totals)
    examples = _examples(output, engine, codes, folder / "examples")
    rows = {name: folders.rows.get(name, 0) for name in names}
    overview = _overview(output, totals, rows, codes, problems, examples)
    (folder / _MARK).write_text(json.dumps(overview.to_dict(), indent=1) + "\n", encoding="utf-8")
    (folder / "summary.txt").write_text(overview.to_text(), encoding="utf-8", errors="replace")
    (folder / "corpus.html").write_text(page(overview), encoding="utf-8", errors="replace")
    return overview


def _overview(
    output: Output,
    totals: Totals,
    rows: dict[str, int],
    codes: pd.DataFrame,
    problems: pd.DataFrame,
    examples: dict[str, Example],
) -> Overview:
    agents, clients = agents_table(totals), clients_table(totals)
    return Overview(
        recordings=len(output.entries),
        size=sum(entry.size for entry in output.entries),
        rows=rows,
        agents=agents,
        clients=clients,
        matrix=matrix(clients, agents.index.tolist()),
        codes=codes,
        problems=problems,
        examples=examples,
    )


def _examples(output: Output, engine: Engine, codes: pd.DataFrame, folder: Path) -> dict[str, Example]:
    """The smallest logs of the most frequent codes, written into the folder."""
    wanted = [
        Wanted(output.entries[int(row["number"])], output.reading, str(code), int(row["event"]), own_rules())
        for code, row in codes.head(output.examples).iterrows()
    ]
    found = {example.code: example for example in engine.each(example_of, wanted)}
    shown = [example for example in found.values() if example.events]
    if shown:
        folder.mkdir()
    for example in shown:
        (folder / f"{example.code}.jsonl").write_text(example.lines, encoding="utf-8", newline="\n")
    return found
