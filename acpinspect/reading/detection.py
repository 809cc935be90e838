"""Which format a document has, and why; and what it is where it holds no ACP traffic."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from acpinspect.errors import NotACPError
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.registry import Dialect, dialect, dialects
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.sources import Source, open_recordings

__all__ = ["Detection", "choose", "detect", "is_acp", "not_acp"]

_HEAD: Final = 65_536
_ACP: Final = re.compile(
    r'"method"\s*:\s*"_?[^"]{0,40}session/|"sessionUpdate"\s*:|"protocolVersion"\s*:\s*\d|"stopReason"\s*:'
)
_FOREIGN: Final = re.compile(
    r'"protocolVersion"\s*:\s*"|"method"\s*:\s*"(?:tools|resources|prompts|sampling|roots|completion|notifications'
    r"|textDocument|workspace|window)/"
)


@dataclass(frozen=True)
class Detection:
    """What a document was recognised as.

    Attributes:
        source: The document's name.
        format: The format's name, as ``format=`` takes it.
        title: What the format is.
        writer: Who writes it.
        evidence: What it was recognised by.
        lossy: The format has lost a part of the traffic.
        acp: It is a recording of ACP; where not, ``hint`` says what to do instead.
        hint: What to do instead.
    """

    source: str
    format: str
    title: str
    writer: str
    evidence: str
    lossy: bool
    acp: bool
    hint: str


def choose(document: Document, format: str | None = None) -> tuple[Dialect, str]:  # noqa: A002 - the public word
    """The format of a document, and what it was recognised by.

    Args:
        document: The document; only its beginning is looked at.
        format: A format's name, which is then not questioned.

    Raises:
        ArgumentError: There is no format of that name.

    Examples:
        >>> document = Document.of_bytes("<bytes>", b'{"jsonrpc":"2.0","id":0,"result":{}}')
        >>> choose(document)[0].name
        'raw-ndjson'
    """
    if format is not None:
        return dialect(format), "named by the caller"
    head = _sniff(document)
    for one in dialects():
        evidence = one.sniff(head)
        if evidence is not None:
            return one, evidence
    return dialect("lines"), "no format that we know"


def _sniff(document: Document) -> Sniff:
    head = document.head(_HEAD + 1)
    whole = len(head) <= _HEAD
    head = head[:_HEAD]
    codec, mark = document.encoding
    if codec != "utf-8":
        text = head[mark:].decode(codec, "ignore")
        return Sniff(document.name, text.encode("utf-8", "backslashreplace"), whole)
    return Sniff(document.name, head, whole)


def detect(source: Source) -> list[Detection]:
    """What each document of a source is, and why we think so.

    Args:
        source: Anything that `open_recordings` takes.

    Raises:
        SourceError: The source can't be opened.

    Examples:
        >>> [found] = detect(b'{"ts":1767610800000,"dir":"out","msg":{"jsonrpc":"2.0","id":0,"result":{}}}')
        >>> found.format, found.acp
        ('kiro-record', True)
    """
    return [_detection(document) for recording in open_recordings(source) for document in recording.documents]


def _detection(document: Document) -> Detection:
    found, evidence = choose(document)
    return Detection(
        source=document.name,
        format=found.name,
        title=found.title,
        writer=found.writer,
        evidence=evidence,
        lossy=found.lossy,
        acp=not found.negative,
        hint=found.hint,
    )


def is_acp(frames: Iterable[Frame]) -> bool | None:
    """Whether frames are ACP traffic.

    Args:
        frames: Frames of a recording, all or the first ones.

    Returns:
        ``True`` where there is an integer protocolVersion, a ``session/`` method, a sessionUpdate or a
        stopReason; ``None`` where there are messages or torn records that are neither that nor another
        protocol's; else ``False``.

    Examples:
        >>> is_acp([Frame(raw='{"jsonrpc":"2.0","method":"session/prompt","id":1,"params":{}}', source="")])
        True
        >>> is_acp([Frame(raw='{"jsonrpc":"2.0","method":"tools/list","id":1}', source="")])
        False
    """
    unclear = foreign = False
    for frame in frames:
        if frame.kind is None:
            if _ACP.search(frame.raw):
                return True
            foreign = foreign or _FOREIGN.search(frame.raw) is not None
        unclear = unclear or frame.kind != "other"
    return None if unclear and not foreign else False


def not_acp(documents: Iterable[Document]) -> NotACPError:
    """The error that says what documents without ACP traffic are instead.

    Args:
        documents: What was read, in vain.
    """
    names: list[str] = []
    for document in documents:
        found, evidence = choose(document)
        if found.negative:
            return NotACPError(
                f"{document.name} holds no ACP traffic: it is {found.title} ({evidence}). {found.hint}".rstrip(),
                recognised=found.name,
            )
        names.append(f"{document.name} (read as {found.name}: {evidence})")
    listed = "; ".join(names[:3]) + (f"; and {len(names) - 3} more" if len(names) > 3 else "")
    return NotACPError(
        f"There is no ACP traffic in {listed or 'the source'}: no session/ method, no sessionUpdate, no integer "
        "protocolVersion. If you know the format, name it with format= (--format; of lint --log-format).",
        recognised=None,
    )
