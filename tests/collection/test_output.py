"""A corpus as a folder: what others read of it, the summary, the page, the examples, and the command."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import main
from acpinspect.collection import overview as overview_module
from acpinspect.collection import page as page_module
from acpinspect.collection import totals as totals_module
from acpinspect.collection.hive import Folders, folder_name
from acpinspect.collection.overview import Overview
from tests.collection.conftest import Cluster
from tests.collection.folders import WITH_IDS, WITH_TOOLS, WITHOUT_IDS, begun, timed, turn
from tests.logs import ndjson

HOSTILE = "../<script>alert(1)</script>\x00\u202e=*"
DAY = 86_400.0


def filled(folder: Path) -> Path:
    """Logs of several agents on several days."""
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(timed(WITH_IDS))
    (folder / "b.jsonl").write_bytes(timed(WITHOUT_IDS, start=1767610800.0 + DAY))
    (folder / "c.jsonl").write_bytes(ndjson(WITH_TOOLS))
    (folder / "d.jsonl").write_bytes(ndjson([*begun(HOSTILE), *turn("Hello there.", ids=False)]))
    two = [*begun("keeper"), *turn("One.", ids=True), *begun("gull", session="s2"), *turn("Two.", session="s2")]
    (folder / "e.jsonl").write_bytes(timed(two))
    (folder / "foreign.json").write_text('{"scripts": {}}')
    return folder


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("output") / "logs")


@pytest.fixture(scope="module")
def overview(logs: Path) -> Overview:
    corpus = acpinspect.corpus(logs, workers=1)
    return corpus.write(logs.with_name("out"), policies=["toad", "zed-v1"], examples=2)


@pytest.fixture(scope="module")
def out(logs: Path, overview: Overview) -> Path:
    assert overview.recordings == 6
    return logs.with_name("out")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["corpus", *map(str, arguments)], catch_exceptions=False)


def rows(out: Path, query: str) -> list[tuple[Any, ...]]:
    return duckdb.sql(query.replace("OUT", str(out))).fetchall()


def read(name: str) -> str:
    return f"read_parquet('OUT/{name}/**/*.parquet', hive_partitioning = true)"


@pytest.mark.parametrize("name", ["sessions", "events", "messages", "findings"])
def test_duckdb_and_polars_and_pyarrow_read_each_table_as_it_is(logs: Path, out: Path, name: str) -> None:
    corpus = acpinspect.corpus(logs, workers=1)
    table = {
        "sessions": lambda: corpus.sessions,
        "events": corpus.events,
        "messages": corpus.messages,
        "findings": corpus.findings,
    }[name]()
    assert rows(out, f"SELECT count(*) FROM {read(name)}") == [(len(table),)]
    frame = pl.scan_parquet(f"{out}/{name}/**/*.parquet", hive_partitioning=True).collect()
    assert len(frame) == len(table)
    dataset = pyarrow.dataset.dataset(out / name, partitioning="hive").to_table()
    assert dataset.num_rows == len(table)
    for columns in (frame.columns, dataset.schema.names):
        assert {"number", "recording", "agent", "date"} <= set(columns)
        own = {"agent_name" if column == "agent" else column for column in table.columns}
        assert own <= set(columns)


def test_the_rows_are_those_of_the_corpus(logs: Path, out: Path) -> None:
    messages = acpinspect.corpus(logs, workers=1).messages()
    found = rows(out, f"SELECT number, message, text, events FROM {read('messages')} ORDER BY number, message")
    columns = (messages.index, messages["message"], messages["text"], messages["events"])
    assert found == list(zip(*(column.tolist() for column in columns), strict=True))
    frame = pl.read_parquet(f"{out}/messages/**/*.parquet", hive_partitioning=True).sort("number", "message")
    assert frame["text"].to_list() == messages["text"].tolist()
    assert frame["events"].to_list() == messages["events"].tolist()


def test_agent_and_date_are_columns_and_null_where_the_log_does_not_tell(out: Path) -> None:
    query = f"SELECT agent, date::VARCHAR, agent_name, session_id FROM {read('sessions')} ORDER BY ALL"
    hostile = folder_name(HOSTILE)
    assert sorted(rows(out, query), key=str) == sorted(
        [
            ("gull", "2026-01-05", "gull", "s2"),
            ("gull", "2026-01-06", "gull", "s1"),
            (hostile, None, HOSTILE, "s1"),
            ("keeper", "2026-01-05", "keeper", "s1"),
            ("keeper", "2026-01-05", "keeper", "s1"),
            (None, None, None, "s1"),
        ],
        key=str,
    )
    assert rows(out, f"SELECT typeof(date) FROM {read('sessions')} WHERE date IS NOT NULL LIMIT 1") == [("DATE",)]
    frame = pl.read_parquet(f"{out}/sessions/**/*.parquet", hive_partitioning=True)
    assert set(frame["agent"]) == {"gull", "keeper", hostile, None}
    assert frame["date"].null_count() == 2


def test_the_events_of_a_session_lie_together_even_past_midnight(tmp_path: Path) -> None:
    (tmp_path / "late.jsonl").write_bytes(timed(WITH_IDS, start=1767657595.0))
    acpinspect.corpus(tmp_path / "late.jsonl").write(tmp_path / "out", policies=[], examples=0)
    days = {path.parent.name for path in (tmp_path / "out" / "events").rglob("*.parquet")}
    assert days == {"date=2026-01-05"} or days == {"date=2026-01-06"}


def test_no_file_needs_what_only_some_readers_know(out: Path) -> None:
    for path in out.rglob("*.parquet"):
        schema = pq.ParquetFile(path).schema
        for i in range(len(schema)):
            said = str(schema.column(i).logical_type)
            assert "nanoseconds" not in said, (path, schema.column(i))
        assert b"ARROW:schema" not in (pq.ParquetFile(path).metadata.metadata or {})


def test_folder_names_are_safe_whatever_an_agent_calls_itself(out: Path) -> None:
    folders = [path.name for path in (out / "events").iterdir()]
    assert all(re.fullmatch(r"agent=\w[\w.-]*", name) for name in folders), folders
    names = [
        "a",
        "A",
        "a b",
        "a_b",
        "a/b",
        "..",
        "",
        ".",
        "x" * 500,
        "é",
        "__HIVE_DEFAULT_PARTITION__",
        "a=b",
        "\ud800",
    ]
    made = [folder_name(name) for name in names]
    assert len(set(made)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}", name) for name in made), made
    assert folder_name(None) == "__HIVE_DEFAULT_PARTITION__"


def test_parts_are_written_when_enough_is_held(tmp_path: Path) -> None:
    from acpinspect.collection.entries import Entry
    from acpinspect.collection.hive import Place, Places

    folders = Folders(tmp_path, full=200)
    table = pa.table({"session_id": ["s"] * 10, "text": ["x" * 10] * 10})
    places = Places(pa.array(["s"]), [Place("a", "2026-01-05")], Place("a", "2026-01-05"))
    for number in range(5):
        folders.add(Entry(number, f"{number}", ()), "t", table, places)
    folders.flush()
    parts = sorted(tmp_path.rglob("*.parquet"))
    assert len(parts) > 1
    assert sum(pq.ParquetFile(path).metadata.num_rows for path in parts) == folders.rows["t"] == 50


def test_sums_are_the_same_however_many_recordings_are_taken_together(
    logs: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals_module, "_TOGETHER", 2)
    acpinspect.corpus(logs, workers=1).write(tmp_path / "again", policies=["toad", "zed-v1"], examples=2)
    assert (tmp_path / "again" / "summary.json").read_bytes() == (out / "summary.json").read_bytes()


def test_recordings_problems_and_clients_are_tables_too(logs: Path, out: Path) -> None:
    assert rows(out, "SELECT count(*) FROM 'OUT/recordings.parquet'") == [(6,)]
    assert rows(out, "SELECT number, error FROM 'OUT/problems.parquet'") == [(5, "NotACPError")]
    clients = acpinspect.corpus(logs, workers=1).compare_clients(["toad", "zed-v1"])
    assert rows(out, "SELECT count(*), sum(\"right\") FROM 'OUT/clients/*.parquet'") == [
        (len(clients), clients["right"].sum())
    ]


def test_the_summary_says_what_is_in_the_tables(out: Path) -> None:
    said = json.loads((out / "summary.json").read_bytes())
    assert (said["recordings"], said["rows"]["sessions"]) == (6, 6)
    agents = {row["agent"]: row for row in said["agents"]}
    assert set(agents) == {"keeper", "gull", "(not told)", HOSTILE}
    assert [agents["keeper"][name] for name in ("sessions", "always", "never")] == [2, 2, 0]
    assert [agents["gull"][name] for name in ("sessions", "always", "never")] == [2, 1, 1]
    clients = {(row["agent"], row["policy"]): row for row in said["clients"]}
    assert (clients["keeper", "toad"]["messages"], clients["keeper", "toad"]["right"]) == (3, 1)
    codes = {row["code"]: row for row in said["findings"]}
    assert codes["glued-boundary"]["recording"].endswith("b.jsonl")
    assert [row["error"] for row in said["problems"]] == ["NotACPError"]
    text = (out / "summary.txt").read_text(encoding="utf-8")
    assert text.startswith("6 recordings, 0.0 MB: 6 sessions of 4 agents")
    assert "1 recording could not be read." in text
    assert "gull: 2 sessions, ids always in 1, sometimes in 0, never in 1" in text


def test_an_example_is_the_smallest_log_that_shows_its_finding(out: Path) -> None:
    said = json.loads((out / "summary.json").read_bytes())
    examples = {row["code"]: row["example"] for row in said["findings"] if row["example"]}
    assert len(examples) == 2
    for code, name in examples.items():
        events = acpinspect.load(out / name, protocol="v1")
        assert code in set(acpinspect.diagnose(events)["code"])
        assert len(events) < 8


def test_the_page_shows_agents_clients_and_findings_with_links_to_their_examples(out: Path) -> None:
    page = BeautifulSoup((out / "corpus.html").read_text(encoding="utf-8"), "html.parser")
    assert [heading.text for heading in page.find_all("h2")] == [
        "Which agents send ids",
        "Which clients would break which agents",
        "The most frequent findings",
        "What could not be read",
        "The tables",
    ]
    [keeper] = [row for row in page.select("#agents tbody tr") if row.td.text == "keeper"]
    assert [rect["class"] for rect in keeper.find_all("rect")] == [["always"]]
    cells = {
        row.th.text: [cell.text for cell in row.find_all("td")] for row in page.select("table.matrix tbody tr")
    }
    assert cells["keeper"] == ["67", "0"]
    links = [link["href"] for link in page.select("#findings td a")]
    assert len(links) == 2
    assert all((out / link).is_file() for link in links)


def test_the_page_runs_nothing_loads_nothing_and_shows_hostile_names_as_text(out: Path) -> None:
    text = (out / "corpus.html").read_text(encoding="utf-8")
    page = BeautifulSoup(text, "html.parser")
    assert page.find_all(["script", "img", "iframe", "link"]) == []
    assert not re.search(r'\s(?:src|on\w+|style)=|url\(|@import|href="(?!#|examples/)', text)
    [policy] = page.select("meta[http-equiv=Content-Security-Policy]")
    assert policy["content"].startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy["content"]
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;␀⟦U+202E⟧=*" in text


def test_the_same_logs_give_the_same_bytes(logs: Path, out: Path, tmp_path: Path) -> None:
    acpinspect.corpus(logs, workers=2).write(tmp_path / "again", policies=["toad", "zed-v1"], examples=2)
    files = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = tmp_path / "again"
    assert {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()} == files


def test_dask_writes_what_one_process_writes(logs: Path, out: Path, tmp_path: Path, cluster: Cluster) -> None:
    corpus = acpinspect.corpus(logs, engine="dask", client=cluster.client)
    corpus.write(tmp_path / "again", policies=["toad", "zed-v1"], examples=2)
    for path in out.rglob("*"):
        if path.is_file():
            assert (tmp_path / "again" / path.relative_to(out)).read_bytes() == path.read_bytes(), path


def test_a_folder_that_holds_something_else_is_left_alone(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    corpus = acpinspect.corpus(logs / "c.jsonl")
    for overwrite in (False, True):
        with pytest.raises(acpinspect.ArgumentError, match="holds something else"):
            corpus.write(tmp_path, overwrite=overwrite)
    with pytest.raises(acpinspect.ArgumentError, match="holds something else"):
        corpus.write(tmp_path / "mine.txt", overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_earlier_run_is_replaced_only_if_that_was_said(logs: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    acpinspect.corpus(logs / "a.jsonl").write(target, policies=[], examples=0)
    with pytest.raises(acpinspect.ArgumentError, match="earlier run"):
        acpinspect.corpus(logs / "b.jsonl").write(target, policies=[], examples=0)
    acpinspect.corpus(logs / "b.jsonl").write(target, policies=[], examples=0, overwrite=True)
    assert rows(target, f"SELECT DISTINCT agent FROM {read('events')}") == [("gull",)]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_corpus_has_a_page_as_well(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    overview = acpinspect.corpus(tmp_path / "logs").write(tmp_path / "out")
    assert overview.sentence.startswith("0 recordings")
    assert "There are no sessions." in (tmp_path / "out" / "corpus.html").read_text(encoding="utf-8")


def test_the_command_writes_the_folder_and_prints_the_summary(logs: Path, out: Path, tmp_path: Path) -> None:
    arguments = (logs, "-o", tmp_path / "again", "--policy", "toad", "--policy", "zed-v1", "--examples", 2)
    result = run(*arguments, "--workers", 1, "--cache", tmp_path / "cache")
    assert result.exit_code == 0, result.output
    text = (out / "summary.txt").read_text(encoding="utf-8")
    assert result.output.splitlines()[0] == text.splitlines()[0]
    assert result.output.rstrip().endswith("corpus.html")
    assert "\x00" not in result.output
    assert "\u202e" not in result.output
    assert (tmp_path / "again" / "summary.json").read_bytes() == (out / "summary.json").read_bytes()
    assert run(*arguments).exit_code == 2
    assert run(*arguments, "--overwrite", "--cache", tmp_path / "cache", "--workers", 1).exit_code == 0


def test_the_command_works_on_a_scheduler_that_is_named(logs: Path, tmp_path: Path, cluster: Cluster) -> None:
    address = cluster.client.scheduler.address
    options = ("--engine", "dask", "--scheduler", address, "--no-clients", "--examples", 0)
    result = run(logs, "-o", tmp_path / "again", *options)
    assert result.exit_code == 0, result.output
    sessions = [path.read_bytes() for path in sorted((tmp_path / "again" / "sessions").rglob("*.parquet"))]
    assert sessions
    assert not (tmp_path / "again" / "clients").exists()


def test_the_command_makes_a_cluster_where_no_scheduler_is_named(logs: Path, tmp_path: Path) -> None:
    options = ("--engine", "dask", "--workers", 1, "--no-clients", "--examples", 0)
    result = run(logs / "a.jsonl", "-o", tmp_path / "out", *options)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 recording, 0.0 MB: 1 session of 1 agent")


def test_a_scheduler_that_does_not_answer_is_said_in_a_sentence(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acpinspect.cli.corpus._PATIENCE", 0.5)
    options = ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:1")
    result = run(logs / "a.jsonl", "-o", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert "No scheduler answers at tcp://127.0.0.1:1" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "--scheduler belongs to --engine dask"),
        (["--format", "nothing"], "no format 'nothing'"),
        (["--policy", "nobody"], "no policy 'nobody'"),
        (["--workers", "0"], "--workers"),
    ],
)
def test_the_command_says_what_it_can_not_do(logs: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    result = run(logs / "c.jsonl", "-o", tmp_path / "out", *arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere.jsonl", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "There is no such file" in result.output


def test_a_long_list_is_cut_and_says_so(overview: Overview, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "_MOST_AGENTS", 3)
    monkeypatch.setattr(overview_module, "_MOST", 1)
    assert page_module.page(overview).count("The first 3 of 4 agents") == 2
    assert "and 3 more" in overview.to_text()


def test_sessions_without_messages_are_told_so_that_the_numbers_of_an_agent_add_up(overview: Overview) -> None:
    agents = pd.DataFrame({"sessions": [5], "always": [1], "sometimes": [1], "never": [1]}, index=["gull"])
    text = dataclasses.replace(overview, agents=agents).to_text()
    assert "gull: 5 sessions, ids always in 1, sometimes in 1, never in 1, no messages in 2" in text
