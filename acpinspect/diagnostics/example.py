"""What an example is, and the turns around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from acpinspect.protocol import Version

__all__ = ["Example", "around", "around_v2"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A log with a fault and the same log without it, as sketches.

    Attributes:
        before: The log with the fault.
        after: The log without it.
        version: The protocol version of both.
        options: Thresholds under which the rule speaks.
    """

    before: str
    after: str
    version: Version = "v1"
    options: Mapping[str, object] = field(default_factory=dict)


def around(before: str, after: str, *, options: Mapping[str, object] | None = None) -> Example:
    """An example within one v1 turn."""
    turn = "prompt Go\n{}\nend end_turn"
    return Example(before=turn.format(before), after=turn.format(after), options=options or {})


def around_v2(before: str, after: str, *, options: Mapping[str, object] | None = None) -> Example:
    """An example within one v2 turn."""
    turn = "prompt Go\nok\nstate running\nwhole user u1 Go\n{}\nstate idle end_turn"
    return Example(before=turn.format(before), after=turn.format(after), version="v2", options=options or {})
