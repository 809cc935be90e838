"""Baselines: names of findings that stay, and the file that keeps them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import acpinspect
from acpinspect.diagnostics.baseline import fingerprints, new_ones, read_baseline, write_baseline

FINDING = ("a.jsonl", "empty-turn", "The turn shows nothing.")


def test_the_name_of_a_finding_is_the_same_for_ever() -> None:
    assert fingerprints([FINDING]) == ["3ac4570d51e8981a"]


@pytest.mark.parametrize(
    "other",
    [
        ("b.jsonl", "empty-turn", "The turn shows nothing."),
        ("a.jsonl", "empty-chunk", "The turn shows nothing."),
        ("a.jsonl", "empty-turn", "Nothing."),
        ("a.jsonlempty", "-turn", "The turn shows nothing."),
    ],
)
def test_log_code_and_message_each_make_another_name(other: tuple[str, str, str]) -> None:
    assert len(set(fingerprints([FINDING, other]))) == 2


def test_of_equal_findings_as_many_are_known_as_were_there() -> None:
    assert new_ones(["a", "b", "a", "a"], Counter({"a": 2})) == [False, True, False, True]


def test_known_findings_are_not_used_up() -> None:
    known = Counter({"a": 1})
    new_ones(["a", "a"], known)
    assert known == Counter({"a": 1})


def test_a_baseline_is_sorted_and_has_one_finding_a_line(tmp_path: Path) -> None:
    write_baseline(tmp_path / "known.json", ["b", "a", "b"])
    text = (tmp_path / "known.json").read_text(encoding="utf-8")
    assert text == '{\n "version": 1,\n "known": {\n  "a": 1,\n  "b": 2\n }\n}\n'
    assert read_baseline(tmp_path / "known.json") == Counter({"a": 1, "b": 2})


def test_what_is_no_baseline_is_refused_with_the_way_to_write_one(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(acpinspect.SourceError) as raised:
        read_baseline(path)
    assert str(raised.value) == f"{path} is no baseline. Write one with --update-baseline."
