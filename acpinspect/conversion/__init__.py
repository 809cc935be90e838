"""A log in the other version of the protocol, and all that this version can't hold.

Source: "v2 to v1" and "v1 to v2" of the semantics; the design document on v2 message updates, plan, step 5; the
published schemas. See `docs/conversion.md` for what becomes of what.
"""

from __future__ import annotations

from typing import Literal

from acpinspect.conversion.log import Log
from acpinspect.conversion.result import COLUMNS, Conversion, converted_events, losses_of, origins_of
from acpinspect.conversion.walk import Lost, walk
from acpinspect.errors import ArgumentError, ConversionError
from acpinspect.grouping import AnyPolicy
from acpinspect.opening import Events, events_of
from acpinspect.protocol import VERSIONS, Version

__all__ = ["COLUMNS", "Conversion", "convert"]


def convert(
    events: Events, to: Version, *, on_loss: Literal["raise", "report"] = "raise", policy: AnyPolicy = "spec"
) -> Conversion:
    """Write a log in the other version of the protocol.

    Args:
        events: An events table, or the path of a log.
        to: ``"v1"`` or ``"v2"``. Events that speak it already stay as they are.
        on_loss: What to do about what the version can't hold: ``"raise"`` an error at the first, or ``"report"``
            all as rows of `losses`. Nothing is lost in silence.
        policy: To v2: which chunks without an id are one message, as `group` has it. Each such message gets an id
            that is made of its place in the session, the same for the same log.

    Returns:
        The converted log as an events table, the losses, and the origin of each converted event.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such version or policy, or `on_loss` is neither.
        ConversionError: If something can't be carried and `on_loss` is ``"raise"``.

    Example:
        >>> import acpinspect
        >>> whole = {"sessionUpdate": "agent_message", "messageId": "m1", "content": [
        ...     {"type": "text", "text": "One"}, {"type": "text", "text": " message"}]}
        >>> converted = acpinspect.convert(acpinspect.from_records([("s1", whole)], protocol="v2"), to="v1")
        >>> converted.events[["update", "message_id", "text"]].values.tolist()
        [['agent_message_chunk', 'm1', 'One'], ['agent_message_chunk', 'm1', ' message']]
    """
    events = events_of(events)
    if to not in VERSIONS:
        raise ArgumentError(f"to={to!r} is no version of the protocol; give {' or '.join(VERSIONS)}.")
    if on_loss not in ("raise", "report"):
        raise ArgumentError(f"on_loss={on_loss!r} is not known; give 'raise' or 'report'.")
    log = Log(events, policy)
    placed, lost = walk(log, to)
    if lost and on_loss == "raise":
        raise _error(lost, to)
    return Conversion(converted_events(log, placed, to), losses_of(lost), origins_of(log, placed))


def _error(lost: list[Lost], to: Version) -> ConversionError:
    first = lost[0]
    others = f" {len(lost) - 1} more can't be carried." if len(lost) > 1 else ""
    what = f"{first.variant}: {first.field}" if first.variant else first.field
    message = (
        f"Event {first.event} has no form in {to}: {what}: {first.reason}.{others} "
        "With on_loss='report' (--on-loss report) it goes on without it, and all losses are in a table."
    )
    return ConversionError(
        message, event=first.event, variant=first.variant, field=first.field, reason=first.reason
    )
