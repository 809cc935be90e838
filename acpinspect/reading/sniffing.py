"""The beginning of a document, looked at once for all formats."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property

__all__ = ["Sniff"]

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_OBJECTS = 40


@dataclass(frozen=True)
class Sniff:
    r"""What a format's `sniff` may look at.

    Attributes:
        name: The document's name; formats are recognised by content, so this is for messages only.
        head: The first 64 KiB, decompressed, as UTF-8.
        whole: Whether ``head`` is the whole document.

    Examples:
        >>> sniff = Sniff("<bytes>", b'{"ts":1,"dir":"in"}\nnoise\n', whole=True)
        >>> sniff.objects
        [{'ts': 1, 'dir': 'in'}]
    """

    name: str
    head: bytes
    whole: bool

    @cached_property
    def text(self) -> str:
        """The head as text, without a byte order mark and without terminal colours."""
        return _ANSI.sub("", self.head.decode("utf-8", "backslashreplace").removeprefix("\ufeff"))

    @cached_property
    def lines(self) -> list[str]:
        """The head's lines that are not blank; the last one may be cut."""
        return [line for line in self.text.splitlines() if line.strip()]

    @cached_property
    def objects(self) -> list[dict[str, object]]:
        """The first lines that are JSON objects by themselves."""
        found: list[dict[str, object]] = []
        for line in self.lines:
            value = _loaded(line.strip())
            if isinstance(value, dict):
                found.append(value)
                if len(found) == _OBJECTS:
                    break
        return found

    @property
    def first(self) -> str:
        """The first character that is not blank."""
        return self.text.lstrip()[:1]


def _loaded(line: str) -> object:
    if not line.startswith("{"):
        return None
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
