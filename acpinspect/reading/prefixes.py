"""The text around a message on its line: terminal escapes, direction labels, time."""

from __future__ import annotations

import re

from acpinspect.reading.clocks import NO_STAMP, Stamp, stamp_in_prefix

__all__ = ["ANSI", "LABELS", "label_in_prefix", "read_prefix", "without_ansi"]

ANSI = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\|\Z)|[()#][0-9A-Z]|[ -/]*[0-~])")
"""One terminal escape sequence: colours, cursor, title, character set."""

_SIDE = r"(?:client|editor|ide|host|agent|server|proxy|user)"
_ARROW = r"(?:-{1,2}>|→|⇒|=>|←|⇐|<-{1,2}|<=)"
_WORDS = (
    "incoming|outgoing|inbound|outbound|received|receive|recv|sent|sending|send|stdin|stdout|stderr|in|out|"
    "c2a|a2c|client|agent|editor|read|write|reading|writing|rx|tx|request to|from"
)
_PHRASE = re.compile(
    rf"\b{_SIDE}\s*(?:{_ARROW}|[_ -]to[_ -])\s*{_SIDE}\b|\bfrom[ _-]?(?:client|agent|editor)\b|"
    rf"\bto[ _-]?(?:client|agent|editor)\b",
    re.IGNORECASE,
)
_CHEVRONS = re.compile(r">>>|<<<|>>|<<")
_ARROWS = re.compile(rf"(?<![\w<>=-]){_ARROW}(?![\w<>=-])|[→←⇒⇐]")
_WORD = re.compile(
    rf"(?:^|[\s\[(<|:=/-])({_WORDS})(?=\s*(?:[\])>:|=-]|$)|\s+(?:\{{|\[|raw|json|message|line|frame|msg|[FP])\b)",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"(?:^|\s)([<>])(?=\s*$)")

LABELS = frozenset(
    [
        "in",
        "out",
        "incoming",
        "outgoing",
        "inbound",
        "outbound",
        "received",
        "receive",
        "recv",
        "sent",
        "sending",
        "send",
        "stdin",
        "stdout",
        "stderr",
        "c2a",
        "a2c",
        "client",
        "agent",
        "read",
        "write",
        "rx",
        "tx",
        "acp_send",
        "acp_recv",
        "acp_sent",
        "acp_received",
        "acp_in",
        "acp_out",
        "client_to_agent",
        "agent_to_client",
        "clienttoagent",
        "agenttoclient",
        "fromclient",
        "fromagent",
        "toclient",
        "toagent",
        "upstream",
        "downstream",
    ]
)
"""Words that are a direction wherever a record has one of them as its type."""


def without_ansi(text: bytes) -> bytes:
    r"""The text without terminal escape sequences.

    Examples:
        >>> without_ansi(b'\x1b[1 q{"id":0}')
        b'{"id":0}'
    """
    return ANSI.sub(b"", text) if b"\x1b" in text else text


def label_in_prefix(prefix: str) -> str | None:
    """The direction label as written, in the text before a message.

    Examples:
        >>> label_in_prefix("2026-01-05 11:00:02,480 [  2514]   FINE - AcpTransport - IN: ")
        'IN'
        >>> label_in_prefix("2026-01-05T11:00:02Z DEBUG acp -> ")
        '->'
        >>> label_in_prefix("INFO sent 3 files") is None
        True
    """
    for pattern in (_CHEVRONS, _PHRASE, _ARROWS):
        match = pattern.search(prefix)
        if match is not None:
            return match.group()
    words = list(_WORD.finditer(prefix))
    if words:
        return words[-1].group(1)
    single = _SINGLE.search(prefix)
    return single.group(1) if single else None


def read_prefix(prefix: bytes) -> tuple[Stamp, str | None]:
    """The time and the direction label in the text before a message."""
    if not prefix or prefix.isspace():
        return NO_STAMP, None
    text = without_ansi(prefix)[-400:].decode("utf-8", "replace")
    return stamp_in_prefix(text), label_in_prefix(text)
