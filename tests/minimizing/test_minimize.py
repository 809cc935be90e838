"""A smaller log shows what it has to, is valid, and is small."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest
from click.testing import CliRunner

import acpinspect
from acpinspect.cli import main
from acpinspect.errors import ArgumentError, EventsError
from acpinspect.minimizing.trials import table_of
from tests.conftest import CORPUS, SHARED, needs_corpus, needs_spec, read_case
from tests.wire import (
    chunk,
    initialize,
    permission,
    prompt,
    request,
    result,
    state,
    stop,
    tool_call,
    tool_update,
    update,
    whole,
)

Log = list[dict[str, Any]]
ROOT = Path(__file__).resolve().parents[2]
DOUBLED = acpinspect.load(ROOT / "sample_logs" / "v1_doubled_text.ndjson")
CASES = sorted(CORPUS.glob("bugs/*.json"))


def clean(turns: int, first: int = 1) -> Log:
    """A long log without faults: prompts, chunks with ids, tools."""
    log: Log = []
    for turn in range(first, first + turns):
        log += [
            prompt(turn, f"Do step {turn} of the plan"),
            *(chunk(word + " ", f"m{turn}") for word in f"Step {turn} is what I do now".split()),
            tool_call(f"t{turn}", kind="read", status="pending"),
            tool_update(f"t{turn}", status="completed"),
            stop(turn),
        ]
    return log


NEW = [request(0, "session/new", cwd="/x", mcpServers=[]), result(0, sessionId="s1")]
COPY = [
    prompt(500, "Tell me"),
    *(chunk(w, "f") for w in ("The wor", "ld is ", "round")),
    chunk("The world is round", "f"),
]
LONG = acpinspect.from_records([*NEW, *clean(15), *COPY, stop(500), *clean(15, 16)])


def minimized(events: pd.DataFrame, **goal: Any) -> pd.DataFrame:
    return acpinspect.minimize(events, progress=False, **goal)


def test_one_fault_in_a_long_log_needs_few_events() -> None:
    small = minimized(LONG, code="restated-message")
    assert len(LONG) > 300
    assert len(small) == 3
    assert acpinspect.diagnose(small, codes="restated-message")["severity"].tolist() == ["warning"]


CANCELLED = result("p", outcome={"outcome": "cancelled"})
SAID = chunk("Well", "q")
FAULTS = {
    "id-reused-across-turns": ([chunk("Again", "m3"), tool_call("x"), tool_update("x", status="failed")], 6),
    "tool-open-at-turn-end": ([SAID, tool_call("x")], 3),
    "tool-status-regression": (
        [SAID, tool_call("x"), *(tool_update("x", status=s) for s in ("failed", "pending"))],
        6,
    ),
    "mixed-message-ids": ([SAID, chunk(" then")], 2),
    "cumulative-chunks": ([SAID, chunk("Well I", "q"), chunk("Well I do", "q")], 3),
    "permission-without-tool": ([permission("p", "z"), CANCELLED, SAID], 5),
}


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_each_fault_needs_no_more_than_what_makes_it(code: str) -> None:
    fault, most = FAULTS[code]
    events = acpinspect.from_records([*NEW, *clean(9), prompt(500), *fault, stop(500), *clean(4, 10)])
    small = minimized(events, code=code)
    assert len(small) <= most
    assert len(acpinspect.diagnose(small, codes=code)) >= 1


def test_a_fault_of_protocol_2_stays_one() -> None:
    log = [*initialize(version=2), *NEW, prompt(1), result(1), update("user_message", messageId="u", content=[])]
    log += [state("running"), *(whole(f"w{i}", "text") for i in range(9)), chunk("Lost", "w3"), whole("w3")]
    log += [update("agent_message", messageId="w3", content=None), state("idle", stopReason="end_turn")]
    small = minimized(acpinspect.from_records(log), code="content-replaced")
    assert len(small) <= 4
    assert small["protocol"].unique().tolist() == ["v2"]


@needs_corpus
@needs_spec
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_of_the_corpus_keeps_its_first_finding(path: Path) -> None:
    case = read_case(path)
    events = acpinspect.from_records(case["log"], protocol=case["protocol"])
    options = case.get("options")
    found = acpinspect.diagnose(events, options=options)
    if found.empty:
        return
    first = found.iloc[0]
    small = minimized(events, code=first["code"], options=options, max_trials=300)
    left = acpinspect.diagnose(small, codes=first["code"], options=options)
    faults = set(acpinspect.diagnose(small, severity="warning", options=options)["code"])
    assert first["severity"] in left["severity"].tolist()
    assert len(small) < 15
    assert faults <= set(found["code"])
    if not _schema_errors(events, case["protocol"]):
        assert _schema_errors(small, case["protocol"]) == []


def _schema_errors(events: pd.DataFrame, version: str) -> list[str]:
    """What the published schema says against the updates."""
    name = {"v1": "SessionNotification", "v2": "UpdateSessionNotification"}[version]
    text = (SHARED / "spec" / f"acp-{version}.unstable.schema.json").read_text(encoding="utf-8")
    check = jsonschema.Draft202012Validator({"$defs": json.loads(text)["$defs"], "$ref": f"#/$defs/{name}"})
    updates = [p["params"] for p in acpinspect.payloads(events) if p and p.get("method") == "session/update"]
    return [error.message for params in updates for error in check.iter_errors(params)]


def test_a_difference_of_two_policies_is_kept() -> None:
    log = [*NEW, *clean(9), prompt(99), chunk("One. ", "a"), chunk("Two.", "b"), stop(99), *clean(9, 10)]
    small = minimized(acpinspect.from_records(log), policies=("spec", "heuristic"))
    assert acpinspect.group(small, "spec").tolist() != acpinspect.group(small, "heuristic").tolist()
    assert len(small) <= 4


def test_what_becomes_of_a_message_is_what_is_kept_not_that_a_client_shows_prompts() -> None:
    log = [*NEW, prompt(1), chunk("One.", "a"), chunk(" Two.", "b"), chunk("Three.", "b"), stop(1)]
    small = minimized(acpinspect.from_records(log), policies=("spec", "zed-pre-ids"))
    assert acpinspect.messages(small, "spec")["text"].size == 2
    assert acpinspect.messages(small, "zed-pre-ids")["text"].size == 1


def test_a_difference_is_kept_whichever_of_the_two_policies_shows_more() -> None:
    thought = chunk("Hm.", "t", role="agent_thought")
    events = acpinspect.from_records([*NEW, prompt(1), thought, stop(1)])
    for policies in (("spec", "aml"), ("aml", "spec")):
        assert minimized(events, policies=policies)["update"].dropna().tolist() == ["agent_thought_chunk"]


def test_two_policies_that_differ_in_prompts_only_have_no_difference_to_keep() -> None:
    with pytest.raises(ArgumentError, match="make the same messages"):
        minimized(acpinspect.from_records([*NEW, *clean(1)]), policies=("spec", "zed-v1"))


def test_whatever_a_predicate_says_is_kept() -> None:
    def has_a_failed_tool(events: pd.DataFrame) -> bool:
        return bool((events["tool_status"] == "failed").any())

    log = [
        *NEW,
        *clean(6),
        prompt(99),
        chunk("Well", "q"),
        tool_call("x"),
        tool_update("x", status="failed"),
        stop(99),
    ]
    small = minimized(acpinspect.from_records([*log, *clean(6, 7)]), predicate=has_a_failed_tool)
    assert has_a_failed_tool(small)
    assert len(small) <= 4


def test_the_finding_at_an_event_is_kept() -> None:
    found = acpinspect.diagnose(DOUBLED)
    row = found[found["code"] == "restated-message"].iloc[0]
    small = minimized(DOUBLED, event=int(row["event"]))
    assert "restated-message" in acpinspect.diagnose(small)["code"].tolist()


def test_requests_and_responses_stay_together() -> None:
    small = minimized(LONG, code="restated-message", max_trials=40)
    asked = small.index[small["kind"] == "request"]
    assert sorted(asked) == sorted(small["reply_to"].dropna())


def test_the_same_log_comes_out_each_time() -> None:
    logs = [minimized(LONG, code="restated-message")["raw"].tolist() for _ in range(2)]
    assert logs[0] == logs[1]


def test_a_small_number_of_trials_gives_a_log_that_still_shows_it() -> None:
    small = minimized(LONG, code="restated-message", max_trials=10)
    assert 3 < len(small) < len(LONG)
    assert len(acpinspect.diagnose(small, codes="restated-message")) == 1


def test_when_the_time_is_over_the_best_log_so_far_is_the_result() -> None:
    small = minimized(LONG, code="restated-message", max_seconds=0)
    assert len(minimized(LONG, code="restated-message")) < len(small) <= len(LONG)
    assert len(acpinspect.diagnose(small, codes="restated-message")) == 1


def test_no_more_logs_are_looked_at_than_allowed() -> None:
    looked = 0

    def predicate(events: pd.DataFrame) -> bool:
        nonlocal looked
        looked += 1
        return len(events) > 5

    minimized(LONG, predicate=predicate, max_trials=25)
    assert looked <= 25


def test_a_log_that_is_written_and_read_again_shows_it_too(tmp_path: Path) -> None:
    path = tmp_path / "small.ndjson"
    acpinspect.write(minimized(LONG, code="restated-message"), path)
    assert acpinspect.diagnose(acpinspect.load(path))["code"].tolist().count("restated-message") == 1


def test_a_redacted_small_log_shows_it_too() -> None:
    small = minimized(LONG, code="restated-message")
    before, after = acpinspect.diagnose(small), acpinspect.diagnose(acpinspect.redact(small))
    assert after[["code", "severity", "event"]].equals(before[["code", "severity", "event"]])


def test_of_many_chunks_of_a_copy_two_are_left() -> None:
    words = [f"word{i} " for i in range(120)]
    events = acpinspect.from_records([*map(chunk, words), chunk("".join(words))])
    small = minimized(events, code="restated-message")
    assert len(small) == 3
    assert small["text"].str.len().max() < 40


def test_ids_get_short_names() -> None:
    log = [
        chunk("One. ", "msg-0192-aaaa", session="session-42"),
        chunk("Two", "msg-0192-aaaa", session="session-42"),
    ]
    small = minimized(acpinspect.from_records(log), predicate=lambda events: events["message_id"].notna().any())
    assert small[["session_id", "message_id"]].values.tolist() == [["s1", "m1"]]


def test_the_protocol_is_taken_along_where_the_log_does_not_tell() -> None:
    log = [update("agent_message_chunk", content={"type": "text", "text": "x"}), chunk("y", "m1")]
    events = acpinspect.from_records(log, protocol="v2")
    small = minimized(events, code="message-id-invalid")
    assert small["protocol"].unique().tolist() == ["v2"]
    assert len(small) == 1


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({}, "Say what the small log has to show"),
        ({"code": "restated-message", "policies": ("spec", "ids")}, "Say what the small log has to show"),
        ({"code": "no-such-code"}, "no-such-code"),
        ({"code": "plan-open-at-turn-end"}, "no finding of plan-open-at-turn-end"),
        ({"policies": ("spec", "spec")}, "make the same messages"),
        ({"policies": "spec"}, "Give two policies"),
        ({"predicate": lambda events: len(events) > 10_000}, "don't show it"),
    ],
)
def test_what_can_not_be_kept_is_refused(goal: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        minimized(LONG, **goal)


def test_an_event_that_is_not_there_is_refused() -> None:
    with pytest.raises(EventsError, match="no event 99999"):
        minimized(LONG, event=99_999)


def test_an_empty_log_has_an_empty_table() -> None:
    assert table_of([], None).empty


def test_the_report_names_finding_versions_frames_and_messages() -> None:
    small = minimized(DOUBLED, code="restated-message")
    report = acpinspect.bug_report(small, code="restated-message", origin=DOUBLED)
    assert report.startswith("### restated-message (warning) at event 2\n")
    assert f"acpinspect {acpinspect.__version__}" in report
    assert all(raw in report for raw in small["raw"])
    assert "1.4.0" in report


def test_the_report_lets_no_markup_of_the_log_through() -> None:
    events = acpinspect.from_records(
        [chunk("```\n<script>alert(1)</script> *x*. "), chunk("done.<b>"), chunk("Now <b>")]
    )
    report = acpinspect.bug_report(events)
    outside = report.split("````")[::2]
    assert not any("<script>" in part or "<b>" in part.replace(r"\<b", "") for part in outside)


def test_the_report_of_a_log_without_findings_says_so() -> None:
    events = acpinspect.from_records([chunk("Fine", "m1")])
    assert acpinspect.bug_report(events).startswith("### A log without findings")


def test_the_command_prints_the_report_and_writes_the_redacted_log(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    log = str(ROOT / "sample_logs" / "v1_doubled_text.ndjson")
    arguments = ["minimize", log, "--code", "restated-message", "-o", str(path), "--redact"]
    outcome = CliRunner().invoke(main, arguments)
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("### restated-message (warning) at event 2\n")
    small = acpinspect.load(path)
    assert small["raw"].tolist() == [line for line in outcome.stdout.splitlines() if line.startswith("{")]
    assert "04:10" not in outcome.stdout


def test_the_report_of_two_policies_has_both_readings_and_the_reason() -> None:
    events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
    report = acpinspect.bug_report(events, policies=("spec", "zed-pre-ids"))
    assert report.startswith("### `spec` and `zed-pre-ids` make different messages of this log\n")
    assert "`zed-pre-ids` has 2 merged." in report
    assert "ids are not looked at" in report
    assert "events 0, 1: 'One.Two.'" in report
    assert "events 1: 'Two.'" in report


def test_the_report_of_two_policies_that_agree_says_so() -> None:
    events = acpinspect.from_records([prompt(1), chunk("One.", "m1"), stop(1)])
    assert "make the same messages" in acpinspect.bug_report(events, policies=("spec", "zed-v1"))


def test_the_command_takes_two_policies_with_a_comma_between() -> None:
    log = str(ROOT / "sample_logs" / "v1_with_ids.ndjson")
    outcome = CliRunner().invoke(main, ["minimize", log, "--policies", "spec,zed-pre-ids"])
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("### `spec` and `zed-pre-ids` make different messages")


@pytest.mark.parametrize("value", ["spec", "spec,", "spec,toad,sam"])
def test_the_command_says_how_two_policies_are_given(value: str) -> None:
    log = str(ROOT / "sample_logs" / "v1_with_ids.ndjson")
    outcome = CliRunner().invoke(main, ["minimize", log, "--policies", value, "-o", "small.jsonl"])
    assert outcome.exit_code == 2
    assert "two names with a comma between" in outcome.stderr


def test_the_command_says_what_is_missing() -> None:
    outcome = CliRunner().invoke(main, ["minimize", str(ROOT / "sample_logs" / "v1_with_ids.ndjson")])
    assert outcome.exit_code == 2
    assert "Say what the small log has to show" in outcome.stderr
    assert "--code, --event" in outcome.stderr


def test_a_fault_in_one_of_two_recordings_is_kept() -> None:
    events = acpinspect.from_records([*clean(2), *COPY, stop(500)])
    events["source"] = pd.Categorical(
        ["a.ndjson"] * (len(events) - len(COPY) - 1) + ["b.ndjson"] * (len(COPY) + 1)
    )
    small = minimized(events, code="restated-message")
    assert len(small) == 3


def test_a_fault_in_one_very_long_turn_needs_few_events() -> None:
    words = [chunk(f"word{i} ", f"m{i // 40}") for i in range(1_500)]
    copy = chunk("".join(f"word{i} " for i in range(760, 800)), "m19")
    events = acpinspect.from_records([prompt(1), *words[:800], copy, *words[800:], stop(1)])
    small = minimized(events, code="restated-message")
    assert len(small) == 3
