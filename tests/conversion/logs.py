"""Short words for what the tests convert, and for what they look at."""

from __future__ import annotations

from typing import Any

import acpinspect
from acpinspect.protocol import Version
from tests import wire

Json = dict[str, Any]
Loss = tuple[str | None, str]


def converted(frames: list[Json], to: Version, **options: Any) -> acpinspect.Conversion:
    """The conversion of frames that are of the other version."""
    protocol: Version = "v1" if to == "v2" else "v2"
    return acpinspect.convert(acpinspect.from_records(frames, protocol=protocol), to, **options)


def frames_of(conversion: acpinspect.Conversion) -> list[Json]:
    """The converted frames."""
    return [message for message in acpinspect.payloads(conversion.events) if message is not None]


def convert_frames(frames: list[Json], to: Version, **options: Any) -> list[Json]:
    """Frames in the other version; a loss is an error."""
    return frames_of(converted(frames, to, **options))


def update_of(frame: Json) -> Json:
    """The update that a frame carries."""
    return frame["params"]["update"]


def convert_updates(frames: list[Json], to: Version, **options: Any) -> list[Json]:
    """The updates of the converted frames; other frames are left out."""
    return [update_of(f) for f in convert_frames(frames, to, **options) if f.get("method") == "session/update"]


def losses_of(frames: list[Json], to: Version) -> list[Loss]:
    """Variant and field of each loss."""
    losses = converted(frames, to, on_loss="report").losses
    return list(zip(losses["variant"], losses["field"], strict=True))


def whole(message_id: str, *texts: str, role: str = "agent_message", **fields: Any) -> Json:
    """A whole-message update."""
    return wire.whole(message_id, *texts, role=role, **fields)


def content_chunk(tool: str, text: str, **fields: Any) -> Json:
    """A chunk of a tool call's content."""
    item = {"type": "content", "content": wire.text(text)}
    return wire.update("tool_call_content_chunk", toolCallId=tool, content=item, **fields)


def plan(plan_id: str, *entries: str, status: str = "pending") -> Json:
    """A plan of protocol 2."""
    items = [{"content": entry, "priority": "low", "status": status} for entry in entries]
    return wire.update("plan_update", plan={"type": "items", "planId": plan_id, "entries": items})


def asked(tool_call: Json, **fields: Any) -> Json:
    """A permission request of protocol 2."""
    subject = {"type": "tool_call", "toolCall": tool_call}
    option = {"optionId": "y", "name": "Yes", "kind": "allow_once"}
    return wire.request(
        9,
        "session/request_permission",
        **{"sessionId": "s1", "title": "Dig", "subject": subject, "options": [option]} | fields,
    )
