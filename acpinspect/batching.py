"""From recordings to batches of columns, one after the other, in bounded memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, islice, repeat
from typing import IO, Final, NamedTuple

import pyarrow as pa

from acpinspect.progress import Progress
from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import KINDS, Columns, columns_of_frames, columns_of_lines
from acpinspect.reading.decompress import compression_of
from acpinspect.reading.detection import choose, is_acp, not_acp
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.framing import line_frames
from acpinspect.reading.lines import frames_by_line
from acpinspect.reading.reader import frames_of, read_recording
from acpinspect.reading.registry import Dialect
from acpinspect.reading.sources import Recording
from acpinspect.thinning import ALL, Kept, thinned

__all__ = [
    "Block",
    "batches_of",
    "is_by_line",
    "line_batches",
    "may_be_acp",
    "sent_by",
    "stands_in_file",
    "stretch_batches",
    "with_traffic",
]

_BLOCK: Final = 1 << 20
"""Bytes of lines that are decoded together: few enough to stay in the processor's cache."""

_BATCH: Final = 1_000


def batches_of(
    recording: Recording, format_name: str | None, bar: Progress, kept: Kept = ALL
) -> Iterator[Columns]:
    """The columns of a recording, batch by batch, with what is kept of the texts."""
    if recording.paired:
        batches = _in_batches(read_recording(recording, format_name))
        yield from (thinned(batch, kept.without_file) for batch in batches)
        return
    for document in recording.documents:
        here = kept if not kept.from_file or stands_in_file(document) else kept.without_file
        for batch in _document_batches(document, format_name, bar):
            yield thinned(batch, here)


def stands_in_file(document: Document) -> bool:
    """Whether a document's bytes are those of its file."""
    if document.path is None or document.encoding != ("utf-8", 0):
        return False
    with document.path.open("rb") as file:
        return compression_of(file.read(16)) is None


def _document_batches(document: Document, format_name: str | None, bar: Progress) -> Iterator[Columns]:
    """The columns of a document that stands alone, batch by batch."""
    dialect, _ = choose(document, format_name)
    if is_by_line(document, dialect):
        blocks = _whole_lines(document.blocks(_BLOCK))
        for batch, block in line_batches(blocks, document.name):
            yield batch
            bar.advance(document, block.size)
        if document.problem is not None:
            yield columns_of_frames(
                [Frame(raw="", source=document.name, kind="unreadable", problem=document.problem)]
            )
    else:
        yield from _in_batches(frames_of(document, dialect))
    bar.done(document)


def is_by_line(document: Document, dialect: Dialect) -> bool:
    """Whether each line of a document can be read without the others."""
    return dialect.frames is frames_by_line and document.encoding[0] == "utf-8"


class Block(NamedTuple):
    """What a batch was read from: bytes, the line feed at the end included, and lines."""

    size: int
    lines: int


def stretch_batches(
    file: IO[bytes], name: str, start: int, stop: int, store: TextStore
) -> Iterator[tuple[Columns, Block]]:
    """The columns of a stretch of the lines of a file, batch by batch; lines count from the stretch's first.

    Args:
        file: The file, open for reading.
        name: The name of the document.
        start: Byte offset of the first line.
        stop: Byte offset behind the last line feed, or the end of the file.
        store: Where the text of the lines is kept.
    """
    file.seek(start)
    sizes = [*repeat(_BLOCK, (stop - start) // _BLOCK), (stop - start) % _BLOCK]
    blocks = (file.read(size) for size in sizes if size)
    yield from line_batches(_whole_lines(blocks), name, start, store=store)


def line_batches(
    blocks: Iterable[bytes], name: str, offset: int = 0, number: int = 1, store: TextStore | None = None
) -> Iterator[tuple[Columns, Block]]:
    """The columns of blocks of lines, each with what it was read from; in bounded memory beside the columns.

    Args:
        blocks: Whole lines, without the line feed at the end of each block.
        name: The name of the document.
        offset: Byte offset of the first line.
        number: The number of the first line.
        store: Where the text of the lines is kept.
    """
    store = store or TextStore()
    _let_memory_stay()
    for block in blocks:
        lines = block.split(b"\n")
        columns = columns_of_lines(block, lines, name, number, offset, line_frames, store)
        yield columns, Block(len(block) + 1, len(lines))
        number += len(lines)
        offset += len(block) + 1


def _let_memory_stay() -> None:
    """Let the C library keep the memory of one block for the next.

    It hands memory back to the system at once, and then each page costs a fault again, as long as it hasn't seen
    a larger piece come and go. This one is never touched, so it costs nothing.
    """
    bytearray(4 * _BLOCK)


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Blocks of whole lines, without the line feed at their ends."""
    rest: list[bytes] = []
    for block in blocks:
        end = block.rfind(b"\n")
        if end < 0:
            rest.append(block)
            continue
        yield b"".join([*rest, memoryview(block)[:end]])
        rest = [block[end + 1 :]]
    last = b"".join(rest)
    if last:
        yield last


def _in_batches(frames: Iterable[Frame]) -> Iterator[Columns]:
    """Frames in batches; each batch is of one source."""
    iterator = iter(frames)
    while batch := list(islice(iterator, _BATCH)):
        ends = [i for i in range(1, len(batch)) if batch[i].source != batch[i - 1].source]
        for start, end in zip([0, *ends], [*ends, len(batch)], strict=True):
            yield columns_of_frames(batch[start:end])


def sent_by(sender: Sender, batch: Columns) -> Columns:
    """The batch, with one side as the sender of all its frames."""
    n = len(batch["kind"])
    side = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), pa.array([sender], pa.large_string()))
    return {**batch, "_sender": side}


def with_traffic(read: list[tuple[Recording, list[Columns]]]) -> list[tuple[Recording, list[Columns]]]:
    """Leave out what holds no ACP traffic, or say so if that is what the user named."""
    without = [
        recording for recording, batches in read if _has_text(batches) and not may_be_acp(recording, batches)
    ]
    named = [recording for recording in without if recording.named]
    if named or (without and len(without) == len(read)):
        raise not_acp(document for recording in (named or without) for document in recording.documents)
    if without:
        names = ", ".join(recording.name for recording in without[:5]) + (", ..." if len(without) > 5 else "")
        warnings.warn(
            f"{len(without)} of {len(read)} files hold no ACP traffic and are left out: {names}", stacklevel=3
        )
    return [(recording, batches) for recording, batches in read if recording not in without]


def _has_text(batches: list[Columns]) -> bool:
    """An empty file is a recording without events, not a foreign one."""
    return any(len(batch["kind"]) for batch in batches)


def may_be_acp(recording: Recording, batches: list[Columns]) -> bool:
    """Whether there is ACP traffic, or something that may be a torn piece of it."""
    if any(len(batch["update"].dictionary) for batch in batches):
        return True
    found = is_acp(chain.from_iterable(map(_frames_in, batches)))
    return found or (found is None and not all(choose(document)[0].negative for document in recording.documents))


def _frames_in(batch: Columns) -> Iterator[Frame]:
    for kind, raw in zip(batch["kind"].to_pylist(), batch["raw"].to_pylist(), strict=True):
        name = KINDS[kind]
        yield Frame(raw=raw, source="", kind=name if name in ("unreadable", "other") else None)  # type: ignore[arg-type]
