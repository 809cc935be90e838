"""From a log back to the bytes that passed, exactly."""

from __future__ import annotations

import os
import re
from binascii import a2b_base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from acpinspect.errors import ArgumentError
from acpinspect.recording.records import SENDERS, Sender

__all__ = ["wire_bytes"]

_RECORD: Final = re.compile(
    rb'\{"seq":\d+,"time":"[^"]+","mono":[\d.]+,"sender":"(?P<sender>client|agent|stderr)",'
    rb'(?:"part":\d+,)?(?:"newline":"(?P<end>(?:\\r\\n)?)",)?"(?P<form>msg|text|base64)":'
)
_END: Final = b"}\n"
_ENDS: Final = {None: b"\n", b"": b"", rb"\r\n": b"\r\n"}


def wire_bytes(path: str | os.PathLike[str], sender: Sender) -> Iterator[bytes]:
    r"""The bytes that a sender has sent, as they passed: joined, they are its side of the conversation.

    Args:
        path: A log of `record` or `Recorder`.
        sender: ``"client"``, ``"agent"`` or ``"stderr"``.

    Yields:
        The bytes of one record after the other, n records in n steps; of a torn last record nothing.

    Raises:
        ArgumentError: If there is no such sender.

    Example:
        >>> import acpinspect, tempfile
        >>> from acpinspect.recording import wire_bytes
        >>> with tempfile.TemporaryDirectory() as folder, acpinspect.Recorder(f"{folder}/log.jsonl") as recorder:
        ...     recorder.write("agent", b'{"a": 1.0 }\r\n\xff\n\nand no line feed')
        ...     recorder.end("agent")
        ...     list(wire_bytes(recorder.path, "agent"))
        [b'{"a": 1.0 }\r\n', b'\xff\n', b'\n', b'and no line feed']
    """
    if sender not in SENDERS:
        raise ArgumentError(f"sender={sender!r} is no sender; give {', '.join(map(repr, SENDERS))}.")
    with Path(path).open("rb") as file:
        for line in file:
            record = _RECORD.match(line)
            if record is not None and record["sender"] == sender.encode() and line.endswith(_END):
                data = _READERS[record["form"]](line[record.end() : -len(_END)])
                yield data + _ENDS[record["end"]]


def _text(body: bytes) -> bytes:
    import msgspec

    return msgspec.json.decode(body, type=str).encode()


def _base64(body: bytes) -> bytes:
    return a2b_base64(body.strip(b'"'))


_READERS: Final[dict[bytes, Callable[[bytes], bytes]]] = {b"msg": bytes, b"text": _text, b"base64": _base64}
