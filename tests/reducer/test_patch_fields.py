"""Omitted, null and a value, for every patch field of every entity; null in v1 tool calls means omitted."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from acpinspect.protocol import VARIANTS
from acpinspect.reducer import SessionState, v1, v2

from .build import b64, folded, text, update


class Patch(NamedTuple):
    """One patch field: the update that has it, its key, two values on the wire and in the state, its default."""

    name: str
    id: dict[str, str]
    key: str
    attribute: str
    old: tuple[Any, Any]
    new: tuple[Any, Any]
    default: Any


def _same(value: Any) -> tuple[Any, Any]:
    return value, value


TOOL = {"toolCallId": "t"}
ITEM_A, ITEM_B = ({"type": "content", "content": text(value)} for value in "AB")
TOOL_FIELDS = [
    ("title", "title", _same("Dig"), _same("Rake"), None),
    ("name", "name", _same("dig"), _same("rake"), None),
    ("kind", "kind", _same("edit"), _same("read"), "other"),
    ("status", "status", _same("in_progress"), _same("completed"), "pending"),
    ("content", "content", _same([ITEM_A]), _same([ITEM_B]), []),
    ("locations", "locations", _same([{"path": "/a"}]), _same([{"path": "/b"}]), []),
    ("rawInput", "raw_input", _same({"x": 1}), _same(0), None),
    ("rawOutput", "raw_output", _same({"x": 1}), _same(False), None),
    ("_meta", "meta", _same({"x": 1}), _same({"y": 2}), None),
]
V2_PATCHES = [
    *(
        Patch(role, {"messageId": "m"}, key, attribute, old, new, default)
        for role in ("user_message", "agent_message", "agent_thought")
        for key, attribute, old, new, default in [
            ("content", "content", _same([text("A")]), _same([text("B"), text("C")]), []),
            ("_meta", "meta", _same({"x": 1}), _same({}), None),
        ]
    ),
    *(Patch("tool_call_update", TOOL, *field) for field in TOOL_FIELDS),
    *(
        Patch("terminal_update", {"terminalId": "x"}, *field)
        for field in [
            ("command", "command", _same("ls"), _same(""), None),
            ("cwd", "cwd", _same("/a"), _same("/b"), None),
            ("output", "output", ({"data": b64(b"A")}, b64(b"A")), ({"data": b64(b"BC")}, b64(b"BC")), None),
            ("exitStatus", "exit_status", _same({"exitCode": 1}), _same({}), None),
            ("_meta", "meta", _same({"x": 1}), _same({"y": 2}), None),
        ]
    ),
    *(
        Patch("compaction_update", {"compactionId": "c", "status": "completed"}, *field)
        for field in [
            ("summary", "summary", _same([text("A")]), _same([text("B")]), []),
            ("error", "error", _same("no"), _same("still no"), None),
            ("_meta", "meta", _same({"x": 1}), _same({"y": 2}), None),
        ]
    ),
]
INFO_FIELDS = [
    Patch("session_info_update", {}, "title", "title", _same("One"), _same(""), None),
    Patch(
        "session_info_update", {}, "updatedAt", "updated_at", _same("2026-01-01T00:00:00Z"), _same("later"), None
    ),
    Patch("session_info_update", {}, "_meta", "meta", _same({"x": 1}), _same({"y": 2}), None),
]
V1_TOOL_PATCHES = [Patch("tool_call_update", TOOL, *field) for field in TOOL_FIELDS]
V1_CLEARING = [patch for patch in V2_PATCHES if patch.name == "compaction_update"] + INFO_FIELDS
LISTS = ("messages", "tool_calls", "terminals", "compactions")


def name_of(patch: Patch) -> str:
    return f"{patch.name}.{patch.key}"


def value_of(state: SessionState, patch: Patch) -> object:
    """The value of the field in the one entity that the state has, or in its info."""
    plain: dict[str, Any] = state.to_dict()
    entities = [entity for name in LISTS for entity in plain[name]]
    return (entities[0] if entities else plain["info"])[patch.attribute]


def sent(patch: Patch, **fields: object) -> dict[str, object]:
    return update(patch.name, **patch.id, **fields)


@pytest.mark.parametrize("patch", V2_PATCHES + INFO_FIELDS, ids=name_of)
class TestV2:
    """The three states of each patch field of v2."""

    def test_omitted_on_a_first_sight_means_the_default(self, patch: Patch) -> None:
        assert value_of(folded("v2", [sent(patch)]), patch) == patch.default

    def test_null_on_a_first_sight_means_the_default(self, patch: Patch) -> None:
        assert value_of(folded("v2", [sent(patch, **{patch.key: None})]), patch) == patch.default

    def test_a_value_is_set(self, patch: Patch) -> None:
        assert value_of(folded("v2", [sent(patch, **{patch.key: patch.old[0]})]), patch) == patch.old[1]

    def test_omitted_leaves_the_stored_value(self, patch: Patch) -> None:
        state = folded("v2", [sent(patch, **{patch.key: patch.old[0]}), sent(patch)])
        assert value_of(state, patch) == patch.old[1]

    def test_null_clears_the_stored_value(self, patch: Patch) -> None:
        state = folded("v2", [sent(patch, **{patch.key: patch.old[0]}), sent(patch, **{patch.key: None})])
        assert value_of(state, patch) == patch.default

    def test_a_value_replaces_the_stored_one(self, patch: Patch) -> None:
        updates = [sent(patch, **{patch.key: value}) for value in (patch.old[0], patch.new[0])]
        assert value_of(folded("v2", updates), patch) == patch.new[1]

    def test_other_fields_stay_as_they_were(self, patch: Patch) -> None:
        others = {p.key: p.old for p in V2_PATCHES + INFO_FIELDS if p.name == patch.name and p.key != patch.key}
        before = folded("v2", [sent(patch, **{key: value[0] for key, value in others.items()})])
        after = v2.reduce(before, sent(patch, **{patch.key: patch.new[0]}))
        for other in (p for p in V2_PATCHES + INFO_FIELDS if p.name == patch.name and p.key != patch.key):
            assert value_of(after, other) == other.old[1]


@pytest.mark.parametrize("patch", [p for p in V2_PATCHES if p.default == []], ids=name_of)
def test_an_empty_array_clears_a_collection(patch: Patch) -> None:
    state = folded("v2", [sent(patch, **{patch.key: patch.old[0]}), sent(patch, **{patch.key: []})])
    assert value_of(state, patch) == []


@pytest.mark.parametrize("patch", V1_TOOL_PATCHES, ids=name_of)
class TestV1ToolCalls:
    """In v1 an absent or null field of a tool update leaves the value."""

    def test_null_leaves_the_stored_value(self, patch: Patch) -> None:
        state = folded("v1", [sent(patch, **{patch.key: patch.old[0]}), sent(patch, **{patch.key: None})])
        assert value_of(state, patch) == patch.old[1]

    def test_omitted_leaves_the_stored_value(self, patch: Patch) -> None:
        state = folded("v1", [sent(patch, **{patch.key: patch.old[0]}), sent(patch)])
        assert value_of(state, patch) == patch.old[1]

    def test_a_value_replaces_the_stored_one(self, patch: Patch) -> None:
        updates = [sent(patch, **{patch.key: value}) for value in (patch.old[0], patch.new[0])]
        assert value_of(folded("v1", updates), patch) == patch.new[1]

    def test_a_repeated_tool_call_puts_back_the_default(self, patch: Patch) -> None:
        again = update("tool_call", toolCallId="t", title="Again")
        state = v1.reduce(folded("v1", [sent(patch, **{patch.key: patch.old[0]})]), again)
        assert value_of(state, patch) == ("Again" if patch.key == "title" else patch.default)


@pytest.mark.parametrize("patch", V1_CLEARING, ids=name_of)
def test_in_v1_null_clears_the_fields_of_compactions_and_of_the_session(patch: Patch) -> None:
    state = folded("v1", [sent(patch, **{patch.key: patch.old[0]}), sent(patch, **{patch.key: None})])
    assert value_of(state, patch) == patch.default


def test_in_v1_an_empty_array_empties_the_content_of_a_tool_call() -> None:
    full, empty = (update("tool_call_update", toolCallId="t", content=value) for value in ([ITEM_A], []))
    assert folded("v1", [full, empty]).tool_calls["t"].content == ()


def test_no_patch_field_of_the_protocol_is_missing_here() -> None:
    patches = {(p.name, p.key) for p in V2_PATCHES + INFO_FIELDS}
    known = {(v.name, f.name) for v in VARIANTS["v2"].values() for f in v.fields if f.patch}
    assert patches == known
