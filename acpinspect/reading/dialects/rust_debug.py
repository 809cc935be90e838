"""Logs of Rust programs that print ACP types with ``{:?}`` or ``{:#?}``.

Source: the types of the agent-client-protocol crate; older versions nest less (``AgentMessageChunk { content: ..
}`` without a ``ContentChunk``), and both are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.notation.builder import NotationError
from acpinspect.reading.notation.rust_debug import read_rust
from acpinspect.reading.printed import NAME_BEGINS, Opened, Printed, open_printed, printed_frames
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.wire.lost_ids import LostIds, lost_id_problem
from acpinspect.reading.wire.rust_types import rust_message

_BEGINS = re.compile(
    NAME_BEGINS + r"(?:[A-Za-z_]\w*::)*"
    r"(?:[A-Z]\w*(?:Notification|Request|Response|Message)|SessionUpdate|[A-Z]\w*Chunk)\s?[({]"
)
_LINES_TO_SNIFF = 400


def _read(text: str, position: int, ids: LostIds) -> tuple[Opened, int]:
    value, end = read_rust(text, position)
    message = rust_message(value, ids)
    if message is None:
        return [], end
    return open_printed(message, lost_id_problem(message)), end


def _frames(document: Document) -> Iterator[Frame]:
    return printed_frames(document, Printed(_BEGINS, partial(_read, ids=LostIds())))


def _sniff(sniff: Sniff) -> str | None:
    """A message in Rust's debug print, in a log that is not mostly JSON."""
    seen = 0
    for match in list(_BEGINS.finditer(sniff.text))[:_LINES_TO_SNIFF]:
        try:
            seen += bool(_read(sniff.text, match.start(), LostIds())[0])
        except NotationError:
            continue
        if seen > len(sniff.objects):
            return "ACP types as Rust's {:?} prints them"
    return None


register(
    Dialect(
        name="rust-debug",
        title="ACP types in Rust's debug print",
        writer="Rust programs (agent-client-protocol crate)",
        sniff=_sniff,
        frames=_frames,
        order=41,
        lossy=True,
    )
)
