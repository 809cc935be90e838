"""The messages table: its columns, and what a reader sees at the end."""

from __future__ import annotations

import pandas as pd
import pytest

import acpinspect
from acpinspect.message_table import COLUMNS
from tests.wire import Json, chunk, initialize, prompt, request, result, stop, text, tool_call, update, whole

A, B, C = text("A"), text("B"), text("C")


def table(log: list[Json], protocol: str = "v1", policy: str = "spec") -> pd.DataFrame:
    return acpinspect.messages(acpinspect.from_records(log, protocol=protocol), policy)  # type: ignore[arg-type]


def test_the_columns_are_the_contract_also_without_messages() -> None:
    for log in ([], [chunk("a")]):
        found = table(log)
        assert found.columns.tolist() == [column.name for column in COLUMNS]
        assert found.index.name == "message"
        assert {name: str(kind) for name, kind in found.dtypes.items()} == {c.name: c.dtype for c in COLUMNS}


@pytest.mark.parametrize("policy", ["spec", "ids", "heuristic", "rfd-literal", "spec-v2"])
def test_the_index_is_the_label_of_the_events(policy: str) -> None:
    log = [prompt(1), chunk("a", "m1"), chunk("b"), tool_call(), chunk("c"), chunk("d", "m1"), stop(1)]
    events = acpinspect.from_records(log, protocol="v1")
    labels = acpinspect.group(events, policy)
    for message, members in acpinspect.messages(events, policy)["events"].items():
        assert members == labels.index[labels == message].tolist()


# The six examples of the document on message updates, and what they say of them.

EXAMPLES: dict[str, tuple[list[Json], list[str]]] = {
    "a chunk": ([chunk("Analyzing...", "msg_agent_c42b9")], ["Analyzing..."]),
    "chunks A and B, then a whole [C]": ([chunk("A", "m1"), chunk("B", "m1"), whole("m1", "C")], ["C"]),
    "a whole [A], then chunk B": ([whole("m1", "A"), chunk("B", "m1")], ["AB"]),
    "an update without content": (
        [whole("m1", "A"), update("agent_message", messageId="m1", _meta={"a": 1})],
        ["A"],
    ),
    "null clears": (
        [whole("m1", "A"), update("agent_message", messageId="m1", content=None), chunk("B", "m1")],
        ["B"],
    ),
    "an empty array clears": ([chunk("A", "m1"), whole("m1")], [""]),
    "an update before any chunk": ([update("agent_message", messageId="m1"), chunk("A", "m1")], ["A"]),
    "ids interleaved": ([chunk("A", "m1"), chunk("X", "m2"), whole("m1", "C"), chunk("Y", "m2")], ["C", "XY"]),
}


@pytest.mark.parametrize(("log", "texts"), EXAMPLES.values(), ids=EXAMPLES)
def test_whole_messages_and_chunks(log: list[Json], texts: list[str]) -> None:
    assert table(log, "v2")["text"].tolist() == texts


BOUNDARIES: dict[str, tuple[list[Json], list[str]]] = {
    "start": ([chunk("a")], ["start"]),
    "turn": ([prompt(1), chunk("a"), stop(1), prompt(2), chunk("b")], ["turn", "turn"]),
    "load": ([request(9, "session/load", sessionId="s1"), chunk("a"), result(9)], ["load"]),
    "role": ([chunk("a"), chunk("b", role="agent_thought"), chunk("c")], ["start", "role", "role"]),
    "tool call": ([chunk("a"), tool_call(), chunk("b")], ["start", "tool_call"]),
    "plan": ([chunk("a"), update("plan", entries=[]), chunk("b")], ["start", "plan"]),
    "id": ([chunk("a", "m1"), chunk("b", "m2")], ["start", "id"]),
    "another session": ([chunk("a"), tool_call(session="s2"), chunk("b", session="s2")], ["start", "tool_call"]),
    "the first of its session": ([chunk("a"), tool_call(), chunk("b", session="s2")], ["start", "start"]),
    "a new connection": ([chunk("a"), *initialize(0), chunk("b")], ["start", "start"]),
    "the last that closed": ([chunk("a"), tool_call(), update("plan", entries=[]), chunk("b")], ["start", "plan"]),
    "what closed it, and not the role": (
        [chunk("a"), tool_call(), chunk("b", role="agent_thought")],
        ["start", "tool_call"],
    ),
    "the role, and not the id": ([chunk("a", "m1"), chunk("b", "m2", role="agent_thought")], ["start", "role"]),
    "a compaction": (
        [chunk("a"), update("compaction_update", compactionId="c", status="in_progress"), chunk("b")],
        ["start", "policy"],
    ),
}


@pytest.mark.parametrize(("log", "opened"), BOUNDARIES.values(), ids=BOUNDARIES)
def test_boundary_says_what_opened_the_message(log: list[Json], opened: list[str]) -> None:
    assert table(log)["boundary"].tolist() == opened


@pytest.mark.parametrize("role", ["user_message", "agent_message", "agent_thought"])
def test_a_whole_message_opens_by_itself(role: str) -> None:
    log = [whole("m1", "a", role=role), whole("m2", "b", role=role)]
    assert table(log, "v2")["boundary"].tolist() == ["start", "whole-message"]


def test_the_id_opens_no_message_of_a_policy_that_looks_at_none() -> None:
    log = [chunk("a", "m1"), chunk("b", "m2"), chunk("c", "m3")]
    assert table(log, policy="per-chunk")["boundary"].tolist() == ["start", "policy", "policy"]


def test_the_prompt_that_a_policy_shows_is_opened_by_the_turn() -> None:
    assert table([prompt(1), chunk("a"), stop(1)], policy="rfd-literal")["boundary"].tolist() == ["turn", "turn"]


def test_the_policy_opens_where_the_protocol_gives_no_reason() -> None:
    assert table([chunk("a"), chunk("b")], policy="ids")["boundary"].tolist() == ["start", "policy"]


def test_content_types_are_those_at_the_end() -> None:
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    log = [
        update("agent_message_chunk", messageId="m1", content=image),
        chunk("a", "m1"),
        update("agent_message", messageId="m2", content=[text("b"), image, text("c")]),
        whole("m3", "old"),
        update("agent_message", messageId="m3", content=[image]),
        whole("m4"),
    ]
    found = table(log, "v2")
    assert found["content_types"].tolist() == [["image", "text"], ["text", "image"], ["image"], []]
    assert found["text"].tolist() == ["a", "bc", "", ""]


def test_contiguous_tells_interleaved_messages() -> None:
    log = [chunk("a", "m1"), chunk("b", "m2"), chunk("c", "m1"), chunk("d", "m3"), tool_call(), chunk("e", "m3")]
    assert table(log)["contiguous"].tolist() == [False, True, True]


def test_another_session_between_does_not_interleave() -> None:
    log = [chunk("a", "m1"), chunk("b", "m1", session="s2"), chunk("c", "m1")]
    assert table(log)["contiguous"].tolist() == [True, True]


def test_surrogate_halves_that_meet_become_one_character() -> None:
    assert table([chunk("x\ud83d", "m1"), chunk("\ude00y", "m1")], "v2")["text"].tolist() == ["x😀y"]


def test_counts_and_places() -> None:
    found = table([prompt(1), whole("m1", "a"), chunk("b", "m1"), chunk("c", "m1")], "v2").loc[0]
    assert found[["first_event", "last_event", "n_events", "n_chunks"]].tolist() == [1, 3, 3, 2]


def test_times_are_those_of_the_first_and_last_event() -> None:
    log = [{"ts": 1767610800 + i, "dir": "in", "msg": chunk(str(i))} for i in (0, 2, 5)]
    found = acpinspect.messages(acpinspect.from_records(log)).loc[0]
    assert found["duration"] == 5.0
    assert found["started"] == pd.Timestamp("2026-01-05T11:00:00Z")
    assert found["ended"] == pd.Timestamp("2026-01-05T11:00:05Z")


def test_without_times_there_is_no_duration() -> None:
    found = table([chunk("a"), chunk("b")]).loc[0]
    assert pd.isna(found["duration"])
    assert pd.isna(found["started"])
