"""A transparent recorder between a client and an agent, as a command, a function and inside a program.

It needs none of the other rooms and nothing heavy: it stands between an editor and its agent when both start.
"""

from __future__ import annotations

from acpinspect.recording.reading_back import wire_bytes
from acpinspect.recording.recorder import Recorder
from acpinspect.recording.running import record

__all__ = ["Recorder", "record", "wire_bytes"]
