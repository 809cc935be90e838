"""A column of texts that stay in their files and are read when somebody asks for them.

Large logs are mostly text. Where a frame stands in its file as it is, its place is enough: three numbers a row.
The file must stay as it was: each read first looks whether its size and its time of change are those of the load.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
from pandas.api.extensions import ExtensionArray, ExtensionDtype, register_extension_dtype
from pandas.arrays import ArrowStringArray

from acpinspect.errors import SourceError
from acpinspect.events import arrow_strings

if TYPE_CHECKING:
    from typing import Self

__all__ = ["FileTextDtype", "FileTexts", "Left", "left_in", "left_texts"]

Ints = npt.NDArray[np.int64]

_KEPT: Final = -1
_NA: Final = -2
_AT_A_TIME: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Left:
    """A file in which texts were left, and how it was then.

    Attributes:
        path: The file.
        size: Its size in bytes.
        changed: When it was last changed, in nanoseconds since the epoch.
    """

    path: Path
    size: int
    changed: int

    def opened(self) -> BinaryIO:
        """The file, if it is still as it was.

        Raises:
            SourceError: If it is gone or has changed.
        """
        try:
            file = self.path.open("rb")
        except OSError as error:
            raise SourceError(
                f"{self.path} can't be read any more ({error.strerror}), and the table left its texts in it. "
                "Load the log again."
            ) from error
        now = os.fstat(file.fileno())
        if (now.st_size, now.st_mtime_ns) != (self.size, self.changed):
            file.close()
            raise SourceError(
                f"{self.path} has changed since it was loaded ({self.size:,} bytes then, {now.st_size:,} now), "
                "and the table left its texts in it. Load the log again."
            )
        return file


def left_in(path: Path) -> Left:
    """A file as it is now."""
    now = path.stat()
    return Left(path.resolve(), now.st_size, now.st_mtime_ns)


@register_extension_dtype
class FileTextDtype(ExtensionDtype):
    """The type of `FileTexts`."""

    name = "string[file]"
    type = str
    kind = "O"
    na_value = pd.NA

    @classmethod
    def construct_array_type(cls) -> builtins.type[FileTexts]:
        """The arrays of this type."""
        return FileTexts


class FileTexts(ExtensionArray):
    """Texts, most of which stand in files.

    Args:
        files: The files.
        file: For each row the number of its file; -1 where the text is kept here, -2 for NA.
        place: Byte offset in the file, or the position in `kept`.
        length: Bytes in the file.
        kept: The texts that are no piece of a file.
    """

    def __init__(
        self, files: Sequence[Left], file: npt.NDArray[np.int32], place: Ints, length: Ints, kept: pa.Array
    ) -> None:
        self._files = tuple(files)
        self._file, self._place, self._length, self._kept = file, place, length, kept

    @classmethod
    def _from_sequence(cls, scalars: Iterable[Any], *, dtype: object = None, copy: bool = False) -> Self:  # noqa: ARG003
        texts = [None if pd.isna(text) else str(text) for text in scalars]
        file = np.array([_NA if text is None else _KEPT for text in texts], dtype=np.int32)
        n = len(texts)
        return cls((), file, np.arange(n), np.zeros(n, np.int64), pa.array(texts, pa.large_string()))

    @classmethod
    def _from_factorized(cls, values: Iterable[Any], original: Self) -> Self:  # noqa: ARG003  (as pandas calls it)
        return cls._from_sequence(values)

    @property
    def dtype(self) -> FileTextDtype:
        """The type."""
        return FileTextDtype()

    @property
    def nbytes(self) -> int:
        """Bytes in memory; what stands in the files is not counted."""
        return int(self._file.nbytes + self._place.nbytes + self._length.nbytes + self._kept.nbytes)

    def __len__(self) -> int:
        return len(self._file)

    def __getitem__(self, item: Any) -> Any:  # noqa: ANN401  (a text, or an array of them)
        item = pd.api.indexers.check_array_indexer(self, item)
        if isinstance(item, (int, np.integer)):
            return next(iter(self._at(range(len(self))[int(item)], 1)))
        return type(self)(self._files, self._file[item], self._place[item], self._length[item], self._kept)

    def __iter__(self) -> Iterator[Any]:
        for start in range(0, len(self), _AT_A_TIME):
            yield from self._at(start, _AT_A_TIME)

    def _at(self, start: int, count: int) -> list[Any]:
        """Some texts in a row, decoded as the reader decoded them."""
        return [pd.NA if text is None else text.decode() for text in self._bytes(slice(start, start + count))]

    def _bytes(self, rows: slice) -> list[bytes | None]:
        file, place, length = self._file[rows], self._place[rows], self._length[rows]
        texts: list[bytes | None] = [None] * len(file)
        for number in np.unique(file).tolist():
            own = np.flatnonzero(file == number)
            if number == _KEPT:
                for i, text in zip(own.tolist(), self._kept.take(pa.array(place[own])).to_pylist(), strict=True):
                    texts[i] = text.encode()
            elif number >= 0:
                with self._files[number].opened() as stream:
                    for i in own.tolist():
                        stream.seek(place[i])
                        texts[i] = stream.read(length[i])
        return texts

    def __arrow_array__(self, type: pa.DataType | None = None) -> pa.ChunkedArray:  # noqa: A002  (Arrow's word)
        """All texts, read from the files."""
        kind = pa.large_string() if type is None else type
        parts = [
            pa.array(self._bytes(slice(start, start + _AT_A_TIME)), pa.large_binary()).cast(kind)
            for start in range(0, len(self), _AT_A_TIME)
        ]
        return pa.chunked_array(parts, kind)

    def _read(self) -> ArrowStringArray:
        return ArrowStringArray(self.__arrow_array__())

    def __eq__(self, other: object) -> Any:  # noqa: ANN401  (pandas wants an array)
        """Which texts are the same; all are read from the files."""
        if isinstance(other, (pd.Series, pd.Index, pd.DataFrame)):
            return NotImplemented
        return self._read() == (other._read() if isinstance(other, FileTexts) else other)

    __hash__ = ExtensionArray.__hash__

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """What `Series.str` asks of an array of strings; all are read from the files."""
        if name.startswith("_str_"):
            return getattr(self._read(), name)
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def isna(self) -> npt.NDArray[np.bool_]:
        """Which rows have no text."""
        missing: npt.NDArray[np.bool_] = self._file == _NA
        return missing

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: object = None) -> Self:  # noqa: ANN401, ARG002
        """The texts of some rows; they stay where they are."""
        chosen = np.asarray(indices, dtype=np.int64)
        missing = chosen == -1 if allow_fill else np.zeros(len(chosen), dtype=bool)
        if allow_fill and (chosen < -1).any():
            raise ValueError("Where rows may be missing, -1 is the only negative position.")
        file, place, length = np.full(len(chosen), _NA, np.int32), np.zeros_like(chosen), np.zeros_like(chosen)
        found = chosen[~missing]
        file[~missing], place[~missing] = self._file.take(found), self._place.take(found)
        length[~missing] = self._length.take(found)
        return type(self)(self._files, file, place, length, self._kept)

    def copy(self) -> Self:
        """The same texts; they stay where they are."""
        return type(self)(self._files, self._file.copy(), self._place.copy(), self._length.copy(), self._kept)

    @classmethod
    def _concat_same_type(cls, to_concat: Sequence[Self]) -> Self:
        files = tuple(dict.fromkeys(file for part in to_concat for file in part._files))
        kept_before = np.cumsum([0, *(len(part._kept) for part in to_concat)]).tolist()
        columns = []
        for part, before in zip(to_concat, kept_before, strict=False):
            number = np.array([*map(files.index, part._files), _NA, _KEPT], dtype=np.int32)
            place = part._place + np.where(part._file == _KEPT, before, 0)
            columns.append((number[part._file], place, part._length))
        file, place, length = (np.concatenate(column) for column in zip(*columns, strict=True))
        kept = pa.concat_arrays([part._kept for part in to_concat])
        return cls(files, file, place, length, kept)


def left_texts(
    events: pd.DataFrame, places: pa.Int64Array, sizes: pa.Int64Array, files: Mapping[str, Left]
) -> FileTexts:
    """The column `raw` of a table, left in the files where the texts stand there as they are.

    Args:
        events: The table; texts that stand in a file may be missing in it.
        places: The byte offsets at which texts stand in their source; NA of those that don't.
        sizes: How many bytes they have there.
        files: The files by the names of the sources.
    """
    source = events["source"].cat
    numbers = {name: number for number, name in enumerate(files)}
    number = np.array([*(numbers.get(name, _KEPT) for name in source.categories), _KEPT], dtype=np.int32)
    file = number[source.codes.to_numpy()]
    file[places.is_null().to_numpy(zero_copy_only=False)] = _KEPT
    here = file == _KEPT
    kept = arrow_strings(events["raw"]).filter(pa.array(here)).combine_chunks()
    place = places.fill_null(0).to_numpy().copy()
    place[here] = np.arange(len(kept))
    return FileTexts(tuple(files.values()), file, place, sizes.fill_null(0).to_numpy(), kept)
