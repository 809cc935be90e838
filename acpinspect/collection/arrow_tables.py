"""Tables on their way between processes and into files, as Arrow; and the tables of many recordings as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.collection.kinds import CATEGORIES, KEY, KINDS, columns_of
from acpinspect.events import Column

if TYPE_CHECKING:
    from acpinspect.collection.entries import Entry

__all__ = ["from_arrow", "packed_table", "put_together", "schema_of", "to_arrow", "unpacked_table"]

_LISTS: Final[Mapping[str, pa.DataType]] = {
    "content_types": pa.list_(pa.large_string()),
    "events": pa.list_(pa.int64()),
    "related": pa.list_(pa.int64()),
}
"""What the items of the columns are that hold lists."""

_LARGE_CHUNK: Final = 1 << 20
"""Bytes of a chunk that is better left where it is; to look a row up in many small ones takes longer."""

_TYPES: Final[Mapping[str, pa.DataType]] = {
    "category": pa.dictionary(pa.int32(), pa.large_string()),
    "string": pa.large_string(),
    "Int64": pa.int64(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "bool": pa.bool_(),
    "datetime64[ns, UTC]": pa.timestamp("ns", "UTC"),
}


def schema_of(table: str) -> pa.Schema:
    """The Arrow schema of a kind of table, of one recording."""
    return pa.schema([(column.name, _type_of(column)) for column in _own(table)])


def _own(table: str) -> tuple[Column, ...]:
    return columns_of(table)[1:]


def _type_of(column: Column) -> pa.DataType:
    return _LISTS[column.name] if column.dtype == "object" else _TYPES[column.dtype]


def to_arrow(table: str, frame: pd.DataFrame) -> pa.Table:
    """The table of one recording as Arrow; its index is the first column where it says something."""
    index = KINDS[table].index
    arrays = [] if index is None else [pa.array(frame.index.to_numpy(), pa.int64())]
    schema = schema_of(table)
    arrays += [_encoded(frame[column.name].array, _type_of(column)) for column in KINDS[table].columns]
    return pa.table(arrays, schema=schema)


def _encoded(column: Any, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:  # noqa: ANN401  (an array of pandas)
    if pa.types.is_dictionary(kind):
        codes = column.codes.astype(np.int32)
        names = pa.array(column.categories.tolist(), pa.large_string())
        return pa.DictionaryArray.from_arrays(pa.array(np.maximum(codes, 0), mask=codes < 0), names)
    if pa.types.is_floating(kind):
        return pa.array(column.to_numpy(), kind, from_pandas=False)
    return pa.array(column, kind, from_pandas=True)


def from_arrow(table: str, arrow: pa.Table) -> pd.DataFrame:
    """The table of one recording, as its function made it."""
    columns = {column.name: _decoded(column, [arrow.column(column.name)]) for column in KINDS[table].columns}
    name = KINDS[table].index
    index = pd.RangeIndex(arrow.num_rows) if name is None else _range(arrow.column(name).to_numpy())
    return pd.DataFrame(columns, index=index.rename(name), copy=False)


def _range(numbers: npt.NDArray[np.int64]) -> pd.Index:
    counted = np.array_equal(numbers, np.arange(len(numbers)))
    return pd.RangeIndex(len(numbers)) if counted else pd.Index(numbers)


def packed_table(arrow: pa.Table) -> pa.Buffer:
    """A table as the bytes that stand for its rows, and no more."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, arrow.schema) as writer:
        writer.write_table(arrow)
    return sink.getvalue()


def unpacked_table(packed: pa.Buffer) -> pa.Table:
    """The table of these bytes, which are not copied."""
    return pa.ipc.open_stream(packed).read_all()


def put_together(table: str, parts: Sequence[tuple[Entry, pa.Table]]) -> pd.DataFrame:
    """The tables of several recordings as one.

    Args:
        table: Their kind.
        parts: The recordings, in order, each with its table.

    Returns:
        The rows in order; the index is the recordings' number, the first column their name. Categories stand in
        the order in which they first appear. Cost: linear in the rows and in the recordings.
    """
    sizes = np.array([arrow.num_rows for _, arrow in parts], dtype=np.int64)
    numbers = np.repeat(np.array([entry.number for entry, _ in parts], dtype=np.int64), sizes)
    labels: dict[str, int] = {}
    place = [labels.setdefault(entry.label, len(labels)) for entry, arrow in parts if arrow.num_rows]
    names = np.repeat(np.array(place, dtype=np.int64), sizes[sizes > 0])
    columns: dict[str, object] = {KEY[1].name: _categorical(names, list(labels))}
    for column in _own(table):
        columns[column.name] = _decoded(column, [arrow.column(column.name) for _, arrow in parts])
    return pd.DataFrame(columns, index=pd.Index(numbers, name=KEY[0].name), copy=False)


def _decoded(column: Column, parts: Sequence[pa.ChunkedArray]) -> Any:  # noqa: ANN401  (an array of pandas)
    if column.dtype == "category":
        return _joined_categories(column.name, parts)
    whole = pa.chunked_array([chunk for part in parts for chunk in part.chunks], _type_of(column))
    return _DECODERS.get(column.dtype, _plain)(whole)


def _joined_categories(name: str, parts: Sequence[pa.ChunkedArray]) -> pd.Categorical:
    """One categorical: of all the names in the order of the parts, or of the names that are known."""
    known, ordered = CATEGORIES.get(name, ((), False))
    numbers: dict[str, int] = {category: code for code, category in enumerate(known)}
    codes = [np.zeros(0, dtype=np.int32)]
    for part in parts:
        for chunk in part.chunks:
            own = [numbers.setdefault(one, len(numbers)) for one in chunk.dictionary.to_pylist()]
            indices = chunk.indices.fill_null(-1) if chunk.null_count else chunk.indices
            codes.append(np.array([*own, -1], dtype=np.int32)[indices.to_numpy(zero_copy_only=False)])
    return _categorical(np.concatenate(codes), list(numbers), ordered=ordered)


def _categorical(codes: npt.NDArray[Any], names: list[str], *, ordered: bool = False) -> pd.Categorical:
    categories = pd.Index(names, dtype=object)
    made: pd.Categorical = pd.Categorical.from_codes(codes, categories=categories, ordered=ordered)
    return made


def _strings(whole: pa.ChunkedArray) -> Any:  # noqa: ANN401
    from pandas.arrays import ArrowStringArray

    large = whole.num_chunks == 1 or whole.nbytes >= whole.num_chunks * _LARGE_CHUNK
    return ArrowStringArray(whole if large else pa.chunked_array([whole.combine_chunks()], whole.type))


def _nullable(whole: pa.ChunkedArray) -> Any:  # noqa: ANN401
    missing = whole.is_null().to_numpy()
    values = (whole.fill_null(0) if whole.null_count else whole).to_numpy()
    return pd.arrays.IntegerArray(values.copy(), missing.copy())


def _lists(whole: pa.ChunkedArray) -> npt.NDArray[np.object_]:
    rows = np.empty(len(whole), dtype=object)
    for row, items in enumerate(whole.to_pylist()):
        rows[row] = items  # all at once, numpy would take lists of one length for a square
    return rows


def _plain(whole: pa.ChunkedArray) -> Any:  # noqa: ANN401
    return whole.to_pandas().array


_DECODERS: Final[Mapping[str, Callable[[pa.ChunkedArray], Any]]] = {
    "string": _strings,
    "Int64": _nullable,
    "object": _lists,
}
