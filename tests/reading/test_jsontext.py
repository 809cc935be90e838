"""JSON text as text: ends, slices and soundness, also of what the fast parsers refuse."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.reading import jsontext
from acpinspect.reading.jsontext import compact, elements, members, quoted, scan, soundness, text_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=5)
LAYOUTS = st.sampled_from([None, 1])


@given(OBJECTS, LAYOUTS, st.booleans())
def test_members_are_exact_slices_by_either_way(
    value: dict[str, object], indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    slow = dict(jsontext._scanned_members(text))
    assert {key: json.loads(part) for key, part in slow.items()} == value
    assert all(part in text for part in slow.values())
    fast = members(text)
    assert fast is not None
    assert {key: bytes(part) for key, part in fast.items()} == slow


@given(st.lists(VALUES, max_size=5), LAYOUTS)
def test_elements_are_exact_slices_by_either_way(value: list[object], indent: int | None) -> None:
    text = json.dumps(value, indent=indent).encode()
    slow = [text[start:end] for start, end in jsontext._pieces(text) if text[start:end]]
    assert [json.loads(part) for part in slow] == value
    assert [bytes(part) for part in elements(text) or []] == slow


@given(OBJECTS, st.binary())
def test_a_value_ends_at_its_last_bracket_whatever_follows(value: dict[str, object], tail: bytes) -> None:
    text = json.dumps(value).encode()
    assert scan(text + tail, 0)[::2] == (len(text), True)


@given(OBJECTS, st.integers(1))
def test_a_torn_value_is_not_whole(value: dict[str, object], cut: int) -> None:
    text = json.dumps(value).encode()
    assert not scan(text[: -min(cut, len(text) - 1)] or b"{", 0).whole


def test_a_string_does_not_go_on_over_the_end_of_a_line() -> None:
    assert scan(b'{"a":"b\n"}', 0) == (7, 1, False)


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        (b'{"a":1}', True),
        (b'{"a":NaN}', True),
        (rb'{"a":"\ud83d"}', True),
        (b'{"a":' + b"9" * 400 + b"}", True),
        (b'{"a":"\xff"}', True),
        (b'{"a":' + b"9" * 5_000 + b"}", False),
        (b'{"a":1,}', False),
        (b"{'a':1}", False),
        (b'{"a":01}', False),
        (b'{"a":1', False),
        (b"[" * 100_000 + b"]" * 100_000, False),
    ],
)
def test_what_can_be_read_is_sound(text: bytes, sound: bool) -> None:
    assert soundness(text).sound is sound


@given(st.text())
def test_a_text_survives_being_quoted(text: str) -> None:
    assert text_of(quoted(text).encode()) == text


def test_lone_surrogates_of_a_string_become_escapes_and_pairs_characters() -> None:
    assert text_of(rb'"a\ud83d"') == r"a\ud83d"
    assert text_of(rb'"\ud83c\udf0a\ud83d"') == "🌊\\ud83d"


@given(OBJECTS)
def test_a_compact_text_means_the_same_in_one_line(value: dict[str, object]) -> None:
    text = compact(json.dumps(value, indent=2))
    assert "\n" not in text
    assert json.loads(text) == value
