"""Where a text is code: between fences, and between backticks of one line."""

from __future__ import annotations

import pytest

from acpinspect.diagnostics.texts import find_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a ```b``` c", "-----++++---"),
        ("```\nb", "---+++"),
        ("````b", "---+++"),
        ("``````b", "---+++--"),
        ("``b``` c", "------+++"),
        ("a ``b`` c", "----------"),
        ("` ` `", "------"),
        ("```a\n```b\n```", "---+++++-----+"),
        ("no code", "--------"),
        ("", "-"),
    ],
)
def test_a_fence_is_every_third_of_neighbouring_backticks(text: str, code: str) -> None:
    found = find_code(text)
    assert "".join("-+"[found.in_fence(position)] for position in range(len(text) + 1)) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a `b` c", "---++---"),
        ("`b` `c", "-++--++"),
        ("`a\nb`c\nd", "-++--++--"),
        ("\n`a", "--++"),
        ("a`\n\n`b\nc", "--+--++--"),
        ("`\n``\n`a", "-+-+--++"),
        ("a ``b`` c", "---+--+---"),
        ("no\ncode", "--------"),
    ],
)
def test_a_span_is_behind_an_odd_number_of_backticks_of_its_line(text: str, code: str) -> None:
    found = find_code(text)
    assert "".join("-+"[found.in_span(position)] for position in range(len(text) + 1)) == code
