"""SQLite stores of ACP traffic: a row a message, or a row an update.

Sources: acp-devtools ``storage/sqlite.ts`` (``messages``), rivet sandbox-agent ``persist-sqlite`` (``events``),
OpenClaw ``acp_replay_events``, agent-of-empires ``cockpit_events`` (events of its own). One rule reads them and
others of the kind: the table and the column with the most messages are found by what stands in them; time,
direction, connection, session and order by the columns' names.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from acpinspect.reading.clocks import NO_STAMP, Stamp, stamp_of_number, stamp_of_text
from acpinspect.reading.document import Document
from acpinspect.reading.envelopes import Found, open_value
from acpinspect.reading.frames import Frame
from acpinspect.reading.jsontext import soundness
from acpinspect.reading.notation.builder import NotationError
from acpinspect.reading.notation.compact import write_json
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.siblings import Siblings
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.sqlite_files import DAMAGE, MAGIC, Table, open_database, quoted, tables_of
from acpinspect.reading.wire.empires_events import empires_message
from acpinspect.reading.wire.lost_ids import LostIds, lost_id_problem

_SAMPLE = 200
_NAMES: dict[str, Sequence[str]] = {
    "time": ("timestamp", "created_at", "at", "ts", "time", "recorded_at", "received_at", "logged_at", "date"),
    "label": ("direction", "dir", "sender", "side", "source", "origin", "role"),
    "connection": ("connection_id", "connection", "conn_id", "process_id", "run"),
    "session": ("acp_session_id", "agent_session_id", "session_id", "session"),
    "order": ("seq", "event_index", "sequence", "idx", "position", "ordinal", "number"),
}
"""By what a column says, the names that it may have, the likeliest first."""


@dataclass(frozen=True)
class _Store:
    """Where the messages are in a database: a table, the column that holds them, and the columns beside it."""

    table: Table
    payload: str
    beside: Mapping[str, str]


def _frames(document: Document) -> Iterator[Frame]:
    with open_database(document) as connection:
        store = _find_store(connection)
        if store is None:
            return
        ids, count = LostIds(), 0
        try:
            for row in _rows(connection, store):
                yield from _row_frames(document.name, row, ids)
                count += 1
        except DAMAGE as error:
            if not count:
                raise
            problem = f"the database is damaged after row {count}: {error}"
            yield Frame(raw="", source=document.name, kind="unreadable", problem=problem)


def _find_store(connection: sqlite3.Connection) -> _Store | None:
    """The table and column in which the most of the first rows hold messages."""
    best: tuple[float, _Store] | None = None
    for table in tables_of(connection):
        for column, share in _shares(connection, table):
            if share and (best is None or share > best[0]):
                best = share, _Store(table, column, _columns_beside(table, column))
    return best[1] if best else None


def _shares(connection: sqlite3.Connection, table: Table) -> Iterator[tuple[str, float]]:
    """For each column, the share of the first rows in which it holds a message."""
    if not table.columns:
        return
    names = ", ".join(map(quoted, table.columns))
    statement = f"SELECT {names} FROM {quoted(table.name)} LIMIT {_SAMPLE}"  # noqa: S608 - names are quoted
    rows = _first_rows(connection, statement)
    for place, column in enumerate(table.columns):
        held = sum(1 for row in rows if _holds_message(row[place]))
        yield column, held / len(rows) if rows else 0.0


def _first_rows(connection: sqlite3.Connection, statement: str) -> list[tuple[object, ...]]:
    """The rows up to where the database is damaged, if it is."""
    rows: list[tuple[object, ...]] = []
    with suppress(*DAMAGE):
        rows.extend(connection.execute(statement))
    return rows


def _holds_message(value: object) -> bool:
    text = _text(value)
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return False
    with suppress(NotationError):
        return bool(_found(text, None, LostIds()))
    return False


def _columns_beside(table: Table, payload: str) -> dict[str, str]:
    by_name = {column.lower(): column for column in table.columns if column != payload}
    beside: dict[str, str] = {}
    for meaning, names in _NAMES.items():
        spelled = (spelling for name in names for spelling in (name, name.replace("_", "")))
        found = next((by_name[name] for name in spelled if name in by_name), None)
        if found is not None:
            beside[meaning] = found
    return beside


_Row = Mapping[str, object]


def _rows(connection: sqlite3.Connection, store: _Store) -> Iterator[_Row]:
    meanings = {"payload": store.payload, **store.beside}
    names = ", ".join(f"{quoted(column)} AS {quoted(meaning)}" for meaning, column in meanings.items())
    order = _order(connection, store)
    statement = f"SELECT {names} FROM {quoted(store.table.name)} {order}"  # noqa: S608 - names are quoted
    for row in connection.execute(statement):
        yield dict(zip(meanings, row, strict=True))


def _order(connection: sqlite3.Connection, store: _Store) -> str:
    """The order in which the rows came.

    That is the order of their numbers, unless the store's own count within a session contradicts it: then one
    session stands after the other, each by its count.
    """
    table, count, session = quoted(store.table.name), store.beside.get("order"), store.beside.get("session")
    by_count = ", ".join(quoted(column) for column in (session, count) if column)
    if not store.table.has_rowid:
        return f"ORDER BY {by_count}" if by_count else ""
    if count is None:
        return "ORDER BY rowid"
    if _counts_up(connection, table, count, session):
        return "ORDER BY rowid"
    if session is None:
        return f"ORDER BY {by_count}, rowid"
    return f"ORDER BY min(rowid) OVER (PARTITION BY {quoted(session)}), {quoted(count)}, rowid"


def _counts_up(connection: sqlite3.Connection, table: str, count: str, session: str | None) -> bool:
    """Whether a column counts up along the rows' numbers, within each session; so also where damage hides it."""
    group = f"PARTITION BY {quoted(session)} " if session else ""
    steps = f"SELECT {quoted(count)} AS n, lag({quoted(count)}) OVER ({group}ORDER BY rowid) AS m FROM {table}"  # noqa: S608
    with suppress(*DAMAGE):
        return connection.execute(f"SELECT 1 FROM ({steps}) WHERE m > n LIMIT 1").fetchone() is None  # noqa: S608
    return True


def _row_frames(source: str, row: _Row, ids: LostIds) -> list[Frame]:
    text = _text(row["payload"])
    if text is None:
        return [_frame(source, row, Found("", Siblings(), "other", "no message in this row"))]
    session = _text(row.get("session"))
    try:
        found = _found(text, session, ids)
    except NotationError as error:
        return [_frame(source, row, Found(text, Siblings(), "unreadable", str(error)))]
    if not found:
        sound = soundness(text.encode("utf-8", "replace"))
        kind, problem = ("other", "no JSON-RPC message") if sound.sound else ("unreadable", sound.problem)
        found = [Found(text, Siblings(), kind, problem)]  # type: ignore[arg-type]
    return [_frame(source, row, one) for one in found]


def _found(text: str, session: str | None, ids: LostIds) -> list[Found]:
    """The messages in a row's text: as they are, or as agent-of-empires tells of them."""
    found = _empires(text, session, ids)
    if found:
        return found
    beside = Siblings(session=None if session is None else json.dumps(session))
    data = text.encode("utf-8", "replace")
    return open_value(data.strip(), beside) if soundness(data).sound else []


_EMPIRES = re.compile(r'\s*\{\s*"([A-Z][A-Za-z]+)"\s*:\s*\{')


def _empires(text: str, session: str | None, ids: LostIds) -> list[Found]:
    if not _EMPIRES.match(text):
        return []
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return []
    message = empires_message(event, session, ids)
    if message is None:
        return []
    own = None if "RawAgentUpdate" in event else "lossy: retold by agent-of-empires"
    problem = "; ".join(filter(None, (own, lost_id_problem(message)))) or None
    sender = "client" if message.get("method") in ("session/prompt", "session/cancel") else "agent"
    return [
        Found(write_json(message), Siblings(), problem=problem, sender="client" if sender == "client" else "agent")
    ]


def _frame(source: str, row: _Row, found: Found) -> Frame:
    stamp = _stamp(row.get("time"))
    if stamp is NO_STAMP:
        stamp = found.beside.stamp
    return Frame(
        raw=found.raw,
        source=source,
        time=stamp.time,
        elapsed=stamp.elapsed,
        clock=stamp.clock,
        label=_text(row.get("label")) or found.beside.label,
        sender=found.sender,
        kind=found.kind,
        problem=found.problem,
        connection=_connection(row) or found.beside.connection,
    )


def _connection(row: _Row) -> str | None:
    """A store's own session number (a recording's, not the agent's) tells connections apart as well."""
    named = _text(row.get("connection"))
    session = row.get("session")
    return str(session) if named is None and isinstance(session, int) else named


def _stamp(value: object) -> Stamp:
    if isinstance(value, int | float):
        return stamp_of_number(str(value))
    return stamp_of_text(value) if isinstance(value, str) else NO_STAMP


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None if value is None else str(value)


def _with(*names: str) -> Callable[[Sniff], str | None]:
    """Recognises a store by names in its schema, which stands in the first pages of a database."""

    def sniff(sniff: Sniff) -> str | None:
        if not sniff.head.startswith(MAGIC) or not all(name.encode() in sniff.head for name in names):
            return None
        return f"a SQLite database whose schema has {', '.join(names)}"

    return sniff


def _sniff_any(sniff: Sniff) -> str | None:
    return "a SQLite database" if sniff.head.startswith(MAGIC) else None


def _dialect(name: str, title: str, writer: str, sniff: Callable[[Sniff], str | None], order: int) -> Dialect:
    lossy = writer == "agent-of-empires"
    return Dialect(name=name, title=title, writer=writer, sniff=sniff, frames=_frames, order=order, lossy=lossy)


register(
    _dialect("openclaw-sqlite", "OpenClaw's replay store", "OpenClaw", _with("acp_replay_events"), 10),
    _dialect(
        "agent-of-empires-sqlite",
        "The event store of agent-of-empires",
        "agent-of-empires",
        _with("cockpit_events", "event_json"),
        10,
    ),
    _dialect(
        "acp-devtools-sqlite",
        "Captures of acp-devtools",
        "acp-devtools",
        _with("messages", "agent_command", "payload_json", "parse_error"),
        10,
    ),
    _dialect(
        "sandbox-agent-sqlite",
        "Events of sandbox-agent",
        "sandbox-agent",
        _with("events", "agent_session_id", "event_index", "payload_json"),
        10,
    ),
    _dialect("sqlite", "Any SQLite database with messages or updates as JSON", "various", _sniff_any, 12),
)
