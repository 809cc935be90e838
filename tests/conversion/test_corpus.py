"""Every log of the corpus, to the other version and back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

import acpinspect
from acpinspect.protocol import Version
from tests.conftest import CORPUS, corpus_files, needs_corpus, needs_spec, read_case
from tests.conversion.states import differences, facts, facts_of_losses
from tests.conversion.validity import problems

OTHER: dict[Version, Version] = {"v1": "v2", "v2": "v1"}
CASES = [*corpus_files("bugs/*.json"), *corpus_files("rules/*.json"), *corpus_files("real/*.jsonl")]
NAMES = [str(path.relative_to(CORPUS)) for path in CASES]


class Log(NamedTuple):
    """A log of the corpus, and its conversion."""

    events: pd.DataFrame
    protocol: Version
    to: Version
    converted: acpinspect.Conversion


def read(path: Path) -> tuple[pd.DataFrame, Version]:
    if path.suffix == ".jsonl":
        events = acpinspect.load(path)
        return events, events["protocol"].dropna().iloc[0]
    case = read_case(path)
    return acpinspect.from_records(case["log"], protocol=case["protocol"]), case["protocol"]


@cache
def converted(path: Path) -> Log:
    events, protocol = read(path)
    to = OTHER[protocol]
    return Log(events, protocol, to, acpinspect.convert(events, to, on_loss="report"))


@pytest.fixture(params=CASES, ids=NAMES)
def log(request: pytest.FixtureRequest) -> Log:
    return converted(request.param)


def spoken(events: pd.DataFrame) -> list[tuple[Any, ...]]:
    """The messages as a reader sees them."""
    table = acpinspect.messages(events)
    return list(zip(table["session_id"], table["epoch"], table["role"], table["text"], strict=True))


pytestmark = needs_corpus


@needs_spec
def test_every_converted_frame_is_valid_in_its_version(log: Log) -> None:
    assert problems(log.converted.events, log.to) == []


def test_the_reduced_state_is_the_same_but_for_what_is_reported(log: Log) -> None:
    before = facts(log.events, log.protocol)
    after = facts(log.converted.events, log.to)
    assert differences(before, after) <= facts_of_losses(log.events, log.converted, log.protocol)


def test_nothing_is_dropped_in_silence(log: Log) -> None:
    events = log.events
    told = {*log.converted.origins, *log.converted.losses["event"]}
    # What v1 says by a prompt and its response, and what a later event of the tool call says with it.
    said = events["update"].isin(["state_update", "tool_call_update", "tool_call_content_chunk"])
    said |= events["method"].eq("session/prompt") & events["kind"].eq("response")
    silent = events.index.difference(list(told))
    assert (events["kind"].eq("other") | (said & (log.to == "v1")))[silent].all()


def test_a_raised_loss_is_the_first_that_is_reported(log: Log) -> None:
    losses = log.converted.losses
    if losses.empty:
        assert acpinspect.convert(log.events, log.to).losses.empty
        return
    with pytest.raises(acpinspect.ConversionError) as raised:
        acpinspect.convert(log.events, log.to)
    error, first = raised.value, losses.iloc[0]
    assert (error.event, error.field, error.reason) == (first["event"], first["field"], first["reason"])


def test_the_same_log_gives_the_same_result(log: Log) -> None:
    again = acpinspect.convert(log.events, log.to, on_loss="report")
    pd.testing.assert_frame_equal(again.events, log.converted.events)
    pd.testing.assert_frame_equal(again.losses, log.converted.losses)


def test_the_result_loads_again(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "converted.ndjson"
    acpinspect.write(log.converted.events, path)
    loaded = acpinspect.load(path, protocol=log.to)
    assert spoken(loaded) == spoken(log.converted.events)


def test_v1_to_v2_and_back_gives_the_same_messages(log: Log) -> None:
    if log.protocol == "v2":
        assert spoken(acpinspect.convert(log.events, "v2").events) == spoken(log.events)
        return
    there = log.converted.events
    back = acpinspect.convert(there, "v1", on_loss="report").events
    assert spoken(there) == spoken(log.events)
    assert spoken(back) == spoken(log.events)


DIAGNOSED = [p for p in CASES if p.suffix == ".json" and read_case(p).get("options") == {"convert": "v1"}]


@pytest.mark.parametrize("path", DIAGNOSED, ids=lambda path: path.stem)
def test_losses_of_whole_messages_are_those_of_the_diagnostic(path: Path) -> None:
    case = read_case(path)
    losses = acpinspect.convert(acpinspect.from_records(case["log"], protocol="v2"), "v1", on_loss="report").losses
    whole = losses[losses["variant"].isin(["user_message", "agent_message", "agent_thought"])]
    expected = [d["event"] for d in case["expected"]["diagnostics"] if d["code"] == "v1-conversion-loss"]
    assert whole["event"].drop_duplicates().tolist() == expected
