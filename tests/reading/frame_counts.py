"""What frames say of a recording, counted as the corpus's expectations count it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from acpinspect.protocol.methods import METHODS
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.registry import Dialect, dialect, dialects
from acpinspect.reading.sniffing import Sniff


def frames_of(name: str, data: bytes | str | Path) -> list[Frame]:
    """All frames that the format of this name gives."""
    if isinstance(data, Path):
        return list(dialect(name).frames(Document.of_path(data)))
    return list(
        dialect(name).frames(Document.of_bytes("<bytes>", data.encode() if isinstance(data, str) else data))
    )


def recognised(data: bytes | str) -> Dialect | None:
    """The first format that recognises a content."""
    content = data.encode() if isinstance(data, str) else data
    sniff = Sniff("<bytes>", content[:65_536], whole=len(content) <= 65_536)
    return next((one for one in dialects() if one.sniff(sniff) is not None), None)


def messages_of(frames: Iterable[Frame]) -> list[dict[str, Any]]:
    """The messages, parsed."""
    return [json.loads(frame.raw) for frame in frames if frame.kind is None]


def updates_of(frames: Iterable[Frame]) -> list[dict[str, Any]]:
    """The updates, parsed."""
    return [
        message["params"]["update"] for message in messages_of(frames) if message.get("method") == "session/update"
    ]


def counts_of(frames: list[Frame]) -> dict[str, object]:
    """Events, sessions in first-seen order, messages, and the side that each message's method or format tells."""
    messages = messages_of(frames)
    updates = [one for one in messages if one.get("method") == "session/update"]
    sessions = dict.fromkeys(one["params"].get("sessionId") for one in updates)
    return {"events": len(updates), "sessions": list(sessions), "messages": len(messages)}


def senders_of(frames: list[Frame]) -> dict[str, int]:
    """How many messages each side sent: by the format where it says so, else by the method or the answer's id."""
    senders: dict[str, int] = {"agent_to_client": 0, "client_to_agent": 0}
    asked: dict[object, str] = {}
    for frame in frames:
        if frame.kind is None:
            sender = frame.sender or _sender(json.loads(frame.raw), asked)
            senders["agent_to_client" if sender == "agent" else "client_to_agent"] += 1
    return senders


def _sender(message: dict[str, Any], asked: dict[object, str]) -> str:
    if "method" not in message:
        return "client" if asked.get(message["id"]) == "agent" else "agent"
    sender = METHODS[message["method"]].sender
    if "id" in message:
        asked[message["id"]] = sender
    return sender


def uncovered(data: bytes, frames: Iterable[Frame]) -> bytes:
    """What isn't blank and lies in no frame."""
    left = bytearray(data)
    for frame in frames:
        if frame.offset is not None and frame.length is not None:
            left[frame.offset : frame.offset + frame.length] = b" " * frame.length
    return bytes(left).strip()
