"""The logs with known answers: messages, tools and plans at the end, with the expected grouping and without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acpinspect.protocol import VARIANTS
from acpinspect.reducer import MessageKey, SessionState, fold
from tests.conftest import CORPUS, corpus_files, needs_corpus, read_case

CASES = [*corpus_files("rules/*.json"), *corpus_files("bugs/*.json")]
RECORDINGS = corpus_files("real/*.expected.json")

pytestmark = needs_corpus


def name_of(path: Path) -> str:
    return path.stem


def shown(text: str) -> str:
    """Text as the tables show it: pairs of halves joined, lonely halves replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def expected_messages(case: dict[str, Any]) -> list[tuple[object, ...]]:
    return sorted(
        (m["events"][0], m["role"], m["id"], shown(m["text"]), m.get("epoch", 0), m["events"][-1])
        for m in case["messages"]
    )


def found_messages(states: dict[str, SessionState]) -> list[tuple[object, ...]]:
    return sorted(
        (m.first_event, m.role, m.message_id, m.text, m.epoch, m.last_event)
        for state in states.values()
        for m in state.messages.values()
    )


def labels_of(case: dict[str, Any]) -> dict[int, MessageKey]:
    """The expected grouping as labels: each message's events go to a key of its own."""
    return {
        event: MessageKey(m.get("epoch", 0), m["role"], m["id"], None if m["id"] is not None else number)
        for number, m in enumerate(case["messages"])
        for event in m["events"]
    }


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_the_messages_at_the_end_are_as_expected_with_the_expected_grouping(path: Path) -> None:
    case = read_case(path)
    states = fold(case["log"], case["protocol"], labels_of(case["expected"]))
    assert found_messages(states) == expected_messages(case["expected"])


@pytest.mark.parametrize("path", CASES, ids=name_of)
def test_the_messages_at_the_end_are_as_expected_without_any_label(path: Path) -> None:
    case = read_case(path)
    assert found_messages(fold(case["log"], case["protocol"])) == expected_messages(case["expected"])


@pytest.mark.parametrize("path", [p for p in CASES if "tools" in read_case(p)["expected"]], ids=name_of)
def test_the_tool_calls_at_the_end_are_as_expected(path: Path) -> None:
    case = read_case(path)
    calls = [c for state in fold(case["log"], case["protocol"]).values() for c in state.tool_calls.values()]
    found = [{"toolCallId": c.tool_call_id, "status": c.status, "text": c.text} for c in calls]
    assert found == case["expected"]["tools"]


@pytest.mark.parametrize("path", [p for p in CASES if "plan" in read_case(p)["expected"]], ids=name_of)
def test_the_plans_at_the_end_are_as_expected(path: Path) -> None:
    case = read_case(path)
    plans = [plan for state in fold(case["log"], case["protocol"]).values() for plan in state.plans.values()]
    found = {plan.plan_id: [[entry["content"], entry["status"]] for entry in plan.entries] for plan in plans}  # type: ignore[index]
    assert found == case["expected"]["plan"]


@pytest.mark.parametrize("path", RECORDINGS, ids=name_of)
def test_the_messages_of_a_real_recording_are_as_expected(path: Path) -> None:
    expected = read_case(path)
    log = path.with_name(path.name.replace(".expected.json", ".jsonl"))
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    states = fold([line.get("msg", line) for line in lines], expected["protocol"])
    assert found_messages(states) == expected_messages(expected)


@pytest.mark.parametrize("path", RECORDINGS, ids=name_of)
def test_no_text_of_a_real_recording_is_lost(path: Path) -> None:
    expected = read_case(path)
    names = VARIANTS[expected["protocol"]]
    log = path.with_name(path.name.replace(".expected.json", ".jsonl"))
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    messages = [line.get("msg", line) for line in lines]
    updates = [m["params"]["update"] for m in messages if m.get("method") == "session/update"]
    wholes = {u["messageId"] for u in updates if names[u["sessionUpdate"]].shape == "whole" and "content" in u}
    chunks = [
        u for u in updates if names[u["sessionUpdate"]].shape == "chunk" and u.get("messageId") not in wholes
    ]
    sent = sum(len(u["content"].get("text", "")) for u in chunks)
    states = fold(messages, expected["protocol"])
    kept = [m for s in states.values() for m in s.messages.values() if m.message_id not in wholes]
    assert sum(len(m.text) for m in kept) == sent


def test_the_corpus_is_not_empty() -> None:
    assert CORPUS.is_dir()
    assert len(CASES) > 100
