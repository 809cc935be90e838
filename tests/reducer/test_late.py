"""A late field is made at the first look, once, and nobody can tell it from one that was made at once."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from acpinspect.reducer import Entity, EntityKey, Rope, ToolCall, Write, fold_writes, plain_value
from acpinspect.reducer.late import Late, late_fields

SOON = ToolCall("t", "T", content=Rope([{"type": "content"}]), raw_output={"n": 1})


def items(source: str) -> Rope[object]:
    return Rope([{"type": source}])


def late(read: list[object] | None = None) -> ToolCall:
    seen = [] if read is None else read

    def number(source: int) -> object:
        seen.append(source)
        return {"n": source}

    return ToolCall("t", "T", content=Late(items, "content"), raw_output=Late(number, 1))  # type: ignore[arg-type]


def test_it_is_made_when_it_is_looked_at_and_only_once() -> None:
    read: list[object] = []
    call = late(read)
    assert (call.title, read) == ("T", [])
    assert (call.raw_output, call.raw_output, read) == ({"n": 1}, {"n": 1}, [1])
    assert call.raw_output is call.raw_output


@pytest.mark.parametrize(
    "look",
    [
        lambda call: call,
        repr,
        lambda call: replace(call, title="U"),
        lambda call: [getattr(call, field.name) for field in fields(call)],
        plain_value,
        copy.copy,
        copy.deepcopy,
        lambda call: pickle.loads(pickle.dumps(call)),
    ],
)
def test_it_is_like_one_that_was_made_at_once(look: Any) -> None:
    assert look(late()) == look(SOON)
    assert look(SOON) == look(late())


def test_a_class_says_which_of_its_fields_can_be_late() -> None:
    @late_fields("text")
    @dataclass(frozen=True, slots=True)
    class Note:
        text: object
        other: object = None

    note = Note(Late(str.upper, "seen"), Late(str.upper, "kept"))
    assert note.text == "SEEN"
    assert isinstance(note.other, Late)


def test_the_class_of_a_late_field_can_be_asked_for_it() -> None:
    assert ToolCall.raw_output is vars(ToolCall)["raw_output"]


def test_a_late_field_stays_late_when_writes_are_folded() -> None:
    read: list[object] = []
    soon = Late(lambda source: read.append(source) or {"n": source}, 1)
    content = Late(items, "content")
    fields: dict[str, object] = {"toolCallId": "t", "title": "T", "rawOutput": soon, "content": content}
    write = Write(Entity("tool_call", EntityKey(0, "t")), "tool_call_update", fields, 0)
    call = fold_writes("v1", None, [write])
    assert (call.title, read) == ("T", [])
    assert (call.raw_output, read) == ({"n": 1}, [1])
    assert call.content == Rope([{"type": "content"}])


def test_it_can_not_be_changed() -> None:
    with pytest.raises(AttributeError):
        late().raw_output = 3  # type: ignore[misc]
