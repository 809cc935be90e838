"""The table of findings in a notebook: a DataFrame in all, with its sentences whole."""

from __future__ import annotations

import pickle
import re

import pandas as pd
import pytest

import acpinspect
from acpinspect.diagnostics.catalogue import code_named
from acpinspect.diagnostics.findings import Findings, Hit, findings_table
from tests.wire import chunk, prompt, stop, tool_call

RESTATED = [
    prompt(1),
    chunk("One whole ", "m1"),
    chunk("answer to you.", "m1"),
    chunk("One whole answer to you.", "m2"),
]


TABLE = acpinspect.from_records([chunk("Hi")])


def found(*frames: object) -> pd.DataFrame:
    return acpinspect.diagnose(acpinspect.from_records(frames, protocol="v1"))  # type: ignore[arg-type]


def shown(findings: pd.DataFrame) -> str:
    html: str = findings._repr_html_()  # type: ignore[operator]
    return html


def test_message_and_remedy_stand_there_whole() -> None:
    findings = found(*RESTATED)
    row = findings[findings["code"] == "restated-message"].iloc[0]
    assert row["remedy"] in shown(findings).replace("&#x27;", "'")
    assert row["message"] in shown(findings).replace("&quot;", '"')


def test_a_finding_is_a_row_with_its_sentence_and_below_it_what_to_do() -> None:
    html = shown(findings_table(TABLE, [(code_named("empty-turn"), Hit(0, "A & B"))]))
    remedy = "Send everything before responding."
    assert re.sub(r"<style>.*?</style>", "", html) == (
        '<div class="acp-findings"><p><b>1 warning</b></p><table class="acp-found"><thead><tr><th>severity</th>'
        "<th>code</th><th>event</th><th>what is wrong, and the remedy</th></tr></thead><tbody>"
        "<tr><td>⚠ warning</td><td><code>empty-turn</code></td><td>0</td>"
        f"<td>A &amp; B<br><i>Remedy:</i> {remedy}</td></tr></tbody></table></div>"
    )


def test_rows_follow_one_another() -> None:
    html = shown(findings_table(TABLE, [(code_named("empty-turn"), Hit(0, text)) for text in "ab"]))
    assert html.count("</tr><tr><td>⚠ warning</td>") == 1


def test_the_columns_that_are_shown_are_enough() -> None:
    findings = findings_table(TABLE, [(code_named("empty-turn"), Hit(0, "a"))])
    assert shown(findings[["code", "severity", "event", "message", "remedy"]]) == shown(findings)


@pytest.mark.parametrize(
    ("severities", "told"),
    [
        ({"error": 1}, "1 error"),
        ({"warning": 2, "error": 1200}, "1,200 errors, 2 warnings"),
        ({"info": 3, "warning": 1}, "1 warning, 3 info"),
    ],
)
def test_severities_are_counted_gravest_first(severities: dict[str, int], told: str) -> None:
    hits = [Hit(0, "m", severity) for severity, n in severities.items() for _ in range(n)]  # type: ignore[arg-type]
    html = shown(findings_table(TABLE, [(code_named("empty-turn"), hit) for hit in hits]))
    assert f"<p><b>{told}</b></p>" in html


@pytest.mark.parametrize("severity", ["✕ error", "⚠ warning", "ℹ info"])
def test_each_severity_has_its_sign(severity: str) -> None:
    hit = Hit(0, "m", severity.split(" ")[1])  # type: ignore[arg-type]
    assert f"<td>{severity}</td>" in shown(findings_table(TABLE, [(code_named("empty-turn"), hit)]))


def test_a_long_sentence_is_cut_after_six_hundred_characters() -> None:
    html = shown(findings_table(TABLE, [(code_named("empty-turn"), Hit(0, t)) for t in ("x" * 600, "y" * 601)]))
    assert f"<td>{'x' * 600}<br>" in html
    assert f"<td>{'y' * 600}…<br>" in html


def test_what_can_not_be_printed_is_spelled_out() -> None:
    html = shown(findings_table(TABLE, [(code_named("empty-turn"), Hit(0, "a\x1b\u202eö\n"))]))
    assert "<td>a\\x1b\\u202eö\\n<br>" in html


def test_severities_are_counted_and_have_a_sign() -> None:
    assert "<b>1 warning" in shown(found(*RESTATED))
    assert "⚠ warning" in shown(found(*RESTATED))


def test_some_of_the_findings_are_shown_in_the_same_way() -> None:
    findings = found(*RESTATED, stop(1))
    some = findings[findings["severity"] == "warning"].head(1)
    assert "Remedy:" in shown(some)
    assert isinstance(some, Findings)


def test_a_part_of_the_columns_is_shown_as_any_table_is() -> None:
    assert "Remedy:" not in shown(found(*RESTATED)[["code", "event"]])
    assert "dataframe" in shown(found(*RESTATED)[["code", "event"]])


def test_without_findings_that_is_said() -> None:
    assert shown(found(prompt(1), chunk("Hi", "m1"), stop(1)).head(0)) == "<p>Nothing was found.</p>"


def test_what_stands_in_the_log_becomes_no_markup() -> None:
    html = shown(found(prompt(1), tool_call("<img src=x onerror=alert(1)>\x00\u202e"), stop(1)))
    assert "&lt;img src=x" in html
    assert "<img" not in html
    assert not set("\x00\u202e") & set(html)


def test_of_many_the_first_are_shown() -> None:
    many = pd.concat([found(*RESTATED)] * 60, ignore_index=True)
    assert shown(many).count("Remedy:") == 40
    assert f"</table><p>{len(many) - 40} more.</p></div>" in shown(many)


def test_all_of_forty_are_shown() -> None:
    forty = findings_table(TABLE, [(code_named("empty-turn"), Hit(0, "m"))] * 40)
    assert shown(forty).count("Remedy:") == 40
    assert "more." not in shown(forty)


def test_one_that_is_not_shown_is_told() -> None:
    assert "<p>1 more.</p>" in shown(findings_table(TABLE, [(code_named("empty-turn"), Hit(0, "m"))] * 41))


def test_thousands_that_are_not_shown_are_written_with_a_comma() -> None:
    many = findings_table(TABLE, [(code_named("empty-turn"), Hit(0, "m"))] * 1_040)
    assert "<p>1,000 more.</p>" in shown(many)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_it_can_be_kept_as_any_table_can(protocol: int) -> None:
    findings = found(*RESTATED)
    again = pickle.loads(pickle.dumps(findings, protocol=protocol))
    pd.testing.assert_frame_equal(again, findings)
