"""SQLite stores: found by what stands in them, read in their own order, and never written to."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from acpinspect.errors import SourceError
from tests.reading.frame_counts import frames_of, messages_of, recognised, updates_of


def chunk(text: str) -> str:
    return json.dumps({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})


def texts(path: Path | bytes) -> list[str]:
    return [update["content"]["text"] for update in updates_of(frames_of("sqlite", path))]


def store(path: Path, *statements: str, rows: Iterable[tuple[object, ...]] = (), insert: str = "") -> Path:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.executemany(insert, rows) if insert else None
    connection.close()
    return path


UPDATES = "CREATE TABLE updates(session_id TEXT, seq INTEGER, at INTEGER, update_json TEXT)"


def updates_store(path: Path, rows: Iterable[tuple[object, ...]], schema: str = UPDATES) -> Path:
    return store(path, schema, insert="INSERT INTO updates VALUES (?,?,?,?)", rows=rows)


def test_a_store_of_updates_names_their_sessions_and_times(tmp_path: Path) -> None:
    path = updates_store(tmp_path / "x.db", [("s", 1, 1767610802480, chunk("a"))])
    [frame] = frames_of("sqlite", path)
    assert messages_of([frame])[0]["params"]["sessionId"] == "s"
    assert (frame.time, frame.clock) == (1_767_610_802_480_000_000, "epoch ms")
    assert (frame.line, frame.offset, frame.length) == (None, None, None)


def test_a_store_of_messages_has_direction_and_connection(tmp_path: Path) -> None:
    path = store(
        tmp_path / "x.db",
        "CREATE TABLE log(id INTEGER PRIMARY KEY, ts REAL, dir TEXT, conn_id TEXT, note TEXT, frame BLOB)",
        insert="INSERT INTO log(ts, dir, conn_id, note, frame) VALUES (?,?,?,?,?)",
        rows=[(1767610802.5, "a2c", "c-1", "{}", b'{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}')],
    )
    [frame] = frames_of("sqlite", path)
    assert (frame.label, frame.connection, frame.clock) == ("a2c", "c-1", "epoch s")
    assert frame.raw == '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}'


def test_rows_come_in_the_order_in_which_they_were_written(tmp_path: Path) -> None:
    rows = [("s", 1, 9, chunk("a")), ("t", 1, 8, chunk("b")), ("s", 2, 7, chunk("c"))]
    assert texts(updates_store(tmp_path / "x.db", rows)) == ["a", "b", "c"]


def test_rows_whose_count_contradicts_that_come_session_by_session(tmp_path: Path) -> None:
    rows = [("t", 2, 0, chunk("b")), ("s", 1, 0, chunk("c")), ("t", 1, 0, chunk("a"))]
    assert texts(updates_store(tmp_path / "x.db", rows)) == ["a", "b", "c"]


def test_a_table_without_row_numbers_is_read_by_its_count(tmp_path: Path) -> None:
    schema = UPDATES.replace("update_json TEXT", "update_json TEXT, PRIMARY KEY (update_json)") + " WITHOUT ROWID"
    rows = [("s", 2, 0, chunk("a")), ("s", 1, 0, chunk("b"))]
    assert texts(updates_store(tmp_path / "x.db", rows, schema)) == ["b", "a"]


def test_names_with_quotes_are_only_names(tmp_path: Path) -> None:
    path = store(
        tmp_path / "x.db",
        'CREATE TABLE "a""b; DROP TABLE x--"("pay""load" TEXT)',
        insert='INSERT INTO "a""b; DROP TABLE x--" VALUES (?)',
        rows=[(chunk("a"),)],
    )
    assert texts(path) == ["a"]


def test_views_and_generated_columns_are_left_alone(tmp_path: Path) -> None:
    path = store(
        tmp_path / "x.db",
        "CREATE TABLE base(n INTEGER, made TEXT GENERATED ALWAYS AS (hex(zeroblob(1000))))",
        "INSERT INTO base(n) VALUES (1)",
        f"CREATE VIEW v AS SELECT '{chunk('a')}' AS payload",
    )
    assert frames_of("sqlite", path) == []


def test_rows_that_are_no_message_stay_rows(tmp_path: Path) -> None:
    rows = [("s", 1, 0, chunk("a")), ("s", 2, 0, '{"x":1}'), ("s", 3, 0, '{"torn":'), ("s", 4, 0, None)]
    frames = frames_of("sqlite", updates_store(tmp_path / "x.db", rows))
    assert [frame.kind for frame in frames] == [None, "other", "unreadable", "other"]
    assert frames[2].raw == '{"torn":'


def test_the_write_ahead_log_is_read_and_nothing_is_left_behind(tmp_path: Path) -> None:
    path = updates_store(tmp_path / "x.db", [("s", 1, 0, chunk("a"))])
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("INSERT INTO updates VALUES ('s', 2, 0, ?)", (chunk("b"),))
    writer.commit()
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in ("x.db", "x.db-wal"):
        (crashed / name).write_bytes((tmp_path / name).read_bytes())
    live = texts(path)
    writer.close()
    before = {one.name: one.read_bytes() for one in crashed.iterdir()}
    assert live == texts(crashed / "x.db") == ["a", "b"]
    assert {one.name: one.read_bytes() for one in crashed.iterdir()} == before


def test_a_store_in_wal_mode_without_a_log_gets_none(tmp_path: Path) -> None:
    path = updates_store(tmp_path / "x.db", [("s", 1, 0, chunk("a"))])
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.close()
    assert texts(path) == texts(path.read_bytes()) == ["a"]
    assert [one.name for one in tmp_path.iterdir()] == ["x.db"]


def test_a_compressed_store_is_read(tmp_path: Path) -> None:
    path = updates_store(tmp_path / "x.db", [("s", 1, 0, chunk("a"))])
    packed = tmp_path / "x.db.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert texts(packed) == ["a"]


@pytest.mark.parametrize("size", [16, 100, 600])
def test_a_damaged_store_is_a_source_error(tmp_path: Path, size: int) -> None:
    data = updates_store(tmp_path / "x.db", [("s", 1, 0, chunk("a"))]).read_bytes()
    broken = tmp_path / "broken.db"
    broken.write_bytes(data[:size] + b"\xff" * (len(data) - size if size > 100 else 0))
    for source in (broken, broken.read_bytes()):
        with pytest.raises(SourceError, match="SQLite"):
            frames_of("sqlite", source)


def test_a_store_damaged_further_on_keeps_what_comes_before(tmp_path: Path) -> None:
    path = updates_store(tmp_path / "x.db", [("s", n, 0, chunk("a" * 900)) for n in range(400)])
    data = bytearray(path.read_bytes())
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    frames = frames_of("sqlite", bytes(data))
    assert [frame.kind for frame in frames[:50]] == [None] * 50
    assert frames[-1].kind == "unreadable"
    assert "damaged" in (frames[-1].problem or "")


def test_any_database_is_recognised_as_one(tmp_path: Path) -> None:
    found = recognised(store(tmp_path / "x.db", "CREATE TABLE t(a)").read_bytes())
    assert found is not None
    assert found.name == "sqlite"


def test_a_chat_database_of_the_same_table_names_is_not_taken_for_a_known_store(tmp_path: Path) -> None:
    path = store(tmp_path / "x.db", "CREATE TABLE sessions(id)", "CREATE TABLE messages(id, payload_json)")
    found = recognised(path.read_bytes())
    assert found is not None
    assert found.name == "sqlite"
