"""How texts change, letter by letter."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.errors import ArgumentError
from acpinspect.privacy.words import Words

WORDS = Words("pepper")
TEXTS = st.text(max_size=40)
SHORT = st.text("ab1 .", max_size=6)


@given(TEXTS)
def test_lengths_spaces_punctuation_and_categories_stay(text: str) -> None:
    new = WORDS.text(text)
    assert [unicodedata.category(c) for c in new] == [unicodedata.category(c) for c in text]
    kept = [
        i for i, c in enumerate(text) if unicodedata.category(c)[0] in "ZPC" and unicodedata.category(c) != "Co"
    ]
    kept = [i for i in kept if not unicodedata.name(text[i], "").startswith("TAG ")]
    assert [new[i] for i in kept] == [text[i] for i in kept]


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_each_character_keeps_its_size_in_bytes(text: str) -> None:
    assert [len(c.encode()) for c in WORDS.text(text)] == [len(c.encode()) for c in text]


@given(st.text("abcXYZ0189", min_size=1, max_size=60))
def test_no_ascii_letter_or_digit_stays(text: str) -> None:
    assert all(old != new for old, new in zip(text, WORDS.text(text), strict=True))


@given(SHORT, SHORT)
@settings(max_examples=400)
def test_different_texts_become_different_texts(one: str, other: str) -> None:
    assert (WORDS.text(one) == WORDS.text(other)) == (one == other)


@given(TEXTS, TEXTS)
def test_a_beginning_stays_a_beginning(text: str, rest: str) -> None:
    assert WORDS.text(text + rest).startswith(WORDS.text(text))


@given(st.text(st.characters(categories=["L", "N", "M"]), max_size=8), st.text(max_size=8))
def test_after_a_space_nothing_before_it_matters(before: str, after: str) -> None:
    assert WORDS.text(f"{before} {after}") == f"{WORDS.text(before)} {WORDS.text(after)}"


@given(st.lists(TEXTS, max_size=5))
def test_pieces_become_the_pieces_of_the_whole(pieces: list[str]) -> None:
    new = WORDS.joined(pieces)
    assert "".join(new) == WORDS.text("".join(pieces))
    assert list(map(len, new)) == list(map(len, pieces))


@given(st.binary(max_size=60), st.integers(0, 60))
def test_pieces_of_bytes_become_pieces_of_as_many_bytes(data: bytes, cut: int) -> None:
    first, second = WORDS.stream([data[:cut], data[cut:]])
    assert (len(first), len(second)) == (len(data[:cut]), len(data[cut:]))
    assert first + second == WORDS.stream([data])[0]


def test_capitals_count_as_small_letters() -> None:
    small, capital, title = WORDS.text("message"), WORDS.text("MESSAGE"), WORDS.text("Message")
    assert (capital, title) == (small.upper(), small.title())


@pytest.mark.parametrize("text", ["", " \n\t", "<think>", "</think>", "\x1b[31m", "...!?", "😀🎉", "\ufffd"])
def test_what_has_no_letters_or_is_a_mark_stays(text: str) -> None:
    assert WORDS.text(text) == text


@pytest.mark.parametrize("text", ["abc", "ÄÖÜ", "привет", "你好", "ひらがな", "नमस्ते", "١٢٣", "𝐀𝐁", "🇫🇷", "⠓⠑"])
def test_scripts_are_scrambled_and_stay_scripts(text: str) -> None:
    new = WORDS.text(text)
    script = unicodedata.name(text[0]).split()[0]
    assert new != text
    assert unicodedata.name(new[0]).split()[0] == script


def test_a_very_long_word_is_scrambled_to_its_end() -> None:
    text = "ab" * 50_000
    new = WORDS.text(text)
    assert len(new) == len(text)
    assert all(old != changed for old, changed in zip(text, new, strict=True))
    assert WORDS.text(text[:70_001]) == new[:70_001]


def test_the_same_salt_gives_the_same_and_another_something_else() -> None:
    text = "The quick brown fox"
    assert Words("a").text(text) == Words(b"a").text(text) != Words("b").text(text)


def test_without_a_salt_every_redaction_is_another_one() -> None:
    text = "The quick brown fox jumps over the lazy dog"
    assert Words().text(text) != Words().text(text)


def test_an_empty_salt_is_refused() -> None:
    with pytest.raises(ArgumentError, match="salt is empty"):
        Words("")


def test_a_cut_begins_a_word() -> None:
    text = WORDS.text("worldhello", {5})
    assert text == WORDS.text("world") + WORDS.text("hello")
    assert text != WORDS.text("worldhello")
