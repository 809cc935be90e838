"""The recorder inside a program: bytes, the SDK's observers, asyncio's streams."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import stat
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import acp
import pytest
from acp.connection import StreamDirection, StreamEvent

import acpinspect
from acpinspect.recording import Recorder
from acpinspect.recording.patience import LONGEST_WAIT
from tests.recording.running import ROOT, SDK_AGENT, bytes_of, events, message, records
from tests.recording.sdk_agent import Echo

METHODS = [
    *["initialize", "initialize", "session/new", "session/new", "session/prompt"],
    *["session/update"] * 5,
    "session/prompt",
]


class Reader(acp.Client):
    """A client that only listens."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        pass


async def hold_a_turn(agent: acp.Agent) -> None:
    await agent.initialize(protocol_version=1)
    session = await agent.new_session(cwd="/", mcp_servers=[])
    await agent.prompt(session_id=session.session_id, prompt=[acp.text_block("ahoi Zoë there")])


def conversation(log: Path) -> list[tuple[str, str]]:
    """Who sent what, by the log."""
    table = acpinspect.load(log)
    table = table[table["kind"] != "other"]
    return list(zip(table["sender"], table["method"], strict=True))


WHOLE = list(zip(["client", "agent", "client", "agent", "client", *["agent"] * 6], METHODS, strict=True))


# The SDK


def test_an_observer_records_a_client_s_conversation(tmp_path: Path) -> None:
    async def run(recorder: Recorder) -> None:
        spawned = acp.spawn_agent_process(
            Reader(), *SDK_AGENT, env={"PYTHONPATH": str(ROOT)}, observers=[recorder.observer("client")]
        )
        async with spawned as (agent, _):
            await hold_a_turn(agent)

    with Recorder(tmp_path / "log.jsonl", program="a test") as recorder:
        asyncio.run(run(recorder))
    assert conversation(recorder.path) == WHOLE
    assert records(recorder.path)[0]["program"] == "a test"
    messages = acpinspect.messages(acpinspect.load(recorder.path))
    assert messages["text"].tolist() == ["Hm, ñandú? ", "ahoi Zoë there "]


def with_streams(
    log: Path, talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter, Recorder], Awaitable[None]]
) -> Recorder:
    """Run a client over the streams of the SDK's agent."""

    async def run(recorder: Recorder) -> None:
        process = await asyncio.create_subprocess_exec(
            *SDK_AGENT, stdin=-1, stdout=-1, stderr=-3, env=os.environ | {"PYTHONPATH": str(ROOT)}
        )
        assert process.stdin
        assert process.stdout
        await talk(process.stdout, process.stdin, recorder)
        await process.wait()

    with Recorder(log) as recorder:
        asyncio.run(run(recorder))
    return recorder


def test_recorded_streams_carry_the_sdk_and_keep_every_byte(tmp_path: Path) -> None:
    passed: dict[str, list[bytes]] = {"client": [], "agent": []}

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, recorder: Recorder) -> None:
        reader, writer = recorder.streams(*watched(reader, writer, passed), "client")
        connection = acp.connect_to_agent(Reader(), writer, reader)
        await hold_a_turn(connection)
        await connection.close()
        writer.close()
        await writer.wait_closed()

    recorder = with_streams(tmp_path / "log.jsonl", talk)
    assert conversation(recorder.path) == WHOLE
    for side, pieces in passed.items():
        assert bytes_of(recorder.path, side) == b"".join(pieces)
    assert {"event": "end", "of": "client"} in events(recorder.path)


def watched(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passed: dict[str, list[bytes]]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Note what is really read and written, under the recorder."""
    read, write = reader.readuntil, writer.write

    async def readuntil(separator: bytes = b"\n") -> bytes:
        passed["agent"].append(await read(separator))
        return passed["agent"][-1]

    def note(data: bytes) -> None:
        passed["client"].append(bytes(data))
        write(data)

    reader.readuntil, writer.write = readuntil, note  # type: ignore[method-assign,assignment]
    return reader, writer


def test_an_agent_records_itself_over_its_streams(tmp_path: Path) -> None:
    async def run(recorder: Recorder) -> None:
        ours, theirs = await connected(), await connected()
        reader, writer = recorder.streams(theirs[0], ours[1], "agent")
        agent = asyncio.create_task(acp.run_agent(Echo(), writer, reader))
        client = acp.connect_to_agent(Reader(), theirs[1], ours[0])
        await hold_a_turn(client)
        await client.close()
        theirs[1].close()
        await agent
        ours[1].close()

    with Recorder(tmp_path / "log.jsonl") as recorder:
        asyncio.run(run(recorder))
    assert conversation(recorder.path) == WHOLE


async def connected() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Two ends of a pipe."""
    reading, writing = os.pipe()
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0))
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.streams.FlowControlMixin(loop), os.fdopen(writing, "wb", 0)
    )
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)


# Streams of asyncio, each way to read them


def fed(recorder: Recorder, data: bytes) -> asyncio.StreamReader:
    inner = asyncio.StreamReader()
    inner.feed_data(data)
    inner.feed_eof()
    reader, _ = recorder.streams(inner, None, "client")  # type: ignore[arg-type]
    return reader


READS: dict[str, Callable[[asyncio.StreamReader], Awaitable[Any]]] = {
    "read": lambda reader: reader.read(),
    "read some": lambda reader: reader.read(5),
    "readline": lambda reader: reader.readline(),
    "readexactly": lambda reader: reader.readexactly(7),
    "readuntil": lambda reader: reader.readuntil(b":"),
    "readexactly too much": lambda reader: reader.readexactly(99),
    "readuntil what never comes": lambda reader: reader.readuntil(b"!"),
}


@pytest.mark.parametrize("way", READS)
def test_what_is_read_in_any_way_is_recorded_and_nothing_else(tmp_path: Path, way: str) -> None:
    data = b'{"id":1}\n{"id":2}'

    async def run(recorder: Recorder) -> bytes:
        try:
            return bytes(await READS[way](fed(recorder, data)))
        except asyncio.IncompleteReadError as error:
            return error.partial

    with Recorder(tmp_path / "log.jsonl") as recorder:
        read = asyncio.run(run(recorder))
    assert read
    assert bytes_of(recorder.path, "agent") == read


def test_a_reader_can_be_looped_over_and_says_when_it_ends(tmp_path: Path) -> None:
    async def run(recorder: Recorder) -> list[bytes]:
        reader = fed(recorder, b"one\ntwo")
        lines = [line async for line in reader]
        assert reader.at_eof()
        assert reader.exception() is None
        assert await reader.read() == b""
        return lines

    with Recorder(tmp_path / "log.jsonl") as recorder:
        assert asyncio.run(run(recorder)) == [b"one\n", b"two"]
    assert events(recorder.path) == [{"event": "start"}, {"event": "end", "of": "agent"}]


def test_a_stream_that_outlives_its_recorder_goes_on(tmp_path: Path) -> None:
    async def run() -> bytes:
        with Recorder(tmp_path / "log.jsonl") as recorder:
            reader = fed(recorder, b"one\ntwo\n")
            observe = recorder.observer("agent")
            await reader.readline()
        observe(None)
        return await reader.read()

    assert asyncio.run(run()) == b"two\n"
    assert bytes_of(tmp_path / "log.jsonl", "agent") == b"one\n"


# By itself


def test_a_message_is_in_the_log_when_write_returns(tmp_path: Path) -> None:
    with Recorder(tmp_path / "log.jsonl") as recorder:
        for number in range(20):
            recorder.write("client", message(number))
            assert bytes_of(recorder.path, "client").endswith(message(number))


def test_only_the_owner_can_read_it_and_what_is_there_stays(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"mine")
    (tmp_path / "log-2.jsonl").symlink_to(tmp_path / "elsewhere")
    with Recorder(log) as recorder:
        pass
    assert recorder.path == tmp_path / "log-3.jsonl"
    assert stat.S_IMODE(recorder.path.stat().st_mode) == 0o600
    assert log.read_bytes() == b"mine"
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_gets_a_new_file_for_each(tmp_path: Path) -> None:
    folder = f"{tmp_path}/to be/made/"
    with Recorder(folder) as one, Recorder(folder) as other:
        pass
    assert one.path != other.path
    assert one.path.parent == other.path.parent == Path(folder)
    assert one.path.name.startswith("acp-2")
    assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700


def test_a_log_that_can_not_be_opened_is_an_error_that_says_why(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "such.jsonl", "nul\0byte"):
        with pytest.raises(acpinspect.SourceError, match="can't be written"):
            Recorder(path)


def test_bad_arguments_say_what_there_is(tmp_path: Path) -> None:
    with Recorder(tmp_path / "log.jsonl") as recorder:
        with pytest.raises(acpinspect.ArgumentError, match="'client', 'agent', 'stderr'"):
            recorder.write("nobody", b"")  # type: ignore[arg-type]
        with pytest.raises(acpinspect.ArgumentError, match="'client' or 'agent'"):
            recorder.observer("stderr")  # type: ignore[arg-type]
        with pytest.raises(acpinspect.ArgumentError, match="'client' or 'agent'"):
            recorder.streams(None, None, "nobody")  # type: ignore[arg-type]
        with pytest.raises(acpinspect.ArgumentError, match="no sender"):
            list(acpinspect.recording.wire_bytes(recorder.path, "nobody"))  # type: ignore[arg-type]
    recorder.close()
    for call in (lambda: recorder.write("agent", b""), lambda: recorder.end("agent"), lambda: recorder.event("x")):
        with pytest.raises(acpinspect.ArgumentError, match="is closed"):
            call()


def test_an_own_event_is_a_record(tmp_path: Path) -> None:
    with Recorder(tmp_path / "log.jsonl") as recorder:
        recorder.event("test 7 begins", retries=2)
    assert events(recorder.path)[-1] == {"event": "test 7 begins", "retries": 2}


def test_what_is_not_ended_is_written_when_it_is_closed(tmp_path: Path) -> None:
    with Recorder(tmp_path / "log.jsonl") as recorder:
        recorder.write("agent", b'{"half')
    assert records(recorder.path)[-1]["text"] == '{"half'


def test_an_observer_keeps_what_json_can_not_say(tmp_path: Path) -> None:
    message = {"jsonrpc": "2.0", "method": "x", "params": {"half": "\ud83d", "nan": float("nan")}}
    event = StreamEvent(StreamDirection.INCOMING, message)
    with Recorder(tmp_path / "log.jsonl") as recorder:
        recorder.observer("client")(event)
    [line] = bytes_of(recorder.path, "agent").splitlines()
    assert json.loads(line)["params"]["half"] == "\ud83d"


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /dev/full")
def test_a_full_disk_is_a_warning_and_holds_nothing_up(caplog: pytest.LogCaptureFixture) -> None:
    begun = time.monotonic()
    with caplog.at_level(logging.WARNING), Recorder("/dev/full") as recorder:
        for number in range(2_000):
            recorder.write("client", message(number))
        assert time.monotonic() - begun < 5 + LONGEST_WAIT
    assert [record.name for record in caplog.records] == ["acpinspect", "acpinspect"]
    assert "No space left on device" in caplog.text
    assert "2,001 records are not in it" in caplog.text


def test_several_threads_record_at_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with Recorder(tmp_path / "log.jsonl") as recorder, ThreadPoolExecutor(3) as pool:

        def flood(sender: Any) -> None:
            for number in range(300):
                recorder.write(sender, message(number))

        list(pool.map(flood, ["client", "agent", "stderr"]))
    assert [record["seq"] for record in records(recorder.path)] == list(range(901))
    for sender in ("client", "agent", "stderr"):
        assert bytes_of(recorder.path, sender) == b"".join(message(number) for number in range(300))
