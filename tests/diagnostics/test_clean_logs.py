"""A log that follows the specification gives no warning and no error; and laws that every log keeps."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acpinspect.diagnostics.explain import EXAMPLES
from acpinspect.diagnostics.sketch import sketched
from tests.diagnostics.cases import read_cases
from tests.diagnostics.clean_logs import clean_logs
from tests.diagnostics.reports import loud, report_frames
from tests.diagnostics.test_rules import clean_log

CASES = [case for case in read_cases() if case.marks and not case.alone]
FEW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_clean_log_gives_no_warning_and_no_error(version: str) -> None:
    @FEW
    @given(clean_logs(version))
    def holds(frames: list[dict[str, Any]]) -> None:
        assert loud(report_frames(frames, version)) == []

    holds()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_other_names_of_ids_and_sessions_change_no_finding(case: Any) -> None:
    frames = case.frames
    renamed = [rename(frame) for frame in frames]
    assert report_frames(renamed, case.version) == report_frames(frames, case.version)


IDS = frozenset({"messageId", "toolCallId", "sessionId", "planId", "msgId", "message_id"})


def rename(value: Any) -> Any:
    """The same JSON with each id written another way, equal ones equal."""
    if isinstance(value, list):
        return [rename(item) for item in value]
    if isinstance(value, dict):
        return {key: f"x-{item[::-1]}" if is_id(key, item) else rename(item) for key, item in value.items()}
    return value


def is_id(key: str, value: Any) -> bool:
    return key in IDS and isinstance(value, str) and value != ""


SWAPPED = str.maketrans("bcdfghjklmnpqrstvwxyz", "cdfghjklmnpqrstvwxyzb")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_other_words_of_the_same_shape_change_no_finding(case: Any) -> None:
    if case.code == "reasoning-in-text":
        return  # it is about one word
    frames = case.frames
    assert report_frames([reword(frame) for frame in frames], case.version) == report_frames(frames, case.version)


def reword(value: Any, key: str = "") -> Any:
    """The same JSON with other consonants in what is said."""
    if isinstance(value, list):
        return [reword(item, key) for item in value]
    if isinstance(value, dict):
        said = value.get("type") in (None, "text")
        return {k: reword(item, k if said or isinstance(item, (dict, list)) else "") for k, item in value.items()}
    return value.translate(SWAPPED) if isinstance(value, str) and key in ("text", "title") else value


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_clean_session_behind_it_changes_no_finding(case: Any) -> None:
    frames, more = case.frames, clean_log("after", case.version, turns=2)
    found = report_frames(frames, case.version)
    longer = report_frames([*frames, *more], case.version)
    assert [finding for finding in longer if finding[0] < len(frames)] == found
    assert loud([finding for finding in longer if finding[0] >= len(frames)]) == []


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_log_that_is_split_at_the_edge_of_a_turn_keeps_the_findings_within(version: str) -> None:
    code = "restated-message"
    fault = "agent f1 'water the '\nagent f1 'old beds '\nagent f1 'water the old beds'"
    turns = {
        "v1": f"prompt One\nagent a1 'yes '\nend end_turn\nprompt Two\n{fault}\nend end_turn",
        "v2": "prompt One\nok\nstate running\nwhole user u1 One\nagent a1 'yes '\nstate idle end_turn\n"
        f"prompt Two\nok\nstate running\nwhole user u2 Two\n{fault}\nstate idle end_turn",
    }[version]
    frames = sketched(turns, version)
    edge = next(i for i, frame in enumerate(frames) if "Two" in json.dumps(frame))
    whole, first, second = (report_frames(f, version) for f in (frames, frames[:edge], frames[edge:]))
    assert whole == [*first, *((event + edge, code, severity) for event, code, severity in second)]
    assert [finding[1] for finding in second] == [code]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_codes_of_one_version_never_speak_in_a_log_of_the_other(case: Any) -> None:
    from acpinspect.diagnostics import CODES

    for version in ("v1", "v2"):
        found = {code for _, code, _ in report_frames(case.frames, version)}
        assert all(version in CODES[code].versions for code in found)


@FEW
@given(st.data())
def test_a_fault_in_a_clean_log_is_found_at_its_event_and_nothing_else_is_loud(data: st.DataObject) -> None:
    code = data.draw(st.sampled_from(sorted(EXAMPLES)))
    example = EXAMPLES[code]
    before = data.draw(clean_logs(example.version, most_turns=2))
    faulty = [with_ids_of_its_own(frame) for frame in sketched(example.before, example.version)]
    alone = [finding for finding in report_frames(faulty, example.version, example.options) if finding[1] == code]
    found = report_frames([*before, *faulty], example.version, example.options)
    shifted = [(event + len(before), name, severity) for event, name, severity in alone]
    assert [finding for finding in found if finding[1] == code] == shifted
    assert {name for _, name, _ in loud(found)} <= {
        name for _, name, _ in report_frames(faulty, example.version)
    } | {code}


def with_ids_of_its_own(frame: dict[str, Any]) -> dict[str, Any]:
    return {**frame, "id": f"f{frame['id']}"} if "id" in frame else frame
