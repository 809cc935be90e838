"""acpinspect: find out what really happened in an Agent Client Protocol log.

Names are loaded when they are first used, so that ``import acpinspect`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from acpinspect.conversion import Conversion, convert
    from acpinspect.errors import (
        AcpInspectError,
        ArgumentError,
        ConversionError,
        EventsError,
        NotACPError,
        ReadError,
        SourceError,
    )
    from acpinspect.events import payload, payloads
    from acpinspect.grouping import group
    from acpinspect.loading import detect, formats, load
    from acpinspect.message_table import messages
    from acpinspect.problems import load_report
    from acpinspect.records import from_records

_ROOM_OF = {
    "AcpInspectError": "errors",
    "ArgumentError": "errors",
    "Conversion": "conversion",
    "ConversionError": "errors",
    "EventsError": "errors",
    "NotACPError": "errors",
    "ReadError": "errors",
    "SourceError": "errors",
    "convert": "conversion",
    "detect": "loading",
    "formats": "loading",
    "from_records": "records",
    "group": "grouping",
    "load": "loading",
    "load_report": "problems",
    "messages": "message_table",
    "payload": "events",
    "payloads": "events",
}

__all__ = [
    "AcpInspectError",
    "ArgumentError",
    "Conversion",
    "ConversionError",
    "EventsError",
    "NotACPError",
    "ReadError",
    "SourceError",
    "__version__",
    "convert",
    "detect",
    "formats",
    "from_records",
    "group",
    "load",
    "load_report",
    "messages",
    "payload",
    "payloads",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (any of the public names)
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module 'acpinspect' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"acpinspect.{room}"), name)
    # A public function can have the name of the room that it stands in: the function is what a user means.
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
