"""Where message updates go: by id, by label, or to the open message; what the text of a message is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.reducer import MessageKey, Place, empty_state, fold_writes, v1, v2

from .build import Update, blocks, chunk, folded, text, texts, update, whole

ENTRY = {"content": "Sow", "priority": "low", "status": "pending"}
CLOSERS = [
    update("tool_call", toolCallId="t", title="Dig"),
    update("tool_call_update", toolCallId="t"),
    update("plan", entries=[]),
    update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY]}),
    update("plan_removed", planId="p"),
    update("compaction_update", compactionId="c", status="in_progress"),
    chunk("?", None, "agent_thought"),
    chunk("?", "other", "user_message"),
]
KEEPERS = [
    update("usage_update", used=1, size=2),
    update("current_mode_update", currentModeId="ask"),
    update("available_commands_update", availableCommands=[]),
    update("config_option_update", configOptions=[]),
    update("session_info_update", title="T"),
    update("notice", severity="info", title="N"),
    update("compaction_summary_chunk", compactionId="c", content=text("S")),
    update("_acme/x"),
    update("agent_message", messageId="m1", content=[text("not of v1")]),
    update("tool_call", toolCallId=7),
    None,
]


def name_of(value: Any) -> str:
    return str(value and value["sessionUpdate"])


def agent_texts(updates: list[Update]) -> list[str]:
    state = folded("v1", updates)
    return [m.text for m in state.messages.values() if m.role == "agent"]


@pytest.mark.parametrize("between", CLOSERS, ids=name_of)
def test_an_idless_chunk_begins_a_new_message_after_what_closes_the_open_one(between: Update) -> None:
    assert agent_texts([chunk("A", None), between, chunk("B", None)]) == ["A", "B"]


@pytest.mark.parametrize("between", KEEPERS, ids=name_of)
def test_an_idless_chunk_continues_the_message_over_what_leaves_it_open(between: Update) -> None:
    assert agent_texts([chunk("A", None), between, chunk("B", None)]) == ["AB"]


@pytest.mark.parametrize("name", ["tool_call_update", "compaction_update"])
def test_a_later_update_of_a_known_tool_or_compaction_leaves_the_message_open(name: str) -> None:
    known = {
        "tool_call_update": update("tool_call_update", toolCallId="t"),
        "compaction_update": update("compaction_update", compactionId="c", status="completed"),
    }[name]
    assert agent_texts([known, chunk("A", None), known, chunk("B", None)]) == ["AB"]


def test_a_repeated_tool_call_closes_the_message_though_its_id_is_known() -> None:
    call = update("tool_call", toolCallId="t", title="Dig")
    assert agent_texts([call, chunk("A", None), call, chunk("B", None)]) == ["A", "B"]


def test_the_first_update_of_a_compaction_closes_also_after_a_chunk_of_its_summary() -> None:
    part = update("compaction_summary_chunk", compactionId="c", content=text("S"))
    first = update("compaction_update", compactionId="c", status="in_progress")
    assert agent_texts([part, chunk("A", None), first, chunk("B", None)]) == ["A", "B"]


def test_an_idless_chunk_continues_a_message_that_has_an_id() -> None:
    assert agent_texts([chunk("A", "m1"), chunk("B", None)]) == ["AB"]


def test_a_chunk_with_a_new_id_never_joins_a_message_without_one() -> None:
    assert agent_texts([chunk("A", None), chunk("B", "m1")]) == ["A", "B"]


def test_after_an_id_came_back_an_idless_chunk_continues_its_message() -> None:
    assert agent_texts([chunk("A", "m1"), chunk("B", "m2"), chunk("C", "m1"), chunk("D", None)]) == ["ACD", "B"]


def test_a_label_says_where_a_chunk_goes_whatever_its_id_is() -> None:
    state = empty_state("v1")
    for value, message_id, label in [("A", None, 7), ("B", "m1", 7), ("C", None, 8), ("D", None, 7)]:
        state = v1.reduce(state, chunk(value, message_id), label)
    assert texts(state) == ["ABD", "C"]
    assert list(state.messages) == [MessageKey(0, "agent", None, 7), MessageKey(0, "agent", None, 8)]


def test_a_whole_key_as_the_label_sends_an_idless_chunk_to_a_message_with_an_id() -> None:
    state = v1.reduce(empty_state("v1"), chunk("A", "m1"))
    state = v1.reduce(state, update("tool_call", toolCallId="t", title="Dig"))
    state = v1.reduce(state, chunk("B", None), MessageKey(0, "agent", "m1"))
    assert texts(state) == ["AB"]


def test_a_message_takes_the_first_id_that_its_label_sends_to_it() -> None:
    state = v1.reduce(v1.reduce(empty_state("v1"), chunk("A", None), 1), chunk("B", "m1"), 1)
    assert state.message("m1").text == "AB"


def test_a_message_folded_at_once_takes_the_first_id_as_well() -> None:
    writes = []
    for number, message_id in enumerate([None, "m1", "m2"]):
        step = v1.apply(empty_state("v1"), chunk("A", message_id), Place(event=number, label=7))
        writes += step.writes
    message = fold_writes("v1", None, writes)
    assert (message.message_id, message.text, message.first_event, message.last_event) == ("m1", "AAA", 0, 2)


def test_a_message_keeps_the_id_that_it_has() -> None:
    key = MessageKey(0, "agent", None, 7)
    state = v2.reduce(empty_state("v2"), chunk("A", "m1"), key)
    assert [m.message_id for m in v2.reduce(state, whole("m2"), key).messages.values()] == ["m1"]


def test_one_id_in_two_roles_is_two_messages() -> None:
    state = folded("v2", [chunk("A", "x", "user_message"), chunk("B", "x"), chunk("C", "x", "agent_thought")])
    assert texts(state) == ["A", "B", "C"]
    assert state.message("x", "user").text == "A"
    assert state.message("x").text == "C"


def test_one_id_in_two_epochs_is_two_messages() -> None:
    first = v2.apply(empty_state("v2"), chunk("A"), Place(epoch=0)).state
    state = v2.apply(first, chunk("A"), Place(epoch=1)).state
    assert texts(state) == ["A", "A"]


def test_asking_for_a_message_that_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        folded("v2", [chunk("A")]).message("m1", "user")


def test_a_later_update_never_moves_a_message() -> None:
    state = folded("v2", [chunk("A", "m1"), chunk("B", "m2"), whole("m1", content=[text("C")]), whole("m1")])
    assert texts(state) == ["C", "B"]


def test_the_order_names_all_entities_as_they_were_first_seen() -> None:
    state = folded(
        "v2",
        [
            chunk("A"),
            update("tool_call_update", toolCallId="t"),
            update("terminal_update", terminalId="x"),
            update("plan_update", plan={"type": "items", "planId": "p", "entries": []}),
            update("compaction_update", compactionId="c", status="in_progress"),
            update("tool_call_update", toolCallId="t", status="completed"),
            chunk("B"),
        ],
    )
    assert [entity.kind for entity in state.order] == ["message", "tool_call", "terminal", "plan", "compaction"]


def test_a_message_knows_its_first_and_its_last_event() -> None:
    state = empty_state("v2")
    for event, sent in [(4, chunk("A")), (6, whole(meta={})), (9, chunk("B", "m2"))]:
        state = v2.apply(state, sent, Place(event=event)).state
    message = state.message("m1")
    assert (message.first_event, message.last_event) == (4, 6)


def test_without_event_numbers_the_steps_are_counted_rejected_ones_too() -> None:
    state = folded("v2", [None, chunk("A"), {}, chunk("B")])
    assert (state.message("m1").first_event, state.message("m1").last_event) == (1, 3)


def test_empty_and_blank_chunks_are_chunks() -> None:
    state = folded("v2", [chunk(""), chunk(" "), chunk("\n")])
    assert (state.message("m1").text, len(state.message("m1").content)) == (" \n", 3)


def test_two_surrogate_halves_that_meet_become_one_character() -> None:
    state = folded("v2", [whole(content=[text("\ud83c"), text("\udf3b and \ud83c")]), chunk("\udf31")])
    assert state.message("m1").text == "\U0001f33b and \U0001f331"


def test_a_lonely_half_shows_as_a_replacement_character_and_the_block_keeps_it() -> None:
    message = folded("v2", [chunk("a\ud83c"), chunk("b")]).message("m1")
    assert (message.text, message.content[0]) == ("a\ufffdb", text("a\ud83c"))


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), blocks), max_size=12), st.randoms())
def test_the_content_of_a_v2_message_does_not_depend_on_how_ids_are_interleaved(
    sent: list[tuple[str, Any]], random: Any
) -> None:
    by_id = {i: [block for of, block in sent if of == i] for i in "abc"}
    order = [i for i, _ in sent]
    random.shuffle(order)
    waiting = {i: iter(found) for i, found in by_id.items()}
    shuffled = [(i, next(waiting[i])) for i in order]
    updates = [{"sessionUpdate": "agent_message_chunk", "messageId": i, "content": b} for i, b in shuffled]
    state = folded("v2", updates)
    assert {m.message_id: list(m.content) for m in state.messages.values()} == {
        i: b for i, b in by_id.items() if b
    }


whole_or_chunk = st.one_of(
    blocks.map(lambda block: {"sessionUpdate": "agent_message_chunk", "content": block}),
    st.one_of(st.none(), st.lists(blocks, max_size=3)).map(
        lambda content: {"sessionUpdate": "agent_message", "content": content}
    ),
    st.just({"sessionUpdate": "agent_message"}),
)


@given(st.lists(whole_or_chunk, max_size=6), st.lists(whole_or_chunk, max_size=6), st.data())
def test_whole_updates_of_one_id_never_touch_the_content_of_another(
    left: list[Update], right: list[Update], data: st.DataObject
) -> None:
    tagged = [({**one, "messageId": "l"}, 0) for one in left] + [({**one, "messageId": "r"}, 1) for one in right]
    sides = data.draw(st.permutations([side for _, side in tagged]))
    queues = [iter([one for one, of in tagged if of == side]) for side in (0, 1)]
    mixed = folded("v2", [next(queues[side]) for side in sides])
    alone = folded("v2", [one for one, of in tagged if of == 0])
    contents = [list(m.content) for m in mixed.messages.values() if m.message_id == "l"]
    assert contents == [list(m.content) for m in alone.messages.values()]
