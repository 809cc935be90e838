"""Recordings of real agents against what the scripted model said: each block stands whole in one message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import acpinspect
from tests.conftest import corpus_files, needs_corpus

REASONS = json.loads((Path(__file__).parent / "data" / "real_truth.json").read_text(encoding="utf-8"))
"""Recording -> block -> why it does not stand whole in a message, read off the recording by eye."""

ROLES = {"assistant": "agent", "thought": "thought"}


@needs_corpus
@pytest.mark.parametrize("path", corpus_files("real/*.truth.json"), ids=lambda path: path.name.split(".truth")[0])
def test_each_scripted_block_stands_whole_in_one_message(path: Path) -> None:
    name = path.name.removesuffix(".truth.json")
    truth = json.loads(path.read_text(encoding="utf-8"))
    table = acpinspect.messages(acpinspect.load(path.with_name(f"{name}.jsonl"), progress=False))
    missing = {
        block["marker"]
        for block in truth["messages"]
        if block["role"] in ROLES
        and not table["text"][table["role"] == ROLES[block["role"]]]
        .str.contains(block["text"].strip(), regex=False)
        .any()
    }
    assert missing == set(REASONS.get(name, {}))


@needs_corpus
@pytest.mark.parametrize("path", corpus_files("real/*.load.jsonl"), ids=lambda path: path.stem)
def test_ids_that_a_replay_keeps_hold_the_same_text(path: Path) -> None:
    live_path = path.with_name(path.name.replace(".load.jsonl", ".jsonl"))
    live, replay = (acpinspect.messages(acpinspect.load(one, progress=False)) for one in (live_path, path))
    replay = replay[(replay["phase"] == "replay") & replay["message_id"].notna()]
    both = live.merge(replay, on=["role", "message_id"], suffixes=("", "_replay"))
    differing = both[both["text"].str.strip() != both["text_replay"].str.strip()]
    # A stream that broke was tried again under the same id: live shows both tries, the replay the second.
    assert all("try2" in text for text in differing["text_replay"])
