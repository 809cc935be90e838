"""The table of findings in a notebook: a DataFrame in all, with its sentences whole."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest

import acpinspect
from acpinspect.diagnostics.findings import Findings
from tests.wire import chunk, prompt, stop, tool_call

RESTATED = [
    prompt(1),
    chunk("One whole ", "m1"),
    chunk("answer to you.", "m1"),
    chunk("One whole answer to you.", "m2"),
]


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
    assert f"{len(many) - 40} more." in shown(many)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_it_can_be_kept_as_any_table_can(protocol: int) -> None:
    findings = found(*RESTATED)
    again = pickle.loads(pickle.dumps(findings, protocol=protocol))
    pd.testing.assert_frame_equal(again, findings)
