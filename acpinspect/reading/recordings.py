"""Which recording a source belongs to, and which part of it it is, told from its name alone."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from acpinspect.reading.document import Role

__all__ = ["Part", "part_of", "recording_of"]


class Part(NamedTuple):
    """What the name of a source says.

    Attributes:
        recording: The name of the recording.
        segment: How old a rotated part is; 0 is the active one, the highest the oldest.
        role: Which half of a pair of files it seems to be; its content has the last word.
    """

    recording: str
    segment: int = 0
    role: Role | None = None


_PACKED: Final = re.compile(r"\.(?:gz|bz2|xz|zst|zstd)\Z", re.IGNORECASE)
_STREAM: Final = re.compile(r"(?P<before>.*\.stream)\.(?P<number>\d{1,6})(?P<after>\.\w+)\Z", re.DOTALL)
_SUFFIX: Final = re.compile(
    r"(?P<before>.*\.(?:jsonl|ndjson|jsons|json|log|txt))\.(?P<number>\d{1,6})\Z", re.DOTALL
)
_INFIX: Final = re.compile(r"(?P<before>[^.]*[A-Za-z])\.(?P<number>\d{1,2})(?P<after>\.log)\Z")
_EXTENSION: Final = re.compile(r"\.(?:jsonl|ndjson|jsons|json|log|txt)\Z")

_AGENT: Final = "agent"
_CLIENT: Final = "client"
_STDERR: Final = "stderr"
_HALVES: Final[dict[str, tuple[str, Role]]] = {
    "stdin": ("stdio", _CLIENT),
    "stdout": ("stdio", _AGENT),
    "stderr": ("stdio", _STDERR),
    "in": ("in-out", _CLIENT),
    "out": ("in-out", _AGENT),
    "err": ("in-out", _STDERR),
    "input": ("input-output", _CLIENT),
    "output": ("input-output", _AGENT),
    "sent": ("sent-received", _CLIENT),
    "received": ("sent-received", _AGENT),
    "send": ("send-recv", _CLIENT),
    "recv": ("send-recv", _AGENT),
    "requests": ("requests-responses", _CLIENT),
    "responses": ("requests-responses", _AGENT),
    "c2a": ("c2a-a2c", _CLIENT),
    "a2c": ("c2a-a2c", _AGENT),
    "client-to-agent": ("client-agent", _CLIENT),
    "agent-to-client": ("client-agent", _AGENT),
    "request": ("request-response", _CLIENT),
    "response": ("request-response", _AGENT),
    "to-agent": ("to-from", _CLIENT),
    "from-agent": ("to-from", _AGENT),
}
_ANY_HALF: Final = "|".join(sorted(_HALVES, key=len, reverse=True)).replace("-", "[-_]")
_HALF: Final = re.compile(
    rf"(?P<before>.*?)(?:(?<=[._\-/!])|\A)(?P<half>{_ANY_HALF})\Z",
    re.DOTALL,
)


def recording_of(source: str) -> str:
    """The name of the recording that a source is a part of.

    Rotated segments belong to their active file, and the files of one process's standard input, output and
    error to each other.

    Args:
        source: The source's name, as in the column ``source``.

    Returns:
        A name that all parts of a recording share; the source's own where it is a recording by itself.

    Examples:
        >>> recording_of("a/s1.stream.2.ndjson"), recording_of("messages.jsonl.3.gz")
        ('a/s1.stream.ndjson', 'messages.jsonl')
        >>> recording_of("run/agent.stdin.jsonl") == recording_of("run/agent.stderr.log")
        True
        >>> recording_of("kimi-cli-1.5.jsonl")
        'kimi-cli-1.5.jsonl'
    """
    return part_of(source).recording


def part_of(source: str) -> Part:
    """What the name of a source says of the recording and of its part in it.

    Examples:
        >>> part_of("vibe/messages.jsonl.3")
        Part(recording='vibe/messages.jsonl', segment=3, role=None)
    """
    name = _PACKED.sub("", source)
    name, segment = _without_number(name)
    half = _HALF.match(_EXTENSION.sub("", name))
    if half is not None:
        pair, role = _HALVES[half["half"].replace("_", "-")]
        return Part(f"{half['before']}{{{pair}}}", segment, role)
    return Part(name, segment) if segment else Part(source)


def _without_number(name: str) -> tuple[str, int]:
    folder, slash, base = name.rpartition("/")
    for pattern in (_STREAM, _SUFFIX, _INFIX):
        match = pattern.match(base)
        if match is not None:
            after = match.groupdict().get("after") or ""
            return f"{folder}{slash}{match['before']}{after}", int(match["number"])
    return name, 0
