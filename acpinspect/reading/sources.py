"""From anything a user names to recordings: their documents in the right order."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final, Literal, NamedTuple, Protocol, TypeAlias, Union, runtime_checkable

from acpinspect.errors import SourceError
from acpinspect.reading.archives import archive_documents, is_archive
from acpinspect.reading.content import is_content
from acpinspect.reading.document import Document
from acpinspect.reading.halves import assign_roles
from acpinspect.reading.recordings import part_of, recording_of

__all__ = [
    "FoundFile",
    "Readable",
    "Recording",
    "Source",
    "files_at",
    "holds_text",
    "may_be_log",
    "members_of",
    "open_recordings",
    "recording_of",
    "recordings_of",
]


@runtime_checkable
class Readable(Protocol):
    """An open file, text or binary."""

    def read(self) -> str | bytes:
        """All that is left of it."""


Source: TypeAlias = Union[str, bytes, bytearray, memoryview, "os.PathLike[str]", Readable, Iterable["Source"]]
"""A path, a glob, a folder, ``-`` for standard input, content, an open file, or a list of these."""


@dataclass(frozen=True)
class Recording:
    """One recording: documents that belong together, in the order in which they are read.

    Attributes:
        name: Its name; the documents' names are the column ``source``.
        documents: Rotated segments from the oldest to the active one; or the halves of a pair.
        paired: The documents are the two halves of one connection (and perhaps its standard error), which
            are merged by the ids of requests and responses; each document's role says which half it is.
        named: The user named it; it was not just found in a folder, in an archive or by a pattern.
    """

    name: str
    documents: tuple[Document, ...]
    paired: bool = False
    named: bool = True


class FoundFile(NamedTuple):
    """A file that a path leads to.

    Attributes:
        path: The file.
        how: The user named it, a pattern matched it, or it was found in a folder and has the name of a log.
    """

    path: Path
    how: Literal["named", "matched", "found"]


_LOG_NAMES: Final = re.compile(
    r".*(?:\.(?:jsonl|ndjson|jsons|json|log|txt|traffic|har|sse|trace|out|err|db|db3|sqlite|sqlite3|zip|gz|bz2|xz|zst"
    r"|zstd|\d+)|/[^./]+)\Z",
    re.IGNORECASE | re.DOTALL,
)
_SKIPPED_NAMES: Final = re.compile(
    r"(?:^|/)(?:\.[^/]*|__MACOSX/.*|package(?:-lock)?\.json|tsconfig\.json|README[^/]*)\Z"
)
_SKIPPED_FOLDERS: Final = frozenset({"node_modules", "__pycache__", "site-packages"})
_PATTERN: Final = re.compile(r"[*?\[]")
_MAX_NAME: Final = 4_096


def open_recordings(source: Source) -> list[Recording]:
    """Find the recordings that a source names.

    Args:
        source: A path, a glob pattern, a folder (searched with its subfolders), ``-`` for standard input, an
            open text or binary file, bytes, a string that is a log's content, or a list of these.

    Returns:
        The recordings, in the order named; those of a folder in order of their paths.

    Raises:
        SourceError: There is no such file, it can't be opened, or the object is no source.

    Examples:
        >>> [recording] = open_recordings(b'{"jsonrpc":"2.0","id":0,"result":{}}')
        >>> recording.name, recording.documents[0].text[:10]
        ('<bytes>', '{"jsonrpc"')
    """
    return recordings_of(_documents(source))


def recordings_of(documents: Iterable[tuple[Document, bool]]) -> list[Recording]:
    """The recordings that documents make, in the order in which they begin.

    Args:
        documents: Each with whether the user named it. A file that comes again is left out.
    """
    groups: dict[str, list[tuple[Document, bool]]] = {}
    seen: dict[str, int] = {}
    for document, named in documents:
        if document.path is not None and document.name in seen:
            continue
        count = seen[document.name] = seen.get(document.name, 0) + 1
        if count > 1:
            document.name = f"{document.name.rstrip('>')} {count}>"
        groups.setdefault(recording_of(document.name), []).append((document, named))
    return [recording for name, members in groups.items() for recording in _recordings(name, members)]


def _recordings(name: str, members: list[tuple[Document, bool]]) -> Iterator[Recording]:
    """The recordings in a group of documents that share a name: mostly one."""
    named = any(one for _, one in members)
    documents = sorted((document for document, _ in members), key=lambda one: -part_of(one.name).segment)
    if any(part_of(document.name).role for document in documents):
        if assign_roles(documents):
            yield Recording(name, tuple(documents), paired=True, named=named)
            return
        for document in documents:
            yield Recording(document.name, (document,), named=named)
        return
    yield Recording(name, tuple(documents), named=named)


def _documents(source: object) -> Iterator[tuple[Document, bool]]:
    if isinstance(source, str):
        yield from _of_text(source)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield from members_of(Document.of_bytes("<bytes>", bytes(source)), named=True)
    elif isinstance(source, os.PathLike):
        yield from _of_path(Path(source))
    elif isinstance(source, Readable):
        yield from _of_stream(source)
    elif isinstance(source, Iterable) and not isinstance(source, dict):
        for part in source:
            yield from _documents(part)
    else:
        raise SourceError(
            f"A {type(source).__name__} is no source: give a path, an open file, bytes, or a log's text; "
            "from_records takes objects."
        )


def _of_text(text: str) -> Iterator[tuple[Document, bool]]:
    if not text:
        raise SourceError("There is no such file: the name is empty.")
    if text == "-":
        yield from _of_stream(sys.stdin.buffer, "<stdin>")
    elif _exists(text):
        yield from _of_path(Path(text).expanduser())
    elif is_content(text):
        yield from members_of(Document.of_bytes("<text>", _encoded(text)), named=True)
    else:
        yield from _of_path(Path(text).expanduser(), written=text)


def _exists(text: str) -> bool:
    if not text or len(text) > _MAX_NAME or "\0" in text or "\n" in text:
        return False
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError):
        return False


def _encoded(text: str) -> bytes:
    """The bytes of a text; halves of surrogate pairs, which are no text, as escapes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace")


def _of_stream(stream: Readable, name: str | None = None) -> Iterator[tuple[Document, bool]]:
    if name is None:
        given = getattr(stream, "name", None)
        name = given if isinstance(given, str) and given else "<stream>"
    try:
        content = stream.read()
    except (OSError, ValueError) as error:
        raise SourceError(f"{name} can't be read: {error}") from error
    data = _encoded(content) if isinstance(content, str) else bytes(content)
    yield from members_of(Document.of_bytes(name, data), named=True)


def _of_path(path: Path, written: str | None = None) -> Iterator[tuple[Document, bool]]:
    for file in files_at(path, written):
        if file.how != "found":
            yield from members_of(_file(file.path), named=file.how == "named")
        elif _is_log(document := Document.of_path(file.path)):
            yield from members_of(document, named=False)


def files_at(path: Path, written: str | None = None) -> Iterator[FoundFile]:
    """The files that a path means: itself, those of a folder in order of their paths, or those that match.

    Args:
        path: A file, a folder (searched with its subfolders), or a glob pattern.
        written: The path as the user wrote it.

    Raises:
        SourceError: There is no such file.
    """
    name = str(path) if written is None else written
    if path.is_dir():
        yield from _in_folder(path)
    elif path.exists():
        yield FoundFile(path, "named")
    elif _PATTERN.search(name):
        found = sorted(glob.glob(str(path), recursive=True), key=_natural)  # noqa: PTH207 - patterns may be absolute
        if not found:
            raise SourceError(f"No file matches {name!r}.")
        for one in map(Path, found):
            yield from _in_folder(one) if one.is_dir() else [FoundFile(one, "matched")]
    else:
        raise SourceError(f"There is no such file: {name!r}.")


def _file(path: Path) -> Document:
    try:
        path.open("rb").close()
    except OSError as error:
        raise SourceError(f"{path} can't be opened: {error.strerror}.") from error
    return Document.of_path(path)


def _in_folder(folder: Path) -> Iterator[FoundFile]:
    paths: list[str] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _SKIPPED_FOLDERS)
        paths += [str(Path(parent) / one) for one in files]
    return (FoundFile(Path(path), "found") for path in sorted(paths, key=_natural) if may_be_log(path))


def may_be_log(name: str) -> bool:
    """Whether a file's name is one that logs have."""
    return _SKIPPED_NAMES.search(name) is None and _LOG_NAMES.match(f"/{name}") is not None


def _is_log(document: Document) -> bool:
    """Whether a file found in a folder can be read and holds text."""
    try:
        return holds_text(document)
    except (OSError, SourceError):
        return False


def holds_text(document: Document) -> bool:
    """Whether a document is text or a kind of data that we read; an empty one is neither."""
    head = document.head(4_096)
    if head.startswith(b"SQLite format 3\0") or is_archive(head) or document.encoding[0] != "utf-8":
        return True
    return bool(head.strip()) and head.count(0) * 10 < len(head)


def _natural(path: str) -> list[tuple[int, int, str]]:
    """Sorts numbers in names by their size."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", path) if part]


def members_of(document: Document, *, named: bool) -> Iterator[tuple[Document, bool]]:
    """The document; or the members of one that is an archive, none of which is named.

    Raises:
        SourceError: It is an archive that is damaged or encrypted.
    """
    if not is_archive(document.head(4)):
        yield document, named
        return

    def opener() -> BinaryIO:
        return document.path.open("rb") if document.path and _is_plain(document.path) else BytesIO(document.data)

    for member in archive_documents(opener, document.name, may_be_log):
        member.origin = document.origin
        yield member, False


def _is_plain(path: Path) -> bool:
    with path.open("rb") as stream:
        return is_archive(stream.read(4))
