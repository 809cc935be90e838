"""``acpinspect follow``: events and findings as they are written."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import main
from acpinspect.diagnostics.watching import Watch
from tests.conftest import CORPUS, needs_corpus
from tests.logs import ndjson
from tests.wire import chunk, initialize, prompt, stop

LOG = [*initialize(), prompt(1), chunk("Reading is done."), chunk("Now I write."), stop(1)]


def run(path: Path, *arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "120"}).invoke(main, ["follow", str(path), *arguments])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson(LOG))
    return path


def test_each_event_is_a_line(path: Path) -> None:
    result = run(path, "--once")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert len(lines) == len(LOG)
    assert lines[3].split() == ["3", "agent", "notification", "agent_message_chunk", "Reading", "is", "done."]


def test_findings_are_told_below_the_events_that_show_them(path: Path) -> None:
    lines = run(path, "--once", "--findings").output.splitlines()
    assert any(line.startswith("       warning[glued-boundary] at event 4: ") for line in lines)


def test_lines_of_json_have_every_column(path: Path) -> None:
    lines = [json.loads(line) for line in run(path, "--once", "--json", "--findings").output.splitlines()]
    assert [line["event"] for line in lines if "event" in line] == list(range(len(LOG)))
    assert {line["finding"]["code"] for line in lines if "finding" in line} >= {"glued-boundary"}


def test_only_one_session_is_shown_where_one_is_named(path: Path) -> None:
    assert run(path, "--once", "--session", "other").output == ""
    assert len(run(path, "--once", "--session", "s1").output.splitlines()) == 4


def test_a_missing_file_is_waited_for_only_where_that_is_asked_for(tmp_path: Path) -> None:
    missing = run(tmp_path / "none.ndjson", "--once")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert "With --wait it is waited for" in missing.stderr
    assert run(tmp_path / "none.ndjson", "--once", "--wait").exit_code == 0


def test_text_of_the_log_can_not_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson([*initialize(), chunk("\x1b[2Jgone\nnext")]))
    output = run(path, "--once").output
    assert "\x1b" not in output
    assert "␛[2Jgone↵next" in output


def test_events_come_as_they_are_written_and_an_interrupt_ends_it_well(path: Path) -> None:
    command = [sys.executable, "-m", "acpinspect", "follow", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        there = [running.stdout.readline() for _ in LOG]
        with path.open("ab") as file:
            file.write(ndjson([chunk("later")]))
        new = running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=20)
    assert "Now I write." in there[4]
    assert new.split()[0] == "6"
    assert "later" in new
    assert (running.returncode, errors) == (0, "")


@needs_corpus
@pytest.mark.parametrize("path", sorted((CORPUS / "real").glob("*.jsonl")), ids=lambda path: path.name)
def test_a_watch_tells_in_the_end_what_diagnose_tells(path: Path) -> None:
    events = acpinspect.load(path)
    watch, told = Watch(), set()
    step = len(events) // 4 + 1
    for start in range(0, len(events), step):
        new = watch.see(events.iloc[start : start + step])
        told |= set(zip(new["code"], new["event"], strict=True))
    findings = acpinspect.diagnose(events)
    assert told >= set(zip(findings["code"], findings["event"], strict=True))


def test_a_watch_tells_each_finding_once_and_forgets_none_that_is_recent() -> None:
    events = acpinspect.from_records(
        [*initialize(), prompt(1), *(chunk(f"Piece {i}.") for i in range(60)), stop(1)]
    )
    watch, told = Watch(recent=10), []
    for start in range(0, len(events), 7):
        new = watch.see(events.iloc[start : start + 7])
        told += list(zip(new["code"], new["event"], strict=True))
    assert len(told) == len(set(told))
    glued = [event for code, event in told if code == "glued-boundary"]
    assert glued == acpinspect.diagnose(events, codes="glued-boundary")["event"].tolist()
