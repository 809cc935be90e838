"""What a malformed part of an update costs: itself, its item, or the whole update."""

from __future__ import annotations

import pytest

from acpinspect.protocol import VERSIONS, Issue, Version, read_update

TEXT = {"type": "text", "text": "oak"}
CHUNK = {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": TEXT}


# --- default on error -------------------------------------------------------------------------------------------


def test_a_malformed_optional_field_is_left_out() -> None:
    update = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig", "status": "cancelled"}
    reading = read_update(update, "v1")
    assert (reading.fields, reading.rejected) == ({"toolCallId": "t1", "title": "Dig"}, None)
    assert [issue.path for issue in reading.issues] == ["status"]


def test_a_malformed_patch_field_counts_as_omitted_not_as_null() -> None:
    update = {"sessionUpdate": "agent_message", "messageId": "m1", "content": "oops"}
    assert "content" not in read_update(update, "v2").fields


def test_a_malformed_required_list_counts_as_empty() -> None:
    reading = read_update({"sessionUpdate": "plan", "entries": "none"}, "v1")
    assert (reading.fields, reading.rejected) == ({"entries": []}, None)


def test_a_missing_required_list_rejects_the_update() -> None:
    assert read_update({"sessionUpdate": "plan"}, "v1").rejected == "entries is missing"


def test_a_null_where_the_schema_has_none_counts_as_the_default() -> None:
    update = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Dig", "content": None}
    reading = read_update(update, "v1")
    assert "content" not in reading.fields
    assert reading.issues == (Issue("content", "is null"),)


def test_a_malformed_nested_field_is_left_out_of_its_object() -> None:
    update = {**CHUNK, "content": {**TEXT, "annotations": {"priority": 7, "audience": ["user"]}}}
    block = read_update(update, "v2").fields["content"]
    assert block == {**TEXT, "annotations": {"audience": ["user"]}}


def test_the_malformed_object_in_a_nested_field_goes_as_a_whole() -> None:
    update = {"sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": {"amount": 1}}
    assert read_update(update, "v1").fields == {"used": 1, "size": 2}


# --- skip invalid items -----------------------------------------------------------------------------------------


def test_a_malformed_item_is_dropped_and_the_rest_stays_in_order() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "text"}, 3, {"type": "text", "text": "b"}]
    update = {"sessionUpdate": "user_message", "messageId": "u1", "content": blocks}
    reading = read_update(update, "v2")
    assert reading.fields["content"] == [blocks[0], blocks[3]]
    assert [issue.path for issue in reading.issues] == ["content[1].text", "content[2]"]


def test_a_list_of_nothing_but_malformed_items_becomes_empty_and_stays_present() -> None:
    update = {"sessionUpdate": "user_message", "messageId": "u1", "content": [None, 1]}
    assert read_update(update, "v2").fields["content"] == []


def test_items_are_dropped_from_lists_inside_items() -> None:
    diff = {"type": "diff", "changes": [{"operation": "add", "path": "/a"}, {"operation": "move", "path": "/b"}]}
    update = {"sessionUpdate": "tool_call_content_chunk", "toolCallId": "t1", "content": diff}
    reading = read_update(update, "v2")
    assert reading.fields["content"] == {"type": "diff", "changes": [{"operation": "add", "path": "/a"}]}
    assert [issue.path for issue in reading.issues] == ["content.changes[1].oldPath"]


def test_a_list_without_the_marker_is_malformed_by_one_item() -> None:
    choices = [{"value": "a", "name": "A"}, {"value": "b"}]
    option = {"id": "o1", "name": "O", "type": "select", "currentValue": "a", "options": choices}
    reading = read_update({"sessionUpdate": "config_option_update", "configOptions": [option]}, "v1")
    assert reading.fields["configOptions"] == []


def test_a_hostile_list_costs_few_issues() -> None:
    update = {"sessionUpdate": "plan", "entries": [0] * 10_000}
    reading = read_update(update, "v1")
    assert reading.fields["entries"] == []
    assert 0 < len(reading.issues) <= 20


# --- rejected ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("update", [None, 1, "agent_message_chunk", [], [CHUNK]])
def test_what_is_no_object_is_rejected(update: object, version: Version) -> None:
    assert read_update(update, version).rejected == "the update is no object"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_update_without_a_discriminator_is_rejected(version: Version) -> None:
    reading = read_update({"session_update": "agent_message_chunk", "content": TEXT}, version)
    assert (reading.variant, reading.rejected) == (None, "sessionUpdate is missing")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", [None, 3, ["plan"], {}])
def test_a_discriminator_that_is_no_string_is_rejected(name: object, version: Version) -> None:
    assert read_update({"sessionUpdate": name}, version).rejected == "sessionUpdate is no string"


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("agent_message", "v1"),
        ("state_update", "v1"),
        ("tool_call", "v2"),
        ("plan", "v2"),
        ("current_mode_update", "v2"),
        ("agentMessageChunk", "v1"),
        ("_acme_progress", "v1"),
        ("_acme_progress", "v2"),
        ("later", "v2"),
        ("", "v2"),
    ],
)
def test_a_name_that_the_version_does_not_have_is_rejected(name: str, version: Version) -> None:
    reading = read_update({**CHUNK, "sessionUpdate": name}, version)
    assert reading.variant is None
    assert reading.rejected == f"sessionUpdate is {name!r}, which is no update of {version}"


def test_an_unknown_name_breaks_the_schema_of_v1_only() -> None:
    counts = [len(read_update({"sessionUpdate": "later"}, version).issues) for version in VERSIONS]
    assert counts == [1, 0]


def test_a_malformed_required_field_rejects_the_update_and_leaves_no_fields() -> None:
    reading = read_update({"sessionUpdate": "usage_update", "used": "many", "size": 10}, "v2")
    assert (reading.fields, reading.extra, reading.rejected) == ({}, {}, "used is no whole number")
    assert reading.variant is not None


def test_a_malformed_block_of_a_chunk_rejects_the_chunk() -> None:
    reading = read_update({**CHUNK, "content": {"type": "text", "text": None}}, "v1")
    assert reading.rejected == "content.text is null"


# --- the message id ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["agent_message_chunk", "agent_message"])
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "messageId is missing"),
        ({"messageId": None}, "messageId is null"),
        ({"messageId": 7}, "messageId is no string"),
    ],
)
def test_an_unusable_message_id_is_rejected_in_v2(name: str, given: dict[str, object], reason: str) -> None:
    content = TEXT if name.endswith("chunk") else [TEXT]
    assert read_update({"sessionUpdate": name, "content": content, **given}, "v2").rejected == reason


@pytest.mark.parametrize("given", [7, True, ["m1"], {"id": "m1"}])
def test_a_message_id_of_a_wrong_type_counts_as_absent_in_v1(given: object) -> None:
    reading = read_update({**CHUNK, "messageId": given}, "v1")
    assert (reading.rejected, reading.fields) == (None, {"content": TEXT})
    assert reading.issues == (Issue("messageId", "is no string"),)


def test_a_null_message_id_is_valid_in_v1_and_stays_visible() -> None:
    reading = read_update({**CHUNK, "messageId": None}, "v1")
    assert (reading.issues, reading.fields["messageId"]) == ((), None)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_empty_string_is_a_message_id(version: Version) -> None:
    assert read_update({**CHUNK, "messageId": ""}, version).fields["messageId"] == ""


# --- three states, and what nobody knows ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "update"),
    [
        ("v1", {"sessionUpdate": "tool_call_update", "toolCallId": "t1"}),
        ("v2", {"sessionUpdate": "tool_call_update", "toolCallId": "t1"}),
        ("v1", {"sessionUpdate": "session_info_update"}),
        ("v2", {"sessionUpdate": "terminal_update", "terminalId": "e1"}),
        ("v2", {"sessionUpdate": "agent_thought", "messageId": "m1"}),
        ("v1", {"sessionUpdate": "compaction_update", "compactionId": "c1", "status": "completed"}),
    ],
)
def test_omitted_null_and_a_value_are_three_states(version: Version, update: dict[str, object]) -> None:
    omitted = read_update(update, version).fields
    null = read_update({**update, "_meta": None}, version).fields
    value = read_update({**update, "_meta": {}}, version).fields
    assert "_meta" not in omitted
    assert null["_meta"] is None
    assert value["_meta"] == {}


def test_raw_input_of_any_kind_is_kept_and_null_stays_null() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "rawInput": None, "rawOutput": [1]}
    assert read_update(update, "v2").fields == {"toolCallId": "t1", "rawInput": None, "rawOutput": [1]}


def test_unknown_keys_stand_apart_under_their_own_names() -> None:
    reading = read_update({**CHUNK, "message_id": "m2", "_seq": 3}, "v1")
    assert reading.extra == {"message_id": "m2", "_seq": 3}
    assert reading.fields == {"messageId": "m1", "content": TEXT}
    assert reading.issues == ()


def test_a_valid_value_is_passed_on_and_not_copied() -> None:
    assert read_update(CHUNK, "v1").fields["content"] is TEXT


# --- what v2 leaves open ----------------------------------------------------------------------------------------


def test_v2_takes_a_block_of_a_type_that_nobody_knows() -> None:
    block = {"type": "hologram", "text": 3, "_meta": "x"}
    assert read_update({**CHUNK, "content": block}, "v2").fields["content"] == block
    assert read_update({**CHUNK, "content": block}, "v1").rejected == (
        "content.type is 'hologram', which is no content block"
    )


def test_v2_takes_a_status_that_nobody_knows() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "paused"}
    assert read_update(update, "v2").fields["status"] == "paused"
    assert "status" not in read_update(update, "v1").fields


@pytest.mark.parametrize("state", ["running", "_acme_thinking"])
def test_only_an_idle_state_has_a_stop_reason(state: str) -> None:
    reading = read_update({"sessionUpdate": "state_update", "state": state, "stopReason": 5}, "v2")
    assert (reading.fields, reading.extra, reading.issues) == ({"state": state}, {"stopReason": 5}, ())


def test_a_malformed_stop_reason_leaves_the_session_idle() -> None:
    reading = read_update({"sessionUpdate": "state_update", "state": "idle", "stopReason": 5}, "v2")
    assert (reading.fields, reading.rejected) == ({"state": "idle"}, None)


def test_a_plan_of_a_type_that_nobody_knows_needs_its_id() -> None:
    known = read_update({"sessionUpdate": "plan_update", "plan": {"type": "graph", "planId": "p1"}}, "v2")
    nameless = read_update({"sessionUpdate": "plan_update", "plan": {"type": "graph"}}, "v2")
    assert (known.rejected, nameless.rejected) == (None, "plan.planId is missing")


# --- numbers and strings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("used", "is_valid"), [(0, True), (5.0, True), (2**70, True), (-1, False), (1.5, False)])
def test_a_count_is_a_whole_number_from_zero_on(used: object, is_valid: bool) -> None:
    reading = read_update({"sessionUpdate": "usage_update", "used": used, "size": 1}, "v1")
    assert (reading.rejected is None) is is_valid


def test_a_truth_value_is_no_number() -> None:
    assert read_update({"sessionUpdate": "usage_update", "used": True, "size": 1}, "v1").rejected is not None


@pytest.mark.parametrize("currency", ["usd", "USDX", "US", "", "USD\n", "ÀBC"])
def test_a_currency_of_v2_is_three_capital_letters(currency: str) -> None:
    update = {"sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": {"amount": 1, "currency": currency}}
    assert "cost" in read_update(update, "v1").fields
    assert "cost" not in read_update(update, "v2").fields


def test_a_notice_needs_a_title_that_is_not_empty() -> None:
    reading = read_update({"sessionUpdate": "notice", "severity": "info", "title": ""}, "v2")
    assert reading.rejected == "title is empty"


def test_a_long_value_is_not_repeated_in_full_in_the_reason() -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "x" * 100_000}
    assert len(read_update(update, "v1").issues[0].reason) < 200


def test_deep_values_where_anything_goes_are_not_looked_into() -> None:
    deep: object = []
    for _ in range(100_000):
        deep = [deep]
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "rawInput": deep, "_meta": {"a": deep}}
    assert read_update(update, "v1").issues == ()
    # Taken apart from outside in: freeing it in one go is deep as well.
    while isinstance(deep, list) and deep:
        deep = deep.pop()


@pytest.mark.parametrize(
    ("priority", "why"), [(-0.5, "is below 0"), (1.5, "is above 1"), ("high", "is no number")]
)
def test_a_priority_out_of_its_range_is_left_out(priority: object, why: str) -> None:
    content = {**TEXT, "annotations": {"priority": priority}}
    reading = read_update({**CHUNK, "content": content}, "v2")
    assert reading.rejected is None
    assert "priority" not in reading.fields["content"]["annotations"]  # type: ignore[index]
    assert why in reading.issues[0].reason
