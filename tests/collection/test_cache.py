"""Tables that are kept: found again by content, and never where something they depend on has changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import acpinspect
from acpinspect.collection import caching, local_engine, work
from acpinspect.diagnostics import Hit, forget_rule, rule
from tests.collection.conftest import Cluster
from tests.collection.folders import WITH_IDS, WITH_TOOLS, WITHOUT_IDS, assert_same, mixed
from tests.logs import ndjson
from tests.wire import chunk


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the recordings that are read, one after the other."""
    names: list[str] = []
    actual = work.recording_events

    def noted(recording: Any, reading: Any) -> Any:
        names.append(Path(recording.name).name)
        return actual(recording, reading)

    monkeypatch.setattr(work, "recording_events", noted)
    return names


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(ndjson(WITH_IDS))
    return path


def settled(path: Path) -> None:
    """Make a file look as if it had been written long ago, as most files were."""
    os.utime(path, ns=(10**18, 10**18))


def corpus(path: Path, **options: Any) -> acpinspect.Corpus:
    return acpinspect.corpus(path, cache=path.parent / "cache", workers=1, **options)


def test_a_second_look_reads_nothing_and_gives_the_same(tmp_path: Path, read: list[str]) -> None:
    folder = mixed(tmp_path / "logs")
    plain = acpinspect.corpus(folder, workers=1)
    wanted = [plain.sessions, plain.events(), plain.messages(), plain.findings(), plain.compare()]
    for count in (9, 0):
        read.clear()
        kept = acpinspect.corpus(folder, cache=tmp_path / "cache", workers=1)
        made = [kept.sessions, kept.events(), kept.messages(), kept.findings(), kept.compare()]
        assert len(read) == count
        for one, other in zip(made, wanted, strict=True):
            assert_same(one, other)
        assert_same(kept.problems, plain.problems)


def test_what_is_all_there_starts_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = mixed(tmp_path / "logs")
    first = acpinspect.corpus(folder, cache=tmp_path / "cache", workers=1).messages()
    monkeypatch.setattr(local_engine, "done_in_order", None)
    assert_same(acpinspect.corpus(folder, cache=tmp_path / "cache", workers=2).messages(), first)


def test_one_table_is_made_of_the_events_that_another_left(log: Path, read: list[str]) -> None:
    _ = corpus(log).sessions
    corpus(log).messages()
    assert read == ["log.jsonl"]


def test_other_content_is_another_entry(log: Path, read: list[str]) -> None:
    assert len(corpus(log).messages()) == 2
    log.write_bytes(ndjson(WITHOUT_IDS))
    assert len(corpus(log).messages()) == 1
    assert read == ["log.jsonl"] * 2


def test_content_of_the_same_size_and_time_is_another_entry(log: Path, read: list[str]) -> None:
    settled(log)
    corpus(log).events()
    data = log.read_bytes()
    log.write_bytes(data.replace(b'"Ano"', b'"Ono"'))
    settled(log)
    assert corpus(log).messages()["text"].tolist() == ["One message.", "Onother one."]
    assert len(read) == 2


def test_a_file_that_comes_back_is_found_again(log: Path, read: list[str]) -> None:
    data = log.read_bytes()
    corpus(log).events()
    log.write_bytes(ndjson(WITH_TOOLS))
    corpus(log).events()
    log.write_bytes(data)
    corpus(log).events()
    assert len(read) == 2


def test_a_file_with_old_times_is_not_hashed_again(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    actual = caching._digest
    monkeypatch.setattr(caching, "_digest", lambda stream: (hashed.append(stream.name), actual(stream))[1])
    monkeypatch.setattr(caching, "_SETTLED", 0.0)
    corpus(log).events()
    first = len(hashed)
    corpus(log).events()
    assert len(hashed) == first == 1


def test_a_file_written_just_now_is_hashed_each_time(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    actual = caching._digest
    monkeypatch.setattr(caching, "_digest", lambda stream: (hashed.append(stream.name), actual(stream))[1])
    monkeypatch.setattr(caching, "_SETTLED", 3_600.0)
    corpus(log).events()
    first = len(hashed)
    corpus(log).events()
    assert len(hashed) > first


def test_a_file_that_grows_while_it_is_read_is_not_kept(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    actual = work.recording_events

    def grown(recording: Any, reading: Any) -> Any:
        events = actual(recording, reading)
        with log.open("ab") as file:
            file.write(ndjson([chunk("More.", "m9")]))
        return events

    with monkeypatch.context() as patched:
        patched.setattr(work, "recording_events", grown)
        assert len(corpus(log).messages()) == 2
    assert len(corpus(log).messages()) == 3


@pytest.mark.parametrize(
    "other",
    [
        {"protocol": "v2"},
        {"sender": "agent"},
        {"format": "raw-ndjson"},
        {"tz": "Europe/Paris"},
    ],
)
def test_another_way_of_reading_is_another_entry(log: Path, read: list[str], other: dict[str, Any]) -> None:
    corpus(log).events()
    corpus(log, **other).events()
    assert len(read) == 2


def test_another_version_is_another_entry(log: Path, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    corpus(log).events()
    monkeypatch.setattr(acpinspect, "__version__", "99.0")
    corpus(log).events()
    assert len(read) == 2


def test_another_name_is_another_entry(log: Path, read: list[str]) -> None:
    corpus(log).events()
    log.rename(log.with_name("other.jsonl"))
    assert corpus(log.with_name("other.jsonl")).events()["source"].tolist()[0].endswith("other.jsonl")
    assert len(read) == 2


def test_other_options_are_another_table_of_the_same_events(log: Path, read: list[str]) -> None:
    assert len(corpus(log).messages("ids")) == 2
    assert len(corpus(log).messages("heuristic")) == 1
    assert len(corpus(log).messages("ids")) == 2
    assert read == ["log.jsonl"]


def test_a_policy_that_was_changed_is_another_one(log: Path) -> None:
    one = acpinspect.get_policy("toad").replace(name="mine")
    other = acpinspect.get_policy("per-chunk").replace(name="mine")
    assert len(corpus(log).messages(one)) == 2
    assert len(corpus(log).messages(other)) == 4


def test_what_a_function_makes_is_not_kept(log: Path) -> None:
    def one(events: Any) -> Any:
        return events["role"].astype(object)

    def other(events: Any) -> Any:
        return events["message_id"].astype(object)

    other.__name__ = other.__qualname__ = one.__qualname__
    assert len(corpus(log).messages(one)) == 1
    assert len(corpus(log).messages(other)) == 2


@pytest.fixture
def loud() -> Iterator[None]:
    yield
    forget_rule("loud")


@pytest.mark.usefixtures("loud")
def test_what_a_rule_of_ones_own_finds_is_not_kept(log: Path) -> None:
    @rule("loud", means="a", remedy="b")
    def first(_: Any) -> list[Hit]:
        return [Hit(0, "one")]

    assert corpus(log).findings(codes="loud")["message"].tolist() == ["one"]
    forget_rule("loud")

    @rule("loud", means="a", remedy="b")
    def second(_: Any) -> list[Hit]:
        return [Hit(0, "another")]

    assert corpus(log).findings(codes="loud")["message"].tolist() == ["another"]
    assert corpus(log).sessions["warnings"].tolist() == [0]


def test_the_write_ahead_log_of_a_database_is_part_of_its_content(tmp_path: Path) -> None:
    database, beside = tmp_path / "store.db", tmp_path / "store.db-wal"
    database.write_bytes(b"SQLite format 3\0")
    key = caching.Cache(str(tmp_path / "cache"))._content(str(database))
    beside.write_bytes(b"more")
    assert caching.Cache(str(tmp_path / "cache"))._content(str(database)) != key


def test_processes_and_clusters_share_a_cache(tmp_path: Path, read: list[str], cluster: Cluster) -> None:
    folder = mixed(tmp_path / "logs")
    first = acpinspect.corpus(folder, cache=tmp_path / "cache", workers=2).messages()
    lazy = acpinspect.corpus(folder, cache=tmp_path / "cache", engine="dask", client=cluster.client)
    assert_same(cluster.client.compute(lazy.messages()).result(), first)
    kept = acpinspect.corpus(folder, cache=tmp_path / "cache", workers=1)
    assert_same(kept.messages(), first)
    assert read == []


def test_entries_are_written_as_a_whole_and_leave_nothing_beside(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "logs")
    _ = acpinspect.corpus(folder, cache=tmp_path / "cache", workers=2).sessions
    names = {path.suffix for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    assert names <= {".parquet", ".json"}
