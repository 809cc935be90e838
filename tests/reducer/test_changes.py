"""What a step says that it did: action, entity, field, and the place of what it wrote."""

from __future__ import annotations

import pytest

from acpinspect.reducer import (
    Change,
    Entity,
    MessageKey,
    Place,
    Rope,
    Write,
    empty_state,
    fold_writes,
    get_entity,
    v1,
    v2,
)
from acpinspect.reducer.values import FrozenDict

from .build import Update, b64, chunk, folded, text, update, whole

MESSAGE = Entity("message", MessageKey(0, "agent", "m1"))
BLOCK = {"type": "content", "content": text("x")}
ENTRY = {"content": "Sow", "priority": "low", "status": "pending"}


def said(before: list[Update], sent: Update) -> list[tuple[object, ...]]:
    """Action, field, start and stop of each change that one more update makes."""
    step = v2.apply(folded("v2", before), sent)
    return [(c.action, c.field, c.start, c.stop) for c in step.changes]


@pytest.mark.parametrize(
    ("before", "sent", "changes"),
    [
        ([], chunk("A"), [("created", None, None, None), ("appended", "content", 0, 1)]),
        ([chunk("A"), chunk("B")], chunk("C"), [("appended", "content", 2, 3)]),
        (
            [chunk("A")],
            whole(content=[text("B"), text("C")], meta={"x": 1}),
            [("replaced", "content", 0, 2), ("patched", "meta", None, None)],
        ),
        ([], whole(content=[text("B")]), [("created", None, None, None), ("patched", "content", 0, 1)]),
        ([whole(content=[])], whole(content=[text("B")]), [("patched", "content", 0, 1)]),
        ([chunk("A")], whole(content=None), [("cleared", "content", 0, 0)]),
        ([chunk("A")], whole(content=[]), [("cleared", "content", 0, 0)]),
        ([whole(content=[])], whole(content=None), [("patched", None, None, None)]),
        ([whole(meta={"x": 1})], whole(meta=None), [("cleared", "meta", None, None)]),
        ([chunk("A")], whole(meta=None), [("patched", None, None, None)]),
        ([chunk("A")], whole(), [("patched", None, None, None)]),
    ],
    ids=[
        "a chunk makes a message",
        "a chunk appends",
        "a whole update replaces content and sets metadata",
        "a whole update makes a message",
        "content where there was none is no replacement",
        "null clears content",
        "an empty array clears content",
        "null over nothing writes nothing",
        "null clears metadata",
        "null over no metadata writes nothing",
        "an update without fields writes nothing",
    ],
)
def test_a_message_update_says_what_it_did(before: list[Update], sent: Update, changes: list[object]) -> None:
    assert said(before, sent) == changes


@pytest.mark.parametrize(
    ("before", "sent", "changes"),
    [
        (
            [],
            update("tool_call_update", toolCallId="t", title="Dig"),
            [("created", None, None, None), ("patched", "title", None, None)],
        ),
        (
            [update("tool_call_update", toolCallId="t", content=[BLOCK])],
            update("tool_call_content_chunk", toolCallId="t", content=BLOCK),
            [("appended", "content", 1, 2)],
        ),
        (
            [update("tool_call_update", toolCallId="t", content=[BLOCK, BLOCK], status="completed")],
            update("tool_call_update", toolCallId="t", content=[BLOCK], status=None),
            [("cleared", "status", None, None), ("replaced", "content", 0, 1)],
        ),
        (
            [update("terminal_output_chunk", terminalId="x", data=b64(b"abc"))],
            update("terminal_output_chunk", terminalId="x", data=b64(b"de")),
            [("appended", "written", 3, 5)],
        ),
        (
            [update("terminal_output_chunk", terminalId="x", data=b64(b"abc"))],
            update("terminal_update", terminalId="x", output={"data": b64(b"de")}),
            [("replaced", "written", 0, 2)],
        ),
        (
            [],
            update("terminal_update", terminalId="x", output={"data": ""}),
            [("created", None, None, None), ("patched", "written", 0, 0)],
        ),
        (
            [update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY]})],
            update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# x"}),
            [("replaced", "content", None, None)],
        ),
        (
            [update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY]})],
            update("plan_removed", planId="p"),
            [("removed", None, None, None)],
        ),
        ([], update("plan_removed", planId="p"), [("ignored", None, None, None)]),
        (
            [],
            update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY, ENTRY]}),
            [("created", None, None, None), ("patched", "entries", 0, 2)],
        ),
        (
            [update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# x"})],
            update("plan_update", plan={"type": "items", "planId": "p", "entries": []}),
            [("replaced", "entries", 0, 0)],
        ),
        (
            [update("plan_update", plan={"type": "file", "planId": "p", "uri": "file:///p"})],
            update("plan_update", plan={"type": "_own", "planId": "p", "uri": "file:///p"}),
            [("replaced", "other", None, None)],
        ),
        (
            [update("plan_update", plan={"type": "_own", "planId": "p"})],
            update("plan_update", plan={"type": "file", "planId": "p", "uri": "file:///p"}),
            [("replaced", "uri", None, None)],
        ),
        (
            [update("plan_update", plan={"type": "items", "planId": "p", "entries": []})],
            update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY]}),
            [("patched", "entries", 0, 1)],
        ),
        (
            [update("notice", severity="info", title="N")],
            update("notice", severity="info", title="N"),
            [("appended", None, 1, 2)],
        ),
        ([], update("state_update", state="running"), [("patched", None, None, None)]),
        (
            [],
            update("compaction_summary_chunk", compactionId="c", content=text("S")),
            [("created", None, None, None), ("appended", "summary", 0, 1)],
        ),
    ],
    ids=lambda value: value.get("sessionUpdate") if isinstance(value, dict) else None,
)
def test_an_update_of_another_entity_says_what_it_did(
    before: list[Update], sent: Update, changes: list[object]
) -> None:
    assert said(before, sent) == changes


def test_a_repeated_v1_plan_says_that_its_entries_were_replaced() -> None:
    plan = update("plan", entries=[ENTRY])
    step = v1.apply(folded("v1", [plan]), plan)
    assert step.changes == (Change("replaced", Entity("plan", ""), "entries", 0, 1),)


def test_removing_a_plan_that_there_is_not_is_ignored_with_a_reason() -> None:
    assert v2.apply(empty_state("v2"), update("plan_removed", planId="p")).reason == "there is no plan of this id"


@pytest.mark.parametrize(
    "sent",
    [
        chunk("A"),
        update("tool_call_update", toolCallId="t"),
        update("tool_call_content_chunk", toolCallId="t", content=BLOCK),
        update("terminal_update", terminalId="x"),
        update("compaction_update", compactionId="c", status="in_progress"),
    ],
)
def test_what_follows_a_replay_is_of_its_epoch(sent: Update) -> None:
    step = v2.apply(empty_state("v2"), sent, Place(epoch=2))
    [entity] = step.state.order
    assert entity.key.epoch == get_entity(step.state, entity).epoch == 2  # type: ignore[union-attr]
    assert fold_writes("v2", None, step.writes) == get_entity(step.state, entity)


def test_a_repeated_v1_tool_call_says_which_fields_went_back_to_their_defaults() -> None:
    full = update("tool_call", toolCallId="t", title="Dig", status="completed", content=[BLOCK])
    step = v1.apply(folded("v1", [full]), update("tool_call", toolCallId="t", title="Rake"))
    assert [(c.action, c.field) for c in step.changes] == [
        ("patched", "title"),
        ("cleared", "status"),
        ("cleared", "content"),
    ]


def test_a_step_in_one_word_is_its_weightiest_change() -> None:
    assert v2.apply(empty_state("v2"), chunk("A")).action == "created"
    assert v2.apply(folded("v2", [chunk("A")]), whole(content=[text("B")], meta={"x": 1})).action == "replaced"


def test_a_step_names_the_entity_that_it_changed() -> None:
    assert v2.apply(empty_state("v2"), chunk("A")).entity == MESSAGE
    assert v2.apply(empty_state("v2"), update("usage_update", used=1, size=2)).entity == Entity("session", "usage")


def test_a_step_says_what_it_wrote() -> None:
    sent = chunk("A")
    fields = {"messageId": "m1", "content": text("A")}
    assert v2.apply(empty_state("v2"), sent).writes == (Write(MESSAGE, "chunk", fields, 0, "agent"),)


def test_a_step_says_what_was_left_out_or_why_it_was_rejected() -> None:
    rejected = v1.apply(empty_state("v1"), {"sessionUpdate": "agent_message_chunk"})
    assert [(issue.path, issue.reason) for issue in rejected.issues] == [("content", "is missing")]
    lenient = v1.apply(empty_state("v1"), update("tool_call_update", toolCallId="t", locations=[3]))
    assert [(issue.path, issue.reason) for issue in lenient.issues] == [("locations[0]", "is no object")]


def test_the_caller_s_turn_and_epoch_stand_where_the_caller_knows_them() -> None:
    state = v1.apply(empty_state("v1"), chunk("A"), Place(turn=5, epoch=2)).state
    assert (state.turn, state.epoch, [m.epoch for m in state.messages.values()]) == (5, 2, [2])
    running = v2.apply(empty_state("v2"), update("state_update", state="running"), Place(turn=5)).state
    assert running.turn == 5


def test_an_entity_goes_on_from_an_older_value_of_it() -> None:
    """Writes folded in two parts are the same as in one."""
    sent = [
        update("tool_call", toolCallId="t", title="Dig", status="completed", content=[BLOCK]),
        update("tool_call_update", toolCallId="t", title=None, kind="edit"),
        update("tool_call_update", toolCallId="t"),
        update("tool_call", toolCallId="t", title="Rake"),
        update("tool_call_update", toolCallId="t", status="failed"),
    ]
    state, writes = empty_state("v1"), []
    for one in sent:
        step = v1.apply(state, one)
        state, writes = step.state, [*writes, *step.writes]
        assert fold_writes("v1", None, writes) == state.tool_calls["t"]
    half = fold_writes("v1", None, writes[:2])
    assert (half.title, half.kind, half.status) == ("Dig", "edit", "completed")
    assert (type(half.content), type(half.content[0])) == (Rope, FrozenDict)
    assert fold_writes("v1", half, writes[2:]) == state.tool_calls["t"]


def test_a_message_that_there_is_not_is_named() -> None:
    with pytest.raises(KeyError, match=r"^'m9'$"):
        folded("v2", [chunk("A")]).message("m9")


def test_what_a_step_does_not_change_is_the_same_object_after_it() -> None:
    before = folded("v2", [chunk("A", "m1"), update("tool_call_update", toolCallId="t")])
    after = v2.reduce(before, chunk("B", "m2"))
    assert after.message("m1") is before.message("m1")
    assert after.tool_calls is before.tool_calls
