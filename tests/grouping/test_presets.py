"""Each preset on sequences of our own, at least three for each line of its rule."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from acpinspect.grouping.applying import Shared, apply
from acpinspect.grouping.presets import PRESETS
from tests.grouping.references import REFERENCES, groups
from tests.grouping.sequences import groups_of, read, table_of

DATA = Path(__file__).resolve().parents[1] / "data" / "preset_sequences.txt"


def read_cases() -> list[tuple[str, str, list[list[int]]]]:
    cases, preset = [], ""
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            preset = line.removeprefix("== ")
        elif line.strip() and not line.startswith("#"):
            text, _, expected = line.partition("->")
            found = [[int(i) for i in part.split()] for part in expected.split("|")]
            cases.append((preset, " ".join(text.split()), [part for part in found if part]))
    return cases


CASES = read_cases()


@pytest.mark.parametrize(("preset", "text", "expected"), CASES, ids=[f"{p}: {t}" for p, t, _ in CASES])
def test_a_preset_follows_its_rule(preset: str, text: str, expected: list[list[int]]) -> None:
    events, rows = table_of([read(text)])
    labels = apply(preset, Shared(events)).labels.tolist()
    assert groups_of(labels, rows[0]) == expected


@pytest.mark.parametrize(("preset", "text", "expected"), CASES, ids=[f"{p}: {t}" for p, t, _ in CASES])
def test_so_does_its_plain_reference(preset: str, text: str, expected: list[list[int]]) -> None:
    assert groups(*REFERENCES[preset], read(text)) == expected


def test_every_client_has_sequences_of_its_own() -> None:
    counts = Counter(preset for preset, _, _ in CASES)
    assert set(counts) == {policy.name for policy in PRESETS if policy.evidence != "own"}
    assert min(counts.values()) >= 3
