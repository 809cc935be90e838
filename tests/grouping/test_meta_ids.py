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


def keyed(key: str | None, message: str, role: str = "agent_message") -> dict[str, Any]:
    meta = {} if key is None else {"_meta": {"key": key}}
    return update(f"{role}_chunk", content=text("x"), messageId=message, **meta)


def scored(log: list[dict[str, Any]]) -> dict[str, object]:
    [row] = acpinspect.discover_meta_ids(acpinspect.from_records(log)).to_dict("records")
    return row


def test_the_score_is_the_product_of_its_four_shares() -> None:
    log = [
        *(keyed("a", "m1") for _ in range(4)),  # three neighbours of one value and one id
        keyed("b", "m1"),  # another value where the id stays: neither constant nor agreeing
        keyed(None, "m1"),  # no value at all
        keyed("c", "m2", "agent_thought"),  # no neighbour of a chunk that has a value
        keyed("d", "m3"),  # another role, another value
        keyed("e", "m4", "agent_thought"),  # and again
        keyed("e", "m5"),  # another role, and the value stays
        keyed("f", "m6"),  # another value where the id changes: not constant, but agreeing
    ]
    row = scored(log)
    assert row["coverage"] == round(10 / 11, 4)
    assert row["constant"] == round(3 / 5, 4)
    assert row["changes"] == round(2 / 3, 4)
    assert row["agrees"] == round(4 / 5, 4)
    assert row["score"] == round(10 / 11 * 3 / 5 * 2 / 3 * 4 / 5, 4)
    assert (row["values"], row["longest_run"], row["example"]) == (6, 4, "a")
    assert row["events"] == [4, 7, 8, 10]


def test_values_that_come_back_again_and_again_are_states_and_score_less() -> None:
    def turns(keys: str) -> list[dict[str, Any]]:
        return [frame for key in keys for frame in (keyed(key, key), keyed(key, key), tool_call(f"t{key}"))]

    assert scored(turns("abcd"))["score"] == 1.0
    assert scored(turns("abcb"))["score"] == 1.0  # twice is no habit
    assert scored(turns("ababac"))["score"] == round(1 - 1 / 3, 4)


def test_paths_of_one_score_stand_in_order() -> None:
    log = [marked("x", b="1", a="1"), marked("y", b="1", a="1"), tool_call("t"), marked("z", b="2", a="2")]
    assert paths(log) == ["update._meta.a", "update._meta.b"]


def test_a_value_stays_between_chunks_of_its_own_session_only() -> None:
    log = []
    for turn in range(4):
        for session in ("s1", "s2"):
            frame = keyed(f"{session}{turn}", f"{session}{turn}")
            frame["params"]["sessionId"] = session
            log += [frame, {**frame, "params": {**frame["params"]}}]
    row = scored(log)
    assert (row["constant"], row["longest_run"]) == (round(8 / 14, 4), 2)
