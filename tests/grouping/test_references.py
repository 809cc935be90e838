"""Every preset against a plain reducer written from its rule's words, on thousands of random sequences."""

from __future__ import annotations

import random
from functools import cache

import pandas as pd
import pytest

from acpinspect.grouping.applying import Shared, apply
from acpinspect.grouping.presets import PRESETS
from tests.grouping.references import REFERENCES, groups
from tests.grouping.sequences import Item, groups_of, random_sequence, table_of

COUNT = 5_000


@cache
def random_table() -> tuple[list[list[Item]], Shared, list[list[int]]]:
    rng = random.Random(20_261_130)
    sequences = [random_sequence(rng) for _ in range(COUNT)]
    events, rows = table_of(sequences)
    assert isinstance(events, pd.DataFrame)
    return sequences, Shared(events), rows


def test_every_preset_has_a_reference() -> None:
    assert set(REFERENCES) == {policy.name for policy in PRESETS}


@pytest.mark.parametrize("name", [policy.name for policy in PRESETS])
def test_the_engine_agrees_with_the_words_of_the_rule(name: str) -> None:
    sequences, shared, rows = random_table()
    labels = apply(name, shared).labels.tolist()
    live, load = REFERENCES[name]
    wrong = []
    for items, own in zip(sequences, rows, strict=True):
        found, expected = groups_of(labels, own), groups(live, load, items)
        if found != expected:
            wrong.append((len(items), items, found, expected))
    assert not wrong, f"{len(wrong)} differ; the shortest: {min(wrong, key=lambda case: case[0])}"
