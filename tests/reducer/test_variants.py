"""Every variant of both versions, stable and unstable: its effect, and that it has none in the other version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acpinspect.protocol import VARIANTS, Version
from acpinspect.reducer import SessionState, empty_state, v1, v2

from .build import REDUCERS, Update, b64, folded, text, update

ITEM = {"type": "content", "content": text("out")}
ENTRY = {"content": "Sow", "priority": "low", "status": "pending"}
COMMAND = {"name": "dig", "description": "Digs"}
V1_OPTION = {"id": "o", "name": "O", "type": "boolean", "currentValue": True}
V2_OPTION = {"configId": "o", "name": "O", "type": "boolean", "currentValue": True}

MessageOf = Callable[[SessionState], object]
Case = tuple[Update, MessageOf, object]


def _message(state: SessionState) -> object:
    return [(m.role, m.message_id, m.text) for m in state.messages.values()]


def _messages(shape: str) -> list[Case]:
    content = text("A") if shape == "_chunk" else [text("A")]
    names = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}
    return [
        (update(f"{name}{shape}", messageId="m", content=content), _message, [(role, "m", "A")])
        for name, role in names.items()
    ]


def _tool(state: SessionState) -> object:
    call = state.tool_calls["t"]
    return call.title, call.kind, call.status, call.text


COMMON: list[Case] = [
    *_messages("_chunk"),
    (update("tool_call_update", toolCallId="t", title="Dig"), _tool, ("Dig", "other", "pending", "")),
    (
        update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY]}),
        lambda s: (s.plans["p"].type, s.plans["p"].entries),
        ("items", (ENTRY,)),
    ),
    (
        update("available_commands_update", availableCommands=[COMMAND]),
        lambda s: s.commands,
        (COMMAND,),
    ),
    (
        update("session_info_update", title="T", updatedAt="now"),
        lambda s: (s.info.title, s.info.updated_at),
        ("T", "now"),
    ),
    (
        update("usage_update", used=5, size=10, cost={"amount": 0.5, "currency": "EUR"}),
        lambda s: (s.usage.used, s.usage.size, s.usage.cost),
        (5, 10, {"amount": 0.5, "currency": "EUR"}),
    ),
    (
        update("notice", severity="warning", title="Low", description="Disk"),
        lambda s: [(n.severity, n.title, n.description) for n in s.notices],
        [("warning", "Low", "Disk")],
    ),
    (
        update("compaction_update", compactionId="c", status="in_progress"),
        lambda s: s.compactions["c"].status,
        "in_progress",
    ),
    (
        update("compaction_summary_chunk", compactionId="c", content=text("So far")),
        lambda s: s.compactions["c"].summary,
        (text("So far"),),
    ),
    (update("plan_removed", planId="p"), lambda s: dict(s.plans), {}),
]
V1: list[Case] = [
    *COMMON,
    (update("tool_call", toolCallId="t", title="Dig"), _tool, ("Dig", "other", "pending", "")),
    (update("plan", entries=[ENTRY]), lambda s: s.plans[""].entries, (ENTRY,)),
    (update("current_mode_update", currentModeId="ask"), lambda s: s.mode, "ask"),
    (update("config_option_update", configOptions=[V1_OPTION]), lambda s: s.config_options, (V1_OPTION,)),
]
V2: list[Case] = [
    *COMMON,
    *_messages(""),
    (update("tool_call_content_chunk", toolCallId="t", content=ITEM), _tool, (None, "other", "pending", "out")),
    (update("terminal_update", terminalId="x", command="ls"), lambda s: s.terminals["x"].command, "ls"),
    (update("terminal_output_chunk", terminalId="x", data=b64(b"a")), lambda s: s.terminals["x"].output, b"a"),
    (
        update("state_update", state="idle", stopReason="end_turn"),
        lambda s: (s.run.state, s.run.stop_reason),
        ("idle", "end_turn"),
    ),
    (update("config_option_update", configOptions=[V2_OPTION]), lambda s: s.config_options, (V2_OPTION,)),
]
CASES: list[tuple[Version, Case]] = [*(("v1", case) for case in V1), *(("v2", case) for case in V2)]


def case_name(value: Any) -> str:
    return value if isinstance(value, str) else value[0]["sessionUpdate"]


@pytest.mark.parametrize(("version", "case"), CASES, ids=case_name)
def test_each_variant_has_its_effect(version: Version, case: Case) -> None:
    sent, look, expected = case
    assert look(folded(version, [sent])) == expected


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_variant_of_the_protocol_is_among_the_cases(version: Version) -> None:
    assert {case[0]["sessionUpdate"] for of, case in CASES if of == version} == set(VARIANTS[version])


@pytest.mark.parametrize(("version", "case"), CASES, ids=case_name)
def test_a_variant_of_the_other_version_only_changes_nothing(version: Version, case: Case) -> None:
    other: Version = "v2" if version == "v1" else "v1"
    step = REDUCERS[other].apply(empty_state(other), case[0])
    known = case[0]["sessionUpdate"] in VARIANTS[other]
    assert known or (step.state == empty_state(other) and step.action == "rejected")


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(
    "sent",
    [
        None,
        1,
        "x",
        [],
        {},
        {"sessionUpdate": None},
        {"sessionUpdate": 3},
        update("agent_message_chunk"),
        update("x"),
    ],
    ids=repr,
)
def test_what_is_malformed_or_unknown_is_rejected_with_a_reason(version: Version, sent: object) -> None:
    before = folded(version, [update("agent_message_chunk", messageId="m", content=text("A"))])
    step = REDUCERS[version].apply(before, sent)
    assert step.state == before
    assert (step.action, bool(step.reason)) == ("rejected", True)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_an_extension_that_nobody_registered_is_ignored_with_a_reason(version: Version) -> None:
    step = REDUCERS[version].apply(empty_state(version), update("_acme/x", a=1))
    assert (step.state, step.action, "_acme/x" in str(step.reason)) == (empty_state(version), "ignored", True)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_malformed_required_field_takes_the_whole_update_with_it(version: Version) -> None:
    step = REDUCERS[version].apply(empty_state(version), update("usage_update", used="many", size=10))
    assert (step.action, step.state) == ("rejected", empty_state(version))


def test_a_malformed_optional_field_counts_as_its_default_and_is_noted() -> None:
    step = v1.apply(empty_state("v1"), update("tool_call", toolCallId="t", title="Dig", status="cancelled"))
    assert step.state.tool_calls["t"].status == "pending"
    assert [issue.path for issue in step.issues] == ["status"]


def test_a_malformed_patch_field_counts_as_omitted() -> None:
    before = folded("v2", [update("tool_call_update", toolCallId="t", title="Dig", status="completed")])
    step = v2.apply(before, update("tool_call_update", toolCallId="t", status=7))
    assert (step.state, len(step.issues)) == (before, 1)


def test_a_malformed_item_of_a_list_is_left_out_and_the_rest_stays() -> None:
    bad = {"content": "B", "priority": "low", "status": "cancelled"}
    step = v1.apply(empty_state("v1"), update("plan", entries=[ENTRY, bad, ENTRY]))
    assert (step.state.plans[""].entries, len(step.issues)) == ((ENTRY, ENTRY), 1)


def test_a_malformed_required_list_counts_as_empty() -> None:
    before = folded("v1", [update("available_commands_update", availableCommands=[COMMAND])])
    after = v1.reduce(before, update("available_commands_update", availableCommands="none"))
    assert after.commands == ()


@pytest.mark.parametrize(
    ("plan", "shown"),
    [
        ({"type": "markdown", "planId": "p", "content": "# Sow"}, ("markdown", (), "# Sow", None)),
        ({"type": "file", "planId": "p", "uri": "file:///p.md"}, ("file", (), None, "file:///p.md")),
    ],
)
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_plan_can_be_markdown_or_a_file(version: Version, plan: Update, shown: object) -> None:
    found = folded(version, [update("plan_update", plan=plan)]).plans["p"]
    assert (found.type, found.entries, found.content, found.uri) == shown


def test_a_plan_of_a_custom_type_keeps_its_payload_in_v2_and_is_malformed_in_v1() -> None:
    sent = update("plan_update", plan={"type": "_tree", "planId": "p", "root": {"a": 1}})
    assert folded("v2", [sent]).plans["p"].other == {"type": "_tree", "planId": "p", "root": {"a": 1}}
    assert v1.apply(empty_state("v1"), sent).action == "rejected"


def test_each_plan_update_replaces_the_whole_plan_also_by_another_type() -> None:
    items = update("plan_update", plan={"type": "items", "planId": "p", "entries": [ENTRY]})
    markdown = update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# Sow"})
    plan = folded("v2", [items, markdown]).plans["p"]
    assert (plan.type, plan.entries, plan.content) == ("markdown", (), "# Sow")


def test_a_removed_plan_is_gone_and_the_others_stay() -> None:
    made = [update("plan_update", plan={"type": "items", "planId": i, "entries": [ENTRY]}) for i in "pq"]
    state = folded("v2", [*made, update("plan_removed", planId="p")])
    assert list(state.plans) == ["q"]
    assert [entity.key for entity in state.order] == ["q"]


@pytest.mark.parametrize(
    ("sent", "attribute", "key"),
    [
        (update("plan", entries=[], meta={"x": 1}), "plans", ""),
        (update("usage_update", used=1, size=2, meta={"x": 1}), "usage", None),
        (update("notice", severity="info", title="N", meta={"x": 1}), "notices", 0),
        (update("session_info_update", meta={"x": 1}), "info", None),
    ],
)
def test_metadata_of_an_update_is_that_of_its_entity(sent: Update, attribute: str, key: Any) -> None:
    value = getattr(folded("v1", [sent]), attribute)
    assert (value if key is None else value[key]).meta == {"x": 1}


def test_metadata_of_a_plan_is_that_of_its_content_or_else_of_the_update() -> None:
    plan = {"type": "markdown", "planId": "p", "content": "# Sow"}
    both = update("plan_update", plan={**plan, "_meta": {"x": 1}}, meta={"y": 2})
    assert folded("v2", [both]).plans["p"].meta == {"x": 1}
    assert folded("v2", [update("plan_update", plan=plan, meta={"y": 2})]).plans["p"].meta == {"y": 2}


def test_usage_without_a_cost_forgets_the_cost() -> None:
    cost = {"amount": 1, "currency": "EUR"}
    state = folded(
        "v2", [update("usage_update", used=1, size=9, cost=cost), update("usage_update", used=2, size=9)]
    )
    assert (state.usage.used, state.usage.cost) == (2, None)


@pytest.mark.parametrize("running", ["running", "requires_action", "_acme_thinking"])
def test_a_state_update_without_a_stop_reason_forgets_the_last_one(running: str) -> None:
    idle = update("state_update", state="idle", stopReason="end_turn")
    state = folded("v2", [idle, update("state_update", state=running)])
    assert (state.run.state, state.run.stop_reason) == (running, None)


def test_the_chunk_s_own_metadata_is_not_the_message_s() -> None:
    state = folded("v2", [update("agent_message_chunk", messageId="m", content=text("A"), meta={"x": 1})])
    assert state.message("m").meta is None


def test_a_block_of_a_type_that_nobody_knows_is_kept_in_v2() -> None:
    block = {"type": "_hologram", "data": [1]}
    state = folded("v2", [update("agent_message_chunk", messageId="m", content=block)])
    assert (state.message("m").content, state.message("m").text) == ((block,), "")
