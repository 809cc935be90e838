"""A late field is made at the first look, once, and nobody can tell it from one that was made at once."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, replace
from typing import Any

import pytest

from acpinspect.reducer import Rope, ToolCall, plain_value
from acpinspect.reducer.late import Late

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


def test_it_can_not_be_changed() -> None:
    with pytest.raises(AttributeError):
        late().raw_output = 3  # type: ignore[misc]
