"""Documents whose lines are records by themselves, read in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.framing import line_frames

__all__ = ["frames_by_line"]


def frames_by_line(document: Document) -> Iterator[Frame]:
    r"""The frames of each line.

    Examples:
        >>> text = b'{"id":1,"result":{}}\n\nready\n'
        >>> [(frame.line, frame.kind) for frame in frames_by_line(Document.of_bytes("a.log", text))]
        [(1, None), (3, 'other')]
    """
    lines = document.lines()
    frames = (frame for line, at, offset in lines for frame in line_frames(line, document.name, at, offset))
    return in_source_bytes(document, frames)
