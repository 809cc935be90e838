"""What acpinspect raises, in one tree.

    AcpInspectError
    ├── SourceError          a source can't be opened or is of no kind that we read
    │   └── NotACPError      it can be read, but there is no ACP traffic in it
    ├── ReadError            a record can't be read and on_error="raise" was asked for
    ├── ArgumentError        an argument has a value that the function doesn't know (a ValueError too)
    ├── EventsError          a table is no events table, or an event isn't in it
    ├── WorkerError          a process that worked for us was killed
    └── ConversionError      a part of a log has no form in the other protocol version

Every message is a sentence that says what was wrong, where, and what to do.
"""

from __future__ import annotations

__all__ = [
    "AcpInspectError",
    "ArgumentError",
    "ConversionError",
    "EventsError",
    "NotACPError",
    "ReadError",
    "SourceError",
    "WorkerError",
]


class AcpInspectError(Exception):
    """Base of all exceptions that acpinspect raises on purpose."""


class SourceError(AcpInspectError):
    """A source can't be opened, or is of no kind that we read."""


class NotACPError(SourceError):
    """The source can be read, but it holds no ACP traffic.

    Attributes:
        recognised: What the source looks like instead (``"kimi-wire"``, ``"mcp"``, ...), or ``None``.
    """

    def __init__(self, message: str, *, recognised: str | None = None) -> None:
        super().__init__(message)
        self.recognised = recognised


class ReadError(AcpInspectError):
    """A record can't be read, and ``on_error="raise"`` was asked for.

    Attributes:
        source: The source's name.
        line: The 1-based line of the record, or ``None``.
    """

    def __init__(self, message: str, *, source: str, line: int | None) -> None:
        super().__init__(message)
        self.source = source
        self.line = line


class ArgumentError(AcpInspectError, ValueError):
    """An argument has a value that the function doesn't know."""


class EventsError(AcpInspectError):
    """A table is no events table, or an event isn't in it."""


class WorkerError(AcpInspectError):
    """A process that worked for us ended before its work was done."""


class ConversionError(AcpInspectError):
    """A part of a log has no form in the other protocol version, and ``on_loss="raise"`` was asked for.

    Attributes:
        event: The event.
        variant: Its update or its method; ``None`` where it can't be read.
        field: Path of the field.
        reason: Why the other version can't hold it.
    """

    def __init__(self, message: str, *, event: int, variant: str | None, field: str, reason: str) -> None:
        super().__init__(message)
        self.event = event
        self.variant = variant
        self.field = field
        self.reason = reason
