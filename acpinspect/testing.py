"""For the tests of agents and clients: a log must be clean."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.diagnostics.findings import Severity
    from acpinspect.diagnostics.options import OptionsLike

__all__ = ["assert_clean"]

_SHOWN = 20

# Any: the records of `from_records` are anything that it takes.
LogLike: TypeAlias = "pd.DataFrame | str | Path | Iterable[Any]"


def assert_clean(
    log: LogLike,
    *,
    ignore: Iterable[str] = (),
    severity: Severity = "warning",
    policy: str = "spec",
    options: OptionsLike = None,
) -> None:
    """Fail if `diagnose` finds something in a log.

    Args:
        log: A path, an events table, or records as `acpinspect.from_records` takes them.
        ignore: Codes that don't count.
        severity: The least severity that counts.
        policy: The policy whose messages the rules look at.
        options: Thresholds of the rules.

    Raises:
        AssertionError: If there are findings; the message has a line for each, with its place and what to do.
        ArgumentError: If `ignore` names something that is no code.

    Example:
        >>> from acpinspect.testing import assert_clean
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> assert_clean([chunk("One message.")])
        >>> assert_clean([chunk("One message."), chunk("Another.")], ignore=["glued-boundary"])
        >>> assert_clean([chunk("One message."), chunk("Another.")])
        Traceback (most recent call last):
        ...
        AssertionError: 1 finding:
        <records> event 1: warning[glued-boundary] ...
    """
    import acpinspect
    from acpinspect.diagnostics.catalogue import CODES, code_named

    __tracebackhide__ = True  # pytest shows the line of the test, not this one
    ignored = {code_named(name).code for name in ([ignore] if isinstance(ignore, str) else ignore)}
    codes = [code for code in CODES if code not in ignored]
    events = _events(log)
    findings = acpinspect.diagnose(events, codes=codes, severity=severity, policy=policy, options=options)
    if len(findings):
        raise AssertionError(_told(findings, events))


def _events(log: LogLike) -> pd.DataFrame:
    import pandas as pd

    import acpinspect

    if isinstance(log, pd.DataFrame):
        return log
    if isinstance(log, (str, Path)):
        return acpinspect.load(log, progress=False)
    return acpinspect.from_records(log)


def _told(findings: pd.DataFrame, events: pd.DataFrame) -> str:
    shown = findings.head(_SHOWN)
    columns = (shown[name] for name in ("event", "severity", "code", "message", "remedy"))
    lines = [
        _visible(f"{_place(events, event)}: {severity}[{code}] {message} {remedy}")
        for event, severity, code, message, remedy in zip(*columns, strict=True)
    ]
    more = [f"{len(findings) - _SHOWN} more."] if len(findings) > _SHOWN else []
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)}:"
    return "\n".join([count, *lines, *more])


def _visible(text: str) -> str:
    """The text on one line, with what could steer a terminal as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _place(events: pd.DataFrame, event: int) -> str:
    line = str(events.at[event, "line"])
    return str(events.at[event, "source"]) + (f" event {event}" if line == "<NA>" else f":{line}")
