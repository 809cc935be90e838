"""Finding a text in all that was ever shown, and going from one thing of a kind to the next."""

from __future__ import annotations

import base64
import re
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.reducer import get_entity
from acpinspect.timelines import Timeline
from acpinspect.timelines.finding import COLUMNS, shown_text
from acpinspect.timelines.naming import entity_name
from tests.timelines.make import ABC, events_of, logs
from tests.wire import chunk, prompt, stop, tool_call, tool_update, update, whole


def v1(*frames: Any) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v1"))


def v2(*frames: Any) -> Timeline:
    return acpinspect.timeline(events_of(frames, "v2"))


def found(timeline: Timeline, text: str | re.Pattern[str]) -> list[tuple[str, int, int | None]]:
    table = timeline.find(text)
    ends = table["vanishes"].astype(object).where(table["vanishes"].notna(), None)
    return list(zip(table["entity"], table["step"], ends, strict=True))


def by_looking(timeline: Timeline, text: str) -> list[tuple[str, int, int | None]]:
    """The same by looking at every state."""
    rows, open_ = [], {}
    for step, state in enumerate(timeline):
        shows = {entity for entity in state.order if text in shown_text(get_entity(state, entity))}
        gone = [entity for entity in open_ if entity not in shows]
        rows += [(entity_name(entity), open_.pop(entity), step) for entity in gone]
        for entity in shows:
            open_.setdefault(entity, step)
    rows += [(entity_name(entity), step, None) for entity, step in open_.items()]
    return sorted(rows, key=lambda row: (row[1], row[0]))


@given(
    st.sampled_from(["v1", "v2"]).flatmap(lambda version: st.tuples(st.just(version), logs(version))),
    st.sampled_from(["A", "B", "AB", "café", "dig", "T"]),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_found_is_what_a_look_at_every_state_finds(made: tuple[Any, list[Any]], text: str) -> None:
    timeline = acpinspect.timeline(events_of(made[1], made[0]))
    own = [row for row in found(timeline, text) if not row[0].startswith("session")]
    assert sorted(own, key=lambda row: (row[1], row[0])) == by_looking(timeline, text)


def test_replaced_text_vanishes() -> None:
    timeline = v2(*ABC())
    assert found(timeline, "AB") == [("agent message m1", 2, 3)]
    assert timeline.find("AB")[["event", "vanishes_event"]].to_numpy().tolist() == [[1, 2]]


def test_a_text_is_found_over_the_border_of_two_chunks() -> None:
    assert found(v1(chunk("har"), chunk("bo"), chunk("ur"), chunk("!")), "harbour") == [
        ("agent message number 0", 3, None)
    ]


def test_a_text_that_comes_again_is_found_again() -> None:
    timeline = v2(whole("m1", "A"), whole("m1", "B"), whole("m1", "A"))
    assert found(timeline, "A") == [("agent message m1", 1, 2), ("agent message m1", 3, None)]


def test_tools_plans_terminals_and_titles_are_looked_at_too() -> None:
    timeline = v2(
        tool_update("t", title="Read the tide"),
        update("plan_update", plan={"type": "markdown", "planId": "p", "content": "watch the tide"}),
        update("terminal_output_chunk", terminalId="x", data=base64.b64encode(b"tide\n").decode()),
        update("session_info_update", title="tide"),
        update("notice", severity="info", title="tide"),
    )
    assert [row[0] for row in found(timeline, "tide")] == [
        "tool_call t",
        "plan p",
        "terminal x",
        "session info",
        "session notices",
    ]


def test_a_plan_whose_name_is_half_a_character_is_found() -> None:
    timeline = v2(update("plan_update", plan={"type": "markdown", "planId": "\ud83c", "content": "tide"}))
    assert found(timeline, "tide") == [("plan '\\ud83c'", 1, None)]
    assert timeline.blame("plan '\\ud83c'").pieces


def test_an_expression_is_matched() -> None:
    timeline = v1(chunk("Tide 12"), chunk("34"))
    assert found(timeline, re.compile(r"tide \d{3}", re.IGNORECASE)) == [("agent message number 0", 2, None)]
    assert found(timeline, re.compile(r"tide")) == []


def test_an_expression_that_would_run_for_ever_elsewhere_does_not_here() -> None:
    timeline = v1(chunk("a" * 50_000 + "!"))
    assert found(timeline, re.compile(r"(a|aa)+$")) == []
    assert found(timeline, re.compile(r"((a*)*)*b")) == []


@pytest.mark.parametrize("pattern", [r"(?=a)", r"(a)\1", r"(?<!a)b"])
def test_an_expression_that_can_t_be_matched_in_linear_time_is_refused(pattern: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="linear time"):
        v1(chunk("a")).find(re.compile(pattern))


def test_flags_that_mean_something_else_elsewhere_are_refused() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="IGNORECASE"):
        v1(chunk("a")).find(re.compile("a", re.VERBOSE))


def test_what_is_nowhere_gives_an_empty_table_of_the_same_types() -> None:
    table = v1(chunk("a")).find("zebra")
    assert len(table) == 0
    assert [str(dtype) for dtype in table.dtypes] == [column.dtype for column in COLUMNS]


# --- moves ------------------------------------------------------------------------------------------------------


@pytest.fixture
def story() -> Timeline:
    return v1(
        prompt(1),  # step 1
        chunk("A", "m1"),
        chunk("B", "m1"),
        tool_call("t1"),  # 4
        tool_update("t1", content=[{"type": "content", "content": {"type": "text", "text": "x"}}]),
        tool_update("t1", content=[{"type": "content", "content": {"type": "text", "text": "y"}}]),  # 6
        update("tool_call", toolCallId="t2"),  # 7: rejected
        chunk("C", "m2"),
        stop(1),
        prompt(2),  # 10
    )


@pytest.mark.parametrize(
    ("kind", "steps"),
    [("boundary", [2, 8]), ("turn", [1, 10]), ("tool", [4]), ("replaced", [6]), ("rejected", [7])],
)
def test_next_and_previous_go_through_all_of_a_kind(story: Timeline, kind: str, steps: list[int]) -> None:
    forward, step = [], story.next(kind)
    while step is not None:
        forward.append(step)
        step = story.next(kind, step)
    backward, step = [], story.previous(kind)
    while step is not None:
        backward.append(step)
        step = story.previous(kind, step)
    assert forward == steps
    assert backward == steps[::-1]


@pytest.mark.parametrize("kind", ["finding", "disagreement"])
@pytest.mark.parametrize("table", [pd.DataFrame({"event": [1, 7, 99]}), [7, 1, 99]])
def test_findings_and_disagreements_are_those_of_a_table(story: Timeline, kind: str, table: Any) -> None:
    assert [story.next(kind, after, table) for after in (0, 2, 8)] == [2, 8, None]
    assert story.previous(kind, None, table) == 8


def test_the_disagreements_of_a_comparison_can_be_gone_through() -> None:
    events = events_of([chunk("A", "m1"), chunk("B", "m2"), chunk("C", "m2"), chunk("D", "m3")], "v1")
    timeline, comparison = acpinspect.timeline(events), acpinspect.compare(events, "ids", "heuristic")
    assert [timeline.next("disagreement", after, comparison) for after in (0, 2, 4)] == [2, 4, None]


def test_findings_of_a_diagnosis_can_be_gone_through() -> None:
    events = events_of([chunk("A", "m1"), update("tool_call", toolCallId="t")], "v1")
    findings = acpinspect.diagnose(events)
    assert acpinspect.timeline(events).next("finding", 1, findings) == 2


def test_a_finding_without_a_table_is_an_error(story: Timeline) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="column `event`"):
        story.next("finding")
    with pytest.raises(acpinspect.ArgumentError, match="no column `event`"):
        story.next("finding", table=pd.DataFrame({"step": [1]}))


def test_an_unknown_kind_is_an_error_that_tells_the_known_ones(story: Timeline) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="boundary, turn, tool"):
        story.next("miracle")
