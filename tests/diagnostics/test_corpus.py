"""The logs with known answers: bug reports, clauses of the rules, recordings of real agents."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import acpinspect
from tests.conftest import corpus_files, needs_corpus, read_case
from tests.diagnostics.reports import Report, loud, report, report_frames

pytestmark = needs_corpus

BUGS, RULES = corpus_files("bugs/*.json"), corpus_files("rules/*.json")
REAL = corpus_files("real/*.expected.json")
WHY = json.loads((Path(__file__).parents[1] / "data" / "real_findings.json").read_text(encoding="utf-8"))


def found_and_expected(path: Path) -> tuple[Report, Report]:
    case = read_case(path)
    found = report_frames(case["log"], case["protocol"], case.get("options"))
    expected = [(one["event"], one["code"], one["severity"]) for one in case["expected"]["diagnostics"]]
    return found, sorted(expected)


@pytest.mark.parametrize("path", BUGS, ids=lambda path: path.stem)
def test_a_bug_report_is_found_and_nothing_else_is_loud(path: Path) -> None:
    found, expected = found_and_expected(path)
    assert not Counter(expected) - Counter(found)
    assert loud(found) == loud(expected)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_clause_of_a_rule_gives_exactly_its_findings(path: Path) -> None:
    found, expected = found_and_expected(path)
    assert found == expected


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name.removesuffix(".expected.json"))
def test_a_recording_of_a_real_agent_gives_exactly_the_findings_that_were_looked_at(path: Path) -> None:
    name = path.name.removesuffix(".expected.json")
    expected = [(one["event"], one["code"], one["severity"]) for one in read_case(path)["loud_findings"]]
    found = report(acpinspect.load(path.with_name(f"{name}.jsonl"), progress=False), severity="warning")
    assert found == sorted(expected)
    explained = {(one["event"], one["code"]) for one in WHY if one["log"] == name and one["why"]}
    assert {(event, code) for event, code, _ in found} == explained
