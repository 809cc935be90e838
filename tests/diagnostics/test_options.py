"""The arguments of `diagnose`, the table that it gives, the thresholds, and rules of one's own."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import acpinspect
from acpinspect.diagnostics import CODES, COLUMNS, DiagnoseOptions, Hit, Log, forget_rule, rule
from acpinspect.diagnostics.sketch import sketched
from tests.diagnostics.reports import report_sketch

GLUED = "prompt Go\nagent - 'One.'\nagent - 'Two.'\nend end_turn"
FLOOD = "prompt Go\n{}\nend end_turn"
WHOLES = """
    state running
    whole agent m1 One
    whole agent m1 Two
    whole agent m2 null
    agent m3 Three
    whole agent m3 Four
    whole agent m4 -
    whole agent m5 Five
    agent m5 Six
    send {"sessionUpdate": "agent_message", "messageId": "m6", "content": [{"type": "image"}], "_meta": null}
    state idle end_turn
"""


def table(sketch: str, **settings: object) -> pd.DataFrame:
    return acpinspect.diagnose(acpinspect.from_records(sketched(sketch)), **settings)


@pytest.mark.parametrize("sketch", [GLUED, "prompt Go\nagent m1 Hm\nend end_turn"], ids=["findings", "none"])
def test_the_columns_and_their_types_are_those_of_the_contract(sketch: str) -> None:
    found = table(sketch)
    kinds = {"category": "category", "string": "string", "int64": "int64", "object": "object"}
    assert {name: str(kind) for name, kind in found.dtypes.items()} == {c.name: kinds[c.dtype] for c in COLUMNS}
    assert found.index.name == "finding"


def test_findings_come_by_event_and_say_what_to_do() -> None:
    found = table(GLUED)
    assert found["event"].is_monotonic_increasing
    assert found["remedy"].tolist() == [CODES[code].remedy for code in found["code"]]
    assert found["related"].tolist() == [[], [1]]


def test_codes_choose_and_their_order_does_not_matter() -> None:
    both = report_sketch(GLUED, codes=["no-message-ids", "glued-boundary"])
    assert both == report_sketch(GLUED, codes=["glued-boundary", "no-message-ids", "glued-boundary"])
    assert report_sketch(GLUED, codes="glued-boundary") == [(2, "glued-boundary", "warning")]


def test_severity_is_the_least_that_is_wanted() -> None:
    assert [severity for *_, severity in report_sketch(GLUED)] == ["info", "warning"]
    assert [severity for *_, severity in report_sketch(GLUED, severity="warning")] == ["warning"]
    assert report_sketch(GLUED, severity="error") == []


def test_a_code_that_is_not_wanted_still_silences_others() -> None:
    sketch = "prompt Go\nagent - 'Done now, all.'\nagent - 'Done now, all.'\nend end_turn"
    assert report_sketch(sketch, codes="glued-boundary") == []


def test_the_policy_decides_what_a_message_is() -> None:
    sketch = "prompt Go\nagent m1 'One.'\nagent m2 'Two.'\nend end_turn"
    assert report_sketch(sketch, codes="glued-boundary") == []
    assert report_sketch(sketch, codes="glued-boundary", policy="heuristic") == [(2, "glued-boundary", "info")]


def test_events_of_a_part_of_the_table_keep_their_labels() -> None:
    events = acpinspect.from_records(sketched(f"{GLUED}\n{GLUED}"))
    found = acpinspect.diagnose(events.iloc[4:], codes="glued-boundary")
    assert (found["event"].tolist(), found["related"].tolist()) == ([6], [[5]])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"codes": "glued-boundry"}, "Did you mean glued-boundary"),
        ({"severity": "grave"}, "There is no severity 'grave'. Known severities: info, warning, error."),
        (
            {"options": {"flood": 3}},
            "There is no option 'flood'. Known options: chunk_flood_mean, ",
        ),
        ({"options": {"replay_min": 0}}, "The option replay_min is a whole number from 1, not 0."),
        ({"options": {"replay_min": True}}, "The option replay_min is a whole number from 1, not True."),
        ({"options": {"replay_min": "3"}}, "The option replay_min is a whole number from 1, not '3'."),
        ({"options": {"convert": "v2"}}, "The option convert is \"v1\" or None, not 'v2'."),
        ({"policy": "nobody"}, "nobody"),
    ],
)
def test_what_is_not_known_is_said(settings: dict[str, object], told: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=re.escape(told)):
        table(GLUED, **settings)


@pytest.mark.parametrize("options", [{"replay_min": 1}, {"convert": None}, DiagnoseOptions(), {}])
def test_the_least_that_an_option_can_be_is_taken(options: object) -> None:
    assert len(table(GLUED, options=options)) == 2


def test_a_table_that_comes_from_elsewhere_has_the_same_findings(tmp_path: Path) -> None:
    events = acpinspect.from_records(sketched(f"{GLUED}\n{GLUED}"))
    events.to_parquet(tmp_path / "events.parquet")
    back = pd.read_parquet(tmp_path / "events.parquet")
    found = [acpinspect.diagnose(table) for table in (events, back, pickle.loads(pickle.dumps(events)))]
    assert all(one.astype({"related": str}).equals(found[0].astype({"related": str})) for one in found)


def test_something_else_than_events_is_said() -> None:
    with pytest.raises(acpinspect.EventsError):
        acpinspect.diagnose(pd.DataFrame({"event": [1]}))


@pytest.mark.parametrize("count", [199, 200])
def test_a_flood_is_two_hundred_chunks_unless_told_otherwise(count: int) -> None:
    sketch = FLOOD.format("\n".join(f"agent m1 'v{i:05d} '" for i in range(count)))
    assert report_sketch(sketch, codes="chunk-flood") == [(1, "chunk-flood", "info")] * (count == 200)
    assert report_sketch(sketch, codes="chunk-flood", options={"chunk_flood_min": 201}) == []


def test_a_flood_is_of_less_than_eight_code_points_on_average() -> None:
    sketch = FLOOD.format("\n".join(["agent m1 ''", *["agent m1 'eight ch'"] * 3]))
    options = {"chunk_flood_min": 3}
    assert report_sketch(sketch, codes="chunk-flood", options=options) == []
    assert report_sketch(sketch, codes="chunk-flood", options={**options, "chunk_flood_mean": 9}) == [
        (1, "chunk-flood", "info")
    ]


def test_what_v1_can_not_say_is_told_only_on_request() -> None:
    assert report_sketch(WHOLES, "v2", codes="v1-conversion-loss") == []
    found = report_sketch(WHOLES, "v2", codes="v1-conversion-loss", options=DiagnoseOptions(convert="v1"))
    assert [event for event, *_ in found] == [2, 3, 5, 6, 9]


def test_what_v1_can_not_say_is_told_reason_by_reason() -> None:
    events = acpinspect.from_records(sketched(WHOLES, "v2"), protocol="v2")
    found = acpinspect.diagnose(events, codes="v1-conversion-loss", options={"convert": "v1"})
    assert found["message"].str.removeprefix("v1 can't express this update of ").tolist() == [
        '"m1": v1 has content for this id already.',
        '"m2": it clears the content.',
        '"m3": v1 has content for this id already.',
        '"m4": it has no content.',
        '"m6": it clears _meta.',
    ]


def test_a_rule_of_ones_own_is_applied_and_can_be_taken_away() -> None:
    @rule("loud-agent", severity="info", means="Capitals.", remedy="Be quiet.", versions=("v1",))
    def loud_agent(log: Log) -> Iterator[Hit]:
        yield from (Hit(row, "Loud.", "error") for row, text in enumerate(log.text) if text.isupper())

    try:
        sketch = "prompt Go\nagent m1 'OH'\nend end_turn"
        assert report_sketch(sketch) == [(1, "loud-agent", "error")]
        assert report_sketch("agent m1 'OH'", "v2", codes="loud-agent") == []
        assert acpinspect.catalogue()["code"].iloc[-1] == "loud-agent"
        with pytest.raises(acpinspect.ArgumentError, match="is taken"):
            rule("loud-agent")
    finally:
        forget_rule("loud-agent")
    assert "loud-agent" not in CODES


def entry_of(code: str) -> dict[str, object]:
    table = acpinspect.catalogue().set_index("code")
    row: dict[str, object] = table.loc[code].to_dict()
    return row


def test_a_rule_of_ones_own_stands_in_the_catalogue_with_what_was_said_of_it() -> None:
    said = {"severity": "error", "means": "Capitals.", "remedy": "Be quiet.", "spec": "house rules, 3"}
    rule("loud", **said, versions=("v2",))(lambda _: ())
    rule("plain")(lambda _: ())
    try:
        nothing = {"varies": "", "found": "", "caveat": ""}
        assert entry_of("loud") == {"tier": "user", "versions": "v2", **said, **nothing}
        plain = {"severity": "warning", "means": "", "remedy": "", "spec": "-"}
        assert entry_of("plain") == {"tier": "user", "versions": "v1 v2", **plain, **nothing}
    finally:
        forget_rule("loud")
        forget_rule("plain")


@pytest.mark.parametrize(
    ("code", "severity", "told"),
    [
        ("empty-turn", "info", "The code 'empty-turn' is taken. Choose another one."),
        ("loud", "grave", "There is no severity 'grave'. Known severities: info, warning, error."),
    ],
)
def test_a_rule_that_can_not_be_added_is_refused_in_a_sentence(code: str, severity: str, told: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=f"^{re.escape(told)}$"):
        rule(code, severity=severity)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["glued-boundary", "loud"])
def test_a_built_in_rule_stays_and_an_unknown_one_is_none_of_yours(code: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=f"^There is no rule of yours with the code '{code}'.$"):
        forget_rule(code)


def test_an_empty_table_has_no_findings() -> None:
    assert len(acpinspect.diagnose(acpinspect.from_records([]))) == 0
