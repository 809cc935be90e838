"""The explorer over recordings of real agents: every one opens, no step takes much HTML, every writer is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import acpinspect
from acpinspect.reducer import Message
from acpinspect.widgets.model import ExplorerModel
from tests.conftest import corpus_files, needs_corpus

RECORDINGS = [path for path in corpus_files("real/*.jsonl") if path.stat().st_size < 200_000]
ABOUT_20_KB = 25_000


def opened(path: Path) -> ExplorerModel:
    model = ExplorerModel(acpinspect.load(path, progress=False))
    model.look_for_findings()
    return model


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.name)
def test_no_step_of_a_real_recording_takes_much_html(path: Path) -> None:
    model = opened(path)
    views = [model.view(step) for step in range(0, model.last + 1, max(1, model.last // 60))]
    assert max(len((view.conversation + view.detail).encode()) for view in views) < ABOUT_20_KB


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS[::3], ids=lambda path: path.name)
def test_the_last_character_of_a_message_was_written_by_its_last_event(path: Path) -> None:
    model = opened(path)
    state = model.spine.timeline[model.last]
    for slot, entity in enumerate(state.order):
        value = state.messages[entity.key] if entity.kind == "message" else None  # type: ignore[index]  # by kind
        if isinstance(value, Message) and value.text and value.last_event is not None:
            units = len(value.text.encode("utf-16-le")) // 2 - 1
            step = model.written_by(slot, 0, units, model.last)
            assert step is not None
            assert model.spine.numbers[step - 1] <= value.last_event
