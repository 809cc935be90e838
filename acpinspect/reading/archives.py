"""Zip archives: each member that may be a log is a document."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO, Final, cast

from acpinspect.errors import SourceError
from acpinspect.reading.decompress import MAX_EXPANDED, MAX_RATIO
from acpinspect.reading.document import Document

__all__ = ["archive_documents", "is_archive"]

_MAX_MEMBERS: Final = 10_000
_RATIO_FROM: Final = 64 << 20
_LAYERS: Final = 2


def is_archive(head: bytes) -> bool:
    r"""Whether these are the first bytes of a zip archive.

    Examples:
        >>> is_archive(b"PK\x03\x04...")
        True
    """
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def archive_documents(
    opener: Callable[[], BinaryIO], name: str, may_be_log: Callable[[str], bool], layers: int = _LAYERS
) -> Iterator[Document]:
    """A document for each member that may be a log, in order of their names; archives inside are opened too.

    Args:
        opener: Gives the archive as a seekable stream.
        name: The archive's name; a member's document is called ``name!member``.
        may_be_log: Whether a member's name is one of a log.
        layers: How many archives may lie in each other.

    Raises:
        SourceError: The archive is damaged or encrypted, or a member would grow beyond all bounds.
    """
    try:
        archive = zipfile.ZipFile(opener())
        members = [info for info in archive.infolist() if not info.is_dir() and may_be_log(info.filename)]
    except (zipfile.BadZipFile, OSError) as error:
        raise SourceError(f"{name} looks like a zip archive, but it can't be opened: {error}") from error
    if len(members) > _MAX_MEMBERS:
        raise SourceError(f"{name} has more than {_MAX_MEMBERS} members; load a part of them.")
    for info in sorted(members, key=lambda member: member.filename):
        _check(info, name)
        document = Document(f"{name}!{info.filename}", _member_opener(archive, info))
        if is_archive(document.head(4)):
            if layers > 1:
                opener = _memory_opener(document)
                yield from archive_documents(opener, document.name, may_be_log, layers - 1)
        else:
            yield document


def _member_opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        return cast("BinaryIO", archive.open(info))

    return opener


def _memory_opener(document: Document) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        return BytesIO(document.data)

    return opener


def _check(info: zipfile.ZipInfo, name: str) -> None:
    if info.flag_bits & 1:
        raise SourceError(f"{name} is encrypted: unpack it and load what is inside.")
    large = info.file_size > MAX_EXPANDED
    if large or (info.file_size > _RATIO_FROM and info.file_size > MAX_RATIO * max(info.compress_size, 1)):
        raise SourceError(f"{name}!{info.filename} would grow to {info.file_size} bytes; it was not read.")
