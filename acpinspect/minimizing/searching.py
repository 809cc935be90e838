"""The smallest log that still shows something."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import pandas as pd

from acpinspect.diagnostics import diagnose
from acpinspect.diagnostics.options import OptionsLike
from acpinspect.errors import ArgumentError
from acpinspect.minimizing.deltas import fewest, shortest_run
from acpinspect.minimizing.drafts import Draft, draft_of
from acpinspect.minimizing.fields import without_fields
from acpinspect.minimizing.goals import FindingGoal, Goal, Policies, goal_of
from acpinspect.minimizing.joins import with_joined_chunks
from acpinspect.minimizing.renaming import with_short_ids
from acpinspect.minimizing.texts import with_shorter_texts, without_words
from acpinspect.minimizing.trials import Spent, Trials
from acpinspect.minimizing.units import Unit, entities, turns, units
from acpinspect.opening import Events, events_of
from acpinspect.protocol import Version
from acpinspect.reading.recordings import recording_of

__all__ = ["minimize"]

_ROUNDS: Final = 3
_TOGETHER: Final = 4
"""A turn of a prompt, two chunks and a tool call goes as a whole, if none of them goes alone."""

_STEPS: Final[tuple[Callable[[Draft, Callable[[Draft], bool]], Draft], ...]] = (
    with_joined_chunks,
    without_words,
    without_fields,
    with_shorter_texts,
)


def minimize(
    events: Events,
    *,
    code: str | None = None,
    event: int | None = None,
    predicate: Callable[[pd.DataFrame], object] | None = None,
    policies: Policies | None = None,
    options: OptionsLike = None,
    protocol: Version | None = None,
    max_trials: int = 3_000,
    max_seconds: float | None = None,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Find the smallest log that still shows a finding, a difference of two policies, or what you ask.

    Events are left out first (a request and its response together), by bisection and delta debugging; then chunks
    are joined, words, fields and the ends of texts left out, and ids get short names. What is left out makes no
    frame less valid, and brings no warning or error of another code that the whole log doesn't have.

    Args:
        events: An events table, or the path of a log.
        code: Keep a finding of this code, of the severity that the first one in the log has.
        event: Keep the finding at this event: of `code`, or the gravest.
        predicate: Keep what this function of an events table says; it should be deterministic.
        policies: Keep a difference between the groupings of these two policies.
        options: Thresholds of `diagnose`.
        protocol: The version, where the log doesn't tell. By default it is taken from the events where the log
            alone isn't enough.
        max_trials: At how many smaller logs to look at most; then the best one so far is the result.
        max_seconds: For how long to look; then the best one so far is the result. By default as long as it takes.
        progress: Show a progress bar; by default on a terminal.

    Returns:
        The events table of the small log: bare messages without times. The same arguments give the same log,
        unless `max_seconds` ended the search.

    Raises:
        ArgumentError: If not just one of the goals is given, or the log doesn't show it.
        EventsError: If it is no events table, or the event is not in it.

    Example:
        >>> import acpinspect
        >>> def chunk(text):
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        >>> events = acpinspect.from_records(map(chunk, ["Hello. ", "So ", "far.", "Then ", "more."]))
        >>> acpinspect.minimize(events, code="glued-boundary", progress=False)["text"].tolist()
        ['far.', 'Then']
    """
    events = events_of(events)
    until = None if max_seconds is None else time.monotonic() + max_seconds
    goal = goal_of(events, code, event, predicate, policies, options)
    with _shown(max_trials, progress) as told:
        rows, trials = _baseline(events, goal, protocol, partial(Trials, most=max_trials, told=told, until=until))
        try:
            small = _smaller(rows, goal, trials)
        except Spent:
            small = trials.best
    return trials.table(small)


def _baseline(
    events: pd.DataFrame, goal: Goal, protocol: Version | None, bounded: Callable[..., Trials]
) -> tuple[pd.DataFrame, Trials]:
    """The rows to begin with: the recording of the finding, else all; and how to ask about fewer."""
    faults = diagnose(events, severity="warning", options=goal.options)["code"].astype(str)
    spoken = events["protocol"].dropna().unique().tolist()
    versions = dict.fromkeys([protocol, *(spoken if len(spoken) == 1 else [])])
    for rows in _candidates(events, goal):
        for version in versions:
            trials = bounded(goal, frozenset(faults), version)
            if trials(rows["raw"].tolist()):
                return trials.table(trials.best), trials
    raise ArgumentError(
        "The frames of this log alone, without what its recorder wrote around them, don't show it. "
        "Give a predicate that does without senders and times."
    )


def _candidates(events: pd.DataFrame, goal: Goal) -> Iterator[pd.DataFrame]:
    """First without noise and other recordings."""
    frames = events[~events["kind"].isin(["unreadable", "other"])]
    if isinstance(goal, FindingGoal) and events["source"].nunique() > 1:
        own = recording_of(str(events.loc[goal.event, "source"]))
        sources = [name for name in events["source"].cat.categories if recording_of(str(name)) == own]
        yield frames[frames["source"].isin(sources)]
    yield frames
    yield events


def _smaller(rows: pd.DataFrame, goal: Goal, trials: Trials) -> list[str]:
    """Fewer events, then smaller ones, until nothing changes."""
    draft = draft_of(trials.table(_fewer_events(rows, goal, trials)))
    for _ in range(_ROUNDS):
        before = draft
        for step in _STEPS:
            draft = step(draft, lambda new: trials([piece.raw for piece in new]))
        if draft == before:
            break
        draft = draft_of(trials.table(_fewest_units(trials.table([piece.raw for piece in draft]), trials)))
    draft = with_short_ids(draft, lambda new: trials([piece.raw for piece in new]))
    return [piece.raw for piece in draft]


def _fewer_events(rows: pd.DataFrame, goal: Goal, trials: Trials) -> list[str]:
    """Bisect to the neighbourhood (a session, a run of turns), then leave out turns, messages, tools, events."""
    if isinstance(goal, FindingGoal):
        found = diagnose(rows, codes=goal.code, options=goal.options)
        sessions = found["session_id"].dropna().unique()
        near = rows[rows["session_id"].isna() | rows["session_id"].isin(sessions[:1])]
        if len(near) < len(rows) and trials(near["raw"].tolist()):
            rows = trials.table(trials.best)
    raws, own = rows["raw"].tolist(), turns(rows)
    begin, end = shortest_run(len(own), lambda a, b: trials(_raws(raws, own[a:b])))
    rows = trials.table(_raws(raws, own[begin:end]))
    for parts in (turns, entities):
        rows = trials.table(_fewest(rows, parts(rows), trials))
    return _fewest_units(rows, trials)


def _fewest_units(rows: pd.DataFrame, trials: Trials) -> list[str]:
    return _fewest(rows, units(rows), trials, together=_TOGETHER)


def _fewest(rows: pd.DataFrame, parts: list[Unit], trials: Trials, together: int = 1) -> list[str]:
    raws = rows["raw"].tolist()
    return _raws(raws, fewest(parts, lambda some: trials(_raws(raws, some)), together=together))


def _raws(raws: Sequence[str], kept: Sequence[Unit]) -> list[str]:
    return [raws[row] for row in sorted(row for unit in kept for row in unit)]


@contextmanager
def _shown(most: int, progress: bool | None) -> Iterator[Callable[[int], object]]:
    """What is told of each trial: a progress bar, if one is wanted."""
    if not (progress if progress is not None else sys.stderr.isatty()):
        yield lambda _: None
        return
    from tqdm.auto import tqdm

    with tqdm(total=most, unit="log", desc="minimize", leave=False) as bar:

        def told(events: int) -> None:
            bar.set_postfix_str(f"{events} events", refresh=False)
            bar.update(1)

        yield told
