"""From paths, folders, patterns and urls to a numbered list of recordings that any process can open again."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, Union

from acpinspect.collection.urls import files_of_url, is_url, local_path, size_of_url, url_document
from acpinspect.errors import AcpInspectError, ArgumentError, SourceError
from acpinspect.reading.document import Document
from acpinspect.reading.sources import FoundFile, Recording, files_at, holds_text, members_of, recordings_of

__all__ = ["Entry", "Paths", "Problem", "Reopener", "entries_at", "problem_of"]

OnePath: TypeAlias = Union[str, "os.PathLike[str]"]
Paths: TypeAlias = OnePath | Iterable[OnePath]
"""A path, a folder, a glob pattern or a url of fsspec; or several of these."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a recording, or a table of it, is not there.

    Attributes:
        stage: What was done: ``open``, ``read``, or the name of the table that was made.
        error: The kind of error.
        message: What was wrong.
    """

    stage: str
    error: str
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A recording of a corpus; nothing but names, so that it can be sent anywhere.

    Attributes:
        number: Its number in the corpus, from 0.
        name: Its name.
        files: What to open for it, in order: paths and urls.
        size: Bytes on disk; of a member of an archive its share of it.
        problem: Why it could not be opened, if that is so.
    """

    number: int
    name: str
    files: tuple[str, ...]
    size: int = 0
    problem: Problem | None = None

    @property
    def label(self) -> str:
        """Its name as text that can be written: names of files may hold bytes that are none."""
        return self.name if self.name.isascii() else self.name.encode("utf-8", "replace").decode()


def problem_of(stage: str, error: BaseException) -> Problem:
    """What an error says, as a row of the problems."""
    own = isinstance(error, AcpInspectError)
    said = str(error) if own else f"{type(error).__name__}: {error}"
    return Problem(stage, type(error).__name__, said.encode("utf-8", "replace").decode())


def entries_at(paths: Paths) -> list[Entry]:
    """The recordings that paths lead to, in their order; what can't be opened is numbered after the others.

    Raises:
        SourceError: If no path leads anywhere.
        ArgumentError: If something is no path.
    """
    documents: list[tuple[Document, bool]] = []
    failures: list[tuple[str, Exception]] = []
    named = _listed(paths)
    lost = [path for path in named if not _followed(path, documents, failures)]
    if named and len(lost) == len(named):
        raise failures[0][1]
    recordings = recordings_of(documents)
    sizes = _sizes(recordings)
    entries = [Entry(number, one.name, _files(one), sizes[number]) for number, one in enumerate(recordings)]
    unopened = [
        Entry(number, name, (name,), 0, problem_of("open", error))
        for number, (name, error) in enumerate(failures, len(entries))
    ]
    return entries + unopened


def _listed(paths: object) -> list[str]:
    several = isinstance(paths, Iterable) and not isinstance(paths, str | bytes)
    return list(dict.fromkeys(map(_checked, paths if several else [paths])))  # type: ignore[call-overload]


def _checked(path: object) -> str:
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise ArgumentError(f"{path!r} is no path. Give paths, folders, glob patterns or urls.")
    return str(path)


def _followed(path: str, documents: list[tuple[Document, bool]], failures: list[tuple[str, Exception]]) -> bool:
    """Add the documents of a path, or what went wrong; whether it led to a file."""
    try:
        for file, named in _found(path):
            try:
                document = _document_at(file)
                if named or _may_be_read(document):
                    documents.extend(members_of(document, named=named))
            except (OSError, SourceError) as error:
                failures.append((file, _opening_error(file, error)))
    except (OSError, SourceError) as error:
        failures.append((path, _opening_error(path, error)))
        return False
    return True


def _found(path: str) -> Iterator[tuple[str, bool]]:
    """The files of a path, and whether they were meant to be read, whatever is in them."""
    local = local_path(path) if is_url(path) else Path(path).expanduser()
    if local is None:
        yield from files_of_url(path)
    else:
        yield from ((str(file.path), file.how != "found") for file in _files_at(local))


def _files_at(path: Path) -> Iterator[FoundFile]:
    try:
        yield from files_at(path)
    except ValueError as error:  # a zero byte
        raise SourceError(f"{str(path)!r} can't be opened: {error}.") from error


def _document_at(file: str) -> Document:
    return url_document(file) if is_url(file) else Document.of_path(Path(file))


def _may_be_read(document: Document) -> bool:
    """Whether a file that was found is worth reading: it is empty, or holds text or data that we read."""
    return not document.head(4_096).strip() or holds_text(document)


def _opening_error(file: str, error: Exception) -> Exception:
    if isinstance(error, OSError):
        return SourceError(f"{file} can't be opened: {error.strerror or error}.")
    return error


def _files(recording: Recording) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(document.origin) for document in recording.documents))


def _sizes(recordings: list[Recording]) -> list[int]:
    """Bytes of each recording; the members of an archive share its size."""
    shares = Counter(file for one in recordings for file in _files(one))
    known = {file: _size(file) // share for file, share in shares.items()}
    return [sum(known[file] for file in _files(one)) for one in recordings]


def _size(file: str) -> int:
    if is_url(file):
        return size_of_url(file)
    try:
        return Path(file).stat().st_size
    except OSError:
        return 0


class Reopener:
    """Finds the recordings of entries again, one after the other; those of one archive are looked up together."""

    def __init__(self) -> None:
        self._files: tuple[str, ...] | None = None
        self._found: dict[str, Recording] = {}

    def __call__(self, entry: Entry) -> Recording:
        """The recording of an entry.

        Raises:
            SourceError: If a file of it is gone or can't be opened any more.
        """
        if entry.files != self._files or entry.name not in self._found:
            self._files, self._found = entry.files, {one.name: one for one in _opened_again(entry.files)}
        found = self._found.pop(entry.name, None)  # what was read of it is not held
        if found is None:
            raise SourceError(f"{entry.name} is not there any more.")
        return found


def _opened_again(files: tuple[str, ...]) -> list[Recording]:
    documents: list[tuple[Document, bool]] = []
    for file in files:
        try:
            documents.extend(members_of(_document_at(file), named=True))
        except OSError as error:
            raise _opening_error(file, error) from error
    return recordings_of(documents)
