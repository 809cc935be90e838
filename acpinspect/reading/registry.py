"""The formats that we read: each one a small object; adding a format is adding one object."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from acpinspect.errors import ArgumentError
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.sniffing import Sniff

__all__ = ["Dialect", "dialect", "dialects", "register"]


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One format of recordings.

    Attributes:
        name: What `detect` says and ``format=`` takes.
        title: What it is, in a few words.
        writer: Who writes it.
        sniff: Looks at the beginning of a document; says in a sentence why it is this format, or ``None``.
        frames: Reads the document; its frames' places are in the source's own bytes. What it leaves out becomes
            rows by itself.
        order: Lower ones are asked first; special formats stand before general ones.
        by_line: Each line can be read by itself with `line_frames`.
        lossy: The format has lost part of the traffic (cut bodies, merged chunks).
        negative: It looks like a recording, but it is not ACP; `load` raises `NotACPError`.
        hint: What to do instead, where it is negative.
    """

    name: str
    title: str
    writer: str
    sniff: Callable[[Sniff], str | None]
    frames: Callable[[Document], Iterator[Frame]]
    order: int = 50
    by_line: bool = False
    lossy: bool = False
    negative: bool = False
    hint: str = ""


_DIALECTS: dict[str, Dialect] = {}
_loaded = False


def register(*added: Dialect) -> None:
    """Make formats known; a later one of the same name takes the place of the earlier."""
    for one in added:
        _DIALECTS[one.name] = one


def dialects() -> list[Dialect]:
    """All formats, in the order in which they are asked."""
    _load()
    return sorted(_DIALECTS.values(), key=lambda one: one.order)


def dialect(name: str) -> Dialect:
    """The format of this name.

    Raises:
        ArgumentError: There is none.
    """
    _load()
    if name not in _DIALECTS:
        known = ", ".join(sorted(_DIALECTS))
        raise ArgumentError(f"There is no format {name!r}. Known formats: {known}.")
    return _DIALECTS[name]


def _load() -> None:
    """Import every module of `acpinspect.reading.dialects`: each registers its formats."""
    global _loaded  # noqa: PLW0603 - the one switch of a registry that fills itself at first use
    if _loaded:
        return
    package = importlib.import_module("acpinspect.reading.dialects")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda one: one.name):
        importlib.import_module(f"{package.__name__}.{module.name}")
    _loaded = True
