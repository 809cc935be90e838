"""The report's file: whole, closed to the outside, safe, of bounded size, the same each time."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pandas as pd
import pytest

import acpinspect
from benchmarks.generate import generate
from tests.html_report.pages import CANARY, HOSTILE, Page, chunk, embedded, hostile_log, report_text, update

ROOT = Path(__file__).resolve().parents[2]
DOUBLED = ROOT / "sample_logs" / "v1_doubled_text.ndjson"


def sections(page: Page) -> list[str]:
    return [str(section["id"]) for section in page.all("section") if "id" in section]


@pytest.fixture(scope="module")
def hostile_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return report_text(hostile_log(), tmp_path_factory.mktemp("hostile"), title=HOSTILE[2])


@pytest.fixture(scope="module")
def ten_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    log = generate(10_000, path=folder / "large.ndjson")
    return acpinspect.report(log, folder / "report.html")


def test_a_report_has_its_parts_in_order(tmp_path: Path) -> None:
    page = Page(report_text(acpinspect.load(DOUBLED), tmp_path))
    assert sections(page) == ["findings", "explorer-section", "summary", "messages", "clients"]


def test_a_path_can_be_given_instead_of_events(tmp_path: Path) -> None:
    path = acpinspect.report(DOUBLED, tmp_path / "out.html")
    assert path == tmp_path / "out.html"
    assert "restated-message" in path.read_text(encoding="utf-8")


def test_a_finding_has_its_remedy_and_a_link_to_its_event(tmp_path: Path) -> None:
    text = report_text(acpinspect.load(DOUBLED), tmp_path)
    remedy = acpinspect.diagnose(acpinspect.load(DOUBLED))["remedy"].iloc[0]
    assert f"<b>Remedy:</b> {remedy.split(';')[0]}".replace("'", "&#x27;") in text
    assert '<li>event <a href="#e7">7</a>' in text


def test_the_heading_is_the_name_of_the_log_or_what_was_said(tmp_path: Path) -> None:
    events = acpinspect.load(DOUBLED)
    assert "<title>v1_doubled_text.ndjson</title>" in report_text(events, tmp_path)
    assert "<title>Bug &lt;7&gt;</title>" in report_text(events, tmp_path, title="Bug <7>")


def test_folders_that_all_logs_share_are_told_to_nobody(tmp_path: Path) -> None:
    text = report_text(acpinspect.load([DOUBLED, DOUBLED.with_name("v2_turn.ndjson")]), tmp_path)
    assert str(ROOT) not in text
    assert embedded(text)["source"]["names"] == ["v1_doubled_text.ndjson", "v2_turn.ndjson"]


def test_a_policy_says_what_the_messages_are(tmp_path: Path) -> None:
    events = acpinspect.from_records([chunk("A", "m1"), chunk("B", "m2")])
    assert "1 message (policy heuristic)" in report_text(events, tmp_path, policy="heuristic")
    assert "2 messages (policy spec)" in report_text(events, tmp_path)


def test_there_is_no_report_by_a_policy_that_nobody_knows(tmp_path: Path) -> None:
    with pytest.raises(acpinspect.ArgumentError):
        acpinspect.report(DOUBLED, tmp_path / "out.html", policy="no-such-policy")
    assert not (tmp_path / "out.html").exists()


def test_an_empty_log_gives_a_report(tmp_path: Path) -> None:
    text = report_text(acpinspect.load(DOUBLED).iloc[:0], tmp_path)
    assert "Nothing was found to be wrong." in text
    assert embedded(text)["sessions"] == []


def test_a_table_without_a_session_can_be_stepped_through(tmp_path: Path) -> None:
    events = acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}])
    (session,) = embedded(report_text(events, tmp_path))["sessions"]
    assert (session["name"], session["rows"]) == (None, [0])


def test_one_id_in_two_logs_is_two_sessions(tmp_path: Path) -> None:
    folder = ROOT / "sample_logs"
    events = acpinspect.load([folder / "v1_with_ids.ndjson", folder / "v1_without_ids.ndjson"])
    sessions = [one for one in embedded(report_text(events, tmp_path))["sessions"] if one["name"] is not None]
    assert [one["name"] for one in sessions] == ["sess-skerry-1"] * 2
    assert set(sessions[0]["rows"]).isdisjoint(sessions[1]["rows"])


def test_a_filtered_table_keeps_the_numbers_of_its_events(tmp_path: Path) -> None:
    events = acpinspect.load(DOUBLED).iloc[4:9]
    assert embedded(report_text(events, tmp_path))["labels"] == [4, 5, 6, 7, 8]


def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    first = acpinspect.report(DOUBLED, tmp_path / "a.html").read_bytes()
    assert acpinspect.report(DOUBLED, tmp_path / "b.html").read_bytes() == first


def test_ten_thousand_events_take_less_than_five_megabytes(ten_thousand: Path) -> None:
    assert ten_thousand.stat().st_size < 5_000_000
    assert len(embedded(ten_thousand.read_text(encoding="utf-8"))["labels"]) == 10_000


def test_texts_are_cut_until_the_page_fits(tmp_path: Path) -> None:
    noise = "".join(chr(0x4E00 + (i * i * 31 + i * 7919) % 20_000) for i in range(15_000))
    events = acpinspect.from_records([chunk(noise[i:] + noise[:i], f"m{i}") for i in range(0, 600, 20)])
    path = tmp_path / "report.html"
    acpinspect.report(events, path, size=400_000)
    assert path.stat().st_size < 400_000
    assert len(embedded(path.read_text(encoding="utf-8"))["cut"]) == len(events)


def test_nothing_may_be_fetched_and_only_this_script_may_run(tmp_path: Path) -> None:
    text = report_text(acpinspect.load(DOUBLED), tmp_path)
    policy = Page(text).policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for name in ("script", "style"):
        (body,) = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


def test_the_policy_stands_before_all_that_it_is_for(hostile_text: str) -> None:
    names = [name for name, _ in Page(hostile_text).tags]
    assert names[:4] == ["html", "head", "meta", "meta"]


def test_no_element_refers_to_anything_outside(hostile_text: str) -> None:
    page = Page(hostile_text)
    links = [attributes.get("href") or "" for name, attributes in page.tags if name == "a"]
    assert all(link.startswith("#") for link in links)
    assert not [a for _, a in page.tags if a.keys() & {"src", "srcset", "action", "data", "poster", "background"}]
    assert {name for name, _ in page.tags}.isdisjoint({"link", "img", "iframe", "object", "embed", "base", "svg"})


def test_no_element_has_a_handler_or_a_style_of_its_own(hostile_text: str) -> None:
    attributes = {key for _, own in Page(hostile_text).tags for key in own}
    assert not [key for key in attributes if key.startswith("on") or key == "style"]


def test_hostile_text_makes_no_element(hostile_text: str) -> None:
    page = Page(hostile_text)
    assert [script.get("type") for script in page.all("script")] == ["application/json", None]
    assert len(page.all("title")) == len(page.all("style")) == 1


def test_hostile_text_is_shown(hostile_text: str) -> None:
    assert any(f"<script>{CANARY}</script>" in text for text in Page(hostile_text).texts)


def test_the_data_can_not_end_its_element(hostile_text: str) -> None:
    (data,) = re.findall(r'id="log"[^>]*>(.*?)</script>', hostile_text, re.DOTALL)
    assert not set(data) & set("<>&")


def test_no_character_of_the_page_is_one_that_html_forbids(hostile_text: str) -> None:
    assert not re.search(
        "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", hostile_text
    )


def test_a_text_of_a_megabyte_is_cut(hostile_text: str) -> None:
    assert len(hostile_text) < 500_000
    assert len(max(embedded(hostile_text)["body"][::2], key=len)) < 200_000


def test_what_nests_deeper_than_a_parser_goes_is_cut(tmp_path: Path) -> None:
    deep = '{"jsonrpc":"2.0","method":"x","params":' + "[" * 20_000 + "]" * 20_000 + "}"
    (tmp_path / "deep.ndjson").write_text(f'{deep}\n{{"jsonrpc":"2.0","id":1,"method":"initialize"}}\n')
    text = report_text(acpinspect.load(tmp_path / "deep.ndjson"), tmp_path)
    assert embedded(text)["cut"] == [0]


def test_more_messages_than_a_table_holds_are_counted(tmp_path: Path) -> None:
    events = acpinspect.from_records([chunk("a", f"m{i}") for i in range(1_200)])
    text = report_text(events, tmp_path)
    assert "The first 1,000 of 1,200" in text


def test_the_prompt_of_a_v1_client_is_part_of_the_conversation(tmp_path: Path) -> None:
    (session,) = [
        one for one in embedded(report_text(acpinspect.load(DOUBLED), tmp_path))["sessions"] if one["name"]
    ]
    assert session["prompts"][0] == [1, "Is the fog horn on?"]


def test_every_control_of_the_explorer_has_a_name(tmp_path: Path) -> None:
    text = report_text(acpinspect.load(DOUBLED), tmp_path)
    for attributes, content in re.findall(r"<button([^>]*)>([^<]*)</button>", text):
        assert "aria-label=" in attributes or re.search("[a-zA-Z]{3}", content)
    for name in ("number", "session", "find"):
        assert re.search(rf'<label>\w+ <(input|select) data-part="{name}"', text)


def test_a_table_that_is_no_events_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(acpinspect.EventsError):
        acpinspect.report(pd.DataFrame({"a": [1]}), tmp_path / "out.html")


def test_an_update_that_was_refused_says_why(tmp_path: Path) -> None:
    events = acpinspect.from_records([chunk("a"), update("no_such_update")])
    (session,) = embedded(report_text(events, tmp_path))["sessions"]
    assert list(session["refused"]) == ["1"]
    assert not session["refused"]["1"].startswith("rejected")


def test_each_way_to_read_the_log_is_there_once(tmp_path: Path) -> None:
    events = acpinspect.from_records([chunk("A", "m1"), chunk("B", "m2"), chunk("C", "m2")])
    found = embedded(report_text(events, tmp_path, policy="heuristic"))["readings"]
    assert found[0]["names"][0] == "heuristic"
    assert (found[0]["runs"], next(one for one in found if "spec" in one["names"])["runs"]) == (
        [0, 3],
        [0, 1, 1, 2],
    )
    names = [name for one in found for name in one["names"]]
    assert sorted(names) == sorted(acpinspect.policies().index)
