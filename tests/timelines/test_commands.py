"""`acpinspect state`, `diff` and `blame` are thin calls of the timeline."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import main
from tests.wire import chunk, tool_update

ROOT = Path(__file__).resolve().parents[2]
WHOLE = str(ROOT / "sample_logs" / "v2_whole_messages.ndjson")
TWO = str(ROOT / "sample_logs" / "v1_two_sessions.ndjson")
Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    return lambda *arguments, **given: CliRunner().invoke(main, list(arguments), catch_exceptions=False, **given)


def test_the_state_after_an_event_is_printed_as_json(run: Run) -> None:
    printed = json.loads(run("state", WHOLE, "--at", "9", "--json").output)
    timeline = acpinspect.timeline(acpinspect.load(WHOLE, progress=False))
    assert printed.pop("step") == timeline.step_of(9)
    assert printed == timeline.at(9).to_dict()


def test_without_a_place_it_is_the_state_at_the_end(run: Run) -> None:
    printed = json.loads(run("state", WHOLE, "--json").output)
    assert printed["messages"][1]["text"] == "A calm night, no ships. Good visibility."


def test_people_see_the_entities_and_what_runs(run: Run) -> None:
    lines = run("state", WHOLE, "--step", "7").output.splitlines()
    assert lines[0] == "step 7 of 21, after event 9; v2; turn 1"
    assert lines[1] == "run: state running"
    assert any(line.startswith("agent message m-calm") and "A calm nigth" in line for line in lines)


def test_a_long_id_is_shown_whole_before_the_text_is(run: Run, tmp_path: Path) -> None:
    own = "b1b6a7a6-17e0-4c6e-9f4c-0a8e3b1d7a11"
    path = tmp_path / "log.ndjson"
    path.write_text(json.dumps(chunk("The harbour is empty, and the keeper reads.", own)) + "\n")
    *_, line = run("state", str(path), env={"COLUMNS": "80"}).output.splitlines()
    assert line.startswith(f"agent message {own} ")
    assert line.rstrip().endswith("…")


def test_a_step_that_is_not_there_is_a_sentence(run: Run) -> None:
    result = run("state", WHOLE, "--step", "99")
    assert result.exit_code == 2
    assert "the last one is 21" in result.output


def test_several_sessions_have_to_be_told_apart(run: Run) -> None:
    result = run("state", TWO)
    assert result.exit_code == 2
    assert "--session" in result.output
    names = acpinspect.load(TWO, progress=False)["session_id"].dropna().unique()
    assert json.loads(run("state", TWO, "--session", names[0], "--json").output)["session_id"] == names[0]


def test_a_difference_has_one_line_for_each_thing(run: Run) -> None:
    assert run("diff", WHOLE, "7", "9").output.splitlines() == [
        "Diff of step 7 and step 9:",
        "~ agent message m-calm",
        "    content: at 7 - 'nigth' + 'night'",
        "+ agent message m-wind  Wind from the north",
    ]


def test_a_difference_is_json_too(run: Run) -> None:
    printed = json.loads(run("diff", WHOLE, "7", "9", "--json").output)
    timeline = acpinspect.timeline(acpinspect.load(WHOLE, progress=False))
    assert printed == json.loads(json.dumps(timeline.diff(7, 9).to_dict()))


def test_a_message_is_blamed_on_its_events(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("blame", WHOLE, "--message", "m-calm", "--csv").output)))
    assert [(row["event"], row["text"]) for row in rows] == [
        ("10", "A calm night, no ships."),
        ("22", " Good visibility."),
    ]
    assert rows[0]["overwrote"] == "A calm nigth, no ships."


def test_a_blame_at_an_earlier_event_shows_what_stood_there(run: Run) -> None:
    rows = json.loads(run("blame", WHOLE, "--message", "m-calm", "--at", "9", "--json").output)
    assert [row["event"] for row in rows] == [8, 9]


def test_anything_can_be_blamed_by_its_name(run: Run) -> None:
    assert "state" in run("blame", WHOLE, "--entity", "session run").output
    assert run("blame", WHOLE).exit_code == 2


def test_what_a_log_says_can_t_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    frames = [chunk("\x1b[31mred", "m\x1b"), tool_update("\ud83c", title="\ud83c")]
    path.write_text("".join(json.dumps(frame) + "\n" for frame in frames))
    for arguments in (
        ["state", str(path)],
        ["diff", str(path), "0", "2"],
        ["blame", str(path), "--message", "m\x1b"],
    ):
        result = run(*arguments)
        assert result.exit_code == 0
        assert "\x1b" not in result.output
    assert json.loads(run("state", str(path), "--json").output)["tool_calls"][0]["tool_call_id"] == "\ud83c"


def test_one_step_is_compared_with_the_one_before(run: Run) -> None:
    assert run("diff", WHOLE, "8").output == run("diff", WHOLE, "7", "8").output
    assert run("diff", WHOLE, "8", "--json").exit_code == 0


def test_a_difference_of_no_steps_is_a_sentence(run: Run) -> None:
    result = run("diff", WHOLE)
    assert result.exit_code == 2
    assert "PATH I J" in result.output
