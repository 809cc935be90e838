"""A state that is looked up equals the state that folding makes, at every step, field by field and as JSON."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.events import REJECTED
from acpinspect.protocol import Version, read_update
from acpinspect.reducer import SessionState, fold
from acpinspect.timelines.naming import entity_name
from tests.conftest import corpus_files, needs_corpus, needs_spec, read_case
from tests.protocol import generated
from tests.timelines.make import controls, events_of, folded, logs, sent, steps_of

CASES = [*corpus_files("rules/*.json"), *corpus_files("bugs/*.json")]
RECORDINGS = corpus_files("real/*.jsonl")
POLICIES = st.sampled_from(["spec", "ids", "heuristic", "spec-v2", "rfd-literal"])
often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def assert_same(found: SessionState, expected: SessionState, step: int) -> None:
    for field in fields(expected):
        if field.compare:
            assert getattr(found, field.name) == getattr(expected, field.name), (step, field.name)
    for entities in (found.messages, found.tool_calls, found.plans, found.terminals, found.compactions):
        # Entities that are looked up are read one by one, those of a whole mapping together.
        assert [entities[key] for key in entities] == list(entities.values())
    assert found == expected
    assert expected == found
    assert found.to_dict() == expected.to_dict()


def assert_equals_fold(
    events: pd.DataFrame, policy: str = "spec", session: str | None = None, every: int = 1
) -> None:
    timeline = acpinspect.timeline(events, session, policy)
    expected = folded(events, policy, session)
    assert len(timeline) == len(expected)
    for step in {*range(0, len(expected), every), len(expected) - 1}:
        assert_same(timeline[step], expected[step], step)


@given(logs("v1"), POLICIES)
@often
def test_every_state_of_a_v1_log_equals_its_fold(log: list[Any], policy: str) -> None:
    assert_equals_fold(events_of(log, "v1"), policy)


@given(logs("v2"), POLICIES)
@often
def test_every_state_of_a_v2_log_equals_its_fold(log: list[Any], policy: str) -> None:
    assert_equals_fold(events_of(log, "v2"), policy)


def refused_by_the_table(events: pd.DataFrame) -> list[bool]:
    updates = events[events["method"] == "session/update"]
    return updates["problem"].astype(object).astype(str).str.startswith(REJECTED).tolist()


def refused_by_the_schema(log: list[Any], version: Version) -> list[bool]:
    updates = [frame["params"].get("update") for frame in log if frame.get("method") == "session/update"]
    readings = [(read_update(update, version), update) for update in updates]
    return [reading.rejected is not None and not is_extension(update) for reading, update in readings]


def is_extension(update: object) -> bool:
    name = update.get("sessionUpdate") if isinstance(update, dict) else None
    return isinstance(name, str) and name.startswith("_")


@needs_spec
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_state_of_a_log_made_of_the_schema_equals_its_fold(version: Version) -> None:
    updates = generated.updates(version, broken=True)

    @given(
        st.lists(
            st.one_of(sent(updates), sent(updates), sent(updates), controls(version)), min_size=1, max_size=20
        )
    )
    @often
    def check(log: list[Any]) -> None:
        events = events_of(log, version)
        # A timeline goes by what the table refuses; whether that is right is tested where the table is made.
        assume(refused_by_the_table(events) == refused_by_the_schema(log, version))
        assert_equals_fold(events)

    check()


@given(logs("v1"))
@often
def test_the_fold_of_the_table_is_the_reducer_s_own_where_no_policy_is_in_play(log: list[Any]) -> None:
    # A reducer can't know whether a resume will be answered, and so whether what follows it is a replay.
    log = [frame for frame in log if frame.get("method") != "session/resume"]
    events = events_of(log, "v1")
    own = fold([*log], "v1").get("s1")
    table = acpinspect.timeline(events, "s1") if "s1" in set(events["session_id"].dropna()) else None
    assert (own is None) == (table is None)
    if own is not None and table is not None:
        assert [m.text for m in table[-1].messages.values()] == [m.text for m in own.messages.values()]
        assert table[-1].tool_calls == own.tool_calls
        assert table[-1].plans == own.plans


@given(st.sampled_from(["v1", "v2"]).flatmap(lambda version: st.tuples(st.just(version), logs(version))))
@often
def test_the_table_of_steps_says_of_each_event_what_its_fold_says(made: tuple[Version, list[Any]]) -> None:
    events = events_of(made[1], made[0])
    table = acpinspect.timeline(events).steps
    expected = [(step.action, step.entity and entity_name(step.entity)) for step in steps_of(events)]
    found = zip(table["action"], table["entity"].astype(object).where(table["entity"].notna(), None), strict=True)
    assert list(found) == expected
    silent = table["action"].isin(["rejected", "ignored"])
    assert table.loc[silent, "reason"].notna().all()
    assert table["event"].tolist() == list(acpinspect.timeline(events).events)


@needs_corpus
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_state_of_a_case_equals_its_fold(path: Path) -> None:
    case = read_case(path)
    events = acpinspect.from_records(case["log"], protocol=case["protocol"])
    for session in events["session_id"].dropna().unique() if events["session_id"].notna().any() else [None]:
        assert_equals_fold(events, session=session)


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_states_of_a_recording_equal_their_fold(path: Path) -> None:
    events = acpinspect.load(path, progress=False)
    for session in events["session_id"].dropna().unique():
        assert_equals_fold(events, session=session, every=17)


@needs_corpus
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_last_state_of_a_case_is_as_expected(path: Path) -> None:
    case = read_case(path)
    events = acpinspect.from_records(case["log"], protocol=case["protocol"])
    sessions = events["session_id"].dropna().unique().tolist() or [None]
    last = [acpinspect.timeline(events, session)[-1] for session in sessions]
    expected = case["expected"]
    found = sorted(
        (m.first_event, m.role, m.message_id, m.text) for state in last for m in state.messages.values()
    )
    assert found == sorted((m["events"][0], m["role"], m["id"], shown(m["text"])) for m in expected["messages"])
    calls = [call for state in last for call in state.tool_calls.values()]
    if "tools" in expected:
        assert [{"toolCallId": c.tool_call_id, "status": c.status, "text": c.text} for c in calls] == expected[
            "tools"
        ]
    if "plan" in expected:
        plans = {plan.plan_id: plan.entries for state in last for plan in state.plans.values()}
        assert {k: [[e["content"], e["status"]] for e in plan] for k, plan in plans.items()} == expected["plan"]  # type: ignore[index]


def shown(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_the_messages_of_a_recording_s_last_states_are_those_of_the_messages_table(path: Path) -> None:
    events = acpinspect.load(path, progress=False)
    table = acpinspect.messages(events)
    for session in events["session_id"].dropna().unique():
        own = table[table["session_id"] == session]
        state = acpinspect.timeline(events, session)[-1]
        assert [m.text for m in state.messages.values()] == own["text"].tolist()
        assert [m.first_event for m in state.messages.values()] == own["first_event"].tolist()
        assert [m.last_event for m in state.messages.values()] == own["last_event"].tolist()
