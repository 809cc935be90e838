"""The Rust conductor's debug log: one line per hop, milliseconds since the start that the header states.

Source: `debug_logger.rs` of the conductor. ``C`` is the outer client; the other labels repeat the traffic per hop,
some of it inside ``_proxy/successor``; ``!`` is a component's standard error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from acpinspect.reading.clocks import stamp_of_text
from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.framing import line_frames
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.shapes import HOP_DUPLICATE
from acpinspect.reading.sniffing import Sniff

__all__: list[str] = []

_STARTED: Final = re.compile(rb"^Started:\s*(\S+)")
_HOP: Final = re.compile(r"^(\S+) ([←→!]) \+\d+ms", re.MULTILINE)
_HEAD_LINES: Final = 200


def _sniff(head: Sniff) -> str | None:
    if head.text.startswith("=== Conductor Debug Log") or _HOP.search(head.text):
        return "lines of a component, an arrow and +milliseconds"
    return None


def _frames(document: Document) -> Iterator[Frame]:
    return in_source_bytes(document, _hops(document))


def _hops(document: Document) -> Iterator[Frame]:
    started: int | None = None
    for line, number, offset in document.lines():
        if started is None and number < _HEAD_LINES and (match := _STARTED.match(line)):
            started = stamp_of_text(match.group(1).decode("utf-8", "replace")).time
        hop = _HOP.match(line[:80].decode("utf-8", "ignore"))
        for frame in line_frames(line, document.name, number, offset):
            yield _of_hop(frame, hop, started) if hop else frame


def _of_hop(frame: Frame, hop: re.Match[str], started: int | None) -> Frame:
    component, arrow = hop.groups()
    kind, problem = frame.kind, frame.problem
    if arrow == "!":
        kind, problem = "other", "stderr"
    elif component != "C" and kind is None:
        kind, problem = "other", HOP_DUPLICATE
    time = None
    if started is not None and frame.elapsed is not None:
        time = started + round(frame.elapsed * 1_000) * 1_000_000
    return msgspec.structs.replace(
        frame, kind=kind, problem=problem, time=time, label=arrow if component == "C" else f"{component} {arrow}"
    )


register(
    Dialect(
        name="rust-conductor-debug-log",
        title="one line per hop, +ms since the start",
        writer="the Rust conductor, debug",
        sniff=_sniff,
        frames=_frames,
        order=20,
    )
)
