"""Events tables as files: the frames alone (NDJSON), or the whole table (Parquet).

NDJSON is what any ACP tool reads: one frame a line, byte for byte the JSON of the column `raw`; it holds no time,
no sender and no place. Parquet holds every column and comes back as it was, categories and types included.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol

from acpinspect.errors import ArgumentError, EventsError, SourceError
from acpinspect.events import COLUMNS, arrow_strings, check_events

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["read_parquet", "write"]


class Sink(Protocol):
    """What bytes are written to."""

    def write(self, data: bytes, /) -> int: ...


_AT_A_TIME: Final = 16_384
_METADATA: Final = b"acpinspect"
_LINES: Final = frozenset({".ndjson", ".jsonl"})
_TYPES: Final[Mapping[str, str]] = {column.name: column.dtype for column in COLUMNS}


def write(events: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    r"""Write an events table to a file.

    A file of that name is replaced, at once and only when all is written.

    Args:
        events: An events table; rows as you filtered them.
        path: Where to. ``.ndjson`` and ``.jsonl`` (also with ``.gz`` or ``.zst`` behind) write one frame a
            line, as it was received; of rows that were no message the text as written. A frame that stood on
            several lines is put on one. ``.parquet`` writes the whole table; `read_parquet` gives it back exactly.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If the ending says neither form.
        SourceError: If the file can't be written.

    Example:
        >>> import acpinspect, pathlib, tempfile
        >>> log = b'{"method":"session/prompt","id":1,"params":{"sessionId":"s", "prompt":[ ]},"jsonrpc":"2.0"}'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder) / "log.ndjson"
        ...     acpinspect.write(acpinspect.load(log), path)
        ...     path.read_bytes() == log + b"\n"
        True
    """
    check_events(events)
    target = Path(path)
    put = _writer(target)
    try:
        with _replacing(target) as partial:
            put(events, partial)
    except OSError as problem:
        raise SourceError(f"{target} can't be written: {problem.strerror or problem}.") from problem


def _writer(target: Path) -> Callable[[pd.DataFrame, Path], None]:
    packed = target.suffix.lower() in _OPENERS
    ending = Path(target.stem).suffix.lower() if packed else target.suffix.lower()
    if ending == ".parquet" and not packed:
        return _write_parquet
    if ending in _LINES:
        packer = _OPENERS[target.suffix.lower()] if packed else _plain
        return lambda events, path: _write_lines(events, path, packer)
    raise ArgumentError(
        f"{target.name!r} doesn't say a form. Use .ndjson or .jsonl (also with .gz or .zst behind), or .parquet."
    )


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """A file beside the target that takes its place in the end, and leaves nothing behind if that fails."""
    partial = target.with_name(f".{target.name}.partial")
    try:
        yield partial
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


# --- frames -----------------------------------------------------------------------------------------------------


def _plain(file: BinaryIO) -> AbstractContextManager[Sink]:
    return nullcontext(file)


def _gzip(file: BinaryIO) -> AbstractContextManager[Sink]:
    import gzip

    # Neither name nor time inside: the same events give the same bytes.
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0)


def _zstandard(file: BinaryIO) -> AbstractContextManager[Sink]:
    import zstandard

    return zstandard.ZstdCompressor().stream_writer(file, closefd=False)


_Packer = Callable[[BinaryIO], AbstractContextManager[Sink]]
_OPENERS: Final[Mapping[str, _Packer]] = {".gz": _gzip, ".zst": _zstandard}


def _write_lines(events: pd.DataFrame, path: Path, packer: _Packer) -> None:
    raw = arrow_strings(events["raw"])
    with path.open("wb") as plain, packer(plain) as file:
        for start in range(0, len(raw), _AT_A_TIME):
            texts = raw.slice(start, _AT_A_TIME).to_pylist()
            file.write("".join([_line(text) for text in texts]).encode())


def _line(text: str | None) -> str:
    """One line. Line feeds in JSON stand between its values only, so a blank does as well."""
    if text is None:
        return "\n"
    if "\n" in text or "\r" in text:
        text = text.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")
    return text + "\n"


# --- the whole table --------------------------------------------------------------------------------------------


def _write_parquet(events: pd.DataFrame, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(events, preserve_index=True)
    categories: dict[str, list[object]] = {}
    for name, dtype in _TYPES.items():
        if dtype == "category":
            place = table.schema.get_field_index(name)
            table = table.set_column(place, name, _dictionary(events[name]))
            categories[name] = events[name].cat.categories.tolist()
    said = json.dumps({"version": 1, "categories": categories})
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), _METADATA: said.encode()})
    pq.write_table(table, path, compression="zstd")


def _dictionary(column: pd.Series) -> pa.DictionaryArray:
    """A categorical column as strings of a dictionary, also where it has no values at all."""
    import pyarrow as pa

    codes = column.cat.codes.to_numpy().astype("int32")
    names = pa.array(column.cat.categories.tolist(), pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), names)


def read_parquet(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read an events table that `write` wrote, exactly as it was.

    Args:
        path: The file.

    Raises:
        SourceError: If there is no such file, or it is no Parquet.
        EventsError: If it holds another table.

    Example:
        >>> import acpinspect, pathlib, tempfile
        >>> from acpinspect.writing import read_parquet
        >>> events = acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     acpinspect.write(events, pathlib.Path(folder) / "log.parquet")
        ...     read_parquet(pathlib.Path(folder) / "log.parquet").equals(events)
        True
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as problem:
        raise SourceError(f"{os.fspath(path)} can't be read as Parquet: {problem}.") from problem
    metadata = (table.schema.metadata or {}).get(_METADATA)
    if metadata is None:
        raise EventsError(f"{os.fspath(path)} holds another table: `acpinspect.write` didn't write it.")
    events: pd.DataFrame = table.to_pandas()
    categories = _categories(metadata)
    for name, dtype in _TYPES.items():
        if name in events:
            events[name] = _restored(events[name], table.column(name), dtype, categories.get(name, []))
    return check_events(events)


def _categories(metadata: bytes) -> dict[str, list[str]]:
    try:
        said: object = json.loads(metadata)
    except ValueError:
        said = None
    found = said.get("categories") if isinstance(said, dict) else None
    return found if isinstance(found, dict) else {}


def _restored(column: pd.Series, stored: pa.ChunkedArray, dtype: str, categories: list[str]) -> Any:  # noqa: ANN401
    """A column of the contract as `load` makes it."""
    import pandas as pd
    import pyarrow as pa

    if dtype == "category":
        known = pd.Index(categories, dtype=object)
        return pd.Categorical(column.astype(object), categories=known)
    if dtype == "string":
        text: Any = pd.StringDtype("pyarrow", na_value=pd.NA)
        return text.__from_arrow__(stored.cast(pa.large_string()))
    return column
