"""The messages of every log of the corpus, under `spec`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import acpinspect
from tests.conftest import corpus_files, needs_corpus, read_case

CASES = corpus_files("bugs/*.json") + corpus_files("rules/*.json")
RECORDINGS = corpus_files("real/*.jsonl")


def rows(events: pd.DataFrame) -> list[dict[str, Any]]:
    table = acpinspect.messages(events)
    return [
        {
            "role": row["role"],
            "id": None if pd.isna(row["message_id"]) else row["message_id"],
            "text": row["text"],
            "events": row["events"],
            "epoch": row["epoch"],
            "session": row["session_id"],
        }
        for row in table.to_dict("records")
    ]


def as_expected(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """What was found, as far as the expectation speaks."""
    return {key: found[key] for key in expected}


@needs_corpus
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_messages_of_a_case(path: Path) -> None:
    case = read_case(path)
    found = rows(acpinspect.from_records(case["log"], protocol=case["protocol"]))
    expected = case["expected"]["messages"]
    assert len(found) == len(expected)
    assert [as_expected(*pair) for pair in zip(found, expected, strict=True)] == expected


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_messages_of_a_recording(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))["messages"]
    found = rows(acpinspect.load(path, progress=False))
    assert len(found) == len(expected)
    assert [as_expected(*pair) for pair in zip(found, expected, strict=True)] == expected


@needs_corpus
@pytest.mark.parametrize(
    "path", [p for p in RECORDINGS if "agent-stdout" not in p.stem], ids=lambda path: path.stem
)
def test_a_recording_without_directions_gives_the_same_table(path: Path) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with_labels = acpinspect.from_records(records)
    without = acpinspect.from_records(
        {key: value for key, value in record.items() if key != "dir"} for record in records
    )
    pd.testing.assert_frame_equal(with_labels.drop(columns="sender_label"), without.drop(columns="sender_label"))
