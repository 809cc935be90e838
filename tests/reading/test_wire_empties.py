"""An empty value is what the published schemas say its key holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from acpinspect.reading.notation.lua import EMPTY
from acpinspect.reading.wire.empties import settle
from tests.conftest import SHARED, needs_spec


def kinds_of(schema: dict[str, Any], shape: Any, seen: tuple[str, ...] = ()) -> set[str]:
    """The JSON types that a shape allows, its references followed."""
    if not isinstance(shape, dict):
        return {"any"}
    kinds = (
        set(shape["type"])
        if isinstance(shape.get("type"), list)
        else {shape["type"]}
        if "type" in shape
        else set()
    )
    for part in (one for key in ("anyOf", "oneOf", "allOf") for one in shape.get(key, [])):
        kinds |= kinds_of(schema, part, seen)
    name = shape.get("$ref", "").rpartition("/")[2]
    if name and name not in seen:
        kinds |= kinds_of(schema, schema["$defs"][name], (*seen, name))
    return kinds or {"any"}


def properties(shape: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(shape, dict):
        yield from shape.get("properties", {}).items()
        for key in ("anyOf", "oneOf", "allOf"):
            for part in shape.get(key, []):
                yield from properties(part)


def kinds_by_key(version: str) -> dict[str, set[str]]:
    path = SHARED / "spec" / f"acp-{version}.unstable.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"$defs": {}}
    found: dict[str, set[str]] = {}
    for name, definition in schema["$defs"].items():
        # The editor-side suggestions are no session traffic, and reuse the names of other keys.
        if "Nes" not in name and "Schema" not in name and "Document" not in name:
            for key, shape in properties(definition):
                found.setdefault(key, set()).update(kinds_of(schema, shape))
    return found


def keys_of(kind: str) -> list[str]:
    """Keys that hold values of this kind, or null, wherever they stand in either version."""
    everywhere: dict[str, set[str]] = {}
    for version in ("v1", "v2"):
        for key, kinds in kinds_by_key(version).items():
            everywhere.setdefault(key, set()).update(kinds)
    return sorted(key for key, kinds in everywhere.items() if kinds - {"null"} == {kind})


@needs_spec
@pytest.mark.parametrize(("kind", "empty"), [("array", []), ("object", {})])
def test_an_empty_lua_table_is_of_the_kind_of_its_key(kind: str, empty: object) -> None:
    assert {key: settle({key: EMPTY})[key] for key in keys_of(kind)} == dict.fromkeys(keys_of(kind), empty)  # type: ignore[index]


@pytest.mark.parametrize(("value", "settled"), [
    ({"sessionUpdate": "agent_message_chunk", "content": EMPTY}, {}),
    ({"sessionUpdate": "tool_call", "content": EMPTY}, []),
    ({"type": "content", "content": EMPTY}, {}),
])  # fmt: skip
def test_an_empty_content_is_one_block_or_a_list_by_what_stands_beside_it(value: object, settled: object) -> None:
    made = settle(value)
    assert isinstance(made, dict)
    assert made["content"] == settled


def test_an_empty_table_in_a_tools_input_is_a_list() -> None:
    assert settle({"rawInput": {"fs": EMPTY}}) == {"rawInput": {"fs": []}}
