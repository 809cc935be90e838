"""Tables kept in a folder: one Parquet file for each recording and table, named by all that it was made of.

The name is a digest of the content of the recording's files, their names, the way of reading, the table's options
and the version of acpinspect. What can't be read back, or can't be written, is computed as if there were no cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import acpinspect
from acpinspect.collection.arrow_tables import schema_of
from acpinspect.collection.entries import Entry, Problem
from acpinspect.collection.urls import is_url, opened
from acpinspect.grouping import Policy

if TYPE_CHECKING:
    import pyarrow as pa

    from acpinspect.collection.kinds import Ask
    from acpinspect.collection.recording_events import Reading

__all__ = ["Cache", "can_be_kept"]

_FORM: Final = 1
"""Goes up when the files of the cache are made in another way."""

_SETTLED: Final = 2.0
"""Seconds since its last change after which a file's size and times vouch for its content."""

_PIECE: Final = 1 << 20


def can_be_kept(ask: Ask) -> bool:
    """Whether the options of a table say all of it: what a function of the user's does, nobody can tell."""
    return all(_is_told(value) for _, value in ask.options)


def _is_told(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_told, value))
    return isinstance(value, Policy) or not callable(value)


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder with tables.

    Attributes:
        folder: The folder; it is made when something is written.
    """

    folder: str

    def key(self, entry: Entry, reading: Reading) -> str | None:
        """What stands for the content of a recording as it is now; None where it can't be read."""
        digest = hashlib.sha256()
        digest.update(
            repr((_FORM, acpinspect.__version__, entry.name, reading)).encode("utf-8", "backslashreplace")
        )
        try:
            for file in entry.files:
                digest.update(f"\0{file}\0".encode("utf-8", "backslashreplace") + self._content(file))
        except Exception:  # noqa: BLE001  (file systems have errors of their own; reading will tell of it)
            return None
        return digest.hexdigest()

    def get(self, key: str, ask: Ask) -> pa.Table | None:
        """A table, if it is there and whole."""
        import pyarrow.parquet as pq

        path = self._path(key, ask)
        if not path.exists():
            return None
        try:
            table = pq.ParquetFile(path, page_checksum_verification=True).read()
            return _as_written(table, schema_of(ask.table))
        except Exception:  # noqa: BLE001  (whatever a damaged file leads to)
            return None

    def marks(self, entry: Entry) -> object:
        """What differs when a recording has changed since; None where it can't be read any more."""
        try:
            return [_digest(opened(file)) if is_url(file) else _all_marks(Path(file)) for file in entry.files]
        except Exception:  # noqa: BLE001  (file systems have errors of their own)
            return None

    def has(self, entry: Entry, reading: Reading, asks: Sequence[Ask]) -> bool:
        """Whether all that can be said of a recording is there."""
        key = self.key(entry, reading)
        if key is None:
            return False
        return self._said(key).exists() or all(self._path(key, ask).exists() for ask in asks)

    def problem(self, key: str) -> Problem | None:
        """Why a recording can't be read, if that is known."""
        said = _read_json(self._said(key))
        try:
            return Problem(**said)  # type: ignore[arg-type]
        except TypeError:
            return None

    def put_problem(self, key: str, problem: Problem) -> None:
        """Keep why a recording can't be read, where that lies in its content."""
        said = json.dumps(asdict(problem)).encode()
        with suppress(OSError):
            _write(self._said(key), lambda file: file.write(said))

    def _said(self, key: str) -> Path:
        return Path(self.folder) / "tables" / key[:2] / f"{key[2:]}-problem.json"

    def put(self, key: str, ask: Ask, table: pa.Table) -> str | None:
        """Keep a table; why that was not possible, if so."""
        import pyarrow.parquet as pq

        few = _dictionaries(table)

        def write(file: IO[bytes]) -> None:
            pq.write_table(table, file, compression="lz4", use_dictionary=few, write_page_checksum=True)

        try:
            _write(self._path(key, ask), write)
        except OSError as error:
            return os.strerror(error.errno) if error.errno else str(error)
        return None

    def _path(self, key: str, ask: Ask) -> Path:
        options = hashlib.sha256(repr(ask.options).encode("utf-8", "backslashreplace")).hexdigest()[:12]
        return Path(self.folder) / "tables" / key[:2] / f"{key[2:]}-{ask.table}-{options}.parquet"

    def _content(self, file: str) -> bytes:
        """The digest of a file's content; known already where nothing about the file has changed."""
        if is_url(file):
            return _digest(opened(file))
        parts, marks = _parts(Path(file)), _all_marks(Path(file))
        seen = self._seen(parts[0])
        known = _read_json(seen)
        if known.get("marks") == marks:
            return bytes.fromhex(str(known["digest"]))
        now = time.time_ns()
        digest = b"".join(_digest(part.open("rb")) for part in parts)
        if all(now - max(times) > _SETTLED * 1e9 for _, _, *times in marks):
            said = json.dumps({"marks": marks, "digest": digest.hex()}).encode()
            with suppress(OSError):
                _write(seen, lambda file: file.write(said))
        return digest

    def _seen(self, path: Path) -> Path:
        name = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:32]
        return Path(self.folder) / "seen" / name[:2] / f"{name[2:]}.json"


def _parts(path: Path) -> list[Path]:
    """The file, and the write-ahead log of a database: what stands in it is part of the content."""
    log = path.with_name(f"{path.name}-wal")
    return [path, log] if log.is_file() else [path]


def _all_marks(path: Path) -> list[list[int]]:
    """Size, number and times of the file and of what belongs to it."""
    found = [part.stat() for part in _parts(path)]
    return [[one.st_size, one.st_ino, one.st_mtime_ns, one.st_ctime_ns] for one in found]


def _digest(stream: IO[bytes]) -> bytes:
    digest = hashlib.sha256()
    with stream as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.digest()


def _dictionaries(table: pa.Table) -> list[str]:
    """The columns that hold few values; to look for such in the others costs time."""
    import pyarrow as pa

    return [field.name for field in table.schema if pa.types.is_dictionary(field.type)]


def _as_written(table: pa.Table, schema: pa.Schema) -> pa.Table | None:
    """The table with the types that it was written with; None where it is another table."""
    return table.cast(schema) if table.schema.names == schema.names else None


def _write(target: Path, put: Callable[[IO[bytes]], object]) -> None:
    """Write a file that is there whole or not at all, whoever else writes it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    number, partial = tempfile.mkstemp(dir=target.parent, prefix=".partial-")
    try:
        with os.fdopen(number, "wb") as file:
            put(file)
        Path(partial).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(partial).unlink()
        raise


def _read_json(path: Path) -> dict[str, object]:
    try:
        said = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}
