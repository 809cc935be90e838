"""Parquet in folders named ``agent=.../date=...``, as DuckDB, Polars, Spark and PyArrow read it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from acpinspect.collection.kinds import KEY

if TYPE_CHECKING:
    from acpinspect.collection.entries import Entry

__all__ = ["NOT_TOLD", "Folders", "Place", "Places", "folder_name", "places_of", "write_parquet"]

NOT_TOLD: Final = "__HIVE_DEFAULT_PARTITION__"
"""The folder's value where the log doesn't tell: it is read as NULL."""

_SAFE: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,47}", re.IGNORECASE)
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_FULL: Final = 64 << 20
"""Bytes that are held before they are written."""


def folder_name(agent: str | None) -> str:
    """The name of an agent as a folder can have it, whatever an agent calls itself; two agents never share one.

    Examples:
        >>> folder_name("keeper"), folder_name("@harbour/keeper acp")
        ('keeper', 'harbour_keeper_acp-7269e8cb')
        >>> folder_name(None)
        '__HIVE_DEFAULT_PARTITION__'
    """
    if agent is None:
        return NOT_TOLD
    if _SAFE.fullmatch(agent) and not agent.endswith("."):
        return agent
    digest = hashlib.sha256(agent.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{_UNSAFE.sub('_', agent).strip('._-')[:48]}-{digest}".lstrip("-")


class Place(NamedTuple):
    """Where rows belong: an agent, and the day (UTC) on which its session began; None where it is not told."""

    agent: str | None
    date: str | None

    @property
    def folder(self) -> str:
        """The folder of these rows, in the folder of their table."""
        return f"agent={folder_name(self.agent)}/date={self.date or NOT_TOLD}"


class Places(NamedTuple):
    """The places of the sessions of a recording.

    Attributes:
        sessions: The sessions, as a column.
        of_session: The place of each.
        others: Of what belongs to no session.
    """

    sessions: pa.Array
    of_session: list[Place]
    others: Place

    def parts(self, table: pa.Table) -> Iterator[tuple[Place, pa.Table]]:
        """The rows of a table of the recording, place by place."""
        known = dict.fromkeys([*self.of_session, self.others])
        if len(known) == 1:
            yield self.others, table
            return
        number = {place: i for i, place in enumerate(known)}
        of_session = np.array([*(number[place] for place in self.of_session), number[self.others]])
        at = pc.index_in(table["session_id"], self.sessions).fill_null(len(self.of_session))
        own = of_session[at.to_numpy()]
        for place, i in number.items():
            rows = own == i
            if rows.any():
                yield place, table.filter(pa.array(rows))


def places_of(sessions: pa.Table | None, events: pa.Table | None) -> Places:
    """Where the rows of a recording belong. What is in no session goes with the first one.

    Args:
        sessions: Its sessions; None where they could not be made.
        events: Its events, likewise.
    """
    if sessions is not None and sessions.num_rows:
        agents, days = sessions["agent"].to_pylist(), map(_day, _micro(sessions["started"]).to_pylist())
        found = [Place(agent, day) for agent, day in zip(agents, days, strict=True)]
        return Places(sessions["session_id"].combine_chunks(), found, found[0])
    first = None if events is None else _micro(pc.min(events["time"])).as_py()
    return Places(pa.array([], pa.large_string()), [], Place(None, _day(first)))


def _day(time: datetime | None) -> str | None:
    return None if time is None else time.date().isoformat()


def _micro(times: pa.Scalar | pa.ChunkedArray) -> pa.Scalar | pa.ChunkedArray:
    return pc.cast(times, pa.timestamp("us", "UTC"), safe=False)


class Folders:
    """Writes tables, part by part, each part of a place as a file of its own.

    Args:
        root: The folder of all tables.
        full: Bytes that are held before they are written.

    Attributes:
        rows: How many rows each table has.
    """

    def __init__(self, root: Path, full: int = _FULL) -> None:
        self.rows: dict[str, int] = {}
        self._root, self._full = root, full
        self._held: dict[str, list[pa.Table]] = {}
        self._size = self._files = 0

    def add(self, entry: Entry, name: str, table: pa.Table, places: Places | None) -> None:
        """Add the rows that a table has of a recording; to one folder, where no places are given.

        Raises:
            OSError: If they can't be written.
        """
        self.rows[name] = self.rows.get(name, 0) + table.num_rows
        keyed = _with_key(entry, table)
        if places is None:
            self._hold(name, keyed)
        else:
            for place, part in places.parts(_with_agent_name(keyed)):
                self._hold(f"{name}/{place.folder}", part)
        if self._size >= self._full:
            self.flush()

    def _hold(self, folder: str, part: pa.Table) -> None:
        if part.num_rows:
            self._held.setdefault(folder, []).append(part)
            self._size += part.nbytes

    def flush(self) -> None:
        """Write what is held. Each file has a number of its own: on some disks `A` and `a` are one folder."""
        for folder, parts in self._held.items():
            target = self._root / folder / f"part-{self._files:05}.parquet"
            target.parent.mkdir(parents=True, exist_ok=True)
            write_parquet(pa.concat_tables(parts), target)
            self._files += 1
        self._held.clear()
        self._size = 0


def _with_key(entry: Entry, table: pa.Table) -> pa.Table:
    n = table.num_rows
    names = pa.array([entry.label], pa.large_string())
    name = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), names)
    return table.add_column(0, KEY[1].name, name).add_column(0, KEY[0].name, pa.array(np.full(n, entry.number)))


def _with_agent_name(table: pa.Table) -> pa.Table:
    """The name of the folder becomes the column `agent`; what the agent calls itself is `agent_name`."""
    return table.rename_columns(["agent_name" if name == "agent" else name for name in table.schema.names])


def write_parquet(table: pa.Table, target: Path) -> None:
    """Write a table so that every reader of Parquet understands it: times in microseconds, plain strings."""
    plain = [pa.large_string() if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    pq.write_table(
        table.cast(pa.schema(zip(table.schema.names, plain, strict=True))),
        target,
        compression="zstd",
        coerce_timestamps="us",
        allow_truncated_timestamps=True,
        store_schema=False,
    )
