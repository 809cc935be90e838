"""`acpinspect lint` and `assert_clean`: forms, choices, baselines, exit status, and logs that want to do harm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import main
from acpinspect.diagnostics.sketch import sketched
from acpinspect.testing import assert_clean

GLUED = "prompt Go\nagent - 'One.'\nagent - 'Two.'\nend end_turn"
CLEAN = "prompt Go\nagent m1 'One.'\nend end_turn"

# The parts of SARIF 2.1.0 that its schema requires, and the types of those that we write.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULE = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "shortDescription": TEXT}}
DRIVER = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "rules": {"type": "array", "uniqueItems": True, "items": RULE}},
}
REGION = {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}}
PHYSICAL = {"type": "object", "properties": {"artifactLocation": {"type": "object"}, "region": REGION}}
LOCATION = {"type": "object", "properties": {"physicalLocation": PHYSICAL}}
RESULT = {
    "type": "object",
    "required": ["message"],
    "properties": {
        "message": TEXT,
        "level": LEVEL,
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "locations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
RUN = {
    "type": "object",
    "required": ["tool"],
    "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": DRIVER}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": RESULT},
    },
}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {"version": {"const": "2.1.0"}, "runs": {"type": "array", "items": RUN}},
}


def write(path: Path, sketch: str) -> Path:
    path.write_text("".join(json.dumps(frame) + "\n" for frame in sketched(sketch)), encoding="utf-8")
    return path


@pytest.fixture
def glued(tmp_path: Path) -> Path:
    return write(tmp_path / "glued.jsonl", GLUED)


def lint(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["lint", *map(str, arguments)])


def test_text_shows_the_lines_the_place_the_rule_and_the_remedy(glued: Path) -> None:
    result = lint(glued)
    lines = result.stdout.splitlines()
    assert lines[0].startswith('warning[glued-boundary]: "Two." follows "One."')
    assert lines[1] == f" --> {glued}:3 (event 2, session s1)"
    assert lines[4].startswith("3 | ")
    begin = lines[5].index("^")
    assert lines[4][begin : begin + lines[5].count("^")] == '"Two."'
    assert lines[6] == f"  = remedy: {acpinspect.diagnostics.CODES['glued-boundary'].remedy}"
    assert lines[-1] == "1 warning; not shown: 1 info (--severity info)"


@pytest.mark.parametrize(
    ("sketch", "severity", "last"),
    [
        (GLUED, "error", "No findings; not shown: 1 warning, 1 info (--severity info)"),
        (GLUED, "info", "1 warning, 1 info"),
        (CLEAN, "warning", "No findings."),
    ],
)
def test_text_says_how_many_findings_are_of_too_low_a_severity(
    tmp_path: Path, sketch: str, severity: str, last: str
) -> None:
    result = lint(write(tmp_path / "log.jsonl", sketch), "--severity", severity)
    assert result.stdout.splitlines()[-1] == last


@pytest.mark.parametrize(
    ("sketch", "arguments", "status"),
    [
        (GLUED, [], 1),
        (CLEAN, [], 0),
        (GLUED, ["--severity", "error"], 0),
        (GLUED, ["--ignore", "glued-boundary"], 0),
        (GLUED, ["--select", "empty-turn,empty-chunk"], 0),
        (GLUED, ["--select", "no-message-ids", "--severity", "info"], 1),
        (GLUED, ["--select", "no-such-code"], 2),
        (GLUED, ["--format", "xml"], 2),
        (GLUED, ["--option", "replay_min"], 2),
        (GLUED, ["--option", "replay_min=0"], 2),
        (GLUED, ["--baseline", "no/such/file"], 2),
        (GLUED, ["--update-baseline"], 2),
    ],
)
def test_the_status_says_whether_something_was_found(
    tmp_path: Path, sketch: str, arguments: list[str], status: int
) -> None:
    result = lint(write(tmp_path / "log.jsonl", sketch), *arguments)
    assert result.exit_code == status
    assert "Traceback" not in result.output


def test_no_such_log_is_status_two(tmp_path: Path) -> None:
    assert lint(tmp_path / "nothing.jsonl").exit_code == 2


def test_thresholds_can_be_given(tmp_path: Path) -> None:
    log = write(tmp_path / "log.jsonl", "prompt Go\n" + "agent m1 'x '\n" * 5 + "end end_turn")
    arguments = ("--select", "chunk-flood", "--severity", "info")
    assert lint(log, *arguments).exit_code == 0
    assert lint(log, *arguments, "--option", "chunk_flood_min=5").exit_code == 1


def test_json_has_all_columns_and_the_place(glued: Path) -> None:
    (finding,) = json.loads(lint(glued, "--format", "json").stdout)
    assert list(finding) == ["source", "line", *(c.name for c in acpinspect.diagnostics.COLUMNS)]
    assert (finding["source"], finding["line"], finding["event"], finding["related"]) == (str(glued), 3, 2, [1])


def test_json_without_findings_is_an_empty_array(tmp_path: Path) -> None:
    assert json.loads(lint(write(tmp_path / "log.jsonl", CLEAN), "--format", "json").stdout) == []


@pytest.mark.parametrize("sketch", [GLUED, CLEAN], ids=["findings", "none"])
def test_sarif_has_what_its_schema_requires(tmp_path: Path, sketch: str) -> None:
    document = json.loads(lint(write(tmp_path / "a log.jsonl", sketch), "--format", "sarif").stdout)
    jsonschema.validate(document, SARIF)


def test_a_result_of_sarif_points_to_its_rule_and_its_line(tmp_path: Path) -> None:
    document = json.loads(lint(write(tmp_path / "a log.jsonl", GLUED), "--format", "sarif").stdout)
    (run,) = document["runs"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "glued-boundary"
    assert place["artifactLocation"]["uri"].endswith("/a%20log.jsonl")
    assert place["region"]["startLine"] == 3


def test_github_gets_one_command_a_line(glued: Path) -> None:
    lines = lint(glued, "--format", "github", "--severity", "info").stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::notice", "::warning"]
    assert lines[1].startswith(f"::warning file={glued},line=3,title=glued-boundary::")


HOSTILE = "One.\x1b[31m\n::error::100%\u202e"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_what_stands_in_a_log_never_steers_the_terminal(tmp_path: Path, form: str) -> None:
    frames: list[Any] = sketched(GLUED)
    frames[1]["params"]["update"]["content"]["text"] = HOSTILE + "End."
    frames[2]["params"]["update"]["content"]["text"] = "Two" + HOSTILE
    frames[2]["params"]["sessionId"] = frames[1]["params"]["sessionId"] = "s1\x1b[2J"
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(frame, ensure_ascii=False) + "\n" for frame in frames), encoding="utf-8")
    result = lint(path, "--format", form)
    assert result.exit_code == 1
    assert not {"\x1b", "\u202e"} & set(result.stdout)
    assert not any(line.startswith("::error::") for line in result.stdout.splitlines())


def test_known_findings_do_not_fail_and_new_ones_do(tmp_path: Path, glued: Path) -> None:
    baseline = tmp_path / "known.json"
    assert lint(glued, "--baseline", baseline, "--update-baseline").exit_code == 0
    assert lint(glued, "--baseline", baseline).exit_code == 0
    write(glued, f"prompt First\nagent m7 'Nothing. '\nend end_turn\n{GLUED}")
    assert lint(glued, "--baseline", baseline).exit_code == 0
    write(glued, f"{GLUED}\nprompt More\nagent - 'Three.'\nagent - 'Four.'\nend end_turn")
    result = lint(glued, "--baseline", baseline)
    assert result.exit_code == 1
    assert '"Four."' in result.stdout
    assert '"Two."' not in result.stdout


def test_a_second_finding_equal_to_a_known_one_is_new(tmp_path: Path, glued: Path) -> None:
    baseline = tmp_path / "known.json"
    lint(glued, "--baseline", baseline, "--update-baseline")
    write(glued, f"{GLUED}\n{GLUED}")
    assert lint(glued, "--baseline", baseline).exit_code == 1


@pytest.mark.parametrize("text", ["", "[]", '{"known": 3}', '{"known": {"a": "x"}}', "[" * 100_000])
def test_what_is_no_baseline_is_said(tmp_path: Path, glued: Path, text: str) -> None:
    baseline = tmp_path / "known.json"
    baseline.write_text(text, encoding="utf-8")
    result = lint(glued, "--baseline", baseline)
    assert result.exit_code == 2
    assert "is no baseline" in result.output


def test_a_code_is_explained_without_a_log() -> None:
    result = lint("--explain", "glued-boundary")
    assert result.exit_code == 0
    assert result.stdout == acpinspect.explain_code("glued-boundary")


def test_assert_clean_takes_paths_tables_and_records(tmp_path: Path) -> None:
    frames = sketched(CLEAN)
    assert_clean(write(tmp_path / "log.jsonl", CLEAN))
    assert_clean(acpinspect.from_records(frames))
    assert_clean(frames)


def test_assert_clean_names_place_code_and_remedy(glued: Path) -> None:
    with pytest.raises(
        AssertionError, match=r"1 finding:\n.*glued\.jsonl:3: warning\[glued-boundary\] .*messageId"
    ):
        assert_clean(glued)


def test_assert_clean_ignores_what_it_is_told_to() -> None:
    assert_clean(sketched(GLUED), ignore=["glued-boundary"])
    with pytest.raises(AssertionError, match="no-message-ids"):
        assert_clean(sketched(GLUED), ignore="glued-boundary", severity="info")
    with pytest.raises(acpinspect.ArgumentError, match="Did you mean"):
        assert_clean(sketched(GLUED), ignore=["glued-bondary"])


def test_assert_clean_does_not_list_without_end() -> None:
    with pytest.raises(AssertionError, match="6 more"):
        assert_clean(sketched("prompt Go\n" + "agent - 'One.'\n" * 26 + "end end_turn"))
