"""What acpinspect raises, in one tree.

    AcpInspectError
    ├── SourceError          a source can't be opened or is of no kind that we read
    │   └── NotACPError      it can be read, but there is no ACP traffic in it
    ├── ReadError            a record can't be read and on_error="raise" was asked for
    ├── ArgumentError        an argument has a value that the function doesn't know (a ValueError too)
    ├── EventsError          a table is no events table, or an event isn't in it
    ├── StartError           an agent that is to be recorded can't be started
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
    "StartError",
    "WorkerError",
]


class AcpInspectError(Exception):
    """Base of all exceptions that acpinspect raises on purpose.

    Examples:
        >>> import acpinspect
        >>> try:
        ...     acpinspect.load("no-such-log.ndjson")
        ... except acpinspect.AcpInspectError as error:
        ...     print(error)
        There is no such file: 'no-such-log.ndjson'.
    """


class SourceError(AcpInspectError):
    """A source can't be opened, or is of no kind that we read.

    Examples:
        >>> import acpinspect
        >>> acpinspect.load("no-such-log.ndjson")
        Traceback (most recent call last):
        ...
        acpinspect.errors.SourceError: There is no such file: 'no-such-log.ndjson'.
    """


class NotACPError(SourceError):
    """The source can be read, but it holds no ACP traffic.

    Attributes:
        recognised: What the source looks like instead (``"kimi-wire"``, ``"mcp"``, ...), or ``None``.

    Examples:
        >>> import acpinspect
        >>> log = b'{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}'
        >>> try:
        ...     acpinspect.load(log)
        ... except NotACPError as error:
        ...     print(error.recognised)
        lsp
    """

    def __init__(self, message: str, *, recognised: str | None = None) -> None:
        super().__init__(message)
        self.recognised = recognised


class ReadError(AcpInspectError):
    r"""A record can't be read, and ``on_error="raise"`` was asked for.

    Attributes:
        source: The source's name.
        line: The 1-based line of the record, or ``None``.

    Examples:
        >>> import acpinspect
        >>> log = b'{"jsonrpc":"2.0","id":1,"method":"session/list"}\n{"jsonrpc":"2.0","id'
        >>> try:
        ...     acpinspect.load(log, on_error="raise")
        ... except ReadError as error:
        ...     print(error.line)
        2
    """

    def __init__(self, message: str, *, source: str, line: int | None) -> None:
        super().__init__(message)
        self.source = source
        self.line = line


class ArgumentError(AcpInspectError, ValueError):
    """An argument has a value that the function doesn't know.

    Examples:
        >>> import acpinspect
        >>> try:
        ...     acpinspect.get_policy("zed")
        ... except ArgumentError as error:
        ...     print(error)
        There is no policy 'zed'. Did you mean ...? Known policies: ...
    """


class EventsError(AcpInspectError):
    """A table is no events table, or an event isn't in it.

    Examples:
        >>> import acpinspect
        >>> events = acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "session/list"}])
        >>> try:
        ...     acpinspect.payload(events, 7)
        ... except EventsError as error:
        ...     print(error)
        There is no event 7 in this table. Its index (`acpinspect events` shows it) goes from 0 to 0.
    """


class StartError(AcpInspectError):
    """An agent that is to be recorded can't be started.

    Examples:
        >>> import acpinspect, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     try:
        ...         acpinspect.record(["no-such-agent"], f"{folder}/log.jsonl")
        ...     except StartError as error:
        ...         print(error)
        no-such-agent can't be started: No such file or directory. Give the agent's command after `--`.
    """


class WorkerError(AcpInspectError):
    """A process that worked for us ended before its work was done.

    Examples:
        >>> issubclass(WorkerError, AcpInspectError)
        True
    """


class ConversionError(AcpInspectError):
    """A part of a log has no form in the other protocol version, and ``on_loss="raise"`` was asked for.

    Attributes:
        event: The event.
        variant: Its update or its method; ``None`` where it can't be read.
        field: Path of the field.
        reason: Why the other version can't hold it.

    Examples:
        >>> import acpinspect
        >>> mode = {"sessionUpdate": "current_mode_update", "currentModeId": "ask"}
        >>> try:
        ...     acpinspect.convert(acpinspect.from_records([("s1", mode)]), to="v2")
        ... except ConversionError as error:
        ...     print(error.event, error.variant, error.field)
        0 current_mode_update sessionUpdate
    """

    def __init__(self, message: str, *, event: int, variant: str | None, field: str, reason: str) -> None:
        super().__init__(message)
        self.event = event
        self.variant = variant
        self.field = field
        self.reason = reason
