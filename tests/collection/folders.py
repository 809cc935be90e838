"""Folders of small logs for the tests of the corpus."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

from tests.logs import ndjson
from tests.wire import chunk, prompt, request, result, stop, tool_call, tool_update

Json = dict[str, Any]


def begun(agent: str | None = "keeper", version: str = "1.0", session: str = "s1") -> list[Json]:
    """The opening of a connection, with names, and a session."""
    own = {} if agent is None else {"agentInfo": {"name": agent, "version": version}}
    return [
        request(0, "initialize", protocolVersion=1, clientInfo={"name": "buoy", "version": "2.1"}),
        result(0, protocolVersion=1, **own),
        request(1, "session/new", cwd="/w", mcpServers=[]),
        result(1, sessionId=session),
    ]


def turn(*texts: str, ids: bool = True, number: int = 2, session: str = "s1") -> list[Json]:
    """A prompt turn; each text is a message of its own, if it has an id."""
    chunks = [
        chunk(part, f"m{number}-{i}" if ids else None, session=session)
        for i, text in enumerate(texts)
        for part in (text[:3], text[3:])
    ]
    return [prompt(number, "Go", session), *chunks, stop(number)]


WITH_IDS = [*begun(), *turn("One message.", "Another one.")]
WITHOUT_IDS = [*begun("gull", "0.3"), *turn("I am done.", "Now I write.", ids=False)]
WITH_TOOLS = [*begun(None), prompt(2), tool_call(), tool_update(status="completed"), chunk("Dug."), stop(2)]


def timed(log: list[Json], start: float = 1767610800.0) -> bytes:
    """The log in an envelope with times, a second apart."""
    return ndjson([{"ts": start + i, "msg": frame} for i, frame in enumerate(log)])


def mixed(folder: Path) -> Path:
    """A folder of mixed formats, some of which are no logs at all."""
    folder.mkdir(exist_ok=True)
    (folder / "with_ids.ndjson").write_bytes(ndjson(WITH_IDS))
    (folder / "without_ids.jsonl").write_bytes(timed(WITHOUT_IDS))
    (folder / "array.json").write_text(json.dumps(WITH_TOOLS))
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(ndjson(WITH_IDS), mtime=0))
    (folder / "rotated.ndjson.1").write_bytes(ndjson(WITH_IDS[:7]))
    (folder / "rotated.ndjson").write_bytes(ndjson(WITH_IDS[7:]))
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "foreign.json").write_text('{"scripts": {"start": "run"}}')
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("a.jsonl", ndjson(WITH_TOOLS))
        archive.writestr("b.jsonl", ndjson(WITHOUT_IDS))
    (folder / "broken.zip").write_bytes((folder / "archive.zip").read_bytes()[:60])
    return folder


def assert_same(a: pd.DataFrame, b: pd.DataFrame) -> None:
    """The same rows, in order, type for type; how pandas keeps the names of categories is its own affair."""
    pd.testing.assert_frame_equal(a, b, check_categorical=False)
    for name in a:
        if a[name].dtype == "category":
            assert a[name].cat.categories.tolist() == b[name].cat.categories.tolist(), name
            assert a[name].cat.ordered == b[name].cat.ordered, name
