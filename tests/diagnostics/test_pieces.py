"""Findings of a log that comes in pieces, all at once or while it is written."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import acpinspect
from acpinspect.diagnostics.watching import Watch
from tests.wire import chunk, initialize, prompt, request, result, stop, update

GLUED = [prompt(1), chunk("One."), chunk("Two."), stop(1)]
TURNS = [frame for n in range(3, 15) for frame in (prompt(n), chunk(f"{n} beds are wet.", f"m{n}"), stop(n))]
COPIED = [*initialize(), *(chunk(text, "m1") for text in ("Dig ", "deep ", "down ", "here"))]
COPY = chunk("Dig deep down here", "m2")


def events_of(frames: list[dict[str, Any]]) -> pd.DataFrame:
    return acpinspect.from_records(frames, protocol="v1")


def in_pieces(events: pd.DataFrame, size: int, **settings: Any) -> pd.DataFrame:
    return acpinspect.diagnose(
        iter([events.iloc[at : at + size] for at in range(0, len(events), size)]), **settings
    )


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"codes": "no-message-ids"},
        {"severity": "warning"},
        {"policy": "heuristic"},
        {"options": {"restated_opening_min": 1}},
    ],
)
@pytest.mark.parametrize("size", [3, 100])
def test_what_is_asked_of_pieces_is_asked_of_each(settings: dict[str, Any], size: int) -> None:
    events = events_of([*GLUED, prompt(2), chunk("a", "m1"), chunk("a", "m2"), chunk("B.", "m3"), stop(2)])
    found = in_pieces(events, size, **settings)
    whole = acpinspect.diagnose(events, **settings)
    assert found.astype({"related": str}).equals(whole.astype({"related": str}))


def test_no_piece_at_all_is_refused_with_the_likely_reason() -> None:
    told = r"^There is not one events table in what was given\. A scan can be walked through once\.$"
    with pytest.raises(acpinspect.ArgumentError, match=told):
        acpinspect.diagnose(iter([]))


@pytest.mark.parametrize(
    ("code", "first", "last"),
    [
        (
            "id-reused-across-turns",
            [*initialize(), prompt(1), chunk("Sow.", "m0"), stop(1)],
            [prompt(20), chunk("Mow.", "m0"), stop(20)],
        ),
        (
            "update-after-close",
            [
                *initialize(),
                request(1, "session/new", cwd="/w", mcpServers=[]),
                result(1, sessionId="s9"),
                request(2, "session/close", sessionId="s9"),
                result(2),
            ],
            [update("usage_update", "s9", used=1, size=9)],
        ),
    ],
)
def test_what_began_many_pieces_ago_is_known(
    code: str, first: list[dict[str, Any]], last: list[dict[str, Any]]
) -> None:
    events = events_of([*first, *TURNS, *last])
    found, whole = in_pieces(events, 4, codes=code), acpinspect.diagnose(events, codes=code)
    assert len(whole) == 1
    assert found["event"].tolist() == whole["event"].tolist()


def seen(watch: Watch, events: pd.DataFrame, *sizes: int) -> list[list[str]]:
    """The codes that are told at each call."""
    told, at = [], 0
    for size in sizes:
        told.append(watch.see(events.iloc[at : at + size])["code"].tolist())
        at += size
    return told


def test_a_watch_tells_what_is_grave_enough_at_the_first_event_too() -> None:
    events = events_of([chunk("One."), chunk("Two.")])
    assert seen(Watch(), events, 1, 1) == [["no-message-ids"], ["glued-boundary"]]
    assert seen(Watch(severity="warning"), events, 1, 1) == [[], ["glued-boundary"]]


def test_a_watch_looks_at_messages_as_its_policy_does() -> None:
    events = events_of([prompt(1), chunk("One.", "m1"), chunk("Two.", "m2")])
    assert seen(Watch(), events, 3) == [[]]
    assert seen(Watch(policy="heuristic"), events, 3) == [["glued-boundary"]]


def test_what_a_watch_tells_is_a_table_of_findings() -> None:
    events = events_of(GLUED)
    watch = Watch()
    watch.see(events.iloc[:2])
    found = watch.see(events.iloc[2:])
    assert found["event"].tolist() == [2]
    assert (found.index.tolist(), found.index.name) == ([0], "finding")
    assert list(found.columns) == list(acpinspect.diagnose(events).columns)


def test_a_watch_that_was_shown_nothing_wrong_tells_nothing() -> None:
    events = events_of([prompt(1), chunk("Hi", "m1"), stop(1)])
    assert seen(Watch(), events, 1, 1, 1) == [[], [], []]


@pytest.mark.parametrize(("fillers", "told"), [(2, ["restated-message"]), (3, [])])
def test_a_watch_looks_at_twice_as_many_events_as_it_keeps_and_no_more(fillers: int, told: list[str]) -> None:
    between = [update("usage_update", used=n, size=9) for n in range(fillers)]
    events = events_of([*COPIED, *between, COPY])
    assert seen(Watch(recent=4), events, len(events) - 1, 1)[1] == told
