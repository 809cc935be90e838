"""The generator of large logs: the same bytes each time, and logs that are like real ones."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import acpinspect

GENERATOR = Path(__file__).resolve().parents[1] / "benchmarks" / "generate.py"
SEED = 1
generate: Callable[..., Path] = runpy.run_path(str(GENERATOR))["generate"]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generate(20_000, SEED, path=tmp_path_factory.mktemp("generated") / "log.ndjson")


def test_the_same_seed_gives_the_same_bytes(log: Path, tmp_path: Path) -> None:
    again = generate(20_000, SEED, path=tmp_path / "again.ndjson")
    assert again.read_bytes() == log.read_bytes()


def test_a_longer_log_begins_with_the_shorter_one(log: Path, tmp_path: Path) -> None:
    short = generate(500, SEED, path=tmp_path / "short.ndjson").read_bytes()
    assert short.count(b"\n") == 500
    assert log.read_bytes().startswith(short)


def test_another_seed_gives_another_log(log: Path, tmp_path: Path) -> None:
    other = generate(500, SEED + 1, path=tmp_path / "other.ndjson").read_bytes()
    assert not log.read_bytes().startswith(other)


def test_an_event_has_about_815_bytes(log: Path) -> None:
    assert 815 * 0.9 < log.stat().st_size / 20_000 < 815 * 1.1


def test_both_sides_use_the_same_request_numbers(log: Path) -> None:
    methods: Counter[int] = Counter()
    for line in log.read_bytes().splitlines():
        message = json.loads(line)
        if "method" in message and "id" in message:
            methods[message["id"]] += 1
    assert methods.most_common(1)[0][1] == 2


def test_it_is_read_without_a_problem_and_has_what_real_logs_have(log: Path) -> None:
    events = acpinspect.load(log)
    assert events["problem"].isna().all()
    assert events["session_id"].nunique() > 3
    assert {"agent_message_chunk", "agent_thought_chunk", "tool_call", "plan", "usage_update"} <= set(
        events["update"]
    )
    assert set(events["message_id_state"].dropna()) == {"present", "absent"}
