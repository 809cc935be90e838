"""Logs that fsspec reaches: ``s3://``, ``gs://``, ``https://``, ``memory://`` and whatever else is installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final, cast

from acpinspect.errors import SourceError
from acpinspect.reading.document import Document
from acpinspect.reading.sources import may_be_log

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["files_of_url", "is_url", "local_path", "opened", "size_of_url", "url_document"]

_SCHEME: Final = "[A-Za-z][A-Za-z0-9+.-]*"
_URL: Final = re.compile(rf"{_SCHEME}(?:::{_SCHEME})*://")
_PATTERN: Final = re.compile(r"[*?\[]")


def is_url(name: str) -> bool:
    """Whether a name is a url and no path.

    Example:
        >>> is_url("s3://bucket/logs/*.jsonl"), is_url("zed::log.jsonl"), is_url("logs/a.jsonl")
        (True, False, False)
    """
    return _URL.match(name) is not None


def local_path(url: str) -> Path | None:
    """The path that a url of this machine's own files means; None for any other url.

    Raises:
        SourceError: If fsspec is not installed, or knows no such url.
    """
    system, path = _reached(url)
    names = {system.protocol} if isinstance(system.protocol, str) else set(system.protocol)
    return Path(path) if "file" in names else None


def files_of_url(url: str) -> Iterator[tuple[str, bool]]:
    """The urls of the files that a url means, and whether they are named: itself, a folder's, or those that match.

    Args:
        url: Of a file, of a folder (searched with its subfolders), or a glob pattern.

    Raises:
        SourceError: If there is no such file, or it can't be reached.
    """
    system, path = _reached(url)
    try:
        if _PATTERN.search(path) and not system.exists(path):
            found, named = sorted(one for one in system.glob(path) if system.isfile(one)), False
        elif system.isdir(path):
            found, named = sorted(one for one in system.find(path) if may_be_log(one)), False
        else:
            system.info(path)
            found, named = [path], True
    except Exception as error:
        raise SourceError(f"{url} can't be reached: {error!r}.") from error
    if not found and _PATTERN.search(path):
        raise SourceError(f"No file matches {url!r}.")
    yield from ((system.unstrip_protocol(one), named) for one in found)


def size_of_url(url: str) -> int:
    """The size of a file in bytes; 0 where its server doesn't say."""
    system, path = _reached(url)
    try:
        return int(system.size(path) or 0)
    except Exception:  # noqa: BLE001  (each file system has errors of its own)
        return 0


def url_document(url: str) -> Document:
    """The file of a url as a document, read on demand."""
    document = Document(url, lambda: cast("BinaryIO", opened(url)))
    document.origin = url
    return document


def opened(url: str) -> IO[bytes]:
    """The file of a url, open for reading.

    Raises:
        SourceError: If it can't be opened.
    """
    system, path = _reached(url)
    try:
        file: IO[bytes] = system.open(path, "rb")
    except Exception as error:
        raise SourceError(f"{url} can't be opened: {error!r}.") from error
    return file


def _reached(url: str) -> tuple[AbstractFileSystem, str]:
    """The file system of a url, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise SourceError(f"{url} is a url: install acpinspect[dask], which brings fsspec.") from error
    try:
        found: tuple[Any, str] = url_to_fs(url)
    except Exception as error:
        raise SourceError(f"{url} can't be reached: {error!r}.") from error
    return found
