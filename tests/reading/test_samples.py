"""Every sample of the corpus's formats gives what stands beside it, through the front door."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acpinspect.reading.detection import detect, is_acp
from acpinspect.reading.frames import Frame
from acpinspect.reading.reader import read_recording
from acpinspect.reading.sources import open_recordings
from tests.conftest import CORPUS, needs_corpus
from tests.reading.frame_counts import counts_of

FORMATS = CORPUS / "formats"
RECOGNISED = {
    "acp_devtools_export.json": "acp-devtools-export",
    "acp_http_sse.txt": "sse",
    "acp_inspector_trace.jsonl": "acp-inspector-trace",
    "acp_ws.har": "har",
    "acpx_export.json": "acpx-export",
    "acpx_segments": "raw-ndjson",
    "acpx_stream.ndjson": "acpx-stream",
    "batch_array.ndjson": "raw-ndjson-batches",
    "codecompanion_rpc.log": "codecompanion-rpc",
    "conductor_debug.log": "rust-conductor-debug-log",
    "conductor_trace.jsons": "rust-conductor-trace",
    "content_length.txt": "content-length",
    "generic_envelope.jsonl": "envelope",
    "grok_updates.jsonl": "grok-updates",
    "jetbrains_acp_transport.log": "jetbrains-acp-transport",
    "json_array.json": "json-array",
    "kandev_acpdbg.jsonl": "kandev-acpdbg",
    "not_acp_kimi_wire.jsonl": "kimi-wire",
    "openclaw_event_ledger.json": "openclaw-event-ledger",
    "openhands_acp_debug.jsonl": "openhands-acp-debug",
    "prefixed_lines.log": "prefixed-json",
    "pretty_multi.json": "json-concatenated-pretty",
    "python_sdk_dump_camel.jsonl": "bare-params",
    "python_sdk_dump_snake.jsonl": "python-sdk-json",
    "raw_agent_stdout_tee.jsonl": "raw-ndjson",
    "raw_ndjson.jsonl.gz": "raw-ndjson",
    "raw_ndjson.jsonl.zst": "raw-ndjson",
    "raw_ndjson_both.ndjson": "raw-ndjson",
    "sacp_tee_raw.log": "sacp-tee",
    "vibe_messages.jsonl": "vibe-acp-messages",
    "vscode_acp_traffic.log": "vscode-acp-traffic",
    "zed_acp_logs_copy.json": "zed-acp-logs-copy",
    "zed_log_plain.log": "zed-log",
}

pytestmark = needs_corpus


def _samples() -> list[Path]:
    if not FORMATS.is_dir():
        return []
    return sorted(p for p in FORMATS.iterdir() if not p.name.endswith((".expected.json", ".md")))


def _expected(sample: Path) -> dict[str, object]:
    whole = FORMATS / f"{sample.name.replace('.', '_')}.expected.json"
    stem = FORMATS / f"{sample.name.partition('.')[0]}.expected.json"
    return json.loads((whole if whole.exists() else stem).read_text())


def _frames(sample: Path) -> list[Frame]:
    return [frame for recording in open_recordings(sample) for frame in read_recording(recording)]


each_sample = pytest.mark.parametrize("sample", _samples(), ids=lambda path: path.name)


def test_there_are_samples() -> None:
    assert len(_samples()) >= 45


@each_sample
def test_a_sample_has_the_events_sessions_and_messages_that_it_should(sample: Path) -> None:
    wanted = _expected(sample)
    counts = counts_of(_frames(sample))
    assert counts == {key: wanted.get(key, counts[key]) for key in counts}


@each_sample
def test_a_sample_has_time_exactly_if_it_should(sample: Path) -> None:
    messages = [frame for frame in _frames(sample) if frame.kind is None]
    timed = [frame for frame in messages if frame.clock is not None]
    assert bool(timed) == (_expected(sample)["has_time"] and bool(messages))


@each_sample
def test_a_sample_is_told_from_what_is_no_acp(sample: Path) -> None:
    wanted = _expected(sample)
    assert (is_acp(_frames(sample)) is True) == (wanted["events"] != 0)
    assert detect(sample)[0].acp == (wanted["events"] != 0)


@each_sample
def test_what_a_sample_skips_marks_and_prints_is_counted_in_rows(sample: Path) -> None:
    wanted = _expected(sample)
    odd = [frame for frame in _frames(sample) if frame.kind is not None]
    assert len(odd) >= sum(int(wanted.get(key, 0)) for key in ("skipped_lines", "markers", "stderr"))
    if "skipped_lines" in wanted:
        assert len(odd) == wanted["skipped_lines"]


@pytest.mark.parametrize(("sample", "format_name"), RECOGNISED.items())
def test_a_sample_is_recognised_by_its_content(sample: str, format_name: str) -> None:
    assert detect(FORMATS / sample)[0].format == format_name


def test_zeds_stderr_is_a_row_without_a_message() -> None:
    assert [f.problem for f in _frames(FORMATS / "zed_acp_logs_copy.json") if f.kind == "other"] == ["stderr"]


def test_the_hops_that_do_not_touch_the_client_are_marked() -> None:
    problems = [f.problem for f in _frames(FORMATS / "conductor_trace.jsons") if f.kind == "other"]
    assert sorted(set(problems)) == ["hop duplicate", "not ACP (mcp)"]
    assert problems.count("hop duplicate") == 9


def test_the_conductors_milliseconds_count_from_its_start() -> None:
    first = next(f for f in _frames(FORMATS / "conductor_debug.log") if f.kind is None)
    assert (first.time, first.elapsed, first.label) == (1_767_610_800_377_000_000, 0.377, "←")


def test_jetbrains_mojibake_is_repaired_and_said() -> None:
    repaired = [f for f in _frames(FORMATS / "jetbrains_acp_transport.log") if f.problem]
    assert [f.problem for f in repaired if f.kind is None] == ["repaired: mojibake"]
    assert "the tide table – one moment." in repaired[-1].raw


def test_grok_gives_the_milliseconds_of_its_meta_where_it_has_them() -> None:
    frames = [f for f in _frames(FORMATS / "grok_updates.jsonl") if f.kind is None]
    assert [f.clock for f in frames] == [None, *["epoch ms"] * 10, *["epoch s"] * 2]
    assert frames[1].time == 1_767_610_800_350_000_000


def test_the_two_halves_of_a_pair_are_one_order_that_could_have_been() -> None:
    both = [json.loads(line) for line in (FORMATS / "raw_ndjson_both.ndjson").read_text().splitlines()]
    frames = [f for f in _frames(FORMATS / "tee_pair") if f.kind is None]
    assert [json.loads(f.raw) for f in frames] == both


def test_segments_are_read_from_the_oldest_to_the_active_one() -> None:
    sources = list(dict.fromkeys(f.source for f in _frames(FORMATS / "acpx_segments")))
    assert [name.rpartition(".stream")[2] for name in sources] == [".2.ndjson", ".1.ndjson", ".ndjson"]
