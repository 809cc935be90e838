"""Our tables of updates say what the published schemas say."""

from __future__ import annotations

import pytest

from acpinspect.protocol import ENUMS, VARIANTS, VERSIONS, Variant, Version
from acpinspect.protocol.fields import Tagged
from acpinspect.protocol.payloads import PERMISSION
from tests.conftest import needs_spec
from tests.protocol.schemas import definitions, fields_form, schema_form, table_form, update_cases

ALL = [variant for version in VERSIONS for variant in VARIANTS[version].values()]
STABLE = [variant for variant in ALL if variant.stable]


def label(variant: Variant) -> str:
    return f"{variant.version}-{variant.name}"


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_every_update_of_the_unstable_schema_has_its_row_and_no_other(version: Version) -> None:
    assert set(VARIANTS[version]) == set(update_cases(version, stable=False))


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_an_update_is_marked_stable_exactly_if_the_stable_schema_has_it(version: Version) -> None:
    stable = {name for name, variant in VARIANTS[version].items() if variant.stable}
    assert stable == set(update_cases(version, stable=True))


@needs_spec
@pytest.mark.parametrize("variant", ALL, ids=label)
def test_an_updates_fields_are_those_of_the_unstable_schema(variant: Variant) -> None:
    assert table_form(variant.payload) == update_cases(variant.version, stable=False)[variant.name]


@needs_spec
@pytest.mark.parametrize("variant", STABLE, ids=label)
def test_an_updates_stable_fields_are_those_of_the_stable_schema(variant: Variant) -> None:
    assert table_form(variant.payload, stable=True) == update_cases(variant.version, stable=True)[variant.name]


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_permission_params_have_the_fields_of_the_schema(version: Version) -> None:
    defs = definitions(version)
    assert table_form(PERMISSION[version]) == schema_form(defs["RequestPermissionRequest"], defs)


@needs_spec
@pytest.mark.parametrize(("version", "name"), [(v, name) for v in VERSIONS for name in ENUMS[v]])
def test_an_enum_names_the_values_of_the_schema(version: Version, name: str) -> None:
    enum = ENUMS[version][name]
    defs = definitions(version)
    assert ("text", enum.values, enum.open, 0, None) == schema_form(defs[name], defs)


@pytest.mark.parametrize("variant", ALL, ids=label)
def test_the_listed_fields_are_those_that_are_read(variant: Variant) -> None:
    payload = variant.payload
    if isinstance(payload, Tagged):
        cases = (*payload.cases.values(), payload.shared, payload.other or ())
        read = {f.name for fields in cases for f in fields} | {payload.tag}
    else:
        read = set(fields_form(payload.fields))
    assert {f.name for f in variant.fields} == read


@pytest.mark.parametrize("variant", ALL, ids=label)
def test_a_patch_field_can_be_omitted_or_null_and_defaults_on_error(variant: Variant) -> None:
    for field in variant.fields:
        if field.patch:
            assert (field.required, field.nullable, field.default_on_error) == (False, True, True), field.name


PATCHES = {
    "user_message": {"content", "_meta"},
    "agent_message": {"content", "_meta"},
    "agent_thought": {"content", "_meta"},
    "tool_call_update": {
        "title",
        "name",
        "kind",
        "status",
        "content",
        "locations",
        "rawInput",
        "rawOutput",
        "_meta",
    },
    "terminal_update": {"command", "cwd", "output", "exitStatus", "_meta"},
    "session_info_update": {"title", "updatedAt", "_meta"},
    "compaction_update": {"summary", "error", "_meta"},
}


@pytest.mark.parametrize("variant", ALL, ids=label)
def test_the_patch_fields_are_those_whose_absence_means_unchanged(variant: Variant) -> None:
    assert {f.name for f in variant.fields if f.patch} == PATCHES.get(variant.name, set())


def test_only_message_updates_have_a_role() -> None:
    roles = {v.name: v.role for v in ALL if v.role is not None}
    assert roles == {
        "user_message_chunk": "user",
        "agent_message_chunk": "agent",
        "agent_thought_chunk": "thought",
        "user_message": "user",
        "agent_message": "agent",
        "agent_thought": "thought",
    }


def test_the_session_itself_is_the_entity_of_updates_without_a_key() -> None:
    keyless = {v.name for v in ALL if v.key is None}
    assert keyless == {
        "plan",
        "state_update",
        "available_commands_update",
        "current_mode_update",
        "config_option_update",
        "session_info_update",
        "usage_update",
        "notice",
    }


@pytest.mark.parametrize("variant", [v for v in ALL if v.key and "." not in v.key], ids=label)
def test_a_key_is_a_field_of_its_update(variant: Variant) -> None:
    assert variant.key in {f.name for f in variant.fields}


def test_a_replay_repeats_messages_tools_terminals_and_plans_only() -> None:
    beside = {v.name for v in ALL if not v.transcript}
    assert beside == {
        "state_update",
        "available_commands_update",
        "current_mode_update",
        "config_option_update",
        "session_info_update",
        "usage_update",
        "notice",
        "compaction_update",
        "compaction_summary_chunk",
    }
