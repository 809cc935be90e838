"""Snake case becomes camel case for the schema's keys only."""

from __future__ import annotations

import json

from acpinspect.reading.casing import as_wire, camel_keys
from tests.conftest import SHARED, needs_spec


def test_foreign_parts_and_foreign_keys_stay() -> None:
    inner = {"session_id": 1, "tool_call_id": {"old_text": 2}}
    dump = {
        "raw_input": inner,
        "raw_output": inner,
        "field_meta": inner,
        "_meta2": inner,
        "my_key": {"old_text": 3},
    }
    assert camel_keys(dump) == {
        "rawInput": inner,
        "rawOutput": inner,
        "_meta": inner,
        "_meta2": {"sessionId": 1, "toolCallId": {"oldText": 2}},
        "my_key": {"oldText": 3},
    }


def test_a_key_that_stands_there_already_is_not_overwritten() -> None:
    both = {"session_id": 1, "sessionId": 2}
    assert camel_keys(both) == both


def test_lone_surrogates_stay_escapes() -> None:
    assert as_wire(r'{"session_id":"\ud83d","x":"é"}') == r'{"sessionId":"\ud83d","x":"\u00e9"}'


def test_the_values_of_keys_are_left_alone() -> None:
    text = '{"kind":"session_id","n":12345678901234567890}'
    assert as_wire(text) == text


@needs_spec
def test_every_camel_case_key_of_the_schemas_is_known() -> None:
    def keys(schema: object) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(keys, schema))
        if not isinstance(schema, dict):
            return set()
        here = schema.get("properties")
        names = set(here) if isinstance(here, dict) else set()
        return names.union(*map(keys, schema.values()))

    names = {
        name
        for path in sorted((SHARED / "spec").glob("*.schema.json"))
        for name in keys(json.loads(path.read_text(encoding="utf-8")))
        if not name.islower() and not name.startswith("_")
    }
    snake = {name: "".join(f"_{c.lower()}" if c.isupper() else c for c in name) for name in names}
    json_schema = {"anyOf", "oneOf", "additionalProperties", "maxItems", "minItems", "maxLength", "minLength"}
    wrong = {name for name in names - json_schema if camel_keys({snake[name]: 1}) != {name: 1}}
    assert wrong == set()
