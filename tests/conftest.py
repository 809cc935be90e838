"""What all tests share: where the corpus of logs with known answers stands, and how to read its cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# No test is a race, and the same code gives the same verdict.
settings.register_profile("acpinspect", deadline=None, derandomize=True)
settings.load_profile("acpinspect")

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS = SHARED / "corpus"

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of logs with known answers is not beside this checkout"
)
needs_spec = pytest.mark.skipif(
    not (SHARED / "spec").is_dir(), reason="the published schemas are not beside this checkout"
)


def corpus_files(pattern: str) -> list[Path]:
    """The corpus's files that match, sorted by name; empty where the corpus is absent."""
    return sorted(CORPUS.glob(pattern))


def read_case(path: Path) -> dict[str, Any]:
    """One case of `bugs/` or `rules/`: its log and its expectations."""
    return json.loads(path.read_text(encoding="utf-8"))
