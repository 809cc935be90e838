"""Ids under `_meta`: found by their behaviour, scored with their evidence, used only when asked for."""

from __future__ import annotations

from typing import Any

import pytest

import acpinspect
from acpinspect import Policy, Rules, Stream
from acpinspect.grouping.meta_ids import COLUMNS
from tests.wire import chunk, prompt, stop, text, tool_call, update, whole


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


@pytest.mark.parametrize("log", [[], [chunk("a")], TURNS], ids=["nothing", "one chunk", "turns"])
def test_the_columns_are_the_contract_also_without_ids(log: list[dict[str, Any]]) -> None:
    table = acpinspect.discover_meta_ids(acpinspect.from_records(log))
    assert {name: str(kind) for name, kind in table.dtypes.items()} == {c.name: c.dtype for c in COLUMNS}
    assert table.columns.tolist() == [column.name for column in COLUMNS]
    assert table.index.tolist() == list(range(len(table)))


def test_a_log_of_one_chunk_has_no_ids_to_find() -> None:
    assert paths([marked("a", id="1")]) == []


def test_two_chunks_are_enough_for_a_guess() -> None:
    assert paths([marked("a", id="1"), marked("b", id="1")]) == ["update._meta.id"]


def test_one_value_on_four_chunks_is_a_constant_and_on_three_a_guess() -> None:
    assert paths([marked("a", id="1")] * 3) == ["update._meta.id"]
    assert paths([marked("a", id="1")] * 4) == []


def test_whole_numbers_can_be_ids() -> None:
    log = [marked("a", id=1), marked("b", id=1), tool_call("t"), marked("c", id=22)]
    [row] = acpinspect.discover_meta_ids(acpinspect.from_records(log)).to_dict("records")
    assert (row["example"], row["values"], row["score"]) == ("1", 2, 1.0)


@pytest.mark.parametrize("value", [1.5, "", None, ["a"], {}, True])
def test_other_values_can_not_be_ids(value: object) -> None:
    assert paths([marked("a", id=value), marked("b", id=value)]) == []


def test_a_text_of_two_hundred_characters_can_be_an_id_and_a_longer_one_not() -> None:
    log = [marked("a", short="x" * 200, long="x" * 201), marked("b", short="x" * 200, long="x" * 201)]
    assert paths(log) == ["update._meta.short"]


def test_ids_are_looked_for_six_levels_deep() -> None:
    deep: object = "id"
    for key in "gfedcb":
        deep = {key: deep}
    log = [marked("a", six=deep["b"], seven=deep)] * 2  # type: ignore[index]
    assert paths(log) == ["update._meta.six.c.d.e.f.g"]


def test_no_more_than_a_thousand_paths_are_looked_at() -> None:
    log = [marked("a", **{f"k{number:04}": "x" for number in range(1_001)})] * 2
    assert len(paths(log)) == 1_000
    assert "update._meta.k0000" in paths(log)


def test_the_value_of_the_text_itself_is_none() -> None:
    log = [update("agent_message_chunk", content=text("a"), _meta="m")] * 2
    assert paths(log) == []


def test_the_events_are_told_by_the_index_of_the_table() -> None:
    events = acpinspect.from_records([prompt(1), *TURNS]).iloc[1:]
    [row] = acpinspect.discover_meta_ids(events).to_dict("records")
    assert row["events"] == [4, 7]


def test_the_first_five_changes_are_told() -> None:
    log = [
        frame for n in range(8) for frame in (marked("a", id=f"i{n}"), marked("b", id=f"i{n}"), tool_call(f"t{n}"))
    ]
    [row] = acpinspect.discover_meta_ids(acpinspect.from_records(log)).to_dict("records")
    assert row["events"] == [3, 6, 9, 12, 15]


def test_the_best_path_stands_first() -> None:
    log = [
        marked("a", good="1", fair="1"),
        marked("b", good="1", fair="2"),
        marked("c", good="1", fair="2"),
        tool_call("t"),
        marked("d", good="2", fair="3"),
    ]
    table = acpinspect.discover_meta_ids(acpinspect.from_records(log))
    assert table["path"].tolist() == ["update._meta.good", "update._meta.fair"]
    assert table["score"].tolist() == [1.0, 0.5]


@pytest.mark.parametrize("path", ["update._meta.own", "params._meta.outer.id", "update.content._meta.inner"])
def test_a_policy_takes_ids_from_each_place_where_they_are_found(path: str) -> None:
    def hidden(value: str, ident: str) -> dict[str, Any]:
        frame = update(
            "agent_message_chunk", content={**text(value), "_meta": {"inner": ident}}, _meta={"own": ident}
        )
        frame["params"]["_meta"] = {"outer": {"id": ident}}
        return frame

    log = [*(hidden(value, ident) for value, ident in ("ax", "bx", "cy", "dy")), chunk("e", "m1")]
    events = acpinspect.from_records(log)
    assert path in acpinspect.discover_meta_ids(events)["path"].tolist()
    policy = Policy(name="mine", live=Rules(agent=Stream(id="key", null="fresh"))).with_meta_id(path)
    assert acpinspect.group(events, policy).tolist() == [0, 0, 1, 1, 2]


def test_a_key_with_dots_is_found_and_can_be_used() -> None:
    log = [marked(value, **{"example.org/agent": {"msg.id": value[0]}}) for value in ("a1", "a2", "b1")]
    events = acpinspect.from_records(log)
    [path] = acpinspect.discover_meta_ids(events)["path"]
    assert path == "update._meta.example.org/agent.msg.id"
    assert acpinspect.group(events, acpinspect.get_policy("spec").with_meta_id(path)).tolist() == [0, 0, 1]


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
    assert row["events"] == [4, 8, 12, 6, 10]  # of the first session, then of the second


def test_sessions_that_run_side_by_side_for_long_are_kept_apart() -> None:
    log = []
    for number in range(60):
        for session in ("s1", "s2", "s3"):
            frame = marked("w ", id=f"{session} {number // 10}")
            frame["params"]["sessionId"] = session
            log.append(frame)
            log += [tool_call(f"t{number}", session=session)] if number % 10 == 9 else []
    row = scored(log)
    assert (row["score"], row["constant"], row["values"], row["longest_run"]) == (1.0, 1.0, 18, 10)


def test_ids_are_found_in_whole_messages_whose_content_is_a_list() -> None:
    log = [whole(ident, "a", _meta={"key": ident}) for ident in ("m1", "m1", "m2", "m2")]
    row = acpinspect.discover_meta_ids(acpinspect.from_records(log, protocol="v2")).iloc[0]
    assert (row["path"], row["agrees"], row["longest_run"]) == ("update._meta.key", 1.0, 2)


@pytest.mark.parametrize("role", ["user_message", "agent_message", "agent_thought"])
def test_ids_are_found_in_chunks_of_every_role(role: str) -> None:
    assert paths([marked("a", role, id="1"), marked("b", role, id="1")]) == ["update._meta.id"]
