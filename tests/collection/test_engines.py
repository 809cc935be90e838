"""One process, several, or a Dask cluster: the rows are the same."""

from __future__ import annotations

import operator
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect import batching
from acpinspect.collection import dask_engine, engines, local_engine
from acpinspect.collection.arrow_tables import put_together, to_arrow
from acpinspect.collection.entries import Entry, entries_at
from acpinspect.collection.portion_events import portion_events
from acpinspect.collection.portions import portions
from acpinspect.collection.recording_events import Reading
from acpinspect.collection.stretches import read_stretch, stretch_events, stretches_of
from acpinspect.diagnostics import Hit, forget_rule, rule
from tests.collection.conftest import Cluster
from tests.collection.folders import WITH_IDS, WITHOUT_IDS, assert_same, begun, mixed, turn
from tests.logs import LOGS, ndjson
from tests.wire import chunk, prompt, stop

TABLES: dict[str, Callable[[acpinspect.Corpus], Any]] = {
    "sessions": operator.attrgetter("sessions"),
    "events": operator.methodcaller("events"),
    "messages": operator.methodcaller("messages"),
    "findings": operator.methodcaller("findings"),
    "compare": operator.methodcaller("compare"),
    "clients": operator.methodcaller("compare_clients", ["toad", "zed-v2"]),
    "problems": operator.attrgetter("problems"),
}
QUICK = ("events", "problems")
LONG = [*begun(), prompt(2), *(chunk(f"piece {i} ", None if i % 7 else f"m{i}") for i in range(300)), stop(2)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mixed(tmp_path_factory.mktemp("engines") / "logs")


@pytest.fixture(scope="module")
def serial(folder: Path) -> dict[str, pd.DataFrame]:
    corpus = acpinspect.corpus(folder, workers=1)
    return {name: table(corpus) for name, table in TABLES.items()}


def all_tables(corpus: acpinspect.Corpus) -> dict[str, Any]:
    return {name: table(corpus) for name, table in TABLES.items()}


def test_two_processes_make_the_tables_of_one(folder: Path, serial: dict[str, pd.DataFrame]) -> None:
    corpus = acpinspect.corpus(folder, workers=2)
    assert_same(corpus.findings(), serial["findings"])
    assert_same(corpus.events(), serial["events"])
    assert_same(corpus.problems, serial["problems"])


def test_dask_makes_the_tables_of_one_process(folder: Path, serial: dict[str, pd.DataFrame]) -> None:
    corpus = acpinspect.corpus(folder, engine="dask")
    for name, lazy in all_tables(corpus).items():
        assert_same(lazy.compute(scheduler="threads"), serial[name])


def test_a_cluster_makes_the_tables_of_one_process(
    folder: Path, serial: dict[str, pd.DataFrame], cluster: Cluster
) -> None:
    lazy = all_tables(acpinspect.corpus(folder, engine="dask", client=cluster.client))
    for name, made in zip(lazy, cluster.client.gather(cluster.client.compute(list(lazy.values()))), strict=True):
        assert_same(made, serial[name])


@pytest.mark.parametrize("name", TABLES)
def test_a_lazy_table_declares_its_columns_and_divisions(folder: Path, serial: dict[str, Any], name: str) -> None:
    lazy = TABLES[name](acpinspect.corpus(folder, engine="dask"))
    assert lazy.known_divisions
    assert lazy.divisions[0] == 0
    assert lazy.divisions[-1] == 9
    assert lazy.index.name == "number"
    assert [(one, str(dtype)) for one, dtype in lazy.dtypes.items()] == [
        (one, str(dtype)) for one, dtype in serial[name].dtypes.items()
    ]
    for number in range(lazy.npartitions):
        part = lazy.partitions[number].compute(scheduler="sync")
        assert part.empty or part.index.min() >= lazy.divisions[number]
        assert part.empty or part.index.max() <= lazy.divisions[number + 1]


def test_a_recording_is_found_in_a_lazy_table_by_its_number(folder: Path, serial: dict[str, Any]) -> None:
    lazy = acpinspect.corpus(folder, engine="dask").events()
    assert lazy.loc[7:7].compute(scheduler="sync")["raw"].tolist() == serial["events"].loc[[7], "raw"].tolist()


def test_lists_stay_lists_in_a_lazy_table(folder: Path, serial: dict[str, Any]) -> None:
    made = acpinspect.corpus(folder, engine="dask").messages().compute(scheduler="sync")
    assert made["events"].tolist() == serial["messages"]["events"].tolist()
    assert isinstance(made["content_types"].iloc[0], list)


def test_nothing_is_read_before_it_is_computed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(ndjson(WITH_IDS))
    lazy = acpinspect.corpus(tmp_path, engine="dask").sessions
    (tmp_path / "a.jsonl").write_bytes(ndjson(WITHOUT_IDS))
    assert lazy.compute(scheduler="sync")["agent"].tolist() == ["gull"]


@given(st.lists(LOGS, min_size=1, max_size=5), st.integers(1, 4), st.integers(1, 500))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_logs_in_any_portions_give_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    logs: list[list[dict[str, Any]]],
    parts: int,
    stretch: int,
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    for number, log in enumerate(logs):
        (folder / f"{number}.jsonl").write_bytes(ndjson([*begun(), *log]))
    serial = acpinspect.corpus(folder, workers=1)
    with monkeypatch.context() as patched:
        patched.setattr(dask_engine, "_PARTS", parts)
        patched.setattr(
            dask_engine, "stretches_of", lambda entry, reading: stretches_of(entry, reading, large=1, size=stretch)
        )
        lazy = acpinspect.corpus(folder, engine="dask")
        for name in QUICK:
            assert_same(TABLES[name](lazy).compute(scheduler="sync"), TABLES[name](serial))


@given(LOGS, st.integers(1, 600), st.sampled_from([b"", b"\n\xff torn {", b"\n\n\r\n"]))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_into_any_stretches_gives_its_rows(
    tmp_path: Path, log: list[dict[str, Any]], size: int, end: bytes
) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson([*begun(), *log]) + end)
    [entry] = entries_at(path)
    cut = stretches_of(entry, Reading(), large=1, size=size)
    assert cut
    assert (cut[0].start, cut[-1].stop) == (0, path.stat().st_size)
    events = stretch_events(entry, Reading(), [read_stretch(one) for one in cut])
    pd.testing.assert_frame_equal(events, acpinspect.load(path))


@given(st.lists(LOGS, min_size=1, max_size=4))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_recordings_assembled_together_have_the_events_of_each(
    tmp_path_factory: pytest.TempPathFactory, logs: list[list[dict[str, Any]]]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    for number, log in enumerate(logs):
        (folder / f"{number}.jsonl").write_bytes(ndjson([*begun(), *log]))
    entries = entries_at(folder)
    parts = list(zip(entries, portion_events(entries, Reading()), strict=True))
    for part in parts:
        own = put_together("events", [part]).drop(columns="recording").set_index("event")
        alone = acpinspect.load(part[0].name)
        pd.testing.assert_frame_equal(own, alone, check_categorical=False, check_index_type=False)
    alone_parts = [(one, to_arrow("events", acpinspect.load(one.name))) for one in entries]
    assert_same(put_together("events", parts), put_together("events", alone_parts))


def test_blocks_of_a_stretch_are_of_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson(LONG))
    expected = acpinspect.load(path)
    monkeypatch.setattr(batching, "_BLOCK", 100)
    [entry] = entries_at(path)
    [whole] = stretches_of(entry, Reading(), large=1)
    events = stretch_events(entry, Reading(), [read_stretch(whole)])
    pd.testing.assert_frame_equal(events, expected)


def test_what_can_not_be_cut_is_read_as_a_whole(folder: Path) -> None:
    cut = {
        Path(entry.name).name: len(stretches_of(entry, Reading(), large=1, size=300))
        for entry in entries_at(folder)
    }
    assert [name for name, count in cut.items() if count > 1] == ["with_ids.ndjson", "without_ids.jsonl"]
    assert cut["with_ids.ndjson"] > 2


def test_a_large_file_is_read_by_all_processes_and_its_neighbours_by_the_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_bytes(ndjson(WITH_IDS))
    (tmp_path / "b.jsonl").write_bytes(ndjson(LONG))
    (tmp_path / "c.jsonl").write_bytes(ndjson(WITHOUT_IDS))
    monkeypatch.setattr(local_engine, "LARGE", 10_000)
    read: list[int] = []
    actual = local_engine.read_in_parallel
    monkeypatch.setattr(
        local_engine, "read_in_parallel", lambda *given: (read.append(given[-1]), actual(*given))[1]
    )
    made = acpinspect.corpus(tmp_path, workers=2).events()
    assert read == [2]
    assert_same(made, acpinspect.corpus(tmp_path, workers=1).events())


def entry(size: int, files: tuple[str, ...] = ("x",)) -> Entry:
    return Entry(0, "x", files, size)


def sizes(found: list[tuple[Entry, ...]]) -> list[list[int]]:
    return [[one.size for one in portion] for portion in found]


def test_portions_keep_the_order_and_are_of_some_size() -> None:
    entries = [entry(size, (str(i),)) for i, size in enumerate([10, 10, 10, 500, 10, 10])]
    assert sizes(portions(entries, 2, largest=100)) == [[10, 10, 10], [500], [10, 10]]
    assert sizes(portions(entries[:4], 4, largest=100)) == [[10], [10], [10], [500]]
    assert portions([], 4) == []


def test_the_members_of_an_archive_are_not_cut_by_number() -> None:
    assert sizes(portions([entry(0) for _ in range(200)], 2)) == [[0] * 200]
    apart = [entry(0, (str(i),)) for i in range(200)]
    assert [len(portion) for portion in portions(apart, 2)] == [64, 64, 64, 8]


def test_some_processes_are_taken_where_they_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_engine, "_cores", lambda: 5)
    assert local_engine.processes_for([entry(1_000)], None) == 1
    assert local_engine.processes_for([entry(100 << 20)], None) == 5
    assert local_engine.processes_for([entry(1)] * 500, None) == 5
    assert local_engine.processes_for([entry(1)], 3) == 3


@pytest.fixture
def shouting() -> Iterator[None]:
    @rule("shouting", severity="info", means="Capitals.", remedy="Whisper.")
    def shouts(log: Any) -> Iterator[Hit]:
        return (Hit(row, "loud") for row, text in enumerate(log.text) if text.isupper())

    yield
    forget_rule("shouting")


@pytest.mark.usefixtures("shouting")
def test_a_rule_of_ones_own_is_known_wherever_the_work_is_done(tmp_path: Path, cluster: Cluster) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(ndjson([chunk("HELLO")]))
    serial = acpinspect.corpus(tmp_path, workers=1)
    found = serial.findings(codes="shouting")
    assert len(found) == 2
    assert serial.sessions["infos"].tolist() == acpinspect.corpus(tmp_path, workers=2).sessions["infos"].tolist()
    assert_same(acpinspect.corpus(tmp_path, workers=2).findings(codes="shouting"), found)
    lazy = acpinspect.corpus(tmp_path, engine="dask", client=cluster.client).findings(codes="shouting")
    assert_same(cluster.client.compute(lazy).result(), found)


def test_a_function_as_policy_is_called_here(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(ndjson(WITHOUT_IDS))
    called: list[int] = []

    def one(events: pd.DataFrame) -> pd.Series:
        called.append(os.getpid())
        return events["role"].astype(object)

    assert acpinspect.corpus(tmp_path, workers=2).messages(one)["text"].tolist() == ["I am done.Now I write."] * 2
    assert set(called) == {os.getpid()}


def test_a_bar_counts_the_bytes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    acpinspect.corpus(folder, workers=1, progress=True).events()
    said = capsys.readouterr().err
    assert "corpus" in said
    assert "B/s" in said


def test_a_long_run_shows_a_bar_where_somebody_looks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "_MANY", 3)
    acpinspect.corpus(folder, workers=1).events()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("acpinspect.progress._somebody_looks", lambda: True)
    acpinspect.corpus(folder, workers=1).events()
    assert "corpus" in capsys.readouterr().err


def test_workers_of_another_version_are_refused(
    folder: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acpinspect, "__version__", "99.0")
    with pytest.raises(acpinspect.WorkerError, match=r"has not acpinspect 99\.0"):
        acpinspect.corpus(folder, engine="dask", client=cluster.client)


def test_workers_without_acpinspect_are_refused(folder: Path) -> None:
    class Without:
        """A client whose only worker can't import it."""

        def run(self, *_: object, **__: object) -> dict[str, Exception]:
            return {"tcp://worker:1": ModuleNotFoundError("No module named 'acpinspect'")}

    with pytest.raises(acpinspect.WorkerError, match="No module named 'acpinspect'"):
        acpinspect.corpus(folder, engine="dask", client=Without())  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path: Path, cluster: Cluster) -> None:
    for number in range(60):
        (tmp_path / f"{number}.jsonl").write_bytes(ndjson([*LONG, *turn("More.", number=9)]))
    corpus = acpinspect.corpus(tmp_path, engine="dask", client=cluster.client)
    running = cluster.client.compute(corpus.findings())
    until = time.monotonic() + 30
    while not _any_done(cluster) and time.monotonic() < until:
        time.sleep(0.02)
    assert running.status == "pending"
    cluster.kill_worker()
    assert_same(running.result(), acpinspect.corpus(tmp_path, workers=1).findings())
    cluster.add_worker()


def _any_done(cluster: Cluster) -> bool:
    return any("acpinspect" in str(key) for keys in cluster.client.has_what().values() for key in keys)


def test_only_names_go_to_the_workers_and_only_tables_come_back(folder: Path, cluster: Cluster) -> None:
    corpus = acpinspect.corpus(folder, engine="dask", client=cluster.client)
    sent = cloudpickle.dumps([corpus.sessions, corpus.events()])
    assert b"with_ids.ndjson" in sent
    assert b"One" not in sent
    assert b"session/prompt" not in sent
