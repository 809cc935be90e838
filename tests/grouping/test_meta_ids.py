"""Ids under `_meta`: found by their behaviour, scored with their evidence, used only when asked for."""

from __future__ import annotations

from typing import Any

import acpinspect
from acpinspect import Policy, Rules, Stream
from tests.wire import chunk, prompt, stop, text, tool_call, update


def marked(value: str, role: str = "agent_message", **meta: Any) -> dict[str, Any]:
    return update(f"{role}_chunk", content=text(value), _meta=meta)


TURNS = [
    prompt(1),
    marked("One ", agent={"msg": "a"}),
    marked("message.", agent={"msg": "a"}),
    marked("Another ", agent={"msg": "b"}),
    marked("one.", agent={"msg": "b"}),
    tool_call("t1"),
    marked("After ", agent={"msg": "c"}),
    marked("it.", agent={"msg": "c"}),
    stop(1),
]


def paths(log: list[dict[str, Any]]) -> list[str]:
    return acpinspect.discover_meta_ids(acpinspect.from_records(log))["path"].tolist()


def test_a_value_that_stays_and_changes_with_the_messages_is_found() -> None:
    best = acpinspect.discover_meta_ids(acpinspect.from_records(TURNS)).iloc[0]
    assert (best["path"], best["score"], best["values"]) == ("update._meta.agent.msg", 0.75, 3)


def test_the_evidence_is_shown() -> None:
    best = acpinspect.discover_meta_ids(acpinspect.from_records(TURNS)).iloc[0]
    assert best["events"] == [3, 6]
    assert (best["example"], best["longest_run"]) == ("a", 2)
    assert best[["coverage", "constant", "changes", "agrees"]].tolist() == [1, 0.75, 1, 1]


def test_ids_are_found_in_the_chunk_and_in_the_params() -> None:
    def hidden(value: str, ident: str) -> dict[str, Any]:
        frame = update("agent_message_chunk", content={**text(value), "_meta": {"inner": ident}})
        frame["params"]["_meta"] = {"outer": ident}
        return frame

    log = [prompt(1), hidden("a", "x"), hidden("b", "x"), hidden("c", "y"), hidden("d", "y")]
    assert paths(log) == ["params._meta.outer", "update.content._meta.inner"]


def test_a_value_of_its_own_for_every_chunk_is_none() -> None:
    assert paths([prompt(1), *(marked("w ", event=f"e{i}") for i in range(6))]) == []


def test_a_constant_is_none() -> None:
    log = [prompt(1), *(marked("w ", model="m") for _ in range(6)), tool_call("t1"), marked("w ", model="m")]
    assert paths(log) == []


def test_a_value_on_few_chunks_is_none() -> None:
    assert (
        paths([prompt(1), *(marked("w ") for _ in range(30)), marked("x ", odd="1"), marked("y ", odd="2")]) == []
    )


def test_a_value_that_contradicts_message_id_scores_below_one_that_agrees() -> None:
    def both(value: str, ident: str, good: str, bad: str) -> dict[str, Any]:
        own = {"messageId": ident, "_meta": {"good": good, "bad": bad}}
        return update("agent_message_chunk", content=text(value), **own)

    log = [
        both("a", "m1", "1", "x"),
        both("b", "m1", "1", "x"),
        both("c", "m2", "2", "x"),
        both("d", "m2", "2", "y"),
    ]
    assert paths(log)[0] == "update._meta.good"


def test_truth_values_and_long_texts_are_no_ids() -> None:
    log = [marked("a", final=False, essay="x" * 500), marked("b", final=True, essay="y" * 500)]
    assert paths(log) == []


def test_a_table_without_meta_gives_an_empty_table() -> None:
    table = acpinspect.discover_meta_ids(acpinspect.from_records([chunk("a"), chunk("b")]))
    assert table.empty
    assert table.columns[0] == "path"


def test_a_policy_groups_by_a_hidden_id_when_told_to() -> None:
    events = acpinspect.from_records(TURNS)
    policy = acpinspect.get_policy("spec").with_meta_id("update._meta.agent.msg")
    assert acpinspect.messages(events, policy)["text"].tolist() == ["One message.", "Another one.", "After it."]


def test_hidden_ids_are_never_taken_silently() -> None:
    assert len(acpinspect.messages(acpinspect.from_records(TURNS), "spec")) == 2


def test_a_client_preset_can_use_a_hidden_id_as_well() -> None:
    events = acpinspect.from_records(TURNS)
    policy = acpinspect.get_policy("aionui").with_meta_id("update._meta.agent.msg")
    assert acpinspect.group(events, policy).dropna().tolist() == [0, 1, 1, 2, 2, 3, 3]


def test_a_path_that_leads_nowhere_gives_no_ids() -> None:
    policy = Policy(name="mine", live=Rules(agent=Stream(id="key", null="distinct"))).with_meta_id(
        "update._meta.no"
    )
    assert acpinspect.group(acpinspect.from_records(TURNS), policy).dropna().tolist() == [0, 1, 1, 1, 1, 1, 1]
