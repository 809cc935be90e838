"""For the most frequent findings, the smallest log that shows each, cut out of a recording that has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from acpinspect.collection.entries import Entry, Reopener
from acpinspect.collection.own_rules import OwnRule, learn
from acpinspect.collection.recording_events import Reading, recording_events
from acpinspect.minimizing import minimize

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Example", "Wanted", "example_of"]

_TRIALS = 400
"""How many smaller logs are looked at for one example."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A finding that an example is wanted of.

    Attributes:
        entry: The recording that has it.
        reading: How it is read.
        code: Its code.
        event: Its event.
        rules: Rules of the user's own.
    """

    entry: Entry
    reading: Reading
    code: str
    event: int
    rules: tuple[OwnRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """The smallest log that was found.

    Attributes:
        code: The code that it shows.
        events: How many events it has; 0 if there is none.
        lines: The log, one frame a line.
        problem: Why there is none.
    """

    code: str
    events: int = 0
    lines: str = ""
    problem: str | None = None


def example_of(wanted: Wanted) -> Example:
    """The smallest log that still shows a finding."""
    learn(wanted.rules)
    try:
        events = recording_events(Reopener()(wanted.entry), wanted.reading)
        small = minimize(
            events,
            code=wanted.code,
            event=wanted.event,
            protocol=wanted.reading.protocol,
            max_trials=_TRIALS,
            progress=False,
        )
    except Exception as error:  # noqa: BLE001  (one example less is not the end of the run)
        return Example(wanted.code, problem=str(error) or type(error).__name__)
    return Example(wanted.code, len(small), _lines(small))


def _lines(events: pd.DataFrame) -> str:
    return "".join(raw.replace("\r", " ").replace("\n", " ") + "\n" for raw in events["raw"])
