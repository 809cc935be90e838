"""SQLite databases, opened so that nothing is written and nothing in them is run.

A database that is a file is opened read-only, with its write-ahead log where one stands beside it; others are
loaded into memory. Only plain columns of plain tables are read: views, virtual tables and generated columns, which
could hold code, are left alone.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from acpinspect.errors import SourceError
from acpinspect.reading.document import Document

__all__ = ["DAMAGE", "MAGIC", "Table", "open_database", "quoted", "tables_of"]

MAGIC = b"SQLite format 3\x00"
"""The first bytes of every SQLite database."""

DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged database raises; the latter when SQLite's own message is no UTF-8."""

_LONGEST_VALUE = 256 * 1024 * 1024
_WRITE_VERSION = slice(18, 20)
_WAL = b"\x02\x02"
_ROLLBACK = b"\x01\x01"


@dataclass(frozen=True)
class Table:
    """A plain table.

    Attributes:
        name: Its name.
        columns: Its plain columns' names, in order.
        has_rowid: Whether its rows have a number of their own.
    """

    name: str
    columns: tuple[str, ...]
    has_rowid: bool


def quoted(identifier: str) -> str:
    """An identifier as SQL writes it, whatever stands in it.

    Examples:
        >>> quoted('odd"name')
        '"odd""name"'
    """
    return '"' + identifier.replace('"', '""') + '"'


@contextmanager
def open_database(document: Document) -> Iterator[sqlite3.Connection]:
    """A document's database, for reading only.

    Args:
        document: A document whose (decompressed) bytes are a SQLite database.

    Yields:
        The connection; text that isn't UTF-8 comes with replacement characters.

    Raises:
        SourceError: The database can't be opened, or is damaged.
    """
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(closing(_connect(document, stack)))
            connection.text_factory = _decoded
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            yield connection
        except (*DAMAGE, sqlite3.Error, OSError, OverflowError) as error:
            raise SourceError(f"{document.name} is a SQLite database that can't be read: {error}.") from error


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _connect(document: Document, stack: ExitStack) -> sqlite3.Connection:
    if document.path is None or not _is_plain_file(document.path):
        return _in_memory(document.data)
    path, option = _way_to(document.path, stack)
    try:
        return _checked(sqlite3.connect(f"{path.resolve().as_uri()}?{option}", uri=True))
    except sqlite3.OperationalError:
        # A lock, or a journal to be rolled back: what the file itself holds can be read all the same.
        return _in_memory(document.data)


def _is_plain_file(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(len(MAGIC)) == MAGIC


def _way_to(path: Path, stack: ExitStack) -> tuple[Path, str]:
    """The file and the options with which SQLite reads it and makes no file beside it.

    In WAL mode it would make an index beside the database: where there is a log without an index, both are copied
    first; where there is no log, the file counts as unchanging.
    """
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    if log.exists() and not index.exists():
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="acpinspect-")))
        shutil.copyfile(log, folder / log.name)
        return Path(shutil.copyfile(path, folder / path.name)), "mode=rw"
    with path.open("rb") as stream:
        in_wal_mode = stream.read(20)[_WRITE_VERSION] == _WAL
    return path, "mode=ro&immutable=1" if in_wal_mode and not log.exists() else "mode=ro"


def _in_memory(data: bytes) -> sqlite3.Connection:
    """The database in memory; it has no write-ahead log there, and so must not ask for one."""
    image = bytearray(data)
    if image[_WRITE_VERSION] == _WAL:
        image[_WRITE_VERSION] = _ROLLBACK
    return _checked(sqlite3.connect(":memory:"), bytes(image))


def _checked(connection: sqlite3.Connection, image: bytes | None = None) -> sqlite3.Connection:
    """The connection, if its schema can be read; else it is closed."""
    with ExitStack() as stack:
        stack.enter_context(closing(connection))
        if image is not None:
            connection.deserialize(image)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        stack.pop_all()
    return connection


def tables_of(connection: sqlite3.Connection) -> list[Table]:
    """The plain tables, in the order in which they were made."""
    statement = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    rows = connection.execute(statement).fetchall()
    return [
        _table(connection, name)
        for name, sql in rows
        if isinstance(name, str) and not name.startswith("sqlite_") and not _is_virtual(sql)
    ]


def _is_virtual(sql: object) -> bool:
    return not isinstance(sql, str) or sql.lstrip()[:14].upper() == "CREATE VIRTUAL"


def _table(connection: sqlite3.Connection, name: str) -> Table:
    columns = connection.execute("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", (name,)).fetchall()
    try:
        connection.execute(f"SELECT rowid FROM {quoted(name)} LIMIT 0")  # noqa: S608 - the name is quoted
    except sqlite3.OperationalError:
        return Table(name, tuple(str(column) for (column,) in columns), has_rowid=False)
    return Table(name, tuple(str(column) for (column,) in columns), has_rowid=True)
