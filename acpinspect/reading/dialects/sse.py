"""Server-sent events that carry JSON-RPC: saved responses of ACP over HTTP, CloudBase, Qwen's ``serve``.

Sources: the ACP RFD on streamable HTTP (headers ``Acp-Connection-Id``, ``Acp-Session-Id``) and the HTML standard's
event stream format: ``data`` lines of one event are joined with line feeds, a blank line ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.siblings import Siblings
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.streams import event_frames, stream_events

__all__: list[str] = []

_DATA_LINE: Final = re.compile(r"^data: ?[\[{]", re.MULTILINE)
_FIELD_LINE: Final = re.compile(r"^(?:event|id|retry|data):", re.MULTILINE)
_QWEN: Final = re.compile(r'^data: ?\{[^{}]*"v"\s*:\s*\d[^{}]*"type"\s*:\s*"session_update"', re.MULTILINE)


def _sniff(head: Sniff) -> str | None:
    if _DATA_LINE.search(head.text) and _FIELD_LINE.match(head.text.lstrip()):
        return "lines with data: and JSON, as in an event stream"
    return "an event stream after its HTTP headers" if _http_stream(head) else None


def _http_stream(head: Sniff) -> bool:
    return "text/event-stream" in head.text and _DATA_LINE.search(head.text) is not None


def _qwen(head: Sniff) -> str | None:
    return "an event stream of session_update events with v and data" if _QWEN.search(head.text) else None


def _frames(document: Document) -> Iterator[Frame]:
    return in_source_bytes(document, _events(document))


def _events(document: Document) -> Iterator[Frame]:
    for event in stream_events(document.utf8):
        yield from event_frames(event, document.name, Siblings(connection=event.connection, session=event.session))


register(
    Dialect(
        name="qwen-serve-sse",
        title="event stream of updates; the session is in the URL only",
        writer="qwen serve",
        sniff=_qwen,
        frames=_frames,
        order=22,
    ),
    Dialect(
        name="sse",
        title="event stream with JSON-RPC in its data",
        writer="ACP over HTTP",
        sniff=_sniff,
        frames=_frames,
        order=23,
    ),
)
