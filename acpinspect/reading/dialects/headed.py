"""Logs that write a header and the message below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from acpinspect.reading.clocks import NO_STAMP
from acpinspect.reading.document import Document
from acpinspect.reading.documents import Header, document_frames, lines_above, read_values
from acpinspect.reading.frames import Frame
from acpinspect.reading.prefixes import read_prefix
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.siblings import Siblings
from acpinspect.reading.sniffing import Sniff

__all__: list[str] = []

_VSCODE: Final = re.compile(r"^\[\d{4}-\d\d-\d\dT[\d:.]+Z?\] (?:>>>|<<<)", re.MULTILINE)
_CODECOMPANION: Final = re.compile(
    r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\r?\n(?:Sent|Received):\r?\n", re.MULTILINE
)
_CONTENT_LENGTH: Final = re.compile(r"Content-Length: *\d+\r?\n", re.IGNORECASE)
_ACP_EL: Final = re.compile(r"^(?:INCOMING|OUTGOING) (?:LINE|TEXT|OBJECT) >", re.MULTILINE)
_HTTP_LINE: Final = re.compile(rb"[A-Za-z][\w-]*: ")
_ACP_EL_LINE: Final = re.compile(rb"((?:INCOMING|OUTGOING) (?:LINE|TEXT|OBJECT)) >")
_KEPT_LABELS: Final = frozenset({"INCOMING LINE", "OUTGOING TEXT"})
_LOOKED_AT: Final = 40
_MOST: Final = 0.8
_PREFIX_THEN_PRETTY: Final = re.compile(r"^[^{}\n\s][^{}\n]{0,400}[\[{]\r?\n\s+[\"{]", re.MULTILINE)


def _vscode(head: Sniff) -> str | None:
    return "headers [time] >>> or <<< with JSON below them" if _VSCODE.search(head.text) else None


def _codecompanion(head: Sniff) -> str | None:
    return (
        "a local time, Sent: or Received:, and JSON, each on its line"
        if _CODECOMPANION.search(head.text)
        else None
    )


def _content_length(head: Sniff) -> str | None:
    return "Content-Length headers before the messages" if _CONTENT_LENGTH.match(head.text.lstrip()) else None


def _acp_el(head: Sniff) -> str | None:
    return "INCOMING LINE > and OUTGOING TEXT > with the messages below" if _ACP_EL.search(head.text) else None


def _headed(head: Sniff) -> str | None:
    """A line that says a time or a direction, and JSON on the lines below it."""
    if head.first in ("{", "["):
        return None
    starts = [n for n, line in enumerate(head.lines) if line.startswith("{")][:_LOOKED_AT]
    headed = sum(_is_header(head.lines[n - 1]) for n in starts if n)
    if headed and headed >= _MOST * len(starts):
        return f"{headed} of {len(starts)} JSON values stand below a line with a time or a direction"
    return "pretty-printed JSON after a prefix" if _PREFIX_THEN_PRETTY.search(head.text) else None


def _is_header(line: str) -> bool:
    if "{" in line or len(line) > 300:
        return False
    stamp, label = read_prefix(line.encode("utf-8", "replace"))
    return stamp is not NO_STAMP or label is not None


def _http_header(data: bytes, start: int, end: int) -> Header:
    """All header lines right before a value; they say nothing that a frame tells."""
    first = end
    for begin, line in lines_above(data, start, end):
        if not _HTTP_LINE.match(line):
            break
        first = begin
    return Header(first, Siblings())


def _acp_el_header(data: bytes, start: int, end: int) -> Header:
    for begin, line in lines_above(data, start, end):
        match = _ACP_EL_LINE.search(line)
        if match is not None:
            return Header(begin, Siblings(read_prefix(line)[0], match.group(1).decode()))
    return Header(end, Siblings())


def _content_length_frames(document: Document) -> Iterator[Frame]:
    return read_values(document, _http_header)


def _acp_el_frames(document: Document) -> Iterator[Frame]:
    """INCOMING TEXT repeats the bytes of INCOMING LINE as they came in: its rows are marked as repetitions."""
    label = None
    for frame in read_values(document, _acp_el_header):
        label = frame.label or label
        if frame.kind is None and label not in _KEPT_LABELS:
            yield msgspec.structs.replace(frame, kind="other", problem="repeats another record", label=label)
        else:
            yield msgspec.structs.replace(frame, label=label)


register(
    Dialect(
        name="vscode-acp-traffic",
        title="header line, then indented JSON",
        writer="the VS Code extension vscode-acp and its forks",
        sniff=_vscode,
        frames=document_frames,
        order=21,
    ),
    Dialect(
        name="codecompanion-rpc",
        title="time, Sent: or Received:, JSON",
        writer="codecompanion.nvim",
        sniff=_codecompanion,
        frames=document_frames,
        order=21,
    ),
    Dialect(
        name="content-length",
        title="Content-Length framing",
        writer="(not seen in the wild)",
        sniff=_content_length,
        frames=_content_length_frames,
        order=21,
    ),
    Dialect(
        name="acp.el-log",
        title="log buffer, labels above the bodies",
        writer="acp.el, agent-shell",
        sniff=_acp_el,
        frames=_acp_el_frames,
        order=21,
    ),
    Dialect(
        name="header-then-json",
        title="header lines with JSON below them",
        writer="debug logs",
        sniff=_headed,
        frames=document_frames,
        order=55,
    ),
)
