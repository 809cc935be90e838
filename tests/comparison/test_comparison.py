"""Comparisons: boundaries, kinds, the worst, truth, two logs, and how they look."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import acpinspect
from acpinspect import ArgumentError, Comparison, EventsError
from acpinspect.comparison import clients as clients_module
from tests.conftest import CORPUS, corpus_files, needs_corpus
from tests.grouping.sequences import read, table_of
from tests.wire import chunk, initialize, prompt, request, result, stop, tool_call, update, whole


def compared(text: str, a: str, b: str) -> Comparison:
    return acpinspect.compare(table_of([read(text)])[0], a, b)


def kinds(text: str, a: str, b: str) -> list[str]:
    return compared(text, a, b).kinds["kind"].tolist()


@pytest.mark.parametrize(
    ("text", "b", "expected"),
    [
        ("> a@m1 a@m2 <", "zed-v1", ["same", "same"]),
        ("> a@m1 c1 a@m1 <", "zed-v1", ["split"]),
        ("> a@m1 a@m2 <", "toad", ["merged", "merged"]),
        ("> a@m1 a@m2 c1 a@m2 <", "toad", ["merged", "shear"]),
        ("> t a <", "jupyter-ai", ["lost", "same"]),
        (">hi u=there a <", "vscode-acp-fh", ["absorbed", "same"]),
        (">hi u=hi a <", "vscode-acp-fh", ["absorbed", "same"]),
        (">hi u=hi a <", "toad", ["duplicated", "same"]),
        (">hi u=hi a <", "zed-v1", ["same", "same"]),
        ("> a < a > a <", "rust-sdk-read-to-string", ["same", "leaked", "leaked"]),
        ("> a=ab a@m1=ab <", "zed-v1", ["duplicated", "duplicated"]),
        ("> a@m1 a@m2 a@m1 <", "zed-v1", ["split", "same"]),
    ],
)
def test_what_became_of_each_message(text: str, b: str, expected: list[str]) -> None:
    assert kinds(text, "spec", b) == expected


def test_a_message_can_be_of_several_kinds() -> None:
    table = compared(">hi u=hi a <", "spec", "vscode-acp-fh").kinds
    assert (table.loc[0, "kind"], table.loc[0, "also"]) == ("absorbed", ["duplicated"])


def test_a_message_that_is_scattered_on_one_side_only_is_reordered() -> None:
    table = compared("> a t a <", "heuristic", "obsidian-agent-client").kinds
    assert table["also"].tolist() == [["reordered"], [], ["reordered"]]


def test_the_partners_are_the_messages_that_have_a_part() -> None:
    assert compared("> a@m1 c1 a@m1 <", "spec", "zed-v1").kinds["partners"].tolist() == [[1, 2]]


def test_the_wrong_event_is_where_it_begins() -> None:
    table = compared("> a@m1 a@m1 c1 a@m1 <", "spec", "zed-v1").kinds
    assert table["wrong_event"].tolist() == [2 + 4]
    assert compared("> a@m1 a@m1 a@m2 <", "spec", "toad").kinds["wrong_event"].tolist() == [5, 5]


def test_a_gap_says_what_stands_in_it_and_who_has_a_boundary_there() -> None:
    gaps = compared("> a@m1=One c1 a@m1=two a@m2=three <", "spec", "toad").boundaries
    assert gaps["verdict"].tolist() == ["only b", "only a"]
    assert gaps.loc[0, ["previous", "event", "after", "text_before", "text_after"]].tolist() == [
        3, 5, "tool_call", "One", "two",
    ]  # fmt: skip
    assert gaps["after"].isna().tolist() == [False, True]


def test_gaps_lie_within_a_session() -> None:
    events, _ = table_of([read("> a a"), read("> a a")])
    assert acpinspect.compare(events, "ids", "heuristic").boundaries["session_id"].tolist() == ["s0", "s1"]


def test_a_gap_spans_what_one_side_does_not_show() -> None:
    gaps = compared("> a t a <", "jupyter-ai", "spec").boundaries
    assert gaps[["previous", "event"]].values.tolist() == [[3, 5]]
    assert gaps["verdict"].tolist() == ["only b"]


def test_disagreements_are_the_gaps_with_one_boundary() -> None:
    comparison = compared("> a@m1 a@m2 c1 a@m3 <", "spec", "toad")
    assert comparison.disagreements["event"].tolist() == [4]


def test_the_worst_has_most_characters_in_wrong_company() -> None:
    text = "> a@m1=xx c1 a@m1=yy < > a@m2=xxxxxxxxxx c2 a@m2=yyyyyyyyyy <"
    worst = compared(text, "spec", "zed-v1").worst(1)
    assert worst.index.tolist() == [1]
    assert worst["wrong_characters"].tolist() == [pytest.approx(20 / 3, abs=0.001)]


def test_a_lost_message_is_wholly_wrong() -> None:
    assert compared("> t=abcde a <", "spec", "jupyter-ai").worst()["wrong_characters"].tolist() == [5.0]


def test_the_same_is_told() -> None:
    assert compared("> a t a <", "spec", "zed-v1").same
    assert not compared("> a@m1 a@m2 <", "ids", "heuristic").same


def test_plain_values_are_json() -> None:
    plain = compared("> a@m1 a@m2 <", "ids", "heuristic").to_dict()
    assert json.loads(json.dumps(plain))["kinds"]["merged"] == 2
    assert plain["boundaries"] == {"neither": 0, "only a": 1, "only b": 0, "both": 0}


def test_what_is_no_events_table_is_refused() -> None:
    with pytest.raises(EventsError):
        acpinspect.compare(pd.DataFrame())


# Truth and two logs -------------------------------------------------------------------------------------------

LOG = [prompt(1), chunk("One "), chunk("message. "), chunk("Another one."), tool_call(), chunk("Last."), stop(1)]


def truth(*texts: str) -> pd.DataFrame:
    return pd.DataFrame({"role": "agent", "text": list(texts)})


def test_a_grouping_can_be_held_against_the_truth() -> None:
    events = acpinspect.from_records(LOG)
    comparison = acpinspect.compare(events, truth("One message. ", "Another one.", "Last."), "spec")
    assert comparison.kinds["kind"].tolist() == ["merged", "merged", "same"]
    assert comparison.measures.loc["boundary_recall", "value"] == 0.5
    assert comparison.disagreements["text_after"].tolist() == ["One "]


def test_white_space_is_no_difference_between_words() -> None:
    events = acpinspect.from_records(LOG)
    assert acpinspect.compare(events, truth("One message.\nAnother one.", "Last."), "spec").same


def test_words_that_the_log_lacks_are_lost() -> None:
    events = acpinspect.from_records(LOG)
    comparison = acpinspect.compare(events, truth("Unsaid!", "One message. Another one.", "Last."), "spec")
    assert comparison.kinds["kind"].tolist() == ["lost", "same", "same"]


@pytest.mark.parametrize("table", [pd.DataFrame({"text": ["a"]}), pd.DataFrame({"role": ["bot"], "text": ["a"]})])
def test_a_table_that_is_no_truth_is_refused(table: pd.DataFrame) -> None:
    with pytest.raises(ArgumentError, match="role"):
        acpinspect.compare(acpinspect.from_records(LOG), table)


def test_a_session_can_be_compared_with_its_replay() -> None:
    replay = acpinspect.from_records([chunk("One message. "), chunk("Another one."), chunk("Last.")])
    comparison = acpinspect.compare_logs(acpinspect.from_records(LOG), replay)
    assert comparison.kinds["kind"].tolist() == ["merged", "merged"]
    assert "first log" in repr(comparison)


def test_text_that_is_doubled_on_reload_is_told() -> None:
    live = acpinspect.from_records([chunk("Hello there.", "m1")])
    replay = acpinspect.from_records([chunk("Hello there.", "m1"), chunk("Hello there.", "m2")])
    assert acpinspect.compare_logs(live, replay).kinds["kind"].tolist() == ["duplicated"]


def test_two_equal_logs_are_the_same() -> None:
    events = acpinspect.from_records(LOG)
    assert acpinspect.compare_logs(events, events).same


# How it looks -------------------------------------------------------------------------------------------------


def test_the_text_view_marks_what_differs() -> None:
    text = repr(compared("> a@m1=One c1 a@m1=two <", "spec", "zed-v1"))
    marked = [line for line in text.splitlines() if line.startswith("!")]
    assert any("0: two" in line and "2: two" in line for line in marked)
    assert not any("One" in line for line in marked)
    assert "not the same" in text.splitlines()[0]
    assert "1 split" in text.splitlines()[1]


def test_the_text_view_stays_short() -> None:
    text = repr(compared("> " + "a@m1 a@m2 " * 200 + "<", "ids", "heuristic"))
    assert len(text.splitlines()) < 80
    assert max(map(len, text.splitlines())) < 115


def test_the_views_show_a_prompt_by_its_words() -> None:
    assert "Say hi" in repr(
        acpinspect.compare(acpinspect.from_records([prompt(1, "Say hi"), chunk("a")]), "spec", "toad")
    )


def test_an_event_without_text_is_shown_by_its_kind_or_not_at_all() -> None:
    image = {"type": "image", "mimeType": "image/png", "data": "AA"}
    log = [whole("m1", "One"), update("agent_message", messageId="m1"), whole("m2"), chunk("Two", "m2")]
    log += [update("agent_message_chunk", messageId="m3", content=image)]
    text = repr(acpinspect.compare(acpinspect.from_records(log, protocol="v2"), "ids", "heuristic"))
    assert "2: (image)" in text
    assert "nan" not in text


def test_html_escapes_what_stands_in_the_log() -> None:
    log = [prompt(1), chunk("<script>alert(1)</script>", "m1"), chunk("<b>&", "m2")]
    html = acpinspect.compare(acpinspect.from_records(log), "ids", "heuristic")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<b>&" not in html
    assert 'class="odd"' in html


def test_html_says_without_colours_where_the_two_differ() -> None:
    log = [chunk("One.", "m1"), chunk("Two.", "m2")]
    html = acpinspect.compare(acpinspect.from_records(log), "ids", "heuristic")._repr_html_()
    rows = html.split("<tbody>")[1].split("<tr")[1:]
    assert [("≠" in row, "One." in row, "Two." in row) for row in rows] == [
        (False, True, False),
        (True, False, True),
    ]


@pytest.mark.parametrize("other", [None, "truth"])
def test_views_of_an_empty_log_are_empty(other: Any) -> None:
    events = acpinspect.from_records([])
    comparison = acpinspect.compare(events, truth() if other else "ids", "spec")
    assert "the same" in repr(comparison)
    assert comparison._repr_html_().startswith("<div")
    assert comparison.worst().empty


# Clients ------------------------------------------------------------------------------------------------------


def test_each_client_is_told_what_it_gets_wrong_and_where() -> None:
    events, _ = table_of([read("> a@m1=One a@m1=_more c1 a@m1=two a@m2=three <")])
    table = acpinspect.compare_clients(events)
    assert table.loc["zed-v1", ["messages", "right", "split", "merged"]].tolist() == [2, 1, 1, 0]
    assert table.loc["zed-v1", ["first_event", "kind", "after", "text_before", "text_after"]].tolist() == [
        6, "split", "tool_call", " more", "two",
    ]  # fmt: skip
    assert table.loc["zed-62672", "right"] == 2
    assert pd.isna(table.loc["zed-62672", "first_event"])
    assert table.loc["aionui", "split"] == 1


def test_clients_that_group_a_log_alike_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    actual = clients_module._row
    monkeypatch.setattr(clients_module, "_row", lambda pairing: (looked.append(pairing), actual(pairing))[1])
    table = acpinspect.compare_clients(table_of([read("> a@m1 a@m2 <")])[0], ["toad", "acpx", "zed-v1"])
    assert table["right"].tolist() == [0, 0, 2]
    assert len(looked) == 2


def test_clients_are_all_but_the_own_policies() -> None:
    names = set(acpinspect.compare_clients(table_of([read("> a <")])[0]).index)
    assert names == set(acpinspect.policies().query("evidence not in ('own', 'specification')").index)


def test_clients_can_be_chosen_and_the_truth_too() -> None:
    events, _ = table_of([read("> a@m1 c1 a@m1 <")])
    table = acpinspect.compare_clients(events, ["toad", acpinspect.get_policy("spec")], truth="heuristic")
    assert table["right"].to_dict() == {"toad": 2, "spec": 0}


# Recordings of real agents ------------------------------------------------------------------------------------

AGENTS = [
    path for path in corpus_files("real/*.jsonl") if path.stem.count(".load") + path.stem.count(".resume") == 0
]


def recording(name: str) -> pd.DataFrame:
    lines = (CORPUS / "real" / name).read_text(encoding="utf-8").splitlines()
    return acpinspect.from_records(json.loads(line) for line in lines)


@needs_corpus
@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_the_spec_is_never_farther_from_itself_than_a_client_is(path: Any) -> None:
    table = acpinspect.compare_clients(recording(path.name), ["spec", "zed-v1", "toad", "marimo"])
    assert table.loc["spec", "right"] == table.loc["spec", "messages"]
    assert (table["right"] <= table["messages"]).all()


@needs_corpus
@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_without_ids_spec_is_the_heuristic(path: Any) -> None:
    events = recording(path.name)
    if (events["protocol"] == "v2").any():
        bare = events
        assert acpinspect.group(bare, "heuristic").notna().any()
        return
    bare = events.assign(message_id=events["message_id"].where(events["message_id"].isna()))
    assert acpinspect.group(bare, "spec").tolist() == acpinspect.group(bare, "heuristic").tolist()
    assert acpinspect.compare(bare, "heuristic", "spec").same


def truth_of(name: str) -> pd.DataFrame:
    said = json.loads((CORPUS / "real" / f"{name}.truth.json").read_text(encoding="utf-8"))["messages"]
    table = pd.DataFrame(said)[["role", "text"]].replace({"role": {"assistant": "agent"}})
    return table[table["role"].isin(["agent", "thought"])]


@needs_corpus
def test_an_agent_with_an_id_per_block_is_shown_right_by_ids_and_not_without() -> None:
    events, truth = recording("codex-acp-2.6.0.jsonl"), truth_of("codex-acp-2.6.0")
    assert acpinspect.compare(events, truth, "spec").same
    without = acpinspect.compare(events, truth, "heuristic").kinds["kind"].value_counts()
    assert (without["same"], without["merged"]) == (17, 4)


@needs_corpus
def test_an_agent_with_an_id_per_response_merges_what_the_model_said_in_blocks() -> None:
    """The truth is the model's blocks, the id is the response's: the wire says less than the model knew."""
    events, truth = recording("claude-agent-acp-0.101.0.jsonl"), truth_of("claude-agent-acp-0.101.0")
    measures = acpinspect.compare(events, truth, "spec").measures["value"]
    assert measures["over_merge_bits"] > 0
    assert measures["over_split_bits"] == 0


def test_a_prompt_that_a_reload_shows_again_is_not_shown_twice() -> None:
    live = [prompt(1, "And now?"), chunk("Read on.", "a1"), stop(1)]
    load = request(2, "session/load", sessionId="s1", cwd="/w", mcpServers=[])
    again = [load, chunk("And now?", "u1", role="user_message"), chunk("Read on.", "a1"), result(2)]
    events = acpinspect.from_records([*initialize(), *live, *again])
    assert acpinspect.compare_clients(events, ["toad"])["duplicated"].tolist() == [0]
