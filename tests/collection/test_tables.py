"""What the tables of a corpus hold, and how a row is traced back to its recording."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import acpinspect
from acpinspect.collection.corpus_tables import COLUMNS as RECORDINGS
from acpinspect.collection.kinds import KINDS, columns_of
from acpinspect.collection.problem_table import COLUMNS as PROBLEMS
from tests.collection.folders import WITH_IDS, WITH_TOOLS, WITHOUT_IDS, assert_same, begun, mixed, timed, turn
from tests.logs import ndjson
from tests.wire import chunk, request, result, update


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return mixed(tmp_path / "logs")


def table(corpus: acpinspect.Corpus, name: str) -> pd.DataFrame:
    made: dict[str, Any] = {
        "sessions": lambda: corpus.sessions,
        "events": corpus.events,
        "messages": corpus.messages,
        "findings": corpus.findings,
        "comparison": corpus.compare,
        "clients": lambda: corpus.compare_clients(["toad", "zed-v1"]),
    }
    return made[name]()


def names(column: pd.Series) -> list[str]:
    return [Path(name).name for name in column.astype(object)]


def test_every_recording_is_listed_before_anything_is_read(folder: Path) -> None:
    recordings = acpinspect.corpus(folder).recordings
    assert list(recordings.columns) == [column.name for column in RECORDINGS]
    assert names(recordings["recording"]) == [
        "archive.zip!a.jsonl",
        "archive.zip!b.jsonl",
        "array.json",
        "empty.jsonl",
        "foreign.json",
        "packed.jsonl.gz",
        "rotated.ndjson",
        "with_ids.ndjson",
        "without_ids.jsonl",
        "broken.zip",
    ]
    rotated = recordings.iloc[6]
    assert rotated["files"] == 2
    assert rotated["size"] == len(ndjson(WITH_IDS))


@pytest.mark.parametrize("name", KINDS)
def test_a_table_has_the_columns_of_its_contract(folder: Path, name: str) -> None:
    made = table(acpinspect.corpus(folder), name)
    assert made.index.name == "number"
    assert [(one, str(dtype)) for one, dtype in made.dtypes.items()] == [
        (column.name, column.dtype) for column in columns_of(name)
    ]


@pytest.mark.parametrize("name", KINDS)
def test_a_table_of_nothing_has_the_columns_of_its_contract(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    made = table(acpinspect.corpus(tmp_path), name)
    rows = {"comparison": 1}.get(name, 0)
    assert len(made) == rows
    assert [(one, str(dtype)) for one, dtype in made.dtypes.items()] == [
        (column.name, column.dtype) for column in columns_of(name)
    ]


def test_the_events_of_a_recording_are_those_of_its_own_table(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    events = corpus.events()
    for number, name in corpus.recordings["recording"].items():
        own = events[events.index == number]
        if "!" not in name and len(own):
            files = [f"{name}.1", name] if name.endswith("rotated.ndjson") else [name]
            alone = acpinspect.load([Path(file) for file in files])
            assert own["recording"].unique().tolist() == [name]
            again = own.drop(columns="recording").set_index("event")
            assert_same(_without_unused(again), _without_unused(alone))


def _without_unused(events: pd.DataFrame) -> pd.DataFrame:
    return events.apply(
        lambda column: column.cat.remove_unused_categories() if column.dtype == "category" else column
    )


def test_messages_and_findings_name_the_events_of_their_recording(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    for number in (7, 8):
        events = corpus.events_of(number)
        messages = acpinspect.messages(events)
        own = corpus.messages().loc[[number]]
        assert own["events"].tolist() == messages["events"].tolist()
        assert own["message"].tolist() == messages.index.tolist()
        findings = acpinspect.diagnose(events)
        assert corpus.findings().query("number == @number")["event"].tolist() == findings["event"].tolist()


def test_one_recording_is_reached_by_number_and_by_name(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    name = str(folder / "with_ids.ndjson")
    alone = acpinspect.load(folder / "with_ids.ndjson")
    assert corpus.events_of(name).equals(alone)
    assert corpus.events_of(7).equals(alone)
    assert corpus.events_of(str(folder / "archive.zip!b.jsonl"))["raw"].str.len().sum() > 0


def test_a_recording_that_is_not_there_is_an_error(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    with pytest.raises(acpinspect.ArgumentError, match="no recording 'nowhere'"):
        corpus.events_of("nowhere")
    with pytest.raises(acpinspect.SourceError, match=r"broken\.zip"):
        corpus.events_of(str(folder / "broken.zip"))


def test_a_bad_file_is_a_row_and_not_the_end(folder: Path) -> None:
    problems = acpinspect.corpus(folder).problems
    assert [(one, str(dtype)) for one, dtype in problems.dtypes.items()] == [
        (column.name, column.dtype) for column in PROBLEMS
    ]
    assert problems.index.name == "number"
    rows = zip(problems.index, names(problems["recording"]), problems["stage"], problems["error"], strict=True)
    assert list(rows) == [(4, "foreign.json", "read", "NotACPError"), (9, "broken.zip", "open", "SourceError")]


def test_a_session_says_who_spoke_and_what_came_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(timed(WITHOUT_IDS))
    [row] = acpinspect.corpus(tmp_path).sessions.to_dict("records")
    assert (row["agent"], row["agent_version"]) == ("gull", "0.3")
    assert (row["client"], row["client_version"]) == ("buoy", "2.1")
    assert (row["session_id"], row["protocol"], row["ids"]) == ("s1", "v1", "never")
    assert (row["events"], row["updates"], row["messages"], row["turns"]) == (7, 4, 1, 1)
    assert (row["errors"], row["warnings"], row["infos"]) == (0, 1, 1)
    assert row["started"] == pd.Timestamp("2026-01-05T11:00:03Z")
    assert row["duration"] == 6.0


@pytest.mark.parametrize(
    ("ids", "said"),
    [(("m1", "m1"), "always"), (("m1", None), "sometimes"), ((None, None), "never"), ((), None)],
)
def test_ids_are_there_always_sometimes_or_never(tmp_path: Path, ids: tuple[str | None, ...], said: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(ndjson([*begun(), *(chunk("x", one) for one in ids)]))
    [found] = acpinspect.corpus(tmp_path).sessions["ids"].astype(object)
    assert (None if pd.isna(found) else found) == said


def test_a_v2_agent_without_ids_never_sends_them_though_its_chunks_are_refused(tmp_path: Path) -> None:
    log = [request(0, "initialize", protocolVersion=2), result(0, protocolVersion=2), chunk("x"), chunk("y")]
    (tmp_path / "a.jsonl").write_bytes(ndjson(log))
    assert acpinspect.corpus(tmp_path).sessions["ids"].tolist() == ["never"]


def test_loads_and_replays_are_counted(tmp_path: Path) -> None:
    load = request(3, "session/load", sessionId="s1", cwd="/w", mcpServers=[])
    log = [*WITH_IDS, load, chunk("One message.", "m9"), result(3), *turn("More.", number=4)]
    (tmp_path / "a.jsonl").write_bytes(ndjson(log))
    [row] = acpinspect.corpus(tmp_path).sessions.to_dict("records")
    # The request of the load, what it replays, and its response.
    assert (row["loads"], row["turns"], row["replayed"]) == (1, 2, 3)


def test_tools_are_counted_by_their_ids(tmp_path: Path) -> None:
    again = [update("tool_call", toolCallId="t2", title="Dig"), update("tool_call_update", toolCallId="t2")]
    (tmp_path / "a.jsonl").write_bytes(ndjson([*WITH_TOOLS, *again]))
    assert acpinspect.corpus(tmp_path).sessions["tools"].tolist() == [2]


def test_each_connection_of_a_recording_has_an_agent_of_its_own(tmp_path: Path) -> None:
    second = [*begun("gull", session="s2"), *turn("Hi there.", session="s2")]
    (tmp_path / "a.jsonl").write_bytes(ndjson([*WITH_IDS, *second]))
    corpus = acpinspect.corpus(tmp_path)
    assert corpus.sessions["agent"].tolist() == ["keeper", "gull"]
    clients = corpus.compare_clients(["toad"])
    assert clients[["agent", "messages", "right"]].values.tolist() == [["keeper", 2, 0], ["gull", 1, 1]]


@pytest.mark.parametrize("odd", [{}, {"agentInfo": None}, {"agentInfo": "x"}, {"agentInfo": {"name": 7}}])
def test_an_agent_that_gives_no_name_has_none(tmp_path: Path, odd: dict[str, Any]) -> None:
    log = [request(0, "initialize", protocolVersion=1), result(0, protocolVersion=1, **odd), chunk("x")]
    (tmp_path / "a.jsonl").write_bytes(ndjson(log))
    assert acpinspect.corpus(tmp_path).sessions["agent"].isna().tolist() == [True]


def test_a_name_with_half_a_character_is_a_name(tmp_path: Path) -> None:
    log = ndjson(begun("gull")).replace(b'"gull"', b'"gu\\ud800ll"') + ndjson([chunk("x")])
    (tmp_path / "a.jsonl").write_bytes(log)
    assert acpinspect.corpus(tmp_path).sessions["agent"].tolist() == ["gu\ufffdll"]


def test_a_comparison_is_a_row_for_each_recording(folder: Path) -> None:
    found = acpinspect.corpus(folder).compare("ids", "heuristic")
    with_ids = found.loc[7]
    assert (with_ids["same"], with_ids["messages"], with_ids["merged"]) == (False, 2, 2)
    assert (with_ids["only_a"], with_ids["first_event"]) == (1, 7)
    assert found.loc[8, "first_event"] is not pd.NA
    assert len(found) == 8


def test_clients_are_rows_for_each_recording(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    clients = corpus.compare_clients(["toad", "zed-v1"])
    alone = acpinspect.compare_clients(acpinspect.load(folder / "with_ids.ndjson"), ["toad", "zed-v1"])
    own = clients.loc[7].set_index("policy")
    assert own.drop(columns=["recording", "agent"]).astype(object).equals(alone.astype(object))


def test_a_policy_may_be_a_policy_or_a_function(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    mine = acpinspect.get_policy("toad").replace(name="mine")
    assert corpus.messages(mine)["text"].tolist() == corpus.messages("toad")["text"].tolist()

    def one_per_role(events: pd.DataFrame) -> pd.Series:
        return events["role"].astype(object)

    assert corpus.messages(one_per_role)["n_events"].sum() > 0


def test_findings_can_be_chosen(folder: Path) -> None:
    corpus = acpinspect.corpus(folder)
    assert set(corpus.findings(codes="glued-boundary")["code"]) == {"glued-boundary"}
    assert set(corpus.findings(severity="warning")["severity"]) == {"warning"}
    assert corpus.findings(codes=["chunk-flood"]).empty


def test_paths_come_as_text_as_path_as_pattern_and_in_lists(folder: Path) -> None:
    one = folder / "with_ids.ndjson"
    for paths in (one, str(one), [one], [str(one), one], f"{folder}/with_*.ndjson", {one}):
        assert acpinspect.corpus(paths).recordings["recording"].tolist() == [str(one)]


def test_an_events_table_that_was_stored_is_a_recording(tmp_path: Path) -> None:
    events = acpinspect.from_records(WITH_IDS)
    acpinspect.write(events, tmp_path / "a.parquet")
    assert acpinspect.corpus(tmp_path / "a.parquet").sessions["messages"].tolist() == [2]


def test_the_ways_of_reading_are_those_of_load(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(ndjson([chunk("x"), chunk("y")]))
    assert acpinspect.corpus(tmp_path, protocol="v2").sessions["protocol"].tolist() == ["v2"]
    assert acpinspect.corpus(tmp_path, sender="agent").events()["sender"].tolist() == ["agent"] * 2
    assert acpinspect.corpus(tmp_path, format="raw-ndjson").events()["line"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "spark"}, "engine='spark'"),
        ({"client": object()}, "client="),
        ({"engine": "dask", "workers": 2}, "workers="),
        ({"workers": 0}, "workers=0"),
        ({"format": "nothing"}, "no format 'nothing'"),
        ({"protocol": "v3"}, "protocol='v3'"),
        ({"sender": "me"}, "sender='me'"),
        ({"tz": "Nowhere"}, "tz='Nowhere'"),
    ],
)
def test_an_argument_that_has_no_meaning_is_refused_before_anything_is_read(
    folder: Path, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=said):
        acpinspect.corpus(folder, **options)


@pytest.mark.parametrize(
    "ask",
    [
        lambda corpus: corpus.messages("nobody"),
        lambda corpus: corpus.findings(codes=["nothing"]),
        lambda corpus: corpus.findings(severity="fatal"),
        lambda corpus: corpus.findings(options={"nothing": 1}),
        lambda corpus: corpus.compare("ids", "nobody"),
        lambda corpus: corpus.compare_clients(["nobody"]),
    ],
)
def test_a_name_that_there_is_not_is_refused_and_no_row_of_the_problems(folder: Path, ask: Any) -> None:
    corpus = acpinspect.corpus(folder)
    with pytest.raises(acpinspect.ArgumentError):
        ask(corpus)
    assert set(corpus.problems["stage"]) == {"open", "read"}


@pytest.mark.parametrize("paths", ["nowhere.jsonl", ["nowhere.jsonl", "nobody.jsonl"], "*.nothing"])
def test_paths_that_lead_nowhere_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(acpinspect.SourceError, match=r"nowhere\.jsonl|nothing"):
        acpinspect.corpus(paths)


def test_one_path_of_several_that_leads_nowhere_is_a_row(folder: Path) -> None:
    problems = acpinspect.corpus([folder / "with_ids.ndjson", folder / "lost.jsonl"]).problems
    assert names(problems["recording"]) == ["lost.jsonl"]
    assert problems["message"].str.contains("no such file").all()


@pytest.mark.parametrize("paths", [7, [b"{}"], "", [None]])
def test_what_is_no_path_is_refused(paths: Any) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="no path"):
        acpinspect.corpus(paths)


def test_a_folder_without_logs_is_an_empty_corpus(tmp_path: Path) -> None:
    corpus = acpinspect.corpus(tmp_path)
    assert len(corpus) == 0
    assert corpus.sessions.empty
    assert corpus.problems.empty
    assert repr(corpus) == "<Corpus of 0 recordings, 0.0 MB>"
