"""Each sample of the formats that are no JSON gives what stands beside it in the corpus."""

from __future__ import annotations

import json

import pytest

from tests.conftest import CORPUS, needs_corpus
from tests.reading.frame_counts import counts_of, frames_of, recognised, senders_of, uncovered

SAMPLES = {
    "acp_el.traffic": "acp-el",
    "avante_acp_session.log": "avante-acp-session",
    "python_dict_repr.txt": "python-repr",
    "python_sdk_repr.log": "python-repr",
    "toad_log.txt": "toad-log",
    "rust_debug.log": "rust-debug",
    "gptme_protocol.log": "gptme-acp-protocol",
    "autodev_acp_log.jsonl": "autodev-acp-log",
    "benchflow_acp_trajectory.jsonl": "benchflow-acp-trajectory",
    "acp_devtools_captures.db": "acp-devtools-sqlite",
    "sandbox_agent_events.db": "sandbox-agent-sqlite",
    "agent_of_empires_cockpit_events.db": "agent-of-empires-sqlite",
    "openclaw_state.sqlite": "openclaw-sqlite",
}
TEXTS = {name: found for name, found in SAMPLES.items() if not name.endswith(("db", "sqlite"))}
OUTSIDE = {"toad_log.txt": b"[error] failed to decode JSON from agent: Expecting value: line 1 column 1 (char 0)"}

pytestmark = needs_corpus
each_sample = pytest.mark.parametrize(("file", "format_name"), SAMPLES.items())


def expected(file: str) -> dict[str, object]:
    return json.loads((CORPUS / "formats" / f"{file.partition('.')[0]}.expected.json").read_text())


@each_sample
def test_a_sample_has_the_events_sessions_and_messages_that_it_should(file: str, format_name: str) -> None:
    wanted = expected(file)
    counts = counts_of(frames_of(format_name, CORPUS / "formats" / file))
    assert counts == {key: wanted.get(key, counts[key]) for key in counts}


@each_sample
def test_a_sample_has_the_senders_that_it_should(file: str, format_name: str) -> None:
    assert senders_of(frames_of(format_name, CORPUS / "formats" / file)) == expected(file)["directions"]


@each_sample
def test_a_sample_has_times_exactly_if_it_should(file: str, format_name: str) -> None:
    frames = [frame for frame in frames_of(format_name, CORPUS / "formats" / file) if frame.kind is None]
    timed = [frame for frame in frames if frame.time is not None or frame.elapsed is not None]
    assert len(timed) == (len(frames) if expected(file)["has_time"] else 0)


@each_sample
def test_a_sample_is_recognised_by_its_content(file: str, format_name: str) -> None:
    found = recognised((CORPUS / "formats" / file).read_bytes())
    assert found is not None
    assert found.name == format_name


@each_sample
def test_a_sample_in_memory_gives_the_same_as_its_file(file: str, format_name: str) -> None:
    path = CORPUS / "formats" / file
    in_memory = [frame.raw for frame in frames_of(format_name, path.read_bytes())]
    assert in_memory == [frame.raw for frame in frames_of(format_name, path)]


@pytest.mark.parametrize(("file", "format_name"), TEXTS.items())
def test_every_byte_of_a_text_lies_in_a_frame(file: str, format_name: str) -> None:
    data = (CORPUS / "formats" / file).read_bytes()
    assert uncovered(data, frames_of(format_name, data)) == OUTSIDE.get(file, b"")


@pytest.mark.parametrize(("file", "format_name"), TEXTS.items())
def test_a_frame_begins_at_the_line_that_it_names(file: str, format_name: str) -> None:
    data = (CORPUS / "formats" / file).read_bytes()
    for frame in frames_of(format_name, data):
        assert frame.offset is not None
        assert frame.line == data.count(b"\n", 0, frame.offset) + 1


def test_the_cut_bodies_of_gptme_say_so() -> None:
    frames = frames_of("gptme-acp-protocol", CORPUS / "formats" / "gptme_protocol.log")
    assert (
        sum("truncated" in (frame.problem or "") for frame in frames)
        == expected("gptme_protocol.log")["truncated"]
    )
