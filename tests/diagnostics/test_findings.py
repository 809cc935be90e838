"""The table of findings: order, types, and texts as they are shown."""

from __future__ import annotations

import pandas as pd
import pytest

import acpinspect
from acpinspect.diagnostics.catalogue import code_named
from acpinspect.diagnostics.findings import Findings, Hit, findings_table, quote, together
from acpinspect.diagnostics.places import place
from tests.wire import chunk

TURN, COPY, FLOOD = code_named("empty-turn"), code_named("cumulative-chunks"), code_named("chunk-flood")


def events() -> pd.DataFrame:
    table = acpinspect.from_records([chunk("a"), chunk("b", session="s2"), chunk("c")])
    return table.set_index(pd.Index([10, 20, 30], name="event"))


def test_findings_come_by_event_then_gravest_first_then_by_code_and_message() -> None:
    hits = [
        (TURN, Hit(2, "b")),
        (FLOOD, Hit(2, "a")),
        (TURN, Hit(2, "a")),
        (COPY, Hit(2, "c")),
        (TURN, Hit(0, "z", "info")),
        (FLOOD, Hit(2, "e", "error")),
    ]
    found = findings_table(events(), hits)
    assert found[["event", "severity", "code", "message"]].values.tolist() == [
        [10, "info", "empty-turn", "z"],
        [30, "error", "chunk-flood", "e"],
        [30, "warning", "cumulative-chunks", "c"],
        [30, "warning", "empty-turn", "a"],
        [30, "warning", "empty-turn", "b"],
        [30, "info", "chunk-flood", "a"],
    ]


def test_a_finding_has_labels_of_events_session_remedy_and_source() -> None:
    found = findings_table(events(), [(TURN, Hit(1, "m", related=(2, 0)))])
    assert found.iloc[0].to_dict() == {
        "code": "empty-turn",
        "severity": "warning",
        "session_id": "s2",
        "event": 20,
        "related": [30, 10],
        "message": "m",
        "remedy": TURN.remedy,
        "spec": TURN.spec,
    }


def test_the_codes_that_were_found_are_the_categories_and_severities_are_in_order() -> None:
    found = findings_table(events(), [(TURN, Hit(0, "a")), (FLOOD, Hit(1, "b"))])
    assert found["code"].cat.categories.tolist() == ["chunk-flood", "empty-turn"]
    assert found["severity"].cat.categories.tolist() == ["info", "warning", "error"]
    assert found["severity"].max() == "warning"
    assert (found.index.name, found.index.tolist()) == ("finding", [0, 1])


def test_half_a_pair_in_a_message_is_replaced_and_all_else_stays() -> None:
    found = findings_table(events(), [(TURN, Hit(0, "ö \ud83c 🌻"))])
    assert found["message"].tolist() == ["ö \ufffd 🌻"]


def test_tables_in_a_row_are_one_with_all_codes() -> None:
    one = findings_table(events(), [(TURN, Hit(0, "a"))])
    two = findings_table(events(), [(FLOOD, Hit(1, "b")), (TURN, Hit(2, "c"))])
    both = together([one, two])
    assert isinstance(both, Findings)
    assert both["message"].tolist() == ["a", "b", "c"]
    assert both["code"].tolist() == ["empty-turn", "chunk-flood", "empty-turn"]
    assert both["code"].cat.categories.tolist() == ["chunk-flood", "empty-turn"]
    assert both.dtypes.drop("code").equals(one.dtypes.drop("code"))
    assert (both.index.name, both.index.tolist()) == ("finding", [0, 1, 2])


def test_one_table_alone_is_itself() -> None:
    one = findings_table(events(), [(TURN, Hit(0, "a"))])
    pd.testing.assert_frame_equal(together([one]), one)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", '""'), ("x" * 40, f'"{"x" * 40}"'), ("x" * 41, f'"{"x" * 40}…"')],
    ids=["empty", "forty", "more"],
)
def test_a_text_is_shown_up_to_forty_code_points(text: str, shown: str) -> None:
    assert quote(text) == shown


RAW = (
    '{"method":"session/update","params":{"sessionId":"s\\"1","update":'
    '{"sessionUpdate" : "agent_message_chunk","message_id":3,"content":[{"text":"Hm"}]}}}'
)


@pytest.mark.parametrize(
    ("raw", "code", "shown"),
    [
        (RAW, "glued-boundary", '"Hm"'),
        (RAW, "mixed-message-ids", "3"),
        (RAW, "session-unknown", r'"s\"1"'),
        (RAW, "content-replaced", "[{"),
        (RAW, "chunk-flood", '"agent_message_chunk"'),
        (RAW, "no-such-code", '"agent_message_chunk"'),
        (RAW, "stop-reason-anomaly", '"agent_message_chunk"'),
        ('{"id":1,"result":{"stopReason":"done"}}', "stop-reason-anomaly", '"done"'),
        ('{"id":1,"result":{"a":1}}', "glued-boundary", "{"),
        ('{"id":1,"error":null}', "glued-boundary", "null"),
        ('{"method":"x"}', "glued-boundary", '"x"'),
        ("no JSON", "glued-boundary", "no JSON"),
    ],
)
def test_a_finding_shows_where_in_the_json_its_evidence_stands(raw: str, code: str, shown: str) -> None:
    begin, end = place(raw, code)
    assert raw[begin:end] == shown
