"""Logs that are reached by a url."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

import acpinspect
from acpinspect.collection.entries import entries_at
from acpinspect.collection.recording_events import Reading
from acpinspect.collection.stretches import read_stretch, stretch_events, stretches_of
from tests.collection.folders import WITH_IDS, WITHOUT_IDS, assert_same, mixed
from tests.logs import ndjson

fsspec = pytest.importorskip("fsspec")


@pytest.fixture
def memory() -> Iterator[None]:
    """A file system in memory with a copy of the mixed folder."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield
    system.store.clear()


def put(name: str, data: bytes) -> None:
    with fsspec.open(f"memory://{name}", "wb") as file:
        file.write(data)


def test_a_url_of_a_file_here_is_its_path(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "logs")
    plain = acpinspect.corpus(folder)
    assert_same(acpinspect.corpus(f"file://{folder}").events(), plain.events())
    one = acpinspect.corpus(f"file://{folder}/with_*.ndjson")
    assert one.recordings["recording"].tolist() == [str(folder / "with_ids.ndjson")]


def test_a_file_with_two_colons_in_its_name_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zed::log.jsonl").write_bytes(ndjson(WITH_IDS))
    monkeypatch.chdir(tmp_path)
    assert len(acpinspect.corpus("zed::log.jsonl").sessions) == 1
    assert len(acpinspect.corpus(tmp_path).sessions) == 1


@pytest.mark.usefixtures("memory")
def test_a_folder_in_memory_gives_the_tables_of_one_on_disk(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "logs")
    for path in folder.iterdir():
        put(f"/logs/{path.name}", path.read_bytes())
    plain, remote = acpinspect.corpus(folder), acpinspect.corpus("memory://logs", workers=2)
    ours = [name.replace(f"{folder}/", "memory:///logs/") for name in plain.recordings["recording"]]
    assert sorted(remote.recordings["recording"]) == sorted(ours)
    assert remote.recordings["size"].sum() > 0
    raws = remote.events()["raw"].tolist()
    assert sorted(raws) == sorted(plain.events()["raw"].tolist())
    assert set(remote.problems["error"]) == {"SourceError", "NotACPError"}


@pytest.mark.usefixtures("memory")
def test_dask_reads_from_memory_with_threads() -> None:
    put("/logs/a.jsonl", ndjson(WITH_IDS))
    put("/logs/b.jsonl.gz", gzip.compress(ndjson(WITHOUT_IDS)))
    remote = acpinspect.corpus("memory://logs/*", engine="dask")
    made = remote.messages().compute(scheduler="threads")
    assert made["text"].tolist() == ["One message.", "Another one.", "I am done.Now I write."]
    assert made["recording"].unique().tolist() == ["memory:///logs/a.jsonl", "memory:///logs/b.jsonl.gz"]
    assert_same(made, acpinspect.corpus("memory://logs/*").messages())


@pytest.mark.usefixtures("memory")
def test_a_url_is_read_in_stretches() -> None:
    put("/a.jsonl", ndjson([*WITH_IDS, *WITHOUT_IDS]))
    [entry] = entries_at("memory://a.jsonl")
    cut = stretches_of(entry, Reading(), large=1, size=200)
    assert len(cut) > 5
    events = stretch_events(entry, Reading(), [read_stretch(one) for one in cut])
    assert events.equals(acpinspect.corpus("memory://a.jsonl").events_of(0))


@pytest.mark.usefixtures("memory")
def test_a_url_may_be_kept_in_the_cache(tmp_path: Path) -> None:
    put("/a.jsonl", ndjson(WITH_IDS))
    made = [acpinspect.corpus("memory://a.jsonl", cache=tmp_path).messages() for _ in range(2)]
    assert_same(*made)
    put("/a.jsonl", ndjson(WITHOUT_IDS))
    assert len(acpinspect.corpus("memory://a.jsonl", cache=tmp_path).messages()) == 1


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("memory://nowhere.jsonl", "can't be reached"),
        ("memory://logs/*.nothing", "No file matches"),
        ("nothing://at/all", "can't be reached"),
    ],
)
def test_a_url_that_leads_nowhere_is_an_error(url: str, said: str) -> None:
    with pytest.raises(acpinspect.SourceError, match=said):
        acpinspect.corpus(url)


@pytest.mark.usefixtures("memory")
def test_a_file_that_is_gone_is_a_row() -> None:
    put("/logs/a.jsonl", ndjson(WITH_IDS))
    put("/logs/b.jsonl", ndjson(WITH_IDS))
    corpus = acpinspect.corpus("memory://logs")
    fsspec.filesystem("memory").rm("/logs/a.jsonl")
    assert corpus.sessions.index.tolist() == [1]
    assert corpus.problems["recording"].tolist() == ["memory:///logs/a.jsonl"]
