"""The operations of a report make the states of the timeline: folded here as the page's script folds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import acpinspect
from acpinspect.html_report.blocks import Shower, shown_items, shown_value
from acpinspect.html_report.sessions import parts
from acpinspect.html_report.steplog import Operation, SessionSteps, session_steps
from tests.conftest import corpus_files, needs_corpus, read_case
from tests.html_report.pages import chunk, update

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"
LONGEST = 10_000
CONTENT = {"content", "summary", "written"}


def fold(steps: SessionSteps, slot: int, step: int) -> dict[str, Any]:
    """What stands in a slot after some steps; the same as `applyOperation` of model.js."""
    found: dict[str, Any] = {}
    for position in sorted(steps.operations):
        for operation in steps.operations[position] if position < step else ():
            if operation.slot == slot:
                apply(found, operation)
    return found


def apply(found: dict[str, Any], operation: Operation) -> None:
    field = operation.field or "value"
    if operation.action == "removed":
        found.clear()
    elif operation.action == "appended":
        found[field] = [*found.get(field, []), *operation.value]  # type: ignore[misc]
    elif operation.action not in ("created", "ignored", "rejected", "kept"):
        found[field] = operation.value


def there(steps: SessionSteps, step: int, kind: str) -> list[int]:
    return [
        number
        for number, slot in enumerate(steps.slots)
        if slot.kind == kind
        and slot.born is not None
        and slot.born < step
        and (slot.died is None or slot.died >= step)
    ]


def joined(items: list[Any]) -> list[Any]:
    """Neighbouring texts as one: a replaced content has fewer pieces than it had chunks."""
    found: list[Any] = []
    for item in items:
        if isinstance(item, str) and found and isinstance(found[-1], str):
            found[-1] += item
        else:
            found.append(item)
    return found


def assert_same_states(events: pd.DataFrame, policy: str = "spec") -> None:
    for part in parts(events):
        timeline = acpinspect.timeline(part.events, policy=policy)
        steps = session_steps(part.events, policy, LONGEST)
        assert steps.events == events.index[part.rows].tolist()
        for step in sorted({0, 1, len(timeline) // 3, len(timeline) // 2, len(timeline) - 1}):
            assert_same_state(timeline[step], steps, step)


def assert_same_state(state: Any, steps: SessionSteps, step: int) -> None:
    for kind, entities in (("message", state.messages), ("tool_call", state.tool_calls), ("plan", state.plans)):
        slots = there(steps, step, kind)
        assert len(slots) == len(entities)
        for slot, entity in zip(slots, entities.values(), strict=True):
            found = fold(steps, slot, step)
            if kind == "plan":
                assert found.get("entries", []) == shown_value(entity.entries, LONGEST)
            else:
                assert joined(found.get("content", [])) == joined(shown_items(entity.content, LONGEST))
            if kind == "tool_call":
                assert found.get("status", "pending") == entity.status
                assert found.get("title") == entity.title
    for slot, terminal in zip(there(steps, step, "terminal"), state.terminals.values(), strict=True):
        text = "".join(fold(steps, slot, step).get("written", []))
        assert (
            (terminal.output or b"").decode("utf-8", "replace").rstrip("\ufffd").startswith(text.rstrip("\ufffd"))
        )
    run = [number for number, slot in enumerate(steps.slots) if (slot.kind, slot.id) == ("session", "run")]
    assert [fold(steps, slot, step).get("value", {}).get("state") for slot in run] == [state.run.state] * len(run)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.*l*")), ids=lambda path: path.name)
def test_operations_of_sample_logs_make_the_states_of_the_timeline(path: Path) -> None:
    assert_same_states(acpinspect.load(path))


@needs_corpus
@pytest.mark.parametrize("path", corpus_files("rules/*.json"), ids=lambda path: path.stem)
def test_operations_of_rules_make_the_states_of_the_timeline(path: Path) -> None:
    case = read_case(path)
    assert_same_states(acpinspect.from_records(case["log"], protocol=case.get("protocol")))


@needs_corpus
@pytest.mark.parametrize("path", corpus_files("real/*.jsonl")[::4], ids=lambda path: path.stem)
def test_operations_of_real_logs_make_the_states_of_the_timeline(path: Path) -> None:
    assert_same_states(acpinspect.load(path))


def test_another_policy_has_other_messages() -> None:
    events = acpinspect.from_records([chunk("A", "m1"), chunk("B", "m2")])
    assert len(there(session_steps(events, "heuristic", LONGEST), 2, "message")) == 1
    assert len(there(session_steps(events, "spec", LONGEST), 2, "message")) == 2


def test_an_appended_chunk_is_one_piece_by_its_event() -> None:
    steps = session_steps(acpinspect.from_records([chunk("A"), chunk("B")]), "spec", LONGEST)
    assert steps.operations[1] == [Operation(0, "appended", "content", ["B"])]


def test_a_replacement_says_the_whole_content() -> None:
    block = {"type": "text", "text": "C"}
    log = [chunk("A"), update("agent_message", messageId="m1", content=[block])]
    steps = session_steps(acpinspect.from_records(log, protocol="v2"), "spec", LONGEST)
    assert steps.operations[1] == [Operation(0, "replaced", "content", ["C"])]


def test_an_empty_content_that_changes_nothing_is_told_for_other_policies() -> None:
    log = [chunk("A"), update("agent_message", messageId="m2", content=[]), chunk("B", "m2")]
    steps = session_steps(acpinspect.from_records(log, protocol="v2"), "spec", LONGEST)
    assert steps.operations[1] == [Operation(1, "created"), Operation(1, "kept", "content")]


def test_a_removed_plan_dies_where_it_is_removed() -> None:
    entry = {"content": "x", "priority": "high", "status": "pending"}
    plan = {"type": "items", "planId": "p", "entries": [entry]}
    log = [update("plan_update", plan=plan), update("plan_removed", planId="p"), chunk("A")]
    steps = session_steps(acpinspect.from_records(log, protocol="v2"), "spec", LONGEST)
    assert [len(there(steps, step, "plan")) for step in range(4)] == [0, 1, 0, 0]


def test_a_character_that_two_chunks_of_a_terminal_share_is_shown_once() -> None:
    shown = Shower(100)
    assert shown("written", b"caf\xc3") == ["caf"]
    assert shown("written", b"\xa9!", appended=True) == ["é!"]


def test_a_long_text_is_cut_and_what_is_left_out_is_counted() -> None:
    steps = session_steps(acpinspect.from_records([chunk("x" * 50)]), "spec", 10)
    (piece,) = fold(steps, 0, 1)["content"]
    assert piece == "x" * 10 + "… (40 more characters)"


def test_every_value_is_json() -> None:
    call = update("tool_call", toolCallId="t", title="x", rawInput={"deep": [[["x"]]]}, content=[])
    steps = session_steps(acpinspect.from_records([call]), "spec", LONGEST)
    assert json.loads(json.dumps(steps.operations[0]))
