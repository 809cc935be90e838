"""What `load` makes of a recording: each line as of any other log, with sender, time and the recorder's words."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.recording import Recorder
from acpinspect.recording.records import Moment, event_record, records_of
from tests.logs import LOGS, ndjson
from tests.wire import chunk, initialize, prompt, stop

SECOND = 1_000_000_000
NOISE = st.sampled_from(
    (
        *(b"ready", b"\x1b[2mup\x1b[0m", b'{"level":"info"}', b"7", b"[1]", b'{"a":NaN}', b'"x"', b"[]", b"\xff"),
        *(b'{"jsonrpc":"2.0","id":2,"resu', b'npm warn {"jsonrpc":"2.0","id":3,"result":{}}', b'{"a":"\\ud83d"}'),
        b'{"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}',
        b'[{"jsonrpc":"2.0","id":4,"result":{}},{"jsonrpc":"2.0","id":5,"result":{}}]',
    )
)
ALIKE = [
    "kind",
    "raw",
    "method",
    "rpc_id",
    "session_id",
    "update",
    "message_id",
    "text",
    "role",
    "turn",
    "problem",
]


def values(events: pd.DataFrame, columns: list[str] = ALIKE) -> list[list[Any]]:
    """Rows as plain values, NA as None."""
    table = events[columns].astype(object)
    return table.where(table.notna(), None).values.tolist()


def of_the_wire(events: pd.DataFrame) -> pd.DataFrame:
    return events[events["sender_label"] != "recorder"]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(LOGS, st.lists(st.tuples(st.integers(0, 99), NOISE), max_size=4), st.booleans())
def test_the_lines_of_a_side_load_as_they_would_alone(
    log: list[dict[str, Any]], noise: list[tuple[int, bytes]], ascii_only: bool
) -> None:
    lines = ndjson(log, ascii_only=ascii_only).splitlines()
    for place, line in noise:
        lines.insert(place % (len(lines) + 1), line)
    wire = b"".join(line + b"\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder, Recorder(Path(folder) / "log.jsonl") as recorder:
        recorder.write("agent", wire)
        recorder.close()
        recorded = of_the_wire(acpinspect.load(recorder.path, format="acpinspect-recording"))
    alone = acpinspect.load(wire, format="raw-ndjson", sender="agent")
    assert values(recorded) == values(alone)
    assert set(recorded["sender"]) <= {"agent"}


def recording(*said: tuple[int, str, bytes]) -> bytes:
    """A log of lines with their seconds and senders."""
    made = [*event_record(0, Moment(0, 0), "start", {"format": "acpinspect-recording", "version": 1}).buffers]
    for number, (second, sender, line) in enumerate(said, 1):
        moment = Moment(1_767_610_800 * SECOND + second * SECOND + 5, second * SECOND + 7 * SECOND)
        made += records_of(number, moment, sender, [], line).buffers  # type: ignore[arg-type]
    return b"".join(made)


def wire(*frames: dict[str, Any]) -> list[bytes]:
    return [json.dumps(frame).encode() for frame in frames]


def test_sender_time_and_place_are_the_record_s() -> None:
    first, answer = wire(*initialize(0, 1))
    log = recording((0, "client", first), (2, "stderr", b"up"), (3, "agent", answer))
    events = acpinspect.load(log)
    assert acpinspect.detect(log)[0].format == "acpinspect-recording"
    assert values(events, ["line", "sender", "sender_label", "kind", "problem"]) == [
        [1, None, "recorder", "other", "recorder: start"],
        [2, "client", "client", "request", None],
        [3, None, "stderr", "other", "stderr"],
        [4, "agent", "agent", "response", None],
    ]
    assert events["elapsed"].tolist()[1:] == [0.0, 2.0, 3.0]
    assert str(events["time"].iloc[1]) == "2026-01-05 11:00:00.000000005+00:00"
    assert events["offset"].tolist() == [0, *(log.index(b'{"seq":%d,' % number) for number in (1, 2, 3))]
    assert events["raw"].iloc[2] == "up"
    assert events["reply_to"].iloc[3] == 1


def test_a_clock_that_is_set_while_it_runs_does_not_change_elapsed() -> None:
    first, answer = wire(*initialize(0, 1))
    start = Moment(5_000 * SECOND, 1 * SECOND)
    end = Moment(4_000 * SECOND, 3 * SECOND)  # an hour was put back
    log = b"".join(
        records_of(0, start, "client", [], first).buffers + records_of(1, end, "agent", [], answer).buffers
    )
    events = acpinspect.load(log)
    assert events["elapsed"].tolist() == [0.0, 2.0]
    assert events["time"].diff().iloc[1] == pd.Timedelta(seconds=-1_000)


def test_the_pieces_of_a_scan_have_the_same_clock_as_the_whole(tmp_path: Path) -> None:
    frames = wire(*initialize(0, 1), prompt(1), *(chunk("ab", "m1") for _ in range(40)), stop(1))
    log = tmp_path / "log.jsonl"
    log.write_bytes(recording(*((number, "agent", frame) for number, frame in enumerate(frames))))
    whole = acpinspect.load(log)["elapsed"].tolist()
    assert whole == [-7.0, *map(float, range(len(frames)))]
    for size in (2, 7, 1_000):
        assert pd.concat(list(acpinspect.scan(log, size=size)))["elapsed"].tolist() == whole
    # A piece that comes before the first message can't know when that will be.
    assert pd.concat(list(acpinspect.scan(log, size=1)))["elapsed"].tolist() == [0.0, *whole[1:]]


def test_both_sides_make_one_conversation() -> None:
    frames = [
        (0, "client", initialize(0, 1)[0]),
        (0, "agent", initialize(0, 1)[1]),
        (1, "client", prompt(1, "Go")),
    ]
    frames += [(2, "agent", chunk("Hello", "m1")), (3, "agent", chunk(" you", "m1")), (4, "agent", stop(1))]
    events = acpinspect.load(
        recording(*((second, by, json.dumps(frame).encode()) for second, by, frame in frames))
    )
    assert acpinspect.messages(events)[["role", "text", "duration"]].values.tolist() == [
        ["agent", "Hello you", 1.0]
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'"event":"dropped","records":12,"bytes":3400,"reason":"disk full"', "recorder: dropped, 12 records"),
        (b'"event":"late","records":3,"seconds":0.5', "recorder: late, 3 records"),
        (b'"event":"signal","signal":"SIGTERM"', "recorder: signal"),
    ],
)
def test_what_the_recorder_says_is_a_row_of_its_own(line: bytes, problem: str) -> None:
    said = b'{"seq":9,"time":"2026-01-05T11:00:00Z","mono":1.5,"sender":"recorder",' + line + b"}\n"
    events = acpinspect.load(recording((0, "client", wire(prompt(1))[0])) + said)
    row = events.iloc[-1]
    assert (row["kind"], row["problem"], row["raw"]) == ("other", problem, "{" + line.decode() + "}")


def test_blank_lines_and_a_missing_line_feed_are_told(tmp_path: Path) -> None:
    with Recorder(tmp_path / "log.jsonl") as recorder:
        recorder.write("client", wire(prompt(1))[0] + b"\n")
        recorder.write("agent", b"\n" + wire(stop(1))[0])
        recorder.end("agent")
    rows = of_the_wire(acpinspect.load(recorder.path))
    assert values(rows, ["kind", "problem"]) == [
        ["request", None],
        ["other", "a blank line"],
        ["response", "no line feed at the end of the stream"],
    ]


def test_a_torn_last_record_is_unreadable() -> None:
    log = recording((0, "client", wire(prompt(1))[0]), (1, "agent", wire(stop(1))[0]))
    events = acpinspect.load(log[:-10])
    assert values(events.iloc[[-1]], ["kind", "line"]) == [["unreadable", 3]]


def test_a_recording_of_a_recorder_is_read_through_both() -> None:
    inner = recording((0, "client", wire(prompt(1, "Go"))[0])).splitlines()
    events = acpinspect.load(recording(*((1, "agent", line) for line in inner)))
    assert events["method"].dropna().tolist() == ["session/prompt"]
    assert events["sender_label"].tolist() == ["recorder", "agent", "agent"]


def test_records_within_records_within_records_end_somewhere() -> None:
    line = wire(prompt(1, "Go"))[0]
    for _ in range(60):
        [line] = recording((0, "agent", line)).splitlines()[1:]
    events = acpinspect.load(wire(prompt(1))[0] + b"\n" + line + b"\n", format="acpinspect-recording")
    assert values(events.iloc[[-1]], ["kind", "problem"]) == [["unreadable", "records within records"]]


@pytest.mark.parametrize("form", [b'"base64":"!"', b'"text":7', b'"base64":null', b'"other":1', b'"msg":'])
def test_a_record_that_no_recorder_wrote_is_a_row_like_any_other(form: bytes) -> None:
    said = b'{"seq":9,"time":"yesterday","mono":"soon","sender":"agent",' + form + b"}\n"
    events = acpinspect.load(recording((0, "client", wire(prompt(1))[0])) + said)
    assert len(events) == 3
    assert events["kind"].iloc[-1] in ("other", "unreadable")


def test_a_recording_without_acp_is_said_to_be_one() -> None:
    with pytest.raises(acpinspect.NotACPError, match="acpinspect-recording"):
        acpinspect.load(recording((0, "agent", b'{"jsonrpc":"2.0","method":"tools/list","id":1}')))
