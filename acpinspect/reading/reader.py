"""From a recording to its frames: each document by its format, segments in a row, halves merged."""

from __future__ import annotations

from collections.abc import Iterator

from acpinspect.reading.coverage import covered
from acpinspect.reading.detection import choose
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.halves import merged
from acpinspect.reading.registry import Dialect
from acpinspect.reading.sources import Recording

__all__ = ["read_document", "read_recording"]


def read_recording(recording: Recording, format: str | None = None) -> Iterator[Frame]:  # noqa: A002 - public word
    """The frames of a recording, in order.

    Args:
        recording: One of `open_recordings`.
        format: A format's name, where it shall not be recognised.

    Raises:
        ArgumentError: There is no format of that name.
        SourceError: A document can't be read.

    Examples:
        >>> from acpinspect.reading.sources import open_recordings
        >>> [recording] = open_recordings(b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}')
        >>> [frame.line for frame in read_recording(recording)]
        [1]
    """
    if recording.paired:
        yield from merged((document.role, read_document(document, format)) for document in recording.documents)
        return
    for document in recording.documents:
        yield from read_document(document, format)


def read_document(document: Document, format: str | None = None) -> Iterator[Frame]:  # noqa: A002 - public word
    """The frames of one document; nothing of it is left out."""
    dialect, _ = choose(document, format)
    yield from frames_of(document, dialect)


def frames_of(document: Document, dialect: Dialect) -> Iterator[Frame]:
    """The frames of a document of a known format."""
    frames = dialect.frames(document)
    yield from frames if dialect.by_line else covered(document, frames)
    if document.problem is not None:
        yield Frame(raw="", source=document.name, kind="unreadable", problem=document.problem)
