"""Every format of the corpus, through `load`: how many events, whose, of which sessions, and whether timed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import acpinspect
from tests.conftest import CORPUS, corpus_files, needs_corpus

EXPECTATIONS = corpus_files("formats/*.expected.json")
MESSAGES = ["request", "response", "error", "notification"]


def sample_of(expectation: Path) -> Path:
    """The file or folder that an expectation is about: their names differ by the ending only."""
    stem = expectation.name.removesuffix(".expected.json")
    [found] = [
        path
        for path in (CORPUS / "formats").iterdir()
        if not path.name.endswith((".expected.json", ".md"))
        and stem in (path.name.split(".")[0], path.name.replace(".", "_"))
    ]
    return found


def counted(events: pd.DataFrame) -> dict[str, Any]:
    messages = events[events["kind"].isin(MESSAGES)]
    updates = messages[(messages["method"] == "session/update") & messages["update"].notna()]
    sessions = updates["session_id"].drop_duplicates().astype(object)
    return {
        "events": len(updates),
        "messages": len(messages),
        "sessions": sessions.where(sessions.notna(), None).tolist(),
        "directions": {
            "agent_to_client": int((messages["sender"] == "agent").sum()),
            "client_to_agent": int((messages["sender"] == "client").sum()),
        },
        "has_time": bool(events["time"].notna().any() or events["elapsed"].notna().any()),
    }


@needs_corpus
@pytest.mark.parametrize("expectation", EXPECTATIONS, ids=lambda path: path.name.removesuffix(".expected.json"))
def test_a_recording_of_each_format(expectation: Path) -> None:
    expected = json.loads(expectation.read_text(encoding="utf-8"))
    sample = sample_of(expectation)
    if not expected["events"]:
        with pytest.raises(acpinspect.NotACPError, match="holds no ACP traffic"):
            acpinspect.load(sample)
        return
    found = counted(acpinspect.load(sample))
    assert found == {key: expected.get(key, value) for key, value in found.items()}
