"""Values written in other notations are read back as they were, and nothing makes a reader fail otherwise."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pprint import pformat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.reading.notation.builder import MAX_DEPTH, Named, NotationError
from acpinspect.reading.notation.compact import write_json
from acpinspect.reading.notation.cut_json import complete_json
from acpinspect.reading.notation.kotlin import read_kotlin
from acpinspect.reading.notation.lua import EMPTY, read_lua
from acpinspect.reading.notation.node_inspect import CutText, read_node
from acpinspect.reading.notation.numbers import read_number
from acpinspect.reading.notation.python_repr import read_python, read_python_fields
from acpinspect.reading.notation.rust_debug import read_rust
from acpinspect.reading.notation.sexpr import NIL, as_json, read_sexpr
from acpinspect.reading.wire.rust_types import rust_value
from tests.reading.printing import OBJECTS, VALUES, as_lisp, as_lua, as_node, as_rust

READERS = {
    "lua": read_lua,
    "python": read_python,
    "rust": read_rust,
    "node": read_node,
    "lisp": lambda text: (as_json(read_sexpr(text)[0]), 0),
    "kotlin": lambda text: (read_kotlin(text), 0),
    "cut json": lambda text: (complete_json(text), 0),
    "python fields": read_python_fields,
}

SAMPLES = {
    "lua": '{\n  id = 0,\n  ["a-b"] = { "x\\n", vim.NIL, { } },\n  f = 1.5e+10\n}',
    "python": "SessionNotification(session_id='s', update=Chunk(content=[{'a': (1, None)}], text=\"it's\"))",
    "rust": 'Notification { id: SessionId("s"), update: Chunk(Text { text: "a\\"b", meta: None }), n: [1, 2] }',
    "node": "{\n  jsonrpc: '2.0',\n  'a-b': [ 1, [Object], `x` + 'y' ],\n  m: Map(1) { 'k' => 1 }\n}",
    "lisp": '(((:direction . incoming) (:object (id . 0) (list . #1=["a\\n" t]) (again . #1#) (none))))',
    "kotlin": "{type=ToolCall, content={blockType=text, text=Hi (you), there}, list=[a, b], status=null}",
    "cut json": '{"sessionId": "s", "update": {"text": "a\\u2013b", "list": [1, true, {"x": null}], "n": -1.5',
    "python fields": "session_id='s' update=Chunk(text='a', list=[1, 2]) field_meta=None",
}


def without_empties(value: Any) -> Any:
    """Lua's `{}` is an empty list: an empty object is printed in another way."""
    if isinstance(value, list):
        return [without_empties(item) for item in value]
    if isinstance(value, dict):
        return {key: without_empties(item) for key, item in value.items()}
    return [] if value is EMPTY else value


def with_nil(value: Any) -> Any:
    """What Lisp makes of a value: one nil for false, null and the empty object."""
    if value is None or value is False or value == {}:
        return NIL
    if isinstance(value, list):
        return [with_nil(item) for item in value]
    return {key: with_nil(item) for key, item in value.items()} if isinstance(value, dict) else value


@given(VALUES)
def test_a_value_printed_by_vim_inspect_is_read_back(value: Any) -> None:
    text = as_lua(value)
    read, end = read_lua(text)
    assert without_empties(read) == value
    assert end == len(text)


@given(OBJECTS)
def test_an_alist_is_read_back_but_for_what_is_nil(value: dict[str, Any]) -> None:
    text = as_lisp(value)
    read, end = read_sexpr(text)
    assert as_json(read) == with_nil(value)
    assert end == len(text)


@given(VALUES)
def test_a_value_printed_by_python_is_read_back(value: Any) -> None:
    assert read_python(repr(value)) == (value, len(repr(value)))


@given(VALUES)
def test_a_value_printed_by_pprint_is_read_back(value: Any) -> None:
    text = pformat(value, width=20, sort_dicts=False)
    assert read_python(text) == (value, len(text))


@given(VALUES)
def test_a_json_value_in_rusts_debug_print_is_read_back(value: Any) -> None:
    text = as_rust(value)
    read, end = read_rust(text)
    assert rust_value(read) == value
    assert end == len(text)


@given(VALUES)
def test_a_value_printed_by_node_is_read_back(value: Any) -> None:
    assert read_node(as_node(value)) == (value, len(as_node(value)))


@given(OBJECTS, st.data())
def test_json_that_is_cut_anywhere_completes_to_json_that_says_no_more(
    value: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text)))
    assert is_part(json.loads(complete_json(text[:cut])), value)


def is_part(part: Any, whole: Any) -> bool:
    """Whether a value says nothing that the other doesn't."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and is_part(item, whole[key]) for key, item in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and all(map(is_part, part, whole)) and len(part) <= len(whole)
    if isinstance(part, str):
        return isinstance(whole, str) and whole.startswith(part)
    return bool(part == whole)


@pytest.mark.parametrize(("text", "completed"), [
    ('{"a": "x\\', '{"a": "x"}'),
    ('{"a": "x\\u20', '{"a": "x"}'),
    ('{"a": "x\\\\', '{"a": "x\\\\"}'),
    ('{"a": "x\\ud83d', '{"a": "x"}'),
    ('{"a": 1, "b', '{"a": 1}'),
    ('{"a": 1, "b":', '{"a": 1}'),
    ('{"a": tru', "{}"),
    ("[1, 2", "[1]"),
    ("[", "[]"),
])  # fmt: skip
def test_what_hangs_at_the_cut_is_dropped(text: str, completed: str) -> None:
    assert complete_json(text) == completed


def test_a_string_in_lua_is_bytes() -> None:
    assert read_lua(r"'\226\128\147 \x41 \u{e9}'")[0] == "– A é"


def test_a_lua_table_with_both_is_an_object() -> None:
    assert read_lua('{ "a", "b", k = 1 }')[0] == {"1": "a", "2": "b", "k": 1}


def test_python_joins_strings_side_by_side() -> None:
    assert read_python("{'text': 'a'\n 'b', 'next': 'c'}")[0] == {"text": "ab", "next": "c"}


@pytest.mark.parametrize(("text", "value"), [
    ("<StopReason.end_turn: 'end_turn'>", "end_turn"),
    ("<object at 0x7f>", Named("<object at 0x7f>")),
    ("b'caf\\xe9'", "café"),
    ("[1, ...]", [1, Named("...")]),
    ("OrderedDict([('a', 1)])", {}),
    ("{1: True, None: 2}", {"1": True, "null": 2}),
])  # fmt: skip
def test_oddities_of_python(text: str, value: object) -> None:
    assert read_python(text)[0] == value


def test_node_says_what_it_left_out() -> None:
    read = read_node("{ a: [Object], b: [ 1, ... 3 more items ], c: 'ab'... 98 more characters, d: undefined }")[0]
    assert read == {"a": Named("[Object]"), "b": [1, Named("... 3 more items")], "c": "ab"}
    assert isinstance(read, dict)
    assert isinstance(read["c"], CutText)


def test_shared_parts_in_lisp_are_written_where_they_are_used() -> None:
    assert as_json(read_sexpr("((a . #1=[1 2]) (b . #1#))")[0]) == {"a": [1, 2], "b": [1, 2]}


def test_shared_parts_that_would_fill_the_memory_are_refused() -> None:
    text = "((a . #0=[1])" + "".join(f"(a{n} . #{n}=[#{n - 1}# #{n - 1}# #{n - 1}#])" for n in range(1, 60)) + ")"
    with pytest.raises(NotationError, match="too large"):
        as_json(read_sexpr(text)[0])


def test_a_part_that_holds_itself_is_refused() -> None:
    with pytest.raises(NotationError, match="refers to"):
        read_sexpr("#1=(a #1#)")


def test_a_symbol_with_escapes_is_a_key() -> None:
    assert as_json(read_sexpr("((a\\ b\\,c . 1) (:key . :false) (t . 2))")[0]) == {
        "a b,c": 1,
        ":key": False,
        "t": 2,
    }


def test_a_hash_table_is_an_object() -> None:
    assert as_json(read_sexpr('#s(hash-table size 1 test equal data ("k" 1 "l" [2]))')[0]) == {"k": 1, "l": [2]}


def test_kotlins_text_may_hold_brackets_and_commas() -> None:
    text = "Chunk(content=Text(text=Hi, you (there) [x], annotations=null), status=null)"
    assert read_kotlin(text) == Named(
        "Chunk",
        (),
        {"content": Named("Text", (), {"text": "Hi, you (there) [x]", "annotations": None}), "status": None},
    )


def test_plain_text_is_no_kotlin_object() -> None:
    assert read_kotlin("just (some text") == "just (some text"


@pytest.mark.parametrize("text", ["9" * 10_000, "-0", "1_000", "0xZZ"])
def test_no_number_fails(text: str) -> None:
    assert read_number(text) is not None


def test_json_keeps_lone_surrogates_as_escapes() -> None:
    assert write_json({"a": "\ud83d"}) == '{"a":"\\ud83d"}'


@pytest.mark.parametrize("name", READERS)
def test_what_nests_too_deep_is_refused(name: str) -> None:
    opening = {"lisp": "(", "kotlin": "A(a=", "python fields": "a=[", "lua": "{", "node": "{ a: "}.get(name, "[")
    text = opening * (MAX_DEPTH + 50_000) if name != "kotlin" else opening * 5_000 + ")"
    with pytest.raises(NotationError):
        READERS[name](text)


@pytest.mark.parametrize("name", READERS)
def test_a_sample_of_each_notation_is_read(name: str) -> None:
    READERS[name](SAMPLES[name])


@pytest.mark.fuzz
@pytest.mark.parametrize("name", READERS)
def test_a_mutated_text_is_read_or_refused_and_nothing_else(name: str) -> None:
    dice = random.Random(name)
    signs = "{}[]()<>\"'`\\=:,.#; \n\0é\ud83d019azZ"
    for _ in range(200):
        text = list(SAMPLES[name] * dice.randint(1, 3))
        for _ in range(dice.randint(1, 6)):
            place = dice.randrange(len(text))
            text[place : place + dice.randint(0, 3)] = dice.choices(signs, k=dice.randint(0, 4))
        with suppress(NotationError):
            READERS[name]("".join(text))
