"""Each code with small logs: where it speaks, where it nearly does, and in the middle of a larger clean log."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import acpinspect
from acpinspect.diagnostics import CODES
from acpinspect.diagnostics.explain import EXAMPLES
from acpinspect.diagnostics.sketch import sketched
from tests.diagnostics.cases import Case, read_cases
from tests.diagnostics.reports import loud, report_frames, report_sketch

CASES = read_cases()
NEEDS_OPTIONS = {"chunk-flood", "v1-conversion-loss"}
"""Their cases are in `test_options.py`."""

CLEAN_TURN = {
    "v1": """
        @{s} prompt "What of bed {n}?"
        @{s} thought t{n} "The bed {n} is "
        @{s} thought t{n} "near the wall."
        @{s} tool c{n} "Look at bed {n}" in_progress
        @{s} update c{n} completed "wet {n}"
        @{s} agent a{n} "The bed {n} "
        @{s} agent a{n} "is wet. "
        end end_turn
    """,
    "v2": """
        @{s} prompt "What of bed {n}?"
        ok
        @{s} whole user u{n} "What of bed {n}?"
        @{s} state running
        @{s} tool c{n} "Look at bed {n}" completed
        @{s} agent a{n} "The bed {n} "
        @{s} agent a{n} "is wet. "
        @{s} state idle end_turn
    """,
}
TURNS = 25


def clean_log(session: str, version: str, turns: int = TURNS) -> list[dict[str, Any]]:
    lines = (CLEAN_TURN[version].format(s=session, n=n) for n in range(turns))
    return sketched("\n".join(["new", f"is {session}", *lines]), version)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_code_speaks_exactly_where_it_should(case: Case) -> None:
    assert report_frames(case.frames, case.version, codes=[case.code]) == case.marks


@pytest.mark.parametrize("case", [case for case in CASES if case.marks], ids=str)
def test_a_code_says_what_it_saw_and_which_other_events_show_it(case: Case) -> None:
    events = acpinspect.from_records(case.frames, protocol=case.version)
    found = acpinspect.diagnose(events, codes=case.code)
    assert list(zip(found["event"], found["related"], found["message"], strict=True)) == case.sentences


@pytest.mark.parametrize("case", [case for case in CASES if case.marks], ids=str)
def test_a_code_speaks_at_the_same_frame_in_the_middle_of_a_larger_clean_log(case: Case) -> None:
    before, after = clean_log("before", case.version), clean_log("after", case.version)
    found = report_frames([*before, *case.frames, *after], case.version, codes=[case.code])
    assert found == [(event + len(before), code, severity) for event, code, severity in case.marks]


@pytest.mark.parametrize("depth", [0, 199, 200])
def test_an_id_in_the_metadata_is_looked_for_two_hundred_levels_deep(depth: int) -> None:
    meta: dict[str, Any] = {"messageId": "x"}
    for _ in range(depth):
        meta = {"in": meta}
    frames = sketched("prompt Go\nagent - Hm\nend end_turn")
    frames[1]["params"]["update"]["_meta"] = meta
    found = report_frames(frames, codes="message-id-in-meta")
    assert found == [(1, "message-id-in-meta", "warning")] * (depth < 200)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_clean_log_around_is_clean(version: str) -> None:
    assert report_frames(clean_log("before", version), version) == []


def test_every_code_has_cases_in_which_it_speaks_and_in_which_it_does_not() -> None:
    speaks = Counter(case.code for case in CASES if case.marks)
    silent = Counter(case.code for case in CASES if not case.marks or len(case.lines) > len(case.marks) + 3)
    codes = set(CODES) - NEEDS_OPTIONS
    assert codes <= set(speaks)
    assert codes <= set(silent)


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_example_of_a_code_shows_it_and_the_mended_one_does_not(code: str) -> None:
    example = EXAMPLES[code]
    before = report_sketch(example.before, example.version, options=example.options)
    after = report_sketch(example.after, example.version, options=example.options)
    assert [found for _, found, _ in before].count(code) == 1
    assert code not in [found for _, found, _ in after]
    assert loud(after) == []
