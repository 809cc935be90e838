from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import main
from tests.conversion.logs import whole
from tests.wire import chunk, state


def run(tmp_path: Path, *arguments: str, log: list[dict[str, object]]) -> Result:
    path = tmp_path / "log.ndjson"
    path.write_text("".join(f"{json.dumps(frame)}\n" for frame in log), encoding="utf-8")
    output = str(tmp_path / "out.ndjson")
    return CliRunner(env={"COLUMNS": "120"}).invoke(main, ["convert", str(path), "-o", output, *arguments])


def test_it_writes_the_log_in_the_other_version(tmp_path: Path) -> None:
    result = run(tmp_path, "--to", "v1", "--protocol", "v2", log=[whole("m1", "One", " two")])
    assert result.exit_code == 0
    loaded = acpinspect.load(tmp_path / "out.ndjson", protocol="v1")
    assert loaded["text"].tolist() == ["One", " two"]
    assert "2 events in" in result.stderr


def test_a_loss_stops_it_and_nothing_is_written(tmp_path: Path) -> None:
    result = run(tmp_path, "--to", "v1", "--protocol", "v2", log=[chunk("A", "m1"), whole("m1", "B")])
    assert result.exit_code == 2
    assert "Event 1 has no form in v1" in result.stderr
    assert "--on-loss report" in result.stderr
    assert not (tmp_path / "out.ndjson").exists()


def test_losses_are_listed_on_demand(tmp_path: Path) -> None:
    log = [chunk("A", "m1"), whole("m1", "B")]
    result = run(tmp_path, "--to", "v1", "--protocol", "v2", "--on-loss", "report", log=log)
    assert result.exit_code == 0
    assert "can't replace" in result.stdout
    assert "1 event in" in result.stderr
    assert "1 loss" in result.stderr


def test_losses_are_a_table_for_programs_too(tmp_path: Path) -> None:
    log = [chunk("A", "m1"), whole("m1", "B")]
    result = run(tmp_path, "--to", "v1", "--protocol", "v2", "--on-loss", "report", "--json", log=log)
    (loss,) = json.loads(result.stdout)
    assert (loss["event"], loss["variant"], loss["field"]) == (1, "agent_message", "content")


@pytest.mark.parametrize("policy", ["spec", "ids"])
def test_the_policy_gives_the_ids(tmp_path: Path, policy: str) -> None:
    result = run(tmp_path, "--to", "v2", "--policy", policy, log=[chunk("A"), chunk("B")])
    assert result.exit_code == 0
    ids = acpinspect.load(tmp_path / "out.ndjson")["message_id"]
    assert ids.nunique() == {"spec": 1, "ids": 2}[policy]


def test_an_ending_that_says_no_form_is_an_error(tmp_path: Path) -> None:
    result = run(tmp_path, "--to", "v2", "-o", str(tmp_path / "out.txt"), log=[chunk("A")])
    assert result.exit_code == 2


def test_without_a_file_the_frames_go_to_standard_output(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text(json.dumps(state("running")) + "\n" + json.dumps(whole("m1", "A")), encoding="utf-8")
    result = CliRunner().invoke(main, ["convert", str(path), "--on-loss", "report"])
    frames = [json.loads(line) for line in result.stdout.splitlines()]
    assert [frame["params"]["update"]["sessionUpdate"] for frame in frames] == ["agent_message_chunk"]
    assert result.stderr.startswith("event 0: state_update: state: ")


def test_the_reason_of_a_loss_is_never_cut(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text(json.dumps(state("running")), encoding="utf-8")
    arguments = ["convert", str(path), "--to", "v1", "-o", str(tmp_path / "out.ndjson"), "--on-loss", "report"]
    result = CliRunner(env={"COLUMNS": "60"}).invoke(main, arguments)
    reason = "v1 says that the agent runs by a prompt, and none waits"
    assert "…" not in result.stdout
    assert set(reason.split()) <= set(result.stdout.split())


@pytest.mark.parametrize(("name", "told"), [("out.ndjson", True), ("out.parquet", False)])
def test_it_says_that_lines_of_frames_have_no_times(tmp_path: Path, name: str, told: bool) -> None:
    line = {"ts": 1_700_000_000.5, "dir": "in", "msg": chunk("A", "m1")}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    for command in (["convert", "--to", "v2"], ["redact"]):
        result = CliRunner().invoke(main, [*command, str(path), "-o", str(tmp_path / name)])
        assert result.exit_code == 0
        assert ("without their times" in result.stderr) == told
