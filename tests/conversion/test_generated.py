"""Properties of conversions, over logs that nobody has thought of."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pandas as pd
from hypothesis import HealthCheck, given, settings

import acpinspect
from acpinspect.conversion import to_v1, to_v2
from acpinspect.conversion.log import Log
from acpinspect.conversion.steps import Event, Step
from acpinspect.protocol import Version
from tests.conftest import needs_spec
from tests.conversion.generated import v1_logs, v2_logs
from tests.conversion.logs import converted
from tests.conversion.states import differences, facts, facts_of_losses
from tests.conversion.validity import problems

Json = dict[str, Any]
many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def table(frames: list[Json], protocol: Version) -> pd.DataFrame:
    return acpinspect.from_records(frames, protocol=protocol)


def spoken(events: pd.DataFrame) -> list[tuple[Any, ...]]:
    shown = acpinspect.messages(events)
    return list(zip(shown["session_id"], shown["epoch"], shown["role"], shown["text"], strict=True))


@needs_spec
@many
@given(v1_logs())
def test_a_log_of_v1_becomes_a_valid_log_of_v2(frames: list[Json]) -> None:
    assert problems(converted(frames, "v2").events, "v2") == []


@many
@given(v1_logs())
def test_a_log_of_v1_loses_nothing_and_has_the_same_state_in_v2(frames: list[Json]) -> None:
    events = table(frames, "v1")
    made = acpinspect.convert(events, "v2")
    assert facts(made.events, "v2") == facts(events, "v1")
    assert spoken(made.events) == spoken(events)


@many
@given(v1_logs())
def test_there_and_back_the_messages_and_the_state_are_the_same(frames: list[Json]) -> None:
    events = table(frames, "v1")
    there = acpinspect.convert(events, "v2").events
    back = acpinspect.convert(there, "v1", on_loss="report")
    assert spoken(back.events) == spoken(events)
    different = differences(facts(events, "v1"), facts(back.events, "v1"))
    assert different <= facts_of_losses(there, back, "v2")


@many
@given(v1_logs())
def test_the_messages_have_the_same_chunks_in_v2(frames: list[Json]) -> None:
    events = table(frames, "v1")
    made = acpinspect.convert(events, "v2")
    origin = made.origins.to_dict()
    there = [[origin[event] for event in chunks] for chunks in acpinspect.messages(made.events)["events"]]
    assert there == acpinspect.messages(events)["events"].tolist()


@many
@given(v1_logs(), v2_logs())
def test_a_step_changes_neither_its_message_nor_the_state_before(v1: list[Json], v2: list[Json]) -> None:
    walk_purely(v1, "v1", to_v2.begin("plan"), to_v2.step)
    walk_purely(v2, "v2", to_v1.begin(), to_v1.step)


def walk_purely(
    frames: list[Json], protocol: Version, state: Any, step: Callable[[Any, Event], Step[Any]]
) -> None:
    for row in Log(table(frames, protocol), "spec").rows():
        assert row.event is not None
        message, before = copy.deepcopy(row.event.message), repr(state)
        after = step(state, row.event).state
        assert row.event.message == message
        assert repr(state) == before
        state = after


@needs_spec
@many
@given(v2_logs())
def test_a_log_of_v2_becomes_a_valid_log_of_v1(frames: list[Json]) -> None:
    assert problems(converted(frames, "v1", on_loss="report").events, "v1") == []


@many
@given(v2_logs())
def test_a_log_of_v2_has_the_same_state_in_v1_but_for_its_losses(frames: list[Json]) -> None:
    events = table(frames, "v2")
    made = acpinspect.convert(events, "v1", on_loss="report")
    different = differences(facts(events, "v2"), facts(made.events, "v1"))
    assert different <= facts_of_losses(events, made, "v2")
