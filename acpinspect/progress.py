"""A progress bar over the bytes of documents, on long work only."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from acpinspect.reading.document import Document

__all__ = ["Progress", "shown_bytes", "shown_progress"]

_LONG: Final = 64 << 20
"""Bytes from which on reading takes long enough to show progress."""


class _Bar(Protocol):
    def update(self, n: int) -> object: ...


class Progress:
    """Counts the bytes read of each document, and tells a bar, if there is one."""

    def __init__(self, bar: _Bar | None = None) -> None:
        self._bar = bar
        self._read: dict[str, int] = {}

    def advance(self, document: Document, size: int) -> None:
        """So many more bytes of a document are read."""
        if self._bar is not None:
            self._read[document.name] = self._read.get(document.name, 0) + size
            self._bar.update(size)

    def advance_by(self, size: int) -> None:
        """So many more bytes are read, of whichever document."""
        if self._bar is not None:
            self._bar.update(size)

    def done(self, document: Document) -> None:
        """A document is read to its end."""
        if self._bar is not None:
            self._bar.update(max(_size(document) - self._read.get(document.name, 0), 0))


@contextmanager
def shown_progress(documents: Sequence[Document], wanted: bool | None) -> Iterator[Progress]:
    """A progress to report to; it shows a bar if that is wanted, or if the work is long and somebody may look."""
    total = sum(map(_size, documents))
    with shown_bytes(total, wanted, "load", is_long=total >= _LONG) as bar:
        yield bar


@contextmanager
def shown_bytes(total: int, wanted: bool | None, title: str, *, is_long: bool) -> Iterator[Progress]:
    """The same over so many bytes: how many are done, how many a second, and how long the rest takes."""
    if not (wanted or (wanted is None and is_long and _somebody_looks())):
        yield Progress()
        return
    from tqdm.auto import tqdm

    with tqdm(total=total, unit="B", unit_scale=True, desc=title, leave=False) as bar:
        yield Progress(bar)


def _somebody_looks() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _size(document: Document) -> int:
    try:
        return document.path.stat().st_size if document.path is not None else 0
    except OSError:
        return 0
